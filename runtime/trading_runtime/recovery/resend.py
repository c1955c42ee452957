"""Sends a message again under its idempotency key, which is safe however often it is done."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from trading_runtime.call.caller import Caller
from trading_runtime.call.failures import failure_text, is_duplicate
from trading_runtime.call.message import Call, secret_fields
from trading_runtime.codec.answers import ResultReader
from trading_runtime.errors import ApiError, OutcomeUnknownError, RequestError
from trading_runtime.intent import Intent
from trading_runtime.operation import Api, Operation
from trading_runtime.recovery.reconcile import intent_of, is_unlisted, used_key
from trading_runtime.recovery.settlement import Settlement

ACCEPTED = "the service accepted it when it was sent again"


def resend(caller: Caller, api: Api, error: OutcomeUnknownError | ApiError) -> Settlement:
    """Send the message of a call again, signed anew, under the same idempotency key.

    Raises:
        RequestError: its operation has no such key, the message none, or it has secret fields, which nobody
            has written down; nothing was sent.
        OutcomeUnknownError: its outcome is unknown again.
        NotSentError: it was not sent again.
        ApiError: the service refused it, which says nothing of the first time.
    """
    intent = intent_of(caller, error)
    operation, message = api.operations.get(intent.operation), intent.messages[0]
    if operation is None or not _as_of(intent, operation).is_by_key:
        raise RequestError(
            f"{error.operation}: only a message with an idempotency key can be sent again"
        )
    params: Any = operation.params
    if secret_fields(params):
        raise RequestError(f"{operation.name}: it has secret fields, which are not known any more")
    again: Call[Any] = Call(
        operation=operation,
        kinds=(operation,),
        fields=(message.fields,),
        messages=(message,),
        reader=ResultReader(operation),
    )
    try:
        receipt = caller.carry_out(again)
    except (OutcomeUnknownError, ApiError) as failure:
        words = failure_text(failure)
        if not is_duplicate(failure):
            raise
        if caller.journal is not None and failure.intent is not None:
            # The entry of the first sending stands for both.
            caller.journal.end(failure.intent, known=True)
        found = used_key(message, operation.key, words)
        return Settlement(
            operation=message.name,
            client_id=message.client_id,
            state=found.state,
            reason=found.reason,
            rests_on=found.rests_on,
        )
    return Settlement(
        operation=message.name,
        client_id=message.client_id,
        state="executed",
        reason=ACCEPTED,
        records=(receipt,),
        rests_on="The service answered with success.",
    )


def _as_of(intent: Intent, operation: Operation[Any]) -> Intent:
    """The intent, with what this version knows of its operation: older ones did not write all of it down."""
    unlisted = operation.retry == "by-key" and is_unlisted(operation)
    known = [evolve(each, traced=unlisted, listed=not unlisted) for each in intent.messages]
    return evolve(intent, messages=tuple(known))
