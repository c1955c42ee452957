"""`python -m tests.release.cut [DATE]`: make this tree a release.

It dates the first section of CHANGELOG.md, sets the version, and keeps the spec and the Python API as those of the last
release. It commits nothing.
"""

from __future__ import annotations

import re
import sys
from datetime import date
from pathlib import Path

from tests.release.__main__ import RELEASED, ROOT, released
from tests.release.npm import python_version

INIT = Path("runtime/trading_runtime/__init__.py")
SHOWN = Path("docs/command.md")
"""A page that shows the version."""


def final(version: str) -> str:
    """The release that a development version is on its way to."""
    return re.sub(r"\.dev\d+$", "", version)


def dated(changelog: str, version: str, day: str) -> str:
    """The changelog, its first section that of a release."""
    head = f"## [Unreleased]\n\nThe version is {version}.\n"
    if changelog.count(head) != 1:
        raise SystemExit(f"CHANGELOG.md does not begin a section with\n\n{head}")
    return changelog.replace(head, f"## [{final(version)}] - {day}\n")


def cut(day: str) -> None:
    """Write the release into the tree."""
    old = python_version(ROOT)
    changelog = ROOT / "CHANGELOG.md"
    changelog.write_text(dated(changelog.read_text("utf-8"), old, day), encoding="utf-8")
    for page in (INIT, SHOWN):
        text = (ROOT / page).read_text("utf-8")
        (ROOT / page).write_text(text.replace(old, final(old)), encoding="utf-8")
    RELEASED.write_text(released(), encoding="utf-8")


if __name__ == "__main__":
    (given,) = sys.argv[1:] or [date.today().isoformat()]
    cut(date.fromisoformat(given).isoformat())
    sys.stdout.write(f"{python_version(ROOT)} is cut; look at it (git diff), and commit it\n")
