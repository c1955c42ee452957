"""Keeps web pages of other sites out: they can reach a local port, but not forge the Host header."""

from __future__ import annotations

import re

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from trading_sandbox.web.refusals import Refusal, answer_of

_LOCAL = re.compile(rb"(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?", re.IGNORECASE)


class LocalHostOnly:
    """ASGI middleware that refuses every request whose Host header names another machine."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        hosts = [value for name, value in scope.get("headers", ()) if name == b"host"]
        if scope["type"] != "http" or (len(hosts) == 1 and _LOCAL.fullmatch(hosts[0])):
            await self._app(scope, receive, send)
            return
        refusal = Refusal(400, "Invalid Host header: this sandbox answers to 127.0.0.1 only")
        status, body = answer_of(refusal, None)
        await JSONResponse(body, status)(scope, receive, send)
