"""Sending a message again, from what its intent holds."""

from __future__ import annotations

from typing import Any, TypeVar

from trading_runtime.call.caller import Caller
from trading_runtime.call.draft import Draft, Part, secret_fields
from trading_runtime.codec.answers import ResultReader
from trading_runtime.errors import RequestError
from trading_runtime.intent import Message
from trading_runtime.operation import Operation

T = TypeVar("T")


def repeat(caller: Caller, operation: Operation[T], message: Message) -> T:
    """Carry out an operation with the fields of an earlier message, its ids included.

    Raises:
        RequestError: some of its fields are secret, so that nobody has written them down.
    """
    model: Any = operation.params
    if model is not None and secret_fields(model):
        raise RequestError(f"{operation.name}: it has secret fields, which are not known any more")
    part = Part(operation, message.fields, earlier=message)
    draft = Draft(operation=operation, parts=[part])
    return caller.carry_out(draft, ResultReader(operation))
