"""The command `diff`: what changed between two specs, whom it breaks, and the version that follows."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from codegen.changes.compare import compare
from codegen.changes.sources import Read, side
from codegen.changes.table import AUDIENCES, Change, Level
from codegen.read.load import SpecError

HELP = "say what changed between two specs, and whom it breaks"
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


# -- the report ---------------------------------------------------------------------------------


def level(changes: Sequence[Change]) -> Level | None:
    """What the changes together ask of the version. None if there are none."""
    order = list(Level)
    return max((each.level for each in changes), key=order.index, default=None)


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


def markdown(changes: Sequence[Change], version: str | None) -> str:
    """A section for each severity, a line for each change; for texts one line for all that differ in one."""
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
        ("Breaking", [each for each in changes if each.is_breaking]),
        ("Not breaking", [each for each in changes if each.level is Level.MINOR]),
    )
    for title, found in sections:
        if found:
            yield from ("", f"## {title}", "")
            yield from map(_line, found)
    if texts := [each for each in changes if each.level is Level.PATCH]:
        yield from ("", "## Texts", "")
        for text in dict.fromkeys(each.text for each in texts):
            places = [f"`{_place(each)}`" for each in texts if each.text == text]
            yield f"- {text}: {', '.join(places)}"


def _line(change: Change) -> str:
    whom = ", ".join(
        f"**{each}**" if each in change.effect.breaks else each
        for each in AUDIENCES
        if each in change.effect.concerns
    )
    return f"- `{_place(change)}`: {change.text}" + (f" ({whom})" if whom else "")


def _place(change: Change) -> str:
    return change.place or "api"


def json_text(changes: Sequence[Change], version: str | None) -> str:
    """The same for tools: the level, the version that follows, and every change."""
    raised = level(changes)
    report = {
        "level": raised.value if raised else None,
        "version": next_version(version, raised) if version else None,
        "changes": [_entry(each) for each in changes],
    }
    return json.dumps(report, indent=2, ensure_ascii=False) + "\n"


def _entry(change: Change) -> dict[str, object]:
    return {
        "id": change.id,
        "place": change.place,
        "text": change.text,
        "concerns": [each for each in AUDIENCES if each in change.effect.concerns],
        "breaks": [each for each in AUDIENCES if each in change.effect.breaks],
    }
