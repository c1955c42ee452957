"""Orders over the websocket: a message has the body of a request over HTTP, and is answered in other words."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.types import Message, Scope

from trading_sandbox.faults import Fault
from trading_sandbox.rate_limits import CREDIT, RateLimits
from trading_sandbox.service import Service
from trading_sandbox.web.context import JSON_TYPE, RequestContext
from trading_sandbox.web.dialects.dialect import Dialect
from trading_sandbox.web.dispatch import outcome
from trading_sandbox.web.json_body import to_json
from trading_sandbox.web.refusals import Refusal, bad_request
from trading_sandbox.web.responses import Document

OPERATIONS: Mapping[str, str] = {
    "create_order": "orders.create",
    "create_market_order": "orders.create_market",
    "edit_order": "orders.edit",
    "cancel_order": "orders.cancel",
    "cancel_all_orders": "orders.cancel_all",
    "batch_orders": "orders.batch",
}
"""The operations that a message may ask for, by the word for them in it."""
_CODES = {422: 420, 413: 400}
"""The codes that differ from the statuses over HTTP: 420 is what the exchange refuses."""
_NOT_BOUND = "Agent not authorized for account"
_logger = logging.getLogger(__name__)


class OrderMessage(NamedTuple):
    """What a message asks for."""

    id: Any
    word: str
    body: Document

    @property
    def operation(self) -> str:
        """The name of the operation."""
        return OPERATIONS[self.word]


def order_of(message: Document) -> OrderMessage:
    """Return what a message asks for, or refuse it."""
    params = message.get("params")
    if "method" not in message and isinstance(params, dict) and len(params) == 1:
        [(word, body)] = params.items()
        if word in OPERATIONS and isinstance(body, dict):
            return OrderMessage(message.get("id"), word, body)
    raise bad_request(
        "method: must be ping, subscribe or unsubscribe, or params must have "
        f"one of {', '.join(OPERATIONS)}"
    )


async def answer_message(
    service: Service,
    dialect: Dialect,
    rates: RateLimits,
    handshake: Scope,
    message: OrderMessage,
    fault: Fault | None,
) -> Document:
    """Carry out what a message asks for, or refuse it, as over HTTP with the headers of the handshake.

    The fault, which will spoil the answer, is noted in the request log.
    """
    request = Request(_request_scope(handshake, fault), _receiving(to_json(message.body)))
    operation = dialect.api.operations[message.operation]
    context = RequestContext(service, dialect, operation, request)
    try:
        answered = await outcome(context, rates)
    except Exception:
        _logger.exception("A message could not be carried out")
        answered = Refusal(500, "Internal server error")
    told: Document = {"id": message.id, "type": message.word}
    status, error = 200, None
    if isinstance(answered, bytes):
        told |= {"code": 200, "data": _data(message, json.loads(answered)["data"])}
    else:
        status, error = answered.status, answered.error
        told |= {"code": _code_of(answered), "err": answered.observed}
    told["t"] = service.now()
    if context.budget is not None and dialect.api.api_key_header in request.headers:
        left, quota = (
            each * dialect.api.rate_scale // CREDIT
            for each in (context.budget.left, context.budget.quota)
        )
        told["rl"] = {"r": left, "q": quota, "t": context.budget.refresh_s}
    context.log(status, error, to_json(told))
    return told


def _request_scope(handshake: Scope, fault: Fault | None) -> Scope:
    headers = [(b"content-type", JSON_TYPE), *handshake["headers"]]
    own = {"type": "http", "method": "POST", "headers": headers, "state": {"fault": fault}}
    return {**handshake, **own}


def _receiving(body: bytes) -> Any:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def _data(message: OrderMessage, answered: Document) -> Document:
    """Return the data of an answer in the words of the websocket."""
    _, word, body = message
    if word == "batch_orders":
        given = [action["data"] for action in body["actions"]]
        results = zip(answered["results"], given, strict=True)
        return {"results": [_result(result, action) for result, action in results]}
    if word == "cancel_all_orders":
        return answered
    order_id = answered.get("order_id", body.get("order_id"))
    return {"I": body.get("client_order_id"), "i": order_id, "s": body["symbol"]}


def _result(result: Document, action: Document) -> Document:
    named = ("client_order_id", "symbol")
    return result | {name: action[name] for name in named if name in action}


def _code_of(refusal: Refusal) -> int:
    """Return the code of a refusal: that of its status, but 402 where a signer may not sign."""
    if refusal.observed.endswith(_NOT_BOUND):
        return 402
    return _CODES.get(refusal.status, refusal.status)
