"""What is written of the IR itself: its JSON Schema, and the tables of the words in the documentation."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from codegen import ir
from codegen.changes.change import AUDIENCES, Effect
from codegen.changes.table import EFFECTS
from codegen.ir.schema import docstrings, schema
from codegen.ir.words import words
from codegen.packages import ROOT


def documents() -> dict[Path, str]:
    """The text of each document that follows from the IR, or whose tables do."""
    readme = ROOT / "spec" / "README.md"
    spoken = (
        [f"`{word.name}`", word.on, word.value, docstrings(class_)[member].removesuffix(".")]
        for class_ in ir.WORDED
        for member, word in words(class_)
    )
    changes = ROOT / "docs" / "spec-changes.md"
    breaks = (
        [f"`{id_}`", ", ".join(each for each in AUDIENCES if each in Effect.of(effect).breaks)]
        for id_, effect in EFFECTS.items()
    )
    return {
        ROOT / "spec" / "ir.schema.json": json.dumps(schema(), indent=2) + "\n",
        readme: _with_rows(readme, "| word | on | value | meaning |", spoken),
        changes: _with_rows(
            changes, "| id | breaks |", ([id_, who or "nobody"] for id_, who in breaks)
        ),
    }


def _with_rows(path: Path, head: str, rows: Iterable[list[str]]) -> str:
    """A page with other rows in one of its tables, the one with this head."""
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    text = path.read_text(encoding="utf-8")
    found = re.search(re.escape(head) + r"\n\|[-|]+\n((?:\|.*\n)*)", text)
    assert found, f"{path} has no table {head}"
    return text[: found.start(1)] + table + text[found.end(1) :]
