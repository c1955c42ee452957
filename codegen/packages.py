"""The packages that the repository ships: what each is called, and what it is generated from."""

from __future__ import annotations

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
class Streams:
    """A websocket that a package knows."""

    path: Path
    """Its description."""
    overlays: tuple[Path, ...]
    """What is laid over the spec into which the description refers."""


@frozen
class Package:
    """A package to generate."""

    name: str
    overlays: tuple[Path, ...] = ()
    """What is laid over the spec, in this order."""
    about: str = ""
    """What its docstring says beyond that of every generated package."""
    stable: Path | None = None
    """The spec of `trading_sdk`, if this package imports from there what is equal."""
    language: Language = "python"
    streams: Streams | None = None
    """Its websocket, if it has one."""


OBSERVED = ROOT / "spec" / "overlays" / "observed.yaml"
STREAMS = Streams(ROOT / "spec" / "streams.yaml", (OBSERVED,))
SHIPPED = {
    package.name: package
    for package in (
        Package(PACKAGE),
        Package(
            "trading_sdk_observed",
            overlays=(OBSERVED,),
            about=(
                "Beside the interface document it has the endpoints that were seen of the live service. "
                "Nobody promises them, so any version may change or drop them; only `trading_sdk` is "
                "stable. Both packages have the same runtime, and the same class where it is equal."
            ),
            stable=SPEC,
            streams=STREAMS,
        ),
    )
}
"""By name. `generate` writes them all into `GENERATED`, and `check` compares them all."""

PORTS = {
    ROOT / "ports" / "typescript" / "src": Package(
        "generated", language="typescript", streams=STREAMS
    )
}
"""By the folder that holds it, beside a runtime by hand. Written and compared with the others."""
