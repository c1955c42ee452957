"""The table agrees with itself: its samples and answers are what its rows allow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

import pytest

from tests.interface import ACTIONS, ENUMS, METHODS, OPERATIONS, PAGINATED, Field, Fields

SCALARS: Mapping[str, Any] = {
    "string": lambda value: isinstance(value, str),
    "decimal": lambda value: re.fullmatch(r"-?\d+(\.\d+)?", value) is not None,
    "integer": lambda value: type(value) is int,
    "boolean": lambda value: type(value) is bool,
    "uuid": lambda value: str(UUID(value)) == value,
    "string[]": lambda value: all(isinstance(each, str) for each in value),
}


def wrong(fields: Fields, value: Any, at: str = "") -> list[str]:
    """Where a JSON object is not what its rows say."""
    known = {field.name: field for field in fields}
    found = [f"{at}.{name} is not known" for name in value.keys() - known.keys()]
    for name, field in known.items():
        if name not in value:
            found += [f"{at}.{name} is missing"] if field.required else []
        elif value[name] is None:
            found += [] if field.nullable or not field.required else [f"{at}.{name} is null"]
        else:
            found += _wrong_value(field.type, field.fields, value[name], f"{at}.{name}")
    return found


def _wrong_value(type_: str, fields: Fields, value: Any, at: str) -> list[str]:
    if type_ == "object":
        return wrong(fields, value, at)
    if type_ == "array":
        return [line for each in value for line in wrong(fields, each, at)] if fields else []
    if type_ == "any":
        return []
    right = value in ENUMS[type_] if type_ in ENUMS else SCALARS[type_](value)
    return [] if right else [f"{at} is no {type_}"]


SAMPLES = [(each.name, label) for each in METHODS.values() for label in each.samples]


@pytest.mark.parametrize(("name", "label"), SAMPLES)
def test_a_sample_is_what_the_rows_allow(name: str, label: str) -> None:
    operation = METHODS[name]
    sample = operation.samples[label]
    # The account of a query is the caller's own where none is given.
    own = {"account": "Me"} if any(row.name == "account" for row in operation.query) else {}

    assert wrong(operation.arguments, {**own, **sample}) == []
    assert not operation.exactly_one or sum(key in sample for key in operation.exactly_one) == 1
    assert not operation.at_least_one or any(key in sample for key in operation.at_least_one)


@pytest.mark.parametrize("name", METHODS)
def test_an_operation_is_whole_and_its_answer_is_what_the_rows_allow(name: str) -> None:
    operation = METHODS[name]
    _, method = name.split(".")
    fields = {row.name for row in operation.arguments}

    assert not operation.endpoint or wrong(operation.result, operation.answer) == []
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
