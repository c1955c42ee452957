"""One exchange of a call: a request sent, its answer read and known to be its own.

A RecursionError, where the functions around the call nest too deep, is a failure like any other here: raw
it would hide that the request may have been executed.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, TypeVar

from trading_runtime.batch import BatchResult
from trading_runtime.call.draft import Draft
from trading_runtime.codec.answers import GIVEN_BEFORE, Reader, difference
from trading_runtime.errors import DecodeError
from trading_runtime.http.fault import Fault, TransportError
from trading_runtime.http.transport import Request, Response, Transport

T = TypeVar("T")
MAX_ISSUED = 10_000
"""Ids that a client remembers to have been given."""


def send(transport: Transport, request: Request, timeout: float) -> Response:
    """Send a request and return its answer.

    Raises:
        TransportError: there is no answer that can be read.
    """
    try:
        found = transport.send(request, timeout=timeout)
    except RecursionError:
        failure = TransportError(Fault.MAYBE_SENT, "the stack has no room for the transport")
    else:
        if isinstance(found, Response):
            return found
        problem = f"the transport returned a {type(found).__name__}, not a Response"
        failure = TransportError(Fault.UNUSABLE, problem)
    # Outside of the except block: the frames of a RecursionError hold what was sent.
    raise failure


def read(
    draft: Draft,
    reader: Reader[T],
    response: Response,
    issued: OrderedDict[Any, str],
) -> T:
    """The result in an answer; `issued` are the ids that the service gave, and their messages.

    Raises:
        ApiError: the service refused.
        DecodeError: the answer cannot be used, or is that to another message.
    """
    content_type = response.headers.get("Content-Type")
    try:
        result = reader.read(response.status, response.body, content_type)
        _check_own(draft, result, response, issued)
        return result
    except RecursionError:
        problem = "the stack has no room to read it"
    # Outside of the except block, as above.
    raise DecodeError(draft.operation.name, problem, response.body, response.status)


def _check_own(
    draft: Draft, result: Any, response: Response, issued: OrderedDict[Any, str]
) -> None:
    """Refuse the answer to another message, which repeats other values, or brings no new id."""
    for index, part in enumerate(draft.parts):
        told, name, reason = result, part.kind.new_id, None
        if type(result) is BatchResult and not (told := result[index]).success:
            continue
        if part.kind.echoes:
            reason = difference(part.kind.echoes, part.fields, told)
        id_ = None if name is None else getattr(told, name, None)
        if name is not None and id_ is not None and reason is None:
            message = f"{draft.id}/{index}"
            if isinstance(id_, int) and id_ < 1:
                reason = f"{name} {id_} is no id: ids begin at 1"
            elif issued.setdefault((name, id_), message) != message:
                reason = GIVEN_BEFORE.format(name, id_)
            elif len(issued) > MAX_ISSUED:
                issued.popitem(last=False)
        if reason is not None:
            raise DecodeError(draft.operation.name, reason, response.body, response.status)
