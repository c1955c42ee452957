"""The options of a client: what is refused, and in which words."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from trading_runtime.client import config
from trading_runtime.errors import JournalError, RequestError
from trading_sdk_observed.operations import API

NAN, INF = float("nan"), float("inf")


# What is taken, and what is refused: spec/vectors has the ranges of what is given to a client


@pytest.mark.parametrize(
    ("read", "value", "found"),
    [
        (config.timeout, 0.001, 0.001),
        (partial(config.history_lag, base_url="https://[::1]:9/exchange"), 0, 0.0),
        *((config.reconcile_timeout, each, float(each)) for each in (0, 2, 0.5)),
    ],
)
def test_an_option_is_taken_as_it_is(read: Any, value: Any, found: Any) -> None:
    assert read(value) == found
    assert type(read(value)) is type(found)


TIMEOUT = "timeout must be above 0 and at most 600 seconds, not "
SHORT = "history_lag must be at least 1 second, not 0.99: "
WAIT = "timeout must be at least 0 and at most 86400 seconds"


@pytest.mark.parametrize(
    ("read", "value", "says"),
    [
        (config.timeout, 10**400, TIMEOUT),
        (config.timeout, 601, f"{TIMEOUT}601; 601 ms are 0.601"),
        (config.timeout, 600_000, f"{TIMEOUT}600000; 600000 ms are 600"),
        (config.timeout, 600_001, f"{TIMEOUT}600001"),
        (partial(config.history_lag, base_url="https://127.0.0.1.example"), 0.99, SHORT),
        *((config.reconcile_timeout, each, WAIT) for each in (-0.5, 86_401, NAN, INF)),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused(read: Any, value: Any, says: str) -> None:
    with pytest.raises(RequestError) as caught:
        read(value)
    assert str(caught.value).startswith(says)
    assert "are" in says or not re.search(r"\d are \d", str(caught.value))


# Accounts and keys


def test_a_service_without_api_keys_refuses_one() -> None:
    with pytest.raises(RequestError, match="takes no api_key"):
        config.headers(None, "x")


def test_a_type_that_is_not_documented_may_be_replaced() -> None:
    known = config.signing_types(API, {})
    replaced = config.signing_types(API, {"account.withdraw": "x"})
    assert replaced == {**known, "account.withdraw": "x"}
    assert known["orders.create"] == "create_order"
    for types, error, says in (
        (5, TypeError, "^signing_types must be a mapping"),
        ({"account.withdraw": "two words"}, RequestError, "'two words' is not a signing type"),
        ({"account.withdrawn": "x"}, RequestError, "; did you mean 'account.withdraw'"),
    ):
        with pytest.raises(error, match=says):
            config.signing_types(API, types)  # type: ignore[arg-type]


# Servers

SERVERS = {"main": "https://api.example", "testnet": "https://testnet.example/v2/"}
TWO = evolve(API, operations=(), servers=SERVERS)


@pytest.mark.parametrize(
    ("name", "near"), [("", ""), ("Main", "main"), ("test", "testnet"), ("api.example", "")]
)
def test_a_server_that_the_service_does_not_have_is_refused(name: str, near: str) -> None:
    with pytest.raises(RequestError) as caught:
        config.base_url(TWO, name)
    told = "base URL: it is neither a URL nor a server; those are main, testnet"
    assert str(caught.value) == told + (f"; did you mean {near!r}?" if near else "")


# Journal


def test_a_journal_is_not_opened_before_it_is_needed(tmp_path: Path) -> None:
    for path in (tmp_path / "a", str(tmp_path / "b")):
        assert config.journal(path) is not None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["file/journal", "a\0b", "no/journal", "."])
def test_a_journal_that_cannot_be_written_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="journal "):
        config.journal(tmp_path / name)
