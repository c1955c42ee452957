"""The Python SDK leaves nothing of the kit out."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from conformance.__main__ import main

PROGRAM = (sys.executable, "-m", "tests.conformance.python_program")


def test_the_sdk_skips_no_feature(tmp_path: Path) -> None:
    """The session `conformance` would pass if it did."""
    report = tmp_path / "report.json"

    assert main(["--only", "encode/id-given", "--json", str(report), "--", *PROGRAM]) == 0

    program = json.loads(report.read_text("utf-8"))["program"]
    assert (program["language"], program["skips"]) == ("python", {})
