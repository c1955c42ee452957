"""The table has what no comparison with the spec would miss; a mock server takes its samples in tests/spec."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.interface import METHODS, Field, Fields


@pytest.mark.parametrize("name", METHODS)
def test_an_operation_is_whole(name: str) -> None:
    operation = METHODS[name]
    sampled = {key for sample in operation.samples.values() for key in sample}

    assert sampled == {row.name for row in operation.arguments}
    # Of an action without an endpoint, only examples show what is required (4.19), and how it is signed (note 7).
    documented = [row for row in operation.request if row.required and row.source == "documented"]
    assert operation.endpoint or (operation.source == "observed" and documented == [])
    assert not operation.endpoint or [*unsourced(operation.result)] == []


def unsourced(rows: Fields) -> Iterator[Field]:
    """What may be absent from an answer, for no reason; the document itself shows the rest so (4.0, 4.5)."""
    for row in rows:
        if not row.required and row.source == "documented":
            yield from () if row.name in ("error", "code", "order_id") else (row,)
        yield from unsourced(row.fields)
