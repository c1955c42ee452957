"""The cases of spec/vectors, each with the level that it is of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

from attrs import field, frozen

from conformance.values import once

VECTORS = Path(__file__).resolve().parents[1] / "spec" / "vectors"

LEVELS: Mapping[str, str] = {
    "signs": "makes the canonical text, the signature and the body",
    "encodes": "turns arguments into a request, or refuses them",
    "decodes": "reads answers",
    "trades": "calls every operation and action at the sandbox, and reads lists to their end",
    "survives": "says what is true when things break, and repeats only what may be repeated",
    "reconciles": "finds out what became of a message",
    "generates": "serves a second spec, of which the generator alone knows",
}
_LEVEL_OF_FOLDER = {
    "signing": "signs",
    "batch": "signs",
    "encode": "encodes",
    "decode": "decodes",
    "json": "decodes",
    "pages": "trades",
    "outcome": "survives",
    "settle": "reconciles",
    "second": "generates",
}


@frozen
class Case:
    """One case, with what its file says once for several."""

    name: str
    """Folder and name, like `encode/null`."""

    kind: str
    description: str
    level: str
    rule: str
    features: frozenset[str]
    given: Mapping[str, Any] = field(repr=False)
    expect: Any = field(repr=False)
    """None if the case says `refused`."""

    refused: Mapping[str, Any] | None = field(default=None, repr=False)


@cache
def all_cases() -> tuple[Case, ...]:
    """Every case, by level and name."""
    cases = [
        _case(path.parent.name, found)
        for path in VECTORS.glob("*/*.json")
        for found in expanded(path.read_text("ascii"))
    ]
    order = list(LEVELS)
    return tuple(sorted(cases, key=lambda case: (order.index(case.level), case.name)))


def _case(folder: str, found: Mapping[str, Any]) -> Case:
    return Case(
        name=f"{folder}/{found['name']}",
        kind=found["kind"],
        description=found["description"],
        level=found.get("level") or _LEVEL_OF_FOLDER[folder],
        rule=found["rule"],
        features=frozenset(found.get("features", ())),
        given=found["given"],
        expect=found.get("expect"),
        refused=found.get("refused"),
    )


def expanded(text: str) -> list[dict[str, Any]]:
    """The cases of a file, each laid over what its groups share, with values in the place of `$use`.

    Raises:
        ValueError: a name comes twice in an object, or a group has other members than `shared` and `cases`.
        KeyError: `$use` of a name that the case does not have.
    """
    return list(_of_group(json.loads(text, object_pairs_hook=once), {}))


def _of_group(group: Mapping[str, Any], above: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if more := group.keys() - {"shared", "cases"}:
        raise ValueError(f"a group has no {min(more)}")
    shared = _laid_over(above, group.get("shared", {}))
    for each in group["cases"]:
        if "cases" in each:
            yield from _of_group(each, shared)
        else:
            case = _laid_over(shared, each)
            named = case.pop("named", {})
            yield _filled(case, named)


def _laid_over(below: Any, above: Any) -> Any:
    """Objects member by member, at any depth; of all else what is above."""
    if not isinstance(below, Mapping) or not isinstance(above, Mapping):
        return above
    both = {name: _laid_over(below[name], above[name]) for name in below.keys() & above.keys()}
    return {**below, **above, **both}


def _filled(value: Any, named: Mapping[str, Any]) -> Any:
    """A value in which `{"$use": NAME, ...}` is the named value, with the other members laid over it."""
    if isinstance(value, list):
        return [_filled(each, named) for each in value]
    if not isinstance(value, Mapping):
        return value
    own = {name: _filled(each, named) for name, each in value.items() if name != "$use"}
    if "$use" not in value:
        return own
    used = _filled(named[value["$use"]], named)
    return _laid_over(used, own) if own else used


def selected(
    cases: Iterable[Case], levels: Sequence[str], only: Sequence[str], skip: Sequence[str]
) -> list[Case]:
    """The cases of these levels and names; all of them where none are given."""
    return [
        case
        for case in cases
        if (not levels or case.level in levels)
        and (not only or matches(case.name, only))
        and not matches(case.name, skip)
    ]


def matches(name: str, globs: Sequence[str]) -> bool:
    """Whether a name matches one of several globs."""
    return any(fnmatch(name, glob) for glob in globs)


def listed(text: str) -> list[str]:
    """The names or globs of a list of cases, one a line; `#` begins a comment."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line]
