"""What can be injected, what is refused and how; which request takes which fault."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from tests.sandbox.served import CREATE, HISTORY
from trading_sandbox import Sandbox
from trading_sandbox.controls.declared import FaultControls
from trading_sandbox.faults import KINDS, Faults
from trading_sdk.operations import API


def kinds(faults: Faults) -> list[tuple[str, str, int]]:
    return [(fault.operation, fault.kind, fault.times) for fault in faults.pending()]


def taken(faults: Faults, method: str = "POST", target: str = CREATE) -> str | None:
    fault = faults.take(method, target)
    return None if fault is None else fault.kind


def test_inject_names_every_option_that_a_kind_takes() -> None:
    parameters = inspect.signature(FaultControls.inject).parameters
    named = [name for name, p in parameters.items() if p.kind is p.KEYWORD_ONLY]
    assert set(named) == {"executed", *(name for kind in KINDS.values() for name in kind.options)}


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_the_table_is_complete(kind: Any) -> None:
    assert kind.meaning.endswith((".", "`."))
    assert kind.outcome in ("N", "U", "D", "R", "success")
    assert kind.choices.keys() <= kind.options.keys()


@pytest.mark.parametrize(
    ("arguments", "options", "error", "words"),
    [
        (("orders.crate", "reset"), {}, ValueError, "did you mean orders.create.*trades.history"),
        (("orders.cancel", "reset"), {}, ValueError, "an action of orders.batch"),
        (("orders.create", "rest"), {}, ValueError, r"did you mean reset\?.*gzip_bomb"),
        (("orders.create", "reset", 0), {}, ValueError, "times: must be from 1 .* not 0"),
        (("orders.create", "reset", True), {}, TypeError, "times: expected an integer"),
        (("orders.create", "reset", 1.5), {}, TypeError, "times: expected an integer"),
        (("orders.create", "reset"), {"seconds": 1}, ValueError, "takes no seconds; .* nothing"),
        (("orders.create", "close_idle"), {"keep": 1}, ValueError, "it takes: seconds"),
        (
            ("orders.create", "reset"),
            {"executed": 1},
            TypeError,
            "executed: expected True or False",
        ),
        (("orders.create", "missing_field"), {"executed": False}, ValueError, "it is always so"),
        (("orders.create", "reset_before_read"), {"executed": True}, ValueError, "never so"),
        (("orders.create", "status"), {}, ValueError, "needs status: An answer with"),
        (("orders.create", "status"), {"status": "500"}, TypeError, "status: expected an integer"),
        (("orders.create", "status"), {"status": 199}, ValueError, "from 200 to 599, not 199"),
        (("orders.create", "redirect"), {}, ValueError, "needs location"),
        (
            ("orders.create", "redirect"),
            {"location": "/", "status": 304},
            ValueError,
            "one of 301, 302, 303, 307, 308",
        ),
        (("orders.create", "redirect"), {"location": "/\r\nx: y"}, ValueError, "on one line"),
        (("orders.create", "redirect"), {"location": ""}, ValueError, "must not be empty"),
        (("orders.create", "html"), {"headers": {"a b": ""}}, ValueError, "no name of a header"),
        (("orders.create", "html"), {"headers": {"a": "\n"}}, ValueError, "on one line"),
        (("orders.create", "html"), {"headers": {"a": 1}}, TypeError, "strings to strings"),
        (("orders.create", "html"), {"headers": ["a"]}, TypeError, "must map names to values"),
        (("orders.create", "html"), {"body": 5}, TypeError, "a string or bytes"),
        (("orders.create", "html"), {"body": "\ud800"}, ValueError, "body: .*surrogates"),
        (("orders.create", "delay_answer"), {"seconds": -1}, ValueError, "from 0 to 3600"),
        (("orders.create", "delay_answer"), {"seconds": float("nan")}, ValueError, "not nan"),
        (("orders.create", "delay_answer"), {"seconds": "1"}, TypeError, "number of seconds"),
        (("orders.create", "clock_offset"), {}, ValueError, "needs offset_ms"),
        (("orders.create", "null_field"), {"field": 3}, TypeError, "field: expected a string"),
        (("orders.create", "unknown_enum"), {"value": {1}}, TypeError, "value: .*serializable"),
        (("orders.create", "not_finite"), {"value": "1"}, ValueError, "one of NaN, Infinity"),
        (("orders.create", "short_body"), {"keep": -1}, ValueError, "keep: must be from 0"),
        (("orders.create", "gzip_bomb"), {"size": 2**30 + 1}, ValueError, "from 1 to 1073741824"),
        (("orders.create", "wrong_shape"), {"value": float("nan")}, ValueError, "value: "),
        (("orders.create", "deep_nesting"), {"size": 2**30}, ValueError, "at most 16777216"),
        (("orders.create", "empty_page"), {}, ValueError, "orders.create lists none"),
        (("orders.create", "connect_refused"), {}, ValueError, "injected for '\\*'"),
        (("*", "connect_refused", 2), {}, ValueError, "takes no times"),
        (("*", "connect_refused"), {}, ValueError, "needs a server that runs"),
    ],
)
def test_what_is_wrong_is_refused_and_says_what_would_be_right(
    arguments: Any, options: Any, error: type[Exception], words: str
) -> None:
    faults = Sandbox().faults
    with pytest.raises(error, match=words):
        faults.inject(*arguments, **options)
    assert faults.pending() == []


def test_faults_are_met_in_the_order_in_which_they_were_injected() -> None:
    faults = Faults()
    faults.inject("orders.create", "reset", times=2)
    faults.inject("*", "close")
    faults.inject("orders.create", "slow_body")
    assert kinds(faults) == [
        ("orders.create", "reset", 2),
        ("*", "close", 1),
        ("orders.create", "slow_body", 1),
    ]
    met = [taken(faults) for _ in range(5)]
    assert met == ["reset", "reset", "close", "slow_body", None]
    assert faults.pending() == []
    faults.inject("*", "reset", times=9)
    faults.clear()
    assert (faults.pending(), taken(faults)) == ([], None)


def test_faults_of_one_operation_leave_others_alone_and_those_of_any_meet_each() -> None:
    faults = Faults()
    faults.inject("orders.create", "reset")
    for method, target in (("GET", HISTORY), ("GET", CREATE), ("POST", CREATE + "/")):
        assert taken(faults, method, target) is None
    assert taken(faults, "POST", CREATE + "?a=b") == "reset"

    faults.inject("*", "delay_answer", seconds=2, times=len(API.operations) + 1)
    assert taken(faults, "POST", "/sandbox/v1/reset") is None
    assert taken(faults, "GET", "/") is None
    met = [taken(faults, op.method, op.path) for op in API.operations.values()]
    assert met == ["delay_answer"] * len(API.operations)
    assert kinds(faults) == [("*", "delay_answer", 1)]
    # A fault knows the operation that it met.
    fault = faults.take("GET", HISTORY)
    assert fault is not None
    assert (fault.operation, fault.seconds, fault.executed) == ("orders.history", 2.0, True)


def test_faults_of_pages_wait_for_pages() -> None:
    faults = Faults()
    for kind in ("repeated_cursor", "empty_page", "reset"):
        faults.inject("*", kind)
    assert taken(faults) == "reset"
    assert taken(faults, "GET", HISTORY) == "empty_page"
    assert taken(faults, "GET", HISTORY + "?limit=3") is None
    assert taken(faults, "GET", HISTORY + "?limit=3&cursor=x") == "repeated_cursor"
