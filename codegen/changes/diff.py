"""The command `diff`: what changed between two specs, whom it breaks, and the version that follows."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from codegen.changes.change import Level
from codegen.changes.compare import compare
from codegen.changes.report import as_json as json_report
from codegen.changes.report import level, markdown
from codegen.changes.sources import Read, side
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
    show = json_report if as_json else markdown
    sys.stdout.write(show(changes, before.version))
    return int(level(changes) is Level.MAJOR)
