"""What the sandbox says of itself: `/`, for browsers and for programs, `/openapi.json`, `/health`."""

from __future__ import annotations

from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from trading_sandbox.controls.declared import CONTROLS
from trading_sandbox.web.controls import PREFIX
from trading_sandbox.web.dialects.dialect import Dialect
from trading_sandbox.web.json_body import to_json

_WHAT = "A sandbox of the trading service: a local exchange that speaks the same interface."
_LINKS = {
    f"{PREFIX}/": "all controls, with what each does",
    f"{PREFIX}/schema": "their arguments and results, and the faults, as JSON Schema",
    "/openapi.json": "the OpenAPI description of the operations, in the dialect that it speaks",
    "/health": "whether it serves",
}
_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Sandbox of the trading service</title></head>
<body>
<h1>Sandbox of the trading service</h1>
<p>{what} The operations are under <code>/api/v1/</code>; the documentation is
<code>docs/sandbox.md</code> in the repository.</p>
<ul>{links}</ul>
<h2>Controls</h2>
<p>Each is <code>POST {prefix}/NAME</code> with a JSON object of its arguments.</p>
<table>{controls}</table>
</body>
</html>
"""


def page_routes(dialect: Dialect) -> list[Route]:
    """Return the routes of these pages."""

    async def _openapi(request: Request) -> Response:
        return Response(dialect.spec.read_bytes(), media_type="application/json")

    return [
        Route("/", _root, methods=["GET"]),
        Route("/health", _health, methods=["GET"]),
        Route("/openapi.json", _openapi, methods=["GET"]),
    ]


async def _root(request: Request) -> Response:
    if "text/html" in request.headers.get("accept", ""):
        return HTMLResponse(_html())
    return _json({"service": _WHAT, "operations": "/api/v1/", "see": _LINKS})


async def _health(request: Request) -> Response:
    return _json({"status": "ok"})


def _html() -> str:
    links = (f'<li><a href="{path}">{path}</a>: {told}</li>' for path, told in _LINKS.items())
    controls = (
        f"<tr><td><code>{escape(each.call)}</code></td><td>{escape(each.text)}</td></tr>\n"
        for each in CONTROLS.values()
    )
    return _PAGE.format(what=_WHAT, links="".join(links), prefix=PREFIX, controls="".join(controls))


def _json(document: dict[str, Any]) -> Response:
    return Response(to_json(document), media_type="application/json")
