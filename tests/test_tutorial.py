"""The tutorial works for somebody who does what it says, from its first step to its last."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.readme import FILE, ROOT

PAGE = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
BLOCK = re.compile(r"^```(python|sh|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
WITHOUT = "-p no:cacheprovider -p no:xdist -p no:schemathesis -p no:hypothesispytest"
"""Plugins that somebody who follows the tutorial does not have."""


def test_each_step_prints_what_it_says(tmp_path: Path) -> None:
    output, compared = "", 0
    for language, text in BLOCK.findall(PAGE):
        if language == "python":
            name = FILE.match(text)
            assert name is not None
            (tmp_path / name[1]).write_text(text, encoding="utf-8")
        elif language == "sh" and "pip install" not in text:
            output = run(tmp_path, text.split())
        elif language == "text":
            missing = [line for line in text.splitlines() if line not in output]
            assert missing == [], output
            compared += 1
    assert compared == 4


def run(folder: Path, command: list[str]) -> str:
    """What a command of the tutorial prints."""
    assert command[0] == "python"
    told = subprocess.run(
        [sys.executable, *command[1:]],
        cwd=folder,
        env={**os.environ, "PYTEST_ADDOPTS": WITHOUT},
        capture_output=True,
        text=True,
        check=False,
    )
    return told.stdout + told.stderr
