"""`codegen.changes`: what is told of a change of the spec, and what of it breaks somebody."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from codegen.changes.compare import compare
from tests.codegen.specs import built, changed, table, tree

ROWS = table("changes.yaml")
UNTOLD = "/servers/0/url"
"""The URL of a server without a name, which users write themselves."""


@pytest.mark.parametrize("row", ROWS, ids=lambda row: next(iter(row["changes"][0])))
def test_a_change_of_the_spec_is_told_and_so_is_its_way_back(row: dict[str, Any]) -> None:
    spec = changed(row.get("with", {}))
    old = built(spec)
    for edits, told in zip(row["changes"], row["told"], strict=True):
        spec = changed(edits, spec)
        new = built(spec)

        there, back = compare(old, new), compare(new, old)

        assert [f"{each.kind} {each.place}: {each.text}" for each in there] == told
        assert bool(back) == bool(told)
        assert all(each.is_breaking == (each.kind in ("changed", "removed")) for each in there)
        assert bool(told) or [*edits] == [UNTOLD]
        old = new


@pytest.mark.parametrize("kind", ["operations", "actions"])
def test_no_plain_member_of_a_method_changes_in_silence(kind: str) -> None:
    api: Any = built(tree())
    method = getattr(api, kind)[-1]
    apart = {"group", "method", "params", "model"}
    plain = [each.name for each in attrs.fields(type(method)) if each.name not in apart]
    for name in plain:
        if isinstance(getattr(method, name), str | bool | None):
            new = attrs.evolve(api, **{kind: (attrs.evolve(method, **{name: "another"}),)})
            assert compare(attrs.evolve(api, **{kind: (method,)}), new), name
