"""The public Python API of the hand-written runtime, by griffe, which reads code without running it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import griffe

RUNTIME, SDK = "trading_runtime", "trading_sdk"
"""`trading_sdk_observed` promises nothing, so no release is held to it."""
UNRELATED = {"docstring"}
LINES = {"lineno", "endlineno"}
"""What changes with every edit, and says nothing about who may call it how."""


def public_api(root: Path) -> griffe.Module:
    """What the runtime and the SDK export of the runtime, each under the name that users import."""
    loader = griffe.GriffeLoader(search_paths=[root / "generated", root / "runtime"])
    packages = [loader.load(name) for name in (RUNTIME, SDK)]
    loader.resolve_aliases(implicit=True, external=False)
    api = griffe.Module(RUNTIME)
    for package in packages:
        for name in sorted(map(str, package.exports or ())):
            member = package[name]
            found = member.final_target if member.is_alias else member
            if found.path.startswith(f"{RUNTIME}."):
                # A class may have another name where it is written, and would be kept under that one.
                found.name = name
                api.set_member(name, found)
    return api


def breakages(old: griffe.Module, new: griffe.Module) -> Iterator[tuple[str, str]]:
    """What breaks callers: a name, and what became of it."""
    for each in griffe.find_breaking_changes(old, new):
        name = each.obj.name
        parent = each.obj.parent
        if parent is not None and parent.name != RUNTIME:
            name = f"{parent.name}.{name}"
        yield name.removesuffix(".__init__"), each.kind.value


def dumped(api: griffe.Module) -> dict[str, Any]:
    """As JSON, without what changes with every edit."""
    document: dict[str, Any] = _trimmed(json.loads(api.as_json()))
    return document


def loaded(document: dict[str, Any]) -> griffe.Module:
    """The API that was dumped."""
    return griffe.Module.from_json(json.dumps(document))


def _trimmed(value: Any) -> Any:
    if isinstance(value, list):
        return [_trimmed(each) for each in value]
    if isinstance(value, dict):
        return {
            key: 0 if key in LINES else _trimmed(each)
            for key, each in value.items()
            if key not in UNRELATED
        }
    return value
