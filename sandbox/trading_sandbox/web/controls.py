"""The controls over HTTP, for other languages: `POST /sandbox/v1/{name}` with JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trading_sandbox.controls.declared import CONTROLS
from trading_sandbox.controls.definition import Control
from trading_sandbox.controls.schema import schema, to_json_value
from trading_sandbox.engine.records import Refused
from trading_sandbox.web.json_body import parse_object, read_body, to_json
from trading_sandbox.web.refusals import Refusal

PREFIX = "/sandbox/v1"

CarryOut = Callable[[str, Mapping[str, Any]], Any]
"""Carries out a control by its name, with arguments that are checked."""


def control_routes(carry_out: CarryOut, operations: Iterable[str]) -> list[Route]:
    """Return the routes of all controls, of their list and of their schema.

    Args:
        carry_out: What each of them does.
        operations: The names of the operations that faults can be injected into.
    """

    async def _schema(request: Request) -> Response:
        return _answer(schema(operations))

    return [
        *(
            Route(f"{PREFIX}/{name}", _endpoint(control, carry_out), methods=["POST"])
            for name, control in CONTROLS.items()
        ),
        Route(f"{PREFIX}/", _list, methods=["GET"]),
        Route(f"{PREFIX}/schema", _schema, methods=["GET"]),
        Route(f"{PREFIX}/{{name:path}}", _unknown, methods=["GET", "POST"]),
    ]


def _endpoint(control: Control, carry_out: CarryOut) -> Callable[[Request], Any]:
    def carried_out(given: Mapping[str, Any]) -> Any:
        return to_json_value(carry_out(control.name, control.checked(**given)))

    async def endpoint(request: Request) -> Response:
        try:
            given = parse_object(await read_body(request), fractions=True)
            # In a thread, because a control may take a while and wait for locks of requests.
            result = await run_in_threadpool(carried_out, given)
        except Refusal as refusal:
            return _answer({"error": refusal.error}, refusal.status)
        except (Refused, TypeError, ValueError) as error:
            return _answer({"error": f"{control.name}: {error}", "type": _type_of(error)}, 400)
        return _answer({"result": result})

    return endpoint


def _type_of(error: Exception) -> str:
    """Return which error it is in Python: `Refused`, `TypeError` or `ValueError`."""
    return next(
        each.__name__ for each in (Refused, TypeError, ValueError) if isinstance(error, each)
    )


async def _list(request: Request) -> Response:
    return _answer(
        {name: {"call": each.call, "does": each.text} for name, each in CONTROLS.items()}
    )


async def _unknown(request: Request) -> Response:
    name = request.path_params["name"]
    wanted = "is called by POST" if name in CONTROLS else "is no control"
    said = f"{name[:100]} {wanted}; GET {PREFIX}/ lists them all"
    return _answer({"error": said}, 405 if name in CONTROLS else 404)


def _answer(content: dict[str, Any], status: int = 200) -> Response:
    return Response(to_json(content), status, media_type="application/json")
