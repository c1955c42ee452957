"""The table agrees with itself. That its samples are what its rows allow, a mock server says in tests/spec."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.interface import ACTIONS, METHODS, OPERATIONS, PAGINATED, Field, Fields


@pytest.mark.parametrize("name", METHODS)
def test_an_operation_is_whole(name: str) -> None:
    operation = METHODS[name]
    _, method = name.split(".")
    fields = {row.name for row in operation.arguments}

    assert {key for sample in operation.samples.values() for key in sample} == fields
    assert operation.endpoint or operation.action
    assert operation.verb == "POST" or (operation.verb == "GET" and operation.retry == "safe")
    assert (operation.key is not None) == (operation.retry == "by-key")
    assert operation.is_paginated == method.endswith("history") == (name in PAGINATED)
    assert operation.signing_type or operation.verb == "GET" or name == "orders.batch"
    assert all(each in PAGINATED for each in (operation.trace.lists if operation.trace else ()))
    # Until it is documented how the data of actions are signed, it is observed (note 7).
    assert operation.endpoint or operation.source == "observed"
    # 4.19: of an action without an endpoint, only examples show what is required.
    assert operation.endpoint or not any(map(is_unsourced, operation.request))
    assert not operation.endpoint or [*unsourced(operation.result)] == []


def is_unsourced(row: Field) -> bool:
    return row.required and row.source == "documented"


def unsourced(rows: Fields) -> Iterator[Field]:
    """What may be absent from an answer, for no reason; the document itself shows the rest so (4.0, 4.5)."""
    for row in rows:
        if not row.required and row.source == "documented":
            yield from () if row.name in ("error", "code", "order_id") else (row,)
        yield from unsourced(row.fields)


def test_no_two_operations_are_the_same_on_the_wire() -> None:
    endpoints = [(each.verb, each.path) for each in OPERATIONS.values()]
    types = [each.signing_type for each in METHODS.values() if each.signing_type]

    assert len({*endpoints}) == len(endpoints)
    assert len({*types}) == len(types)
    assert len(ACTIONS) == sum(each.action is not None for each in METHODS.values())
