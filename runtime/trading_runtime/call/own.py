"""Whether an answer is the answer to a message, and not to another one."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, TypeAlias

from trading_runtime.batch import BatchResult
from trading_runtime.call.draft import Draft
from trading_runtime.codec.echo import difference
from trading_runtime.errors import DecodeError
from trading_runtime.http.transport import Response

MAX_ISSUED = 10_000
"""Ids that a client remembers to have been given."""

Issued: TypeAlias = OrderedDict[tuple[str, object], str]
"""The latest ids that the service gave, and their messages."""


def check_own(draft: Draft, result: Any, response: Response, issued: Issued) -> None:
    """Refuse the answer to another message, which repeats other values, or brings no new id."""
    for index, part in enumerate(draft.parts):
        told = result
        if type(result) is BatchResult:
            told = result[index]
            if not told.success:
                continue
        reason = difference(part.kind.echoes, part.fields, told) if part.kind.echoes else None
        if reason is None and (name := part.kind.new_id) is not None:
            reason = _not_new(name, getattr(told, name, None), f"{draft.id}/{index}", issued)
        if reason is not None:
            raise DecodeError(draft.operation.name, reason, response.body, response.status)


def _not_new(name: str, id_: object, message: str, issued: Issued) -> str | None:
    """Note the new id of a message; what is wrong if it is none, or was given to another message."""
    if id_ is None:
        return None
    if isinstance(id_, int) and id_ < 1:
        return f"{name} {id_} is no id: ids begin at 1"
    if issued.setdefault((name, id_), message) != message:
        return (
            f"{name} {id_} was given to another message before; a mock server that answers every "
            f"message with the same {name} does this: let it count"
        )
    if len(issued) > MAX_ISSUED:
        issued.popitem(last=False)
    return None
