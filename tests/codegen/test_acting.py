"""What a change of the spec does: the Python and the TypeScript that are written then."""

from __future__ import annotations

import ast
import json
from functools import cached_property
from typing import Any

import attrs
import pytest

from codegen.python import render
from tests.codegen.specs import built, changed, problems, read, rendered, table, typescript

ROWS = table("acting.yaml")


def words(text: str) -> str:
    return " ".join(text.split())


class Written:
    """What is written of a spec."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self._spec = spec
        self._python = rendered(spec)

    @cached_property
    def _typescript(self) -> dict[str, str]:
        return typescript(self._spec)

    def part(self, name: str) -> str:
        """The text of a file, as `models.py` or `client.ts`; of `books.add`; or of a class of models.py."""
        if name.endswith(".ts"):
            return words(self._typescript[name])
        if name.endswith(".json"):
            return json.dumps(attrs.asdict(built(self._spec)))
        if name.endswith(".md"):
            return render.render(render.Contents(*read(self._spec)))[f"trading_sdk/{name}"]
        if name.endswith(".py"):
            return words(self._python[f"trading_sdk/{name}"])
        group, _, last = name.rpartition(".")
        source = self._python[
            f"trading_sdk/groups/{group}.py" if group else "trading_sdk/models.py"
        ]
        (found,) = [
            node
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == last
        ]
        return words(ast.get_source_segment(source, found) or "")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: next(iter(row["change"]), "no change"))
def test_a_change_of_the_spec_acts(row: dict[str, Any]) -> None:
    spec = changed(row["change"])
    assert bool(problems(spec)) == row.get("breaks_a_rule", False)

    files = Written(spec)

    for name, texts in row.get("shows", {}).items():
        part = files.part(name)
        assert [text for text in texts if words(text) not in part] == []
    for name, texts in row.get("hides", {}).items():
        part = files.part(name)
        assert [text for text in texts if text in part] == []
