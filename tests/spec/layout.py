"""`python -m tests.spec.layout`: writes the files of spec/vectors anew in their layout, whatever it was.

What fits into a line stands in one. Of anything longer, texts, numbers, booleans and nulls share lines, and each
object and list begins its own.
"""

from __future__ import annotations

import json
from typing import Any

from conformance.cases import VECTORS
from conformance.values import once

FILES = sorted(VECTORS.glob("*/*.json"))
WIDTH = 100


def laid_out(text: str) -> str:
    """The same JSON in this layout.

    Raises:
        ValueError: it is no JSON, or a name comes twice in an object.
    """
    return _lines(json.loads(text, object_pairs_hook=once), 0, 0) + "\n"


def _lines(value: Any, indent: int, before: int) -> str:
    """A value that begins `before` characters behind its indentation, and may have a comma behind it."""
    whole = json.dumps(value)
    if not value or not isinstance(value, (dict, list)) or indent + before + len(whole) < WIDTH:
        return whole
    rows: list[str] = []
    open_row = False
    members = value.items() if isinstance(value, dict) else ((None, each) for each in value)
    for name, each in members:
        key = "" if name is None else f"{json.dumps(name)}: "
        member = key + _lines(each, indent + 2, len(key))
        is_plain = not isinstance(each, (dict, list))
        if is_plain and open_row and len(rows[-1]) + len(", ") + len(member) < WIDTH:
            rows[-1] += f", {member}"
        else:
            rows.append(" " * (indent + 2) + member)
        open_row = is_plain
    first, last = "{}" if isinstance(value, dict) else "[]"
    return f"{first}\n" + ",\n".join(rows) + f"\n{' ' * indent}{last}"


if __name__ == "__main__":
    for path in FILES:
        path.write_text(laid_out(path.read_text("ascii")), "ascii")
