"""What is written of the IR itself: its JSON Schema, tables of the documentation, the table of the runtime."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from codegen import ir
from codegen.dialect import DIALECT, WORDS, Form
from codegen.ir.schema import docstrings, schema
from codegen.packages import ROOT
from codegen.python.render import COMMAND


def documents() -> dict[Path, str]:
    """The text of each document that follows from the IR, or whose tables do."""
    table = ROOT / "spec" / "words.md"
    spoken = (
        [f"`{word.name}`", on, word.form["title"], _meaning(member)]
        for word in WORDS.values()
        for member, on in word.becomes.items()
    )
    trace = WORDS["x-reconcile"].form["properties"]
    target = trace["target"]["properties"]
    traced = (
        [f"{of}`{key}`", _title(form), _meaning(f"{class_}.{key}")]
        for of, class_, keys in (("", "Trace", trace), ("`target` / ", "Target", target))
        for key, form in keys.items()
    )
    port = ROOT / "docs" / "ir.md"
    members = (
        [f"`{word.name}`", f"`{member}`"] for word in WORDS.values() for member in word.becomes
    )
    recovery = ROOT / "docs" / "recovery.md"
    return {
        ROOT / "spec" / "ir.schema.json": json.dumps(schema(), indent=2) + "\n",
        table: _with_rows(
            table,
            {"| word | on | value | meaning |": spoken, "| key | value | meaning |": traced},
        ),
        port: _with_rows(port, {"| in the spec | in the IR |": members}),
        recovery: _with_rows(recovery, {"| status | fault |": _rows_of_statuses()}),
        ROOT / "runtime" / "trading_runtime" / "statuses.py": _module_of_statuses(),
    }


def _meaning(member: str) -> str:
    """What a member of the IR means, like `Field.unit`."""
    class_, _, name = member.partition(".")
    return docstrings(getattr(ir, class_))[name].removesuffix(".")


def _title(form: Form) -> str:
    """What a key of the value of a word must be."""
    name = form.get("$ref", "").rpartition("/")[2]
    return str((DIALECT["$defs"][name] if name else form)["title"])


def _rows_of_statuses() -> Iterable[list[str]]:
    for fault in dict.fromkeys(ir.STATUSES.values()):
        statuses = [status for status, each in ir.STATUSES.items() if each == fault]
        yield [", ".join(statuses), fault.upper()]


def _module_of_statuses() -> str:
    """The statuses as a module of the Python runtime, which knows no spec; ports have it among their own."""
    rows = "".join(f'    "{status}": "{fault}",\n' for status, fault in ir.STATUSES.items())
    return (
        f'# {COMMAND} from codegen/ir/__init__.py.\n\n"""The fault that a status shows, as data."""\n\n'
        f"from __future__ import annotations\n\nFAULTS = {{\n{rows}}}\n"
        '"""A status, or all of a hundred like `4XX`; a status itself comes first."""\n'
    )


def _with_rows(path: Path, tables: Mapping[str, Iterable[list[str]]]) -> str:
    """A page with other rows in some of its tables. Each is found by its head, the first that has it."""
    text = path.read_text(encoding="utf-8")
    for head, rows in tables.items():
        table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
        found = re.search(re.escape(head) + r"\n\|[-|]+\n((?:\|.*\n)*)", text)
        assert found, f"{path} has no table {head}"
        text = text[: found.start(1)] + table + text[found.end(1) :]
    return text
