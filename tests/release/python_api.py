"""The public Python API, by griffe, which reads code without running it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

import griffe

Api: TypeAlias = Mapping[str, Mapping[str, str]]
"""By module: the names that users import from it, each as a stub file has it, without the types of attributes."""

ROOMS = ("generated", "runtime", "sandbox", "toolkit")
"""The folders of the packages. Those of the runtime are read for what others export of it."""
EXPORTING = (
    *("trading_sdk", "trading_sdk.events", "trading_sdk_observed", "trading_sdk_observed.events"),
    *("trading_sandbox", "trading_toolkit"),
)
"""The modules that say in `__all__` what users import."""
MODULES = tuple(
    f"trading_toolkit.{name}"
    for name in ("frames", "history", "orders", "portfolio", "report", "trades")
)
"""The modules that users import whole."""
CALLED_BY_PYTHON = {
    f"__{name}__" for name in ("init", "call", "enter", "exit", "iter", "len", "next")
}
"""The methods with which a program calls, enters or reads an object; others only tell mistakes."""


@cache
def public_api(root: Path) -> Api:
    """What users import, wherever it is written."""
    loader = griffe.GriffeLoader(search_paths=[root / room for room in ROOMS])
    for package in ("trading_runtime", *(name for name in EXPORTING if "." not in name)):
        loader.load(package)
    loader.resolve_aliases(implicit=True, external=False)
    return {name: _stubs(loader.modules_collection[name]) for name in (*EXPORTING, *MODULES)}


def breakages(old: Api, new: Api) -> Iterator[tuple[str, str]]:
    """What breaks callers: a name, and what became of it. Names of one package may be those of another."""
    found = (each for name in old for each in _broken(name, old[name], new.get(name, {})))
    yield from dict.fromkeys(found)


def _stubs(module: griffe.Module) -> dict[str, str]:
    exported = sorted(map(str, module.exports or _own(module)))
    return {name: _stub(name, module[name], exported) for name in exported}


def _own(module: griffe.Module) -> Iterator[str]:
    """The names of a module that says nothing: what it imports is another one's."""
    return (name for name, each in module.members.items() if each.is_public)


def _stub(name: str, member: griffe.Object | griffe.Alias, exported: Collection[str]) -> str:
    found = member.final_target if isinstance(member, griffe.Alias) else member
    if isinstance(found, griffe.Function):
        return f"def {found.signature(name=name)}: ..."
    if not isinstance(found, griffe.Class):
        return f"{name} = ..."
    inside = [
        _stub(each, inner, exported)
        for each, inner in found.all_members.items()
        if _is_promised(each, inner)
    ]
    head = f"class {name}({', '.join(_bases(found, exported))}):"
    return "\n    ".join([head, *"\n".join([*inside, "..."]).splitlines()])


def _is_promised(name: str, member: griffe.Object | griffe.Alias) -> bool:
    return (name in CALLED_BY_PYTHON and member.is_function) or not name.startswith("_")


def _bases(found: griffe.Class, exported: Collection[str]) -> list[str]:
    """The classes that a program may take it for, or catch it as: those of others, and those that users import."""
    written = [base for each in (found, *found.mro()) for base in each.bases]
    return [
        name
        for name, path in {str(each).partition("[")[0]: _path(each) for each in written}.items()
        if name in exported or not path.startswith("trading_")
    ]


def _path(base: griffe.Expr | str) -> str:
    return base if isinstance(base, str) else base.canonical_path


def _broken(
    module: str, old: Mapping[str, str], new: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    before, after = (
        griffe.visit(module, filepath=Path(f"{module}.pyi"), code="\n".join(stubs.values()))
        for stubs in (old, new)
    )
    for each in griffe.find_breaking_changes(before, after):
        name = each.obj.path.removeprefix(f"{module}.").removesuffix(".__init__")
        whole = f"{module.partition('.')[2]}." if module in MODULES else ""
        yield f"{whole}{name}", each.kind.value
