"""The invented spec: the real one, with what a later version of the service might add."""

from __future__ import annotations

import os
from pathlib import Path

from tests.codegen.specs import REAL, ROOT, Tree, table, tree

FRAGMENTS = Path(__file__).parent / "fragments"
ADDED = ("alerts.yaml", "requests.yaml", "shapes.yaml", "deprecated.yaml")
USERS = ("use_alerts.py", "use_requests.py", "use_shapes.py", "use_deprecated.py")
"""Programs that use the package. They are kept as `.txt`, because the package is made by the tests."""


def changed_spec() -> Tree:
    """The real spec with everything that the README promises to follow."""
    spec = tree(REAL)
    schemas = spec["components"]["schemas"]
    for name in ADDED:
        added = table(name)
        spec["tags"] += added["tags"]
        spec["paths"] |= added["paths"]
        spec["servers"] = added.get("servers", spec["servers"])
        schemas |= added["components"]["schemas"]
    schemas["OrderStatus"]["enum"].append("suspended")
    remark = {"type": "string", "description": "A remark of one's own."}
    schemas["CreateOrder"]["properties"]["remark"] = remark
    funding = spec["paths"]["/api/v1/funding_rate/history"]["get"]
    funding |= {"tags": ["Rates"], "x-group": "rates"}
    (tag,) = [tag for tag in spec["tags"] if tag["name"] == "Funding"]
    tag |= {"name": "Rates", "description": "What the market pays."}
    return spec


def environment(generated: Path) -> dict[str, str]:
    """The environment of a program that uses the generated package."""
    roots = os.pathsep.join([str(generated), str(ROOT / "runtime")])
    # Pyright would ask PyPI for a newer version of itself.
    quiet = {"PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    return {**os.environ, **quiet, "PYTHONPATH": roots, "MYPYPATH": roots}


def warned_of(folder: Path, mark: str) -> list[int]:
    """The lines of use_deprecated.py that say in a comment that they are warned of."""
    program = (folder / "use_deprecated.py").read_text("utf-8").splitlines()
    return [number for number, line in enumerate(program, start=1) if mark in line]
