"""The cases of spec/vectors, each with the level that it is of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from attrs import field, frozen

VECTORS = Path(__file__).resolve().parents[1] / "spec" / "vectors"

LEVELS: Mapping[str, str] = {
    "signs": "makes the canonical text, the signature and the body",
    "encodes": "turns arguments into a request, or refuses them",
    "decodes": "reads answers",
    "trades": "calls every operation and action at the sandbox, and reads lists to their end",
    "survives": "says what is true when things break, and repeats only what may be repeated",
    "reconciles": "finds out what became of a message",
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
}


@frozen
class Case:
    """One case, as its file has it."""

    name: str
    """Folder and name, like `encode/null`."""

    kind: str
    level: str
    rule: str
    features: frozenset[str]
    given: Mapping[str, Any] = field(repr=False)
    expect: Any = field(repr=False)
    """None if the case says `refused`."""

    refused: Mapping[str, Any] | None = field(default=None, repr=False)


def read(path: Path) -> Case:
    """The case in a file."""
    found = json.loads(path.read_text("ascii"))
    folder = path.parent.name
    return Case(
        name=f"{folder}/{found['name']}",
        kind=found["kind"],
        level=found.get("level") or _LEVEL_OF_FOLDER[folder],
        rule=found["rule"],
        features=frozenset(found.get("features", ())),
        given=found["given"],
        expect=found.get("expect"),
        refused=found.get("refused"),
    )


def all_cases(vectors: Path = VECTORS) -> list[Case]:
    """Every case, by level and name."""
    cases = [read(path) for path in vectors.glob("*/*.json")]
    order = list(LEVELS)
    return sorted(cases, key=lambda case: (order.index(case.level), case.name))


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
