"""Why the service refused: read from its text, its code or its status, and never guessed."""

from __future__ import annotations

import pickle

import pytest

from trading_runtime.batch import BatchResult
from trading_runtime.codec.refusals import Refusal, api_error, refusal_reason
from trading_runtime.errors import (
    AuthenticationError,
    BadRequestError,
    BatchError,
    Code,
    ConflictError,
    InternalServerError,
)
from trading_runtime.operation import Operation, Recognition

REASONS = {
    "too_long": Recognition(texts=("Too long",), codes={"things.make": 5, "things.name": "LONG"}),
    "too_long_by_far": Recognition(texts=("Too long by far",)),
    "stranger": Recognition(texts=("Who are you",), as_status=401),
    "used": Recognition(statuses=(409,), operations=("things.make",)),
}


def operation(name: str) -> Operation[None]:
    return Operation(name=name, method="POST", path="/", reasons=REASONS)


MAKE, NAME = operation("things.make"), operation("things.name")


@pytest.mark.parametrize(
    ("error", "code", "status", "reason"),
    [
        ("Too long", None, 400, "too_long"),
        ("TOO LONG: 12 metres", 400, 400, "too_long"),
        ("Too long by far: 99 metres", None, 400, "too_long_by_far"),
        ("parts[10]: Too long", None, 400, "too_long"),
        ("It is too long", None, 400, None),
        ("things: Too long", None, 400, None),
        ("", 5, 400, "too_long"),
        ("", "5", 400, None),
        ("", 6, 400, None),
        ("Who are you", 5, 409, "stranger"),
        ("", None, 409, "used"),
        ("", 5, 409, "too_long"),
        ("", None, 400, None),
    ],
)
def test_the_text_counts_first_then_the_code_then_the_status(
    error: str, code: Code, status: int, reason: str | None
) -> None:
    assert refusal_reason(MAKE, error, code, status) == reason
    assert api_error(MAKE, status, Refusal(error, code), b"").reason == reason


def test_a_code_is_that_of_one_operation() -> None:
    assert refusal_reason(NAME, "", "LONG") == "too_long"
    assert refusal_reason(NAME, "", 5) is None
    assert refusal_reason(NAME, "", None, 409) is None
    assert refusal_reason(operation("things.get"), "", None, 400) is None


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, AuthenticationError),
        (200, AuthenticationError),
        (401, AuthenticationError),
        (409, ConflictError),
        (500, InternalServerError),
    ],
)
def test_a_reason_names_the_class_where_the_status_says_no_more_than_refused(
    status: int, kind: type[Exception]
) -> None:
    error = api_error(MAKE, status, Refusal("Who are you?", None), b"")
    assert (type(error), error.status, error.reason) == (kind, status, "stranger")


def test_a_refusal_of_another_reason_is_of_the_class_of_its_status_and_keeps_its_reason() -> None:
    error = api_error(MAKE, 400, Refusal("Too long", None), b"")
    assert type(error) is BadRequestError
    assert pickle.loads(pickle.dumps(error)).reason == "too_long"


class Outcome:
    def __init__(self, error: str | None) -> None:
        self.success, self.error = error is None, error


def test_a_batch_tells_the_reason_of_each_failed_action() -> None:
    failed = BatchResult("things.batch", [Outcome("a"), Outcome(None)], ["too_long", None])
    unknown = BatchResult("things.batch", [Outcome("a")])
    assert failed.reasons == ("too_long", None)
    assert unknown.reasons == (None,)
    with pytest.raises(BatchError) as caught:
        failed.raise_on_failure()
    assert caught.value.reasons == {0: "too_long"}
    assert BatchError("things.batch", {1: "a"}, 2).reasons == {1: None}
