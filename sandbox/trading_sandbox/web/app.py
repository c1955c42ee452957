"""The ASGI application: one answer and one log entry for every request of an operation.

Most operations have fixed paths, so they are looked up in a dictionary and not matched by a router.
Starlette handles all other requests: the controls of the sandbox, and unknown paths.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from trading_sandbox.log import LoggedRequest
from trading_sandbox.operation_index import OperationIndex
from trading_sandbox.rate_limits import RateLimits
from trading_sandbox.service import Service
from trading_sandbox.web.context import JSON_TYPE, SHARED, RequestContext, described, head_size
from trading_sandbox.web.dialects import elsewhere
from trading_sandbox.web.dialects.dialect import Dialect
from trading_sandbox.web.dialects.documented import DIALECT as DOCUMENTED
from trading_sandbox.web.dispatch import dispatch
from trading_sandbox.web.json_body import to_json
from trading_sandbox.web.refusals import Refusal


def make_app(
    service: Service,
    *,
    dialect: Dialect = DOCUMENTED,
    rates: RateLimits | None = None,
    routes: Sequence[Route] = (),
    websocket: ASGIApp | None = None,
) -> ASGIApp:
    """Return the application that serves an exchange.

    Args:
        service: The exchange.
        dialect: Which operations there are, and how they are answered.
        rates: The budgets of the rate-limit classes. None: no limits.
        routes: Routes beside the operations. Their requests cost no credits and are not logged.
        websocket: What serves a websocket; None: there is none.
    """
    return _App(service, dialect, RateLimits() if rates is None else rates, routes, websocket)


class _App:
    def __init__(
        self,
        service: Service,
        dialect: Dialect,
        rates: RateLimits,
        routes: Sequence[Route],
        websocket: ASGIApp | None,
    ) -> None:
        self._service = service
        self._dialect = dialect
        self._rates = rates
        self._websocket = websocket
        self._index = OperationIndex(dialect.api)
        self._others = Starlette(
            routes=list(routes), exception_handlers={HTTPException: self._unmatched}
        )
        self._others.router.redirect_slashes = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        try:
            _check_origin(scope)
        except Refusal as refusal:
            if scope["type"] == "websocket":
                await send({"type": "websocket.close"})
                return
            status, body = self._dialect.refuse(refusal, None)
            await _send(send, status, to_json(body))
            return
        if scope["type"] == "websocket" and self._websocket is not None:
            await self._websocket(scope, receive, send)
            return
        request = Request(scope, receive)
        methods = self._index.methods(scope["path"])
        operation = methods.get(scope["method"])
        if operation is not None:
            context = RequestContext(self._service, self._dialect, operation, request)
            await self._serve(context, send)
        elif scope["method"] == "OPTIONS" and "GET" in methods and self._dialect.open_to_pages:
            # A browser asks first where a page sends headers of its own, like an API key.
            await _send(send, 200, b"", (*SHARED, (b"access-control-allow-headers", b"*")))
        elif not methods:
            await self._others(scope, receive, send)
        else:
            wrong = HTTPException(405, headers={"allow": ", ".join(sorted(methods))})
            response = await self._unmatched(request, wrong)
            await response(scope, receive, send)

    async def _serve(self, context: RequestContext, send: Send) -> None:
        try:
            status, body, error = await dispatch(context, self._rates)
        except Exception:
            refusal = Refusal(500, "Internal server error")
            status, refused = self._dialect.refuse(refusal, context.operation)
            answer = to_json(refused)
            context.log(status, refusal.error, answer)
            await _send(send, status, answer, context.headers)
            raise  # so that the server prints the traceback
        context.log(status, error, body)
        await _send(send, status, body, context.headers, context.content_type)

    async def _unmatched(self, request: Request, error: Exception) -> Response:
        """Answer an unknown path or a wrong method, and log the request."""
        assert isinstance(error, HTTPException)
        path = request.url.path
        unknown = f"Unknown path {path[:200]}{elsewhere(path, self._dialect)}"
        words = {404: unknown, 405: "Wrong method for this path"}
        refusal = Refusal(error.status_code, words.get(error.status_code, error.detail))
        status, body = self._dialect.refuse(refusal, None)
        entry = LoggedRequest(
            operation=None, **described(request), status=refusal.status, error=refusal.error
        )
        self._service.log.add(entry, head_size(request))
        return Response(to_json(body), status, headers=error.headers, media_type="application/json")


async def _send(
    send: Send,
    status: int,
    body: bytes,
    headers: Sequence[tuple[bytes, bytes]] = (),
    content_type: bytes = JSON_TYPE,
) -> None:
    framing = [
        (b"content-type", content_type),
        (b"content-length", str(len(body)).encode()),
    ]
    start = {"type": "http.response.start", "status": status, "headers": [*framing, *headers]}
    await send(start)
    await send({"type": "http.response.body", "body": body})


# -- where a request comes from --------------------------------------------------------------------


_LOCAL = re.compile(rb"(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?", re.IGNORECASE)


def _check_origin(scope: Scope) -> None:
    """Refuse a request for another host, and a request of a foreign web page for a control or a picture.

    A request has one Host header, which names this machine. A request for a control, which needs no
    signature, may have an Origin header only if it names the sandbox itself, and a Sec-Fetch-Site header
    only if it says that a page of the sandbox sends it, or the user. So web pages of other sites cannot
    use the sandbox: they can send requests to a local port, but not set these headers.
    """
    hosts = _header_values(scope, b"host")
    if len(hosts) != 1 or not _LOCAL.fullmatch(hosts[0]):
        raise Refusal(400, "Invalid Host header: this sandbox answers to 127.0.0.1 only")
    if scope["path"].startswith("/sandbox/"):
        own = b"http://" + hosts[0].lower()
        foreign = any(origin.lower() != own for origin in _header_values(scope, b"origin"))
        if foreign or set(_header_values(scope, b"sec-fetch-site")) - {b"same-origin", b"none"}:
            raise Refusal(
                403,
                "Foreign Origin header: web pages of other sites control nothing",
            )


def _header_values(scope: Scope, name: bytes) -> list[bytes]:
    return [value for each, value in scope["headers"] if each == name]
