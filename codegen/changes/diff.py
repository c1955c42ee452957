"""The command `diff`: what changed between two specs, what breaks by it, and the version that follows."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path

import attrs

from codegen.changes.compare import Change, compare
from codegen.changes.sources import Read, side
from codegen.read.load import SpecError

HELP = "say what changed between two specs, and the version that follows"
SOURCE = "a spec, an IR as JSON, spec/released.json, a git revision, or REVISION:PATH"
DESCRIPTION = """Compare two specs by what is generated from them. Exit status: 0 if nothing breaks anybody, 1 if something
does, 2 if one of the two cannot be read."""


def run(
    old: str, new: str, spec: Path, read: Read, *, overlays: Sequence[Path], as_json: bool
) -> int:
    """Print the report of two sources, each with the overlays; the exit status."""
    sides = []
    for text in (old, new):
        try:
            sides.append(side(text, spec, read, overlays))
        except SpecError as error:
            sys.stderr.write(f"{text}: nothing was compared\n{error}\n")
            return 2
    before, after = sides
    changes = compare(before.api, after.api)
    show = json_text if as_json else markdown
    sys.stdout.write(show(changes, before.version))
    return int(level(changes) is Level.MAJOR)


# -- the version that follows -------------------------------------------------------------------


class Level(Enum):
    """The part of a semantic version that changes raise."""

    PATCH = "patch"
    MINOR = "minor"
    MAJOR = "major"


def level(changes: Sequence[Change]) -> Level | None:
    """What the changes together ask of the version. None if there are none."""
    if any(each.is_breaking for each in changes):
        return Level.MAJOR
    if any(each.kind == "added" for each in changes):
        return Level.MINOR
    return Level.PATCH if changes else None


def next_version(version: str, raised: Level | None) -> str:
    """The version that follows by Semantic Versioning.

    Before 1.0.0 a breaking change raises the minor part, as Cargo and Poetry count it, and anything else
    the patch part.
    """
    major, minor, patch = (int(part) for part in version.split("."))
    if raised is None:
        return version
    if major == 0:
        raised = {Level.MAJOR: Level.MINOR}.get(raised, Level.PATCH)
    if raised is Level.MAJOR:
        return f"{major + 1}.0.0"
    return f"{major}.{minor + 1}.0" if raised is Level.MINOR else f"{major}.{minor}.{patch + 1}"


# -- the report ---------------------------------------------------------------------------------


def markdown(changes: Sequence[Change], version: str | None) -> str:
    """A section for what breaks, one for what does not, and one for other words."""
    return "\n".join(_lines(changes, version)) + "\n"


def _lines(changes: Sequence[Change], version: str | None) -> Iterator[str]:
    raised = level(changes)
    if raised is None:
        yield "Nothing changed."
        return
    yield f"Version: {raised.value}" + (
        f", {version} -> {next_version(version, raised)}" if version else ""
    )
    sections = (
        ("Breaking", ("removed", "changed")),
        ("Not breaking", ("added",)),
        ("Texts", ("reworded",)),
    )
    for title, kinds in sections:
        if found := [each for each in changes if each.kind in kinds]:
            yield from ("", f"## {title}", "")
            yield from (f"- `{each.place}`: {each.kind}: {each.text}" for each in found)


def json_text(changes: Sequence[Change], version: str | None) -> str:
    """The same for tools: the level, the version that follows, and every change."""
    raised = level(changes)
    report = {
        "level": raised.value if raised else None,
        "version": next_version(version, raised) if version else None,
        "changes": [attrs.asdict(each) | {"is_breaking": each.is_breaking} for each in changes],
    }
    return json.dumps(report, indent=2, ensure_ascii=False) + "\n"
