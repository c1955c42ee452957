"""Dispatch a request of an operation: charge it, decode it, then execute or refuse it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trading_runtime import BatchOperation
from trading_sandbox.engine.records import Refused
from trading_sandbox.rate_limits import STANDARD, RateLimits, cost_of
from trading_sandbox.web.auth import check_address
from trading_sandbox.web.commands import BUILDERS
from trading_sandbox.web.context import RequestContext
from trading_sandbox.web.decoding import decode_query
from trading_sandbox.web.json_body import parse_object, read_body, to_json
from trading_sandbox.web.lists import LISTS, answer_list
from trading_sandbox.web.reads import READS, answer_read
from trading_sandbox.web.refusals import Refusal, answer_of, not_modelled, refusal_of, unauthorized
from trading_sandbox.web.signed import answer_batch, answer_signed
from trading_sdk.operations import API

MODELLED = frozenset(
    {
        *(*BUILDERS, *LISTS, *READS),
        *(name for name, each in API.operations.items() if isinstance(each, BatchOperation)),
    }
)
"""The operations and batch actions that this sandbox carries out. Any other is answered with 501."""

_API_KEY = API.api_key_header or ""
_ADDRESS = "address"
"""The one rate-limit class of all requests without an API key: they come from this machine."""


async def dispatch(context: RequestContext, rates: RateLimits) -> tuple[int, bytes, str | None]:
    """Return the status and body of the answer, and the error text if it is a refusal."""
    try:
        return 200, await _result(context, rates), None
    except Refusal as error:
        refusal = error
    except Refused as error:
        refusal = refusal_of(error, context.operation)
    status, body = answer_of(refusal, context.operation)
    return status, to_json(body), refusal.error


async def _result(context: RequestContext, rates: RateLimits) -> bytes:
    class_, cost = _ADDRESS, STANDARD
    try:
        class_ = _rate_class(context)
        fields = await _fields(context)
        cost = cost_of(context.operation, fields)
    finally:
        # A request that cannot be read is charged too.
        _charge(context, rates, class_, cost)
    if context.operation.method == "GET":
        return _answer_query(context)
    if isinstance(context.operation, BatchOperation):
        return to_json(await answer_batch(context, context.operation.batch, fields))
    return to_json(await answer_signed(context, fields))


def _rate_class(context: RequestContext) -> str:
    """Return the rate-limit class that the API key selects (interface section 5.4)."""
    key = context.request.headers.get(_API_KEY)
    if key is None:
        return _ADDRESS
    with context.service.reading() as exchange:
        accounts = exchange.state.accounts.values()
        if not any(key == known.api_key for account in accounts for known in account.api_keys):
            raise unauthorized(f"Unauthorized: unknown API key in the header {_API_KEY}")
    return f"key {key}"


async def _fields(context: RequestContext) -> Mapping[str, Any]:
    """Return the fields of the body; for a GET request, the query parameters as strings."""
    if context.operation.method == "GET":
        return context.request.query_params
    raw = await read_body(context.request)
    context.body_size = len(raw)
    try:
        context.body = fields = parse_object(raw)
    except Refusal:
        context.body = raw.decode("utf-8", "replace")
        raise
    return fields


def _charge(context: RequestContext, rates: RateLimits, class_: str, cost: int) -> None:
    budget = rates.charge(class_, cost)
    if budget is None:
        return
    context.budget_headers = budget.headers()
    if not budget.allowed:
        raise Refusal(
            429,
            f"Rate limit exceeded: {budget.left / 10:g} credits are left for this request, which "
            f"costs {cost / 10:g}; all are back in {budget.refresh_s} s",
        )


def _answer_query(context: RequestContext) -> bytes:
    operation = context.operation
    model = operation.params
    query = {} if model is None else decode_query(model, context.request.query_params)
    if operation.name in LISTS:
        return answer_list(context, query)
    if operation.name not in READS:
        raise not_modelled(operation.name)
    if "account" in query:
        check_address(query["account"])
        context.account = query["account"]
    return to_json(answer_read(context.service, operation.name, query))
