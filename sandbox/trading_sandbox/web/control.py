"""The sandbox's controls over HTTP, for other languages: `POST /sandbox/v1/{name}` with JSON.

The names and arguments are those of `Control` and of its `faults`; `GET /sandbox/v1/` lists them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

import attrs
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trading_runtime import Keypair
from trading_sandbox.arguments import to_natural
from trading_sandbox.control import Control
from trading_sandbox.engine.records import Refused
from trading_sandbox.faults import Fault, as_json
from trading_sandbox.log import LoggedRequest
from trading_sandbox.web.json_body import parse_object, read_body, to_json
from trading_sandbox.web.refusals import Refusal

PREFIX = "/sandbox/v1"
NAMES = (
    "has_account",
    "account",
    "market",
    "create_account",
    "create_subaccount",
    "create_vault",
    "bind_agent",
    "deposit",
    "set_margin",
    "set_mark_price",
    "set_maker",
    "force_outcome",
    "liquidate",
    "advance",
    "freeze",
    "unfreeze",
    "set_rate_limit",
    "snapshot",
    "restore",
    "reset",
    "digest",
    "faults.inject",
    "faults.clear",
    "faults.pending",
    "requests",
)
"""The names of all controls, as in Python."""

Call = Callable[..., Any]


def control_routes(control: Control) -> list[Route]:
    """Return the routes of the controls of a sandbox."""
    calls = {name: _call(control, name) for name in NAMES}
    routes = [
        Route(f"{PREFIX}/{name}", _endpoint(name, call), methods=["POST"])
        for name, call in calls.items()
    ]
    return [
        *routes,
        Route(f"{PREFIX}/", _listing(calls), methods=["GET"]),
        Route(f"{PREFIX}/{{name:path}}", _unknown, methods=["GET", "POST"]),
    ]


def _call(control: Control, name: str) -> Call:
    if name == "requests":
        return partial(_requests, control)
    found: Any = control
    for part in name.split("."):
        found = getattr(found, part)
    call: Call = found
    return call


def _endpoint(name: str, call: Call) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        try:
            arguments = parse_object(await read_body(request), fractions=True)
            _check_names(name, call, arguments)
            # In a thread, because a control may take a while and wait for locks of requests.
            result = await run_in_threadpool(call, **arguments)
        except Refusal as refusal:
            return _answer({"error": refusal.error}, refusal.status)
        except (Refused, TypeError, ValueError) as error:
            return _answer({"error": f"{name}: {error}"}, 400)
        return _answer({"result": _sent(result)})

    return endpoint


async def _unknown(request: Request) -> Response:
    name = request.path_params["name"]
    wanted = "is called by POST" if name in NAMES else "is no control"
    said = f"{name[:100]} {wanted}; GET {PREFIX}/ lists them all"
    return _answer({"error": said}, 405 if name in NAMES else 404)


def _requests(control: Control, limit: int = 100) -> list[LoggedRequest]:
    """Return the latest requests that were answered, oldest first."""
    entries = control.requests
    return entries[max(0, len(entries) - to_natural("limit", limit)) :]


def _answer(content: dict[str, Any], status: int = 200) -> Response:
    return Response(to_json(content), status, media_type="application/json")


def _check_names(name: str, call: Call, arguments: dict[str, Any]) -> None:
    try:
        inspect.signature(call).bind(**arguments)
    except TypeError as error:
        raise TypeError(f"{error}; it is {_shown(name, call)}") from None


def _listing(calls: dict[str, Call]) -> Callable[[Request], Any]:
    shown = {
        name: {"call": _shown(name, call), "does": _does(call)} for name, call in calls.items()
    }

    async def listing(request: Request) -> Response:
        return _answer(shown)

    return listing


def _shown(name: str, call: Call) -> str:
    return f"{name}{inspect.signature(call).replace(return_annotation=inspect.Signature.empty)}"


def _does(call: Call) -> str:
    documented = call.func if isinstance(call, partial) else call
    return (inspect.getdoc(documented) or "").partition("\n")[0]


def _sent(result: Any) -> Any:
    """Convert the result of a control to JSON values."""
    if isinstance(result, list):
        return [_sent(item) for item in result]
    if isinstance(result, Keypair):
        return {"address": result.address, "private_key": result.export_base58()}
    if isinstance(result, Fault):
        return as_json(result)
    if attrs.has(type(result)):
        return attrs.asdict(result, value_serializer=_value)
    return result


def _value(owner: object, field: object, value: Any) -> Any:
    return format(value, "f") if isinstance(value, Decimal) else value
