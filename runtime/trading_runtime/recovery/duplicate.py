"""What a 409 says of a message with an idempotency key that no list shows."""

from __future__ import annotations

import re

from trading_runtime.call.failures import reason_of
from trading_runtime.errors import ApiError, OutcomeUnknownError
from trading_runtime.intent import Message
from trading_runtime.recovery.settlement import Settlement
from trading_runtime.recovery.values import letters

BY_DUPLICATE = (
    "The service says that a key was used before only if it accepted a message with it, and no other "
    "message has this key."
)
_GIVEN = (
    "its idempotency key was used before, but you gave it, and perhaps to another message; if no other "
    "message had this key, this one was executed"
)
_NOT_SAID = (
    "that does not say that its idempotency key was used before; if it means that, and no other message "
    "had this key, this one was executed; if not, nothing is known of it"
)


def settle_duplicate(
    message: Message, path: str | None, error: OutcomeUnknownError | ApiError
) -> Settlement:
    """The settlement of a message after a 409 to it, or to the same one that was sent before.

    A 409 is documented as "duplicate idempotency key". A text that says anything else, for example that a
    request with the key is in progress, settles nothing. Neither does a key that may be another message's.

    Args:
        path: Where the key is, like `idempotency_key`.
    """
    words = reason_of(error)
    said = path is not None and _says_duplicate(words, path, message.client_id or "")
    executed = said and message.minted
    problem = _GIVEN if said else _NOT_SAID
    meaning = "it accepted a message with this idempotency key before" if executed else problem
    return Settlement(
        operation=message.name,
        client_id=message.client_id,
        state="executed" if executed else "unsettled",
        reason=f'the service answered "{words}": {meaning}',
        rests_on=BY_DUPLICATE if executed else "",
    )


def _says_duplicate(words: str, path: str, key: str) -> bool:
    """Whether a text is that of a duplicate key: `409: Duplicate Idempotency-Key: KEY was used ...`."""
    said = rf"409(code\d+)?duplicate{letters(path)}({letters(key)})?(wasused\w*)?"
    return re.fullmatch(said, letters(words)) is not None
