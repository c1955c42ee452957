"""What the runtime repeats, looks up and counts is what the table in tests/interface says."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import asdict

from tests import interface
from tests.interface import METHODS, RATE_SCALE
from trading_runtime.operation import Action, Operation, Target, Trace
from trading_sdk.operations import API

Method = Operation[Any] | Action
EVERYTHING: list[tuple[str, Method]] = [*API.operations.items(), *API.actions.items()]

each_method = pytest.mark.parametrize(("name", "method"), EVERYTHING)


def as_generated(trace: interface.Trace) -> Trace:
    fields, change = asdict(trace, recurse=False), trace.change
    fields["target"] = Target(**asdict(change, recurse=False)) if change else None
    del fields["change"]
    return Trace(**fields)


@each_method
def test_an_outcome_is_looked_for_where_the_document_says(name: str, method: Method) -> None:
    trace = METHODS[name].trace

    assert method.trace == (as_generated(trace) if trace else None)


@each_method
def test_it_is_signed_as_the_table_says_and_sent_again_where_that_allows_it(
    name: str, method: Method
) -> None:
    row = METHODS[name]

    assert (method.signing_type, method.retry, method.key) == (row.signing_type, row.retry, row.key)


def test_a_credit_is_ten_in_the_headers() -> None:
    assert API.rate_scale == RATE_SCALE
