"""The packages that the repository ships: what each is called, and what it is generated from."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Literal

from attrs import frozen

ROOT = Path(__file__).resolve().parent.parent
SPEC = ROOT / "spec" / "openapi.yaml"
GENERATED = ROOT / "generated"
PACKAGE = "trading_sdk"
"""The package of the spec alone, and the folder of the templates."""


Language = Literal["python", "typescript"]


@frozen
class Package:
    """A package to generate."""

    name: str
    overlays: tuple[Path, ...] = ()
    """What is laid over the spec, in this order."""
    about: str = ""
    """What its docstring says beyond that of every generated package."""
    language: Language = "python"


SHIPPED = {
    package.name: package
    for package in (
        Package(PACKAGE),
        Package(
            "trading_sdk_observed",
            overlays=(ROOT / "spec" / "overlays" / "observed.yaml",),
            about=(
                "Beside the interface document it has the endpoints that were seen of the live service. "
                "Nobody promises them, so any version may change or drop them; only `trading_sdk` is "
                "stable. Both packages have the same runtime."
            ),
        ),
    )
}
"""By name. `generate` writes them all into `GENERATED`, and `check` compares them all."""

PORTS = {ROOT / "ports" / "typescript" / "src": Package("generated", language="typescript")}
"""By the folder that holds it, beside a runtime by hand. Written and compared with the others."""


@cache
def names_taken(of: Literal["groups", "methods", "types"]) -> frozenset[str]:
    """The names that a port cannot give to its groups, methods or types: its names.json lists them by reasons."""
    files = ROOT.glob("ports/*/generator/names.json")
    lists = [json.loads(file.read_text(encoding="utf-8"))[of].values() for file in files]
    return frozenset(name for reasons in lists for names in reasons for name in names)
