"""What the runtime repeats, looks up and counts is what a table written by hand says."""

from __future__ import annotations

from typing import Any

from tests.generated.traces_table import ACCOUNTS, KEYS, RATE_SCALE, RETRIES, TRACES
from trading_runtime.operation import Action, ListOperation, Operation
from trading_sdk.operations import API

Method = Operation[Any] | Action
EVERYTHING: list[tuple[str, Method]] = [*API.operations.items(), *API.actions.items()]


def test_an_outcome_is_looked_for_where_the_document_says_that_it_shows() -> None:
    traces = [(name, method.trace) for name, method in EVERYTHING]

    assert traces == [(name, TRACES.get(name)) for name, _ in EVERYTHING]
    assert TRACES.keys() <= {name for name, _ in EVERYTHING}


def test_only_what_the_table_allows_is_sent_again() -> None:
    retries = [(name, method.retry, method.key) for name, method in EVERYTHING]

    assert retries == [(name, RETRIES.get(name), KEYS.get(name)) for name, _ in EVERYTHING]


def test_a_list_of_an_account_names_its_parameter() -> None:
    lists = [each for each in API.operations.values() if isinstance(each, ListOperation)]

    assert {each.name: each.account for each in lists} == ACCOUNTS


def test_a_credit_is_ten_in_the_headers() -> None:
    assert API.rate_scale == RATE_SCALE
