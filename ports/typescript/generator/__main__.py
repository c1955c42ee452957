"""`python -m ports.typescript.generator FOLDER < ir.json` writes the generated modules into a folder."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from ports.typescript.generator.render import render

IR_VERSION = 3
"""The version of the IR that this generator reads."""


def main(arguments: list[str] | None = None) -> None:
    """Read the IR from the standard input, and write every module. Files that are there stay."""
    parser = argparse.ArgumentParser(prog="python -m ports.typescript.generator")
    parser.add_argument("folder", type=Path, help="where the modules go")
    folder: Path = parser.parse_args(arguments).folder
    api = json.load(sys.stdin)
    if api["ir_version"] != IR_VERSION:
        parser.error(f"the IR has the version {api['ir_version']}; this reads {IR_VERSION}")
    for path, text in render(api).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
