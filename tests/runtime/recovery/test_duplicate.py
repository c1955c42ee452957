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
        ("Duplicate Idempotency-Key", True),
        ("idempotency key was used", True),
        (f"{ID.upper()} exists", True),
        ("the account is locked", False),
        ("", False),
    ],
)
def test_only_words_that_name_the_key_settle_a_message(words: str, executed: bool) -> None:
    message = Message(name="spot.withdraw", client_id=ID, fields={}, minted=True)

    settled = settle_duplicate(message, "idempotency_key", answered(words, message))

    assert settled.operation == "spot.withdraw"
    assert settled.client_id == ID
    assert (settled.state == "executed") is executed
    assert settled.reason.startswith(f'the service answered "{words}": ')
    assert bool(settled.rests_on) is executed


def test_a_key_of_the_caller_may_be_that_of_another_message() -> None:
    message = Message(name="spot.withdraw", client_id=ID, fields={}, minted=False)

    settled = settle_duplicate(message, "idempotency_key", answered(f"used: {ID}", message))

    assert (settled.state, settled.rests_on) == ("unsettled", "")
    assert "you gave it, and perhaps to another message" in settled.reason
