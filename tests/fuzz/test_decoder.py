"""Whatever a service answers, it is a value that says the same, or an error of the tree."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest
from hypothesis import given, strategies as st

from tests.fuzz.agreement import agrees, same
from tests.fuzz.mutations import damaged, mutated, values
from tests.interface import OPERATIONS, PAGINATED
from tests.runtime.reading import decode
from trading_runtime.codec.decoder import parse
from trading_runtime.codec.json_types import hidden
from trading_runtime.codec.refusals import says_something
from trading_runtime.errors import ApiError, DecodeError
from trading_runtime.http.transport import Response
from trading_runtime.operation import BatchOperation, ListOperation, Operation
from trading_sdk.operations import API

RESULTS = [
    {"success": True, "order_id": 9007199254740993, "error": None},
    {"success": False, "order_id": None, "error": "Order not found"},
]
ANSWERS: dict[str, list[Any]] = {name: [each.answer] for name, each in OPERATIONS.items()}
ANSWERS["orders.batch"] = [{"results": RESULTS}, {"success": True, "data": {"results": RESULTS}}]
for name in PAGINATED:
    ANSWERS[name].append({**ANSWERS[name][0], "next_cursor": "W10", "has_more": True})
REFUSALS: list[Any] = [
    {"success": False, "data": None, "error": "Insufficient balance", "code": 5},
    {"error": "Verification failed", "code": 3},
    {"success": True, "data": {"success": False, "error": "no"}},
]
KNOWN = [(name, answer) for name in ANSWERS for answer in [*ANSWERS[name], *REFUSALS]]
STATUSES = st.sampled_from([200, 200, 200, 201, 204, 299, 302, 400, 401, 409, 418, 429, 500, 503])


@st.composite
def nearly_valid(draw: st.DrawFn) -> tuple[Operation[Any], Any]:
    """An operation, and one of its answers or a refusal with some changes."""
    name, answer = KNOWN[draw(st.integers(0, len(KNOWN) - 1))]
    return API.operations[name], draw(mutated(answer))


class Outcome(NamedTuple):
    """What a caller gets for an answer: a result, or an error."""

    result: Any
    error: ApiError | DecodeError | None


def outcome(operation: Operation[Any], body: bytes, status: int) -> Outcome:
    response = Response(status, {}, body)
    try:
        return Outcome(decode(operation, response), None)
    except (ApiError, DecodeError) as error:
        assert error.operation == operation.name
        assert (error.body, error.status) == (body, status)
        assert str(error).isprintable()
        return Outcome(None, error)


def dumped(payload: Any) -> bytes:
    return json.dumps(payload).encode()


def levels(payload: Any) -> list[Any]:
    """The payload, and what its envelope holds if it is one; those of them that are objects."""
    if not isinstance(payload, dict):
        return []
    if "success" in payload or payload.keys() <= {"data", "error", "code"}:
        return [level for level in (payload, payload.get("data")) if isinstance(level, dict)]
    return [payload]


def held(operation: Operation[Any], payload: Any) -> list[Any]:
    """Every value of a payload that may be the result."""
    contents = [payload, *(level.get("data") for level in levels(payload)[:1])]
    if operation.result_key is None:
        return contents
    return [c.get(operation.result_key) for c in contents if isinstance(c, dict)]


def says(result: Any, operation: Operation[Any], payload: Any) -> bool:
    """Whether a result is what the payload says."""
    if isinstance(operation, ListOperation):
        names = operation.pagination
        items = payload[names.items]
        return (
            len(result.items) == len(items)
            and all(map(agrees, result.items, items, [operation.result] * len(items)))
            and same(result.has_more, payload[names.has_more])
            and same(result.next_cursor, payload.get(names.next_cursor))
        )
    if operation.result is None:
        return result is None and (operation.ignores_data or payload["success"] is True)
    if isinstance(operation, BatchOperation):
        return any(
            isinstance(found, list)
            and len(found) == len(result)
            and all(map(agrees, result, found, [operation.result] * len(found)))
            for found in held(operation, payload)
        )
    return any(agrees(result, found, operation.result) for found in held(operation, payload))


# Answers


@given(st.sampled_from(list(API.operations.values())), values, STATUSES)
def test_any_json_is_a_result_that_says_the_same_or_an_error(
    operation: Operation[Any], payload: Any, status: int
) -> None:
    found = outcome(operation, dumped(payload), status)
    assert found.error or says(found.result, operation, payload)


@given(nearly_valid(), STATUSES)
def test_an_almost_valid_answer_is_a_result_that_says_the_same_or_an_error(
    case: tuple[Operation[Any], Any], status: int
) -> None:
    operation, payload = case
    found = outcome(operation, dumped(payload), status)
    said = [level.get("success") for level in levels(payload) if "success" in level]
    if found.error is None:
        assert 200 <= status < 300
        assert says(found.result, operation, payload)
        if not isinstance(operation, BatchOperation):
            assert all(one is True for one in said)
            assert not any(says_something(level.get("error")) for level in levels(payload))
    if isinstance(found.error, ApiError) and operation.method == "POST":
        assert not said or said[-1] is not True
        assert 200 <= status < 300 or all(one is not True for one in said)


@given(st.data(), STATUSES)
def test_damaged_bytes_are_a_result_that_says_the_same_or_an_error(
    data: st.DataObject, status: int
) -> None:
    name, answer = KNOWN[data.draw(st.integers(0, len(KNOWN) - 1))]
    operation, whole = API.operations[name], dumped(answer)
    body = data.draw(damaged(whole) | st.binary(max_size=60))
    found = outcome(operation, body, status)
    if found.error is None:
        assert says(found.result, operation, json.loads(body))
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    assert isinstance(outcome(operation, cut, 200).error, DecodeError)


# JSON


def plain(body: bytes) -> Any:
    """The JSON of an answer as it is handed out."""
    return json.loads(json.dumps(hidden(parse(body))))


BEYOND = [b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1.5e400", b"9" * 5_000, b"[" * 100_000]
MARK = "\x7fhere\x7f"


@given(values)
def test_what_is_json_is_parsed(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=1)
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        with pytest.raises(ValueError):
            parse(dumped(value))
        return
    assert same(plain(dumped(value)), value)
    assert same(plain(text.encode()), value)


@given(st.data(), st.sampled_from(BEYOND))
def test_what_json_or_python_does_not_have_is_refused_wherever_it_is_handed_over(
    data: st.DataObject, beyond: bytes
) -> None:
    document = data.draw(mutated({"data": [ANSWERS["account.settings"][0]]}, st.just(MARK)))
    body = dumped(document).replace(dumped(MARK), beyond)
    if dumped(MARK) in dumped(document):
        with pytest.raises(ValueError):
            plain(body)
