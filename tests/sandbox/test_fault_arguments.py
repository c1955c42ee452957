"""What can be injected, what is refused and how; which request takes which fault."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from tests.sandbox.served import CREATE, HISTORY
from trading_sandbox import Sandbox
from trading_sandbox.controls.declared import FaultControls
from trading_sandbox.faults import KINDS, Faults


def taken(faults: Faults, method: str = "POST", target: str = CREATE) -> str | None:
    fault = faults.take(method, target)
    return None if fault is None else fault.kind


def test_inject_names_every_option_that_a_kind_takes() -> None:
    parameters = inspect.signature(FaultControls.inject).parameters
    named = [name for name, p in parameters.items() if p.kind is p.KEYWORD_ONLY]
    assert set(named) == {"executed", *(name for kind in KINDS.values() for name in kind.options)}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("orders.crate", "reset"), "did you mean orders.create.*trades.history"),
        (("orders.cancel", "reset"), "an action of orders.batch"),
        (("orders.create", "rest"), r"did you mean reset\?.*gzip_bomb"),
        (("orders.create", "reset", 0), "times: must be from 1 .* not 0"),
        (("orders.create", "reset", True), "times: expected an integer"),
        (("orders.create", "empty_page"), "orders.create lists none"),
        (("orders.create", "connect_refused"), "injected for '\\*'"),
        (("*", "connect_refused", 2), "takes no times"),
        (("*", "connect_refused"), "needs a server that runs"),
    ],
)
def test_a_place_a_kind_or_a_number_that_is_wrong_is_refused(arguments: Any, words: str) -> None:
    faults = Sandbox().faults
    with pytest.raises((ValueError, TypeError), match=words):
        faults.inject(*arguments)
    assert faults.pending() == []


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        ("reset", {"seconds": 1}, "takes no seconds; .* nothing"),
        ("close_idle", {"keep": 1}, "it takes: seconds"),
        ("reset", {"executed": 1}, "executed: expected True or False"),
        ("missing_field", {"executed": False}, "it is always so"),
        ("reset_before_read", {"executed": True}, "never so"),
        ("status", {}, "needs status: An answer with"),
        ("status", {"status": "500"}, "status: expected an integer"),
        ("status", {"status": 199}, "from 200 to 599, not 199"),
        ("redirect", {"location": "/", "status": 304}, "one of 301, 302, 303, 307, 308"),
        ("redirect", {"location": "/\r\nx: y"}, "on one line"),
        ("redirect", {"location": ""}, "must not be empty"),
        ("html", {"headers": {"a b": ""}}, "no name of a header"),
        ("html", {"headers": {"a": "\n"}}, "on one line"),
        ("html", {"headers": {"a": 1}}, "strings to strings"),
        ("html", {"headers": ["a"]}, "must map names to values"),
        ("html", {"body": 5}, "a string or bytes"),
        ("html", {"body": "\ud800"}, "body: .*surrogates"),
        ("delay_answer", {"seconds": float("nan")}, "from 0 to 3600 seconds, not nan"),
        ("delay_answer", {"seconds": "1"}, "number of seconds"),
        ("null_field", {"field": 3}, "field: expected a string"),
        ("unknown_enum", {"value": {1}}, "value: .*serializable"),
        ("wrong_shape", {"value": float("nan")}, "value: "),
        ("not_finite", {"value": "1"}, "one of NaN, Infinity"),
        ("deep_nesting", {"size": 2**30}, "at most 16777216"),
    ],
)
def test_an_option_that_is_wrong_is_refused(kind: str, options: Any, words: str) -> None:
    faults = Sandbox().faults
    with pytest.raises((ValueError, TypeError), match=words):
        faults.inject("orders.create", kind, **options)
    assert faults.pending() == []


def test_faults_are_met_in_their_order_by_the_requests_that_they_are_for() -> None:
    faults = Faults()
    faults.inject("orders.create", "reset", times=2)
    faults.inject("*", "close")
    faults.inject("orders.create", "slow_body")
    told = [(fault.operation, fault.kind, fault.times) for fault in faults.pending()]
    assert told == [
        ("orders.create", "reset", 2),
        ("*", "close", 1),
        ("orders.create", "slow_body", 1),
    ]
    for method, target in (("POST", "/sandbox/v1/reset"), ("GET", CREATE), ("POST", CREATE + "/")):
        assert taken(faults, method, target) is None
    assert [taken(faults, target=CREATE + query) for query in ("", "?a=b")] == ["reset"] * 2
    fault = faults.take("GET", HISTORY)
    # A fault of any operation knows the one that it met.
    assert fault is not None and (fault.operation, fault.kind) == ("orders.history", "close")
    assert [taken(faults), taken(faults)] == ["slow_body", None]
    faults.inject("*", "reset", times=9)
    faults.clear()
    assert (faults.pending(), taken(faults)) == ([], None)


def test_faults_of_pages_wait_for_pages() -> None:
    faults = Faults()
    for kind in ("repeated_cursor", "empty_page", "reset"):
        faults.inject("*", kind)
    assert taken(faults) == "reset"
    assert taken(faults, "GET", HISTORY) == "empty_page"
    assert taken(faults, "GET", HISTORY + "?limit=3") is None
    assert taken(faults, "GET", HISTORY + "?limit=3&cursor=x") == "repeated_cursor"
