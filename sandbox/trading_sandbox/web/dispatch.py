"""Dispatch a request of an operation: charge it, decode it, then execute or refuse it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trading_runtime import BatchOperation
from trading_sandbox.engine.money import exact_arithmetic
from trading_sandbox.engine.records import Refused
from trading_sandbox.rate_limits import ADDRESS, CREDIT, STANDARD, RateLimits, cost_of
from trading_sandbox.turns import in_turns
from trading_sandbox.web.auth import check_address
from trading_sandbox.web.commands import check_fields
from trading_sandbox.web.context import RequestContext
from trading_sandbox.web.decoding import decode_query
from trading_sandbox.web.json_body import parse_object, read_body, to_json
from trading_sandbox.web.lists import answer_list
from trading_sandbox.web.refusals import PlainRefusal, Refusal, not_modelled, unauthorized
from trading_sandbox.web.signed import answer_batch, answer_signed


async def dispatch(context: RequestContext, rates: RateLimits) -> tuple[int, bytes, str | None]:
    """Return the status and body of the answer, and the error text if it is a refusal."""
    refusal = await outcome(context, rates)
    if isinstance(refusal, bytes):
        return 200, refusal, None
    if isinstance(refusal, PlainRefusal):
        context.content_type = b"text/plain; charset=utf-8"
        return refusal.status, refusal.observed.encode(), refusal.error
    status, body = context.dialect.refuse(refusal, context.operation)
    return status, to_json(body), refusal.error


async def outcome(context: RequestContext, rates: RateLimits) -> bytes | Refusal:
    """Return the body of the answer, or why the request is refused."""
    try:
        return await _result(context, rates)
    except Refusal as refusal:
        return refusal
    except Refused as refused:
        return context.dialect.refusal_of(refused, context.operation)


async def _result(context: RequestContext, rates: RateLimits) -> bytes:
    class_, cost = ADDRESS, STANDARD
    try:
        class_ = _rate_class(context)
        fields = await _fields(context)
        cost = cost_of(context.operation, fields)
    finally:
        # A request that cannot be read is charged too.
        _charge(context, rates, class_, cost)
    _check_outside_of_body(context)
    if context.operation.method == "GET":
        return await _answer_query(context)
    if isinstance(context.operation, BatchOperation):
        return to_json(await answer_batch(context, context.operation.batch, fields))
    return to_json(await answer_signed(context, fields))


def _rate_class(context: RequestContext) -> str:
    """Return the rate-limit class that the API key selects (interface section 5.4)."""
    header = context.dialect.api.api_key_header or ""
    key = context.request.headers.get(header)
    if key is None:
        return ADDRESS
    with context.service.reading() as exchange:
        accounts = exchange.state.accounts.values()
        if not any(key == known.api_key for account in accounts for known in account.api_keys):
            raise unauthorized(f"Unauthorized: unknown API key in the header {header}")
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
    context.budget = budget = rates.charge(class_, cost)
    if budget is None:
        return
    if not budget.allowed:
        raise Refusal(
            429,
            f"Rate limit exceeded: {budget.left / CREDIT:g} credits are left for this request, which "
            f"costs {cost / CREDIT:g}; all are back in {budget.refresh_s} s",
        )


def _check_outside_of_body(context: RequestContext) -> None:
    """Refuse the query of an operation with a body: this sandbox models none."""
    operation, request = context.operation, context.request
    for name in operation.in_url:
        if name in request.query_params:
            raise not_modelled(f"The parameter {name} of {operation.name}")


async def _answer_query(context: RequestContext) -> bytes:
    operation, dialect = context.operation, context.dialect
    if not dialect.has(operation.name):
        raise not_modelled(operation.name)
    model = operation.params
    query = {} if model is None else decode_query(model, context.request.query_params)
    if operation.name in dialect.lists:
        return answer_list(context, query)
    if "account" in query:
        check_address(query["account"])
        context.account = query["account"]
    long_answer = dialect.long_answers.get(operation.name)
    if long_answer is not None:
        check_fields(operation, long_answer, query)
        with exact_arithmetic():
            return to_json(await in_turns(long_answer(context.service, query)))
    read = dialect.answers[operation.name]
    check_fields(operation, read, query)
    with exact_arithmetic():
        return to_json(read(context.service, query, None))
