"""The import statements of generated modules, found by the names that they use."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from pathlib import Path

_NAMES = json.loads(Path(__file__).with_name("names.json").read_text("utf-8"))

EXPORTED: list[str] = _NAMES["exported"]
"""The names of the runtime that users import from the generated package."""

MODULES: dict[str, list[str]] = _NAMES["imports"] | {
    "trading_runtime": [*_NAMES["imports"]["trading_runtime"], *EXPORTED]
}
"""The names that the generated modules may import, by the module that has them."""


IMPORTED = {name: module for module, names in MODULES.items() for name in names}
"""The module of each of them."""


def imports(body: str, modules: Mapping[str, str], here: str) -> str:
    """The import statements that the body of the module `here` needs: exactly those, found by its names."""
    tree = ast.parse(body)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if "__all__" in used:
        used |= {str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    used -= {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.alias)}
    needed: dict[str, list[str]] = {}
    for name in sorted(used):
        if modules.get(name, here) != here:
            needed.setdefault(modules[name], []).append(name)
    return "\n".join(
        f"from {module} import {', '.join(names)}" for module, names in sorted(needed.items())
    )
