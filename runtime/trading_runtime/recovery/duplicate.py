"""What a 409 says of a message with an idempotency key that no list shows."""

from __future__ import annotations

from trading_runtime.call.failures import reason_of
from trading_runtime.errors import ApiError, OutcomeUnknownError
from trading_runtime.intent import Message
from trading_runtime.recovery.settlement import Settlement

BY_DUPLICATE = (
    "The service says that a key was used before only if it accepted a message with it, and no other "
    "message has this key."
)
_GIVEN = (
    "its idempotency key was used before, but you gave it, and perhaps to another message; if no other "
    "message had this key, this one was executed"
)
_NOT_NAMED = (
    "that does not say that its idempotency key was used before; if it means that, and no other message "
    "had this key, this one was executed; if not, nothing is known of it"
)


def settle_duplicate(
    message: Message, path: str | None, error: OutcomeUnknownError | ApiError
) -> Settlement:
    """The settlement of a message after a 409 to it, or to the same one that was sent before.

    A 409 is documented as the answer to a used key, but its text is not: one that does not name the key
    may be about anything. So it settles nothing, and neither does a key that may be another message's.

    Args:
        path: Where the key is, like `idempotency_key`.
    """
    words = reason_of(error)
    named = any(_letters(each) in _letters(words) for each in (message.client_id, path) if each)
    executed = named and message.minted
    problem = _GIVEN if named else _NOT_NAMED
    meaning = "it accepted a message with this idempotency key before" if executed else problem
    return Settlement(
        operation=message.name,
        client_id=message.client_id,
        state="executed" if executed else "unsettled",
        reason=f'the service answered "{words}": {meaning}',
        rests_on=BY_DUPLICATE if executed else "",
    )


def _letters(text: str) -> str:
    """A text without what is written in different ways: `Idempotency-Key`, `idempotency_key`."""
    return "".join(filter(str.isalnum, text)).lower()
