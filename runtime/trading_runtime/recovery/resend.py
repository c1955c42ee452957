"""Sends a message again under its idempotency key, which is safe however often it is done."""

from __future__ import annotations

from typing import Any

from trading_runtime.call.caller import Caller
from trading_runtime.call.failures import is_duplicate
from trading_runtime.call.repeat import repeat
from trading_runtime.errors import ApiError, OutcomeUnknownError, RequestError
from trading_runtime.operation import Api, Operation
from trading_runtime.recovery.conclusion import BY_DUPLICATE, is_unlisted
from trading_runtime.recovery.reconcile import intent_of
from trading_runtime.recovery.settlement import Settlement

ACCEPTED = "the service accepted it when it was sent again"
ACCEPTED_BEFORE = "the service accepted it before: it refused the same key as used"


def resend(caller: Caller, api: Api, error: OutcomeUnknownError | ApiError) -> Settlement:
    """Send the message of a call again, signed anew, under the same idempotency key.

    Raises:
        RequestError: its operation has no such key, or the message none; nothing was sent.
        OutcomeUnknownError: its outcome is unknown again.
        NotSentError: it was not sent again.
        ApiError: the service refused it, which says nothing of the first time.
    """
    (message, *others) = intent_of(caller, error).messages
    operation = api.operations.get(message.name)
    if operation is None or others or not _is_by_key(operation) or message.client_id is None:
        raise RequestError(
            f"{error.operation}: only a message with an idempotency key can be sent again"
        )
    try:
        records: tuple[Any, ...] = (repeat(caller, operation, message.fields),)
        reason, rests_on = ACCEPTED, "The service answered with success."
    except (OutcomeUnknownError, ApiError) as failure:
        if not is_duplicate(failure):
            raise
        records, reason, rests_on = (), ACCEPTED_BEFORE, BY_DUPLICATE
    return Settlement(
        operation=message.name,
        client_id=message.client_id,
        state="executed",
        reason=reason,
        records=records,
        rests_on=rests_on,
    )


def _is_by_key(operation: Operation[Any]) -> bool:
    """Whether the service refuses a message whose key was used."""
    return operation.retry == "by-key" and is_unlisted(operation)
