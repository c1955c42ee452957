"""The application: one route per generated operation, one answer and one log entry per request."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from trading_runtime.operation import BatchOperation, Operation
from trading_sandbox.engine.records import Refused
from trading_sandbox.web.bodies import parse_object, read_body
from trading_sandbox.web.guard import LocalHostOnly
from trading_sandbox.web.lists import LISTS, answer_list
from trading_sandbox.web.log import LoggedRequest
from trading_sandbox.web.orders import answer_batch, answer_signed
from trading_sandbox.web.refusals import Refusal, answer_of, bad_request, not_modelled
from trading_sandbox.web.service import Call, Service
from trading_sandbox.web.shape import decode_query
from trading_sdk.operations import API


def make_app(service: Service) -> Starlette:
    """Return the application that serves an exchange."""
    app = Starlette(
        routes=[_route(service, operation) for operation in _operations()],
        middleware=[Middleware(LocalHostOnly)],
        exception_handlers={HTTPException: partial(_unmatched, service), Exception: _failed},
    )
    app.router.redirect_slashes = False
    return app


def _operations() -> Iterable[Operation[Any]]:
    return API.operations.values()


def _route(service: Service, operation: Operation[Any]) -> Route:
    async def endpoint(request: Request) -> Response:
        call = Call(service=service, operation=operation)
        error = None
        try:
            status, answer = 200, await _answer(call, request)
        except (Refusal, Refused) as refused:
            refusal = refused if isinstance(refused, Refusal) else bad_request(str(refused))
            status, answer = answer_of(refusal, operation)
            error = refusal.error
        _log(call, request, status, error)
        return JSONResponse(answer, status)

    route = Route(operation.path, endpoint, methods=[operation.method], name=operation.name)
    route.methods = {operation.method}
    return route


async def _answer(call: Call, request: Request) -> dict[str, Any]:
    operation = call.operation
    if operation.method == "GET":
        return _answer_query(call, request)
    raw = await read_body(request)
    call.body = raw.decode("utf-8", "replace")
    call.body = body = parse_object(raw)
    if isinstance(operation, BatchOperation):
        return await answer_batch(call, operation.batch, body)
    return await answer_signed(call, body)


def _answer_query(call: Call, request: Request) -> dict[str, Any]:
    operation = call.operation
    assert operation.params is not None
    query = decode_query(operation.params, request.query_params)
    if operation.name not in LISTS:
        raise not_modelled(operation.name)
    return answer_list(call, query)


def _log(call: Call, request: Request, status: int, error: str | None) -> None:
    call.service.log.add(
        LoggedRequest(
            operation=call.operation.name,
            method=request.method,
            path=request.url.path,
            query=dict(request.query_params),
            headers=dict(request.headers),
            body=call.body,
            canonical=tuple(call.canonical),
            account=call.account,
            status=status,
            error=error,
        )
    )


async def _unmatched(service: Service, request: Request, error: Exception) -> Response:
    """Answer a path or method that no operation has."""
    assert isinstance(error, HTTPException)
    words = {404: f"Unknown path {request.url.path[:200]}", 405: "Wrong method for this path"}
    refusal = Refusal(error.status_code, words.get(error.status_code, error.detail))
    status, answer = answer_of(refusal, None)
    service.log.add(
        LoggedRequest(
            operation=None,
            method=request.method,
            path=request.url.path,
            query=dict(request.query_params),
            headers=dict(request.headers),
            body=None,
            canonical=(),
            account=None,
            status=status,
            error=refusal.error,
        )
    )
    return JSONResponse(answer, status, headers=error.headers)


async def _failed(request: Request, error: Exception) -> Response:
    """Answer what should never happen; the server prints the traceback."""
    status, answer = answer_of(Refusal(500, "Internal server error"), None)
    return JSONResponse(answer, status)
