"""What a 409 says of a message with an idempotency key."""

from __future__ import annotations

import pytest

from tests.runtime.recovery.histories import unknown
from trading_runtime.errors import OutcomeUnknownError
from trading_runtime.intent import Message
from trading_runtime.recovery.duplicate import settle_duplicate

ID = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"


def answered(words: str, message: Message) -> OutcomeUnknownError:
    """The error of a message that was answered with a 409."""
    return OutcomeUnknownError(unknown(message).intent, words, status=409)


@pytest.mark.parametrize(
    ("words", "executed"),
    [
        ("409: Duplicate Idempotency-Key", True),
        ("409 (code 409): duplicate idempotency key.", True),
        (f"409: Duplicate idempotency_key: {ID.upper()} was used for withdrawal 3", True),
        ("409: a request with this idempotency_key is in progress", False),
        ("409: Duplicate idempotency key: the first request is in progress", False),
        (f"409: Duplicate idempotency_key: {ID} (pending)", False),
        ("409: no duplicate idempotency key: the account is locked", False),
        ("409: Duplicate idempotency_key: 6f0c1f4e was used", False),
        ("409: idempotency_key is being processed", False),
        (f"409: {ID} exists", False),
        ("409: Duplicate client_order_id", False),
        ("409", False),
        ("", False),
    ],
)
def test_only_the_documented_words_settle_a_message(words: str, executed: bool) -> None:
    message = Message(name="spot.withdraw", client_id=ID, fields={}, minted=True)

    settled = settle_duplicate(message, "idempotency_key", answered(words, message))

    assert settled.operation == "spot.withdraw"
    assert settled.client_id == ID
    assert (settled.state == "executed") is executed
    assert settled.reason.startswith(f'the service answered "{words}": ')
    assert bool(settled.rests_on) is executed


def test_a_key_of_the_caller_may_be_that_of_another_message() -> None:
    message = Message(name="spot.withdraw", client_id=ID, fields={}, minted=False)

    settled = settle_duplicate(
        message, "idempotency_key", answered(f"409: Duplicate idempotency key {ID}", message)
    )

    assert (settled.state, settled.rests_on) == ("unsettled", "")
    assert "you gave it, and perhaps to another message" in settled.reason


def test_without_a_key_no_words_settle_a_message() -> None:
    message = Message(name="spot.withdraw", client_id=None, fields={}, minted=True)
    assert settle_duplicate(message, None, answered("409: Duplicate", message)).state == "unsettled"
