"""What the sandbox says of itself: `/`, for browsers and for programs, `/openapi.json`, `/health`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trading_sandbox.web.controls import PREFIX
from trading_sandbox.web.dialects.dialect import Dialect
from trading_sandbox.web.json_body import to_json
from trading_sandbox.web.stream import PictureStream

_WHAT = "A sandbox of the trading service: a local exchange that speaks the same interface."
_LINKS = {
    f"{PREFIX}/": "all controls, with what each does",
    f"{PREFIX}/schema": "their arguments and results, and the faults, as JSON Schema",
    f"{PREFIX}/live": "what the page of a browser shows, as server-sent events",
    "/openapi.json": "the OpenAPI description of the operations, in the dialect that it speaks",
    "/health": "whether it serves",
}
_FOLDER = Path(__file__).parent / "page"
_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
_HEADERS = {
    # What the page loads is its own; it runs no text as code, and makes no markup of text.
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    # The next sandbox on this port may be another version.
    "cache-control": "no-store",
}


def page_routes(dialect: Dialect, stream: PictureStream) -> list[Route]:
    """Return the routes of these pages, and of what the page of a browser reads."""

    async def _openapi(request: Request) -> Response:
        return Response(dialect.spec.read_bytes(), media_type="application/json")

    return [
        Route("/", _root, methods=["GET"]),
        *(Route(f"/page/{each.name}", _file, methods=["GET"]) for each in _FOLDER.iterdir()),
        Route("/health", _health, methods=["GET"]),
        Route("/openapi.json", _openapi, methods=["GET"]),
        Route(f"{PREFIX}/live", stream, methods=["GET"]),
    ]


async def _root(request: Request) -> Response:
    if "text/html" in request.headers.get("accept", ""):
        return _sent(_FOLDER / "index.html")
    return _json({"service": _WHAT, "operations": "/api/v1/", "see": _LINKS})


async def _file(request: Request) -> Response:
    return _sent(_FOLDER / request.url.path.rpartition("/")[2])


async def _health(request: Request) -> Response:
    return _json({"status": "ok"})


def _sent(file: Path) -> Response:
    return Response(file.read_bytes(), headers=_HEADERS, media_type=_TYPES[file.suffix])


def _json(document: dict[str, Any]) -> Response:
    return Response(to_json(document), media_type="application/json")
