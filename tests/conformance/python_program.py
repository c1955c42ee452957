"""The program with which the Python SDK passes the kit: `python -m tests.conformance.python_program`."""

from __future__ import annotations

import base64
import json
import platform
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from operator import attrgetter
from types import ModuleType
from typing import Any, NoReturn

import attrs

import trading_sdk
from tests.conformance import second
from tests.conformance.python_script import Script
from tests.conformance.python_values import error, tagged, value
from tests.runtime.reading import decode
from trading_runtime import Api, Response
from trading_runtime.call.retry import FailedAttempt, NextAttempt, decide
from trading_runtime.codec.answers import ActionReader, BatchReader
from trading_runtime.codec.fields import json_name
from trading_runtime.http.fault import Fault
from trading_runtime.operation import Action, BatchOperation
from trading_runtime.signing.request import SignedRequest, sign_request
from trading_sdk import (
    ApiError,
    Client,
    Keypair,
    OutcomeUnknownError,
    RequestError,
    Retry,
    TradingError,
)

Command = Mapping[str, Any]
CLIENTS: dict[str, Client] = {}
KEPT: dict[tuple[str, str], OutcomeUnknownError | ApiError] = {}


def package(command: Command) -> ModuleType:
    """The package that is generated from the spec of a command."""
    return second.package() if command.get("spec") == "second" else trading_sdk


def batch_of(api: Api) -> tuple[BatchOperation[Any], Mapping[str, Any]]:
    """The batch of a service, and its actions by their types."""
    (found,) = [each for each in api.operations.values() if isinstance(each, BatchOperation)]
    return found, {each.type: each for each in api.actions.values()}


def client(command: Command) -> Any:
    """A new client of the options of a command."""
    found = {name: value(each) for name, each in command["client"].items()}
    if (key := found.pop("private_key", None)) is not None:
        found["signer"] = Keypair.from_base58(key)
    if "retry" in found:
        found["retry"] = Retry(**found["retry"])
    return package(command).Client(found.pop("base_url", "http://127.0.0.1:9"), **found)


def named(kind: Any, given: Any) -> Any:
    """Arguments by the names that Python has for them."""
    params = kind.params if kind is not None else None
    fields = attrs.fields(params) if params is not None and attrs.has(params) else ()
    names = {json_name(each): each.name for each in fields}
    return {names.get(name, name): each for name, each in given.items()}


def invoke(made: Any, command: Command) -> Any:
    """Call an operation; a list is not read yet."""
    given = named(made.api.kinds.get(command["operation"]), value(command["arguments"]))
    batch, types = batch_of(made.api)
    if command["operation"] == batch.name:
        actions = given[batch.batch.field]
        if unknown_types := [each["type"] for each in actions if each["type"] not in types]:
            raise RequestError(f"{unknown_types[0]} is no type of an action")
        # As on the wire, so that their ids are minted inside of the call.
        given[batch.batch.field] = [
            {"type": each["type"], "data": each["arguments"]} for each in actions
        ]
    return attrgetter(command["operation"])(made)(**given)


def outcome(made: Any, command: Command) -> Any:
    """Call an operation; of a list, its records."""
    found = invoke(made, command)
    return tagged(list(found)) if hasattr(found, "pages") else tagged(found)


def hello(_: Command) -> Any:
    """What this is."""
    runtime = f"{platform.python_implementation()} {platform.python_version()}"
    told = {"language": "python", "runtime": runtime, "version": trading_sdk.__version__}
    return {"protocol": tagged(1), **told, "skips": {}}


def signed(given: Command, data: Any, signing_type: str) -> SignedRequest:
    """Own fields, signed as a command says."""
    names = ("account", "timestamp", "expiry_window")
    shared: dict[str, Any] = {name: value(given[name]) for name in names}
    signer = Keypair.from_base58(given["private_key"])
    return sign_request(data, signing_type=signing_type, signer=signer, **shared)


def explained(found: SignedRequest) -> Any:
    """A signed request, its body as text."""
    told = {name: getattr(found, name) for name in ("address", "canonical", "signature")}
    return {**told, "body": json.dumps(found.body)}


def sign(command: Command) -> Any:
    """The signing step alone, or the reading of a key."""
    if "data" not in command:
        return {"address": Keypair.from_base58(command["private_key"]).address}
    return explained(signed(command, value(command["data"]), command["signing_type"]))


def batch(command: Command) -> Any:
    """The body of several actions: that of the first request of a call."""
    operation, types = batch_of(Client.api)
    actions = [
        {
            "type": each["type"],
            "arguments": without_new_ids(types[each["type"]].params, each["data"]),
        }
        for each in command["actions"]
    ]
    options = {name: command[name] for name in ("private_key", "account", "expiry_window")}
    arguments = {operation.batch.field: actions}
    told = {"client": options, "operation": operation.name, "arguments": arguments}
    return {"body": encode({**told, "now": command["timestamp"]})["body"]}


def without_new_ids(model: Any, data: Any) -> Any:
    """The fields of an action. A model would mint an id that a case leaves out."""
    minted: Any = attrs.Factory
    return {json_name(f): None for f in attrs.fields(model) if isinstance(f.default, minted)} | data


def encode(command: Command) -> Any:
    """The first request of a call."""
    script = Script(command)
    with script.at_hand(client(command)) as made:
        try:
            outcome(made, command)
        except TradingError:
            if not script.requests:
                raise
    return script.requests[0]


def read_answer(command: Command) -> Any:
    """What an answer means."""
    api: Api = package(command).Client.api
    operation: Any = api.kinds[command["operation"]]
    batch, types = batch_of(api)
    status, body = value(command["status"]), base64.b64decode(command["body"])
    if isinstance(operation, Action):
        return tagged(ActionReader(batch, operation).read(status, body))
    if operation is batch:
        kinds = [types[each] for each in command["actions"]]
        return tagged(BatchReader(operation, kinds).read(status, body))
    return tagged(decode(operation, Response(status, command["headers"], body)))


def explain(command: Command) -> Any:
    """What would be signed."""
    with Script(command).at_hand(client(command)) as made:
        return explained(made.explain(command["operation"], **value(command["arguments"])))


def decision(command: Command) -> Any:
    """What a failed attempt leads to."""
    names = ("retry_class", "time_left", "quota_left", "retry_after")
    given = {name: value(command[name]) for name in names}
    fault, number = Fault[command["fault"].upper()], value(command["attempt"])
    failed = FailedAttempt(fault=fault, number=number, **given)
    found = decide(failed, Retry(**value(command["policy"])), value(command["jitter"]))
    if isinstance(found, NextAttempt):
        return {"delay": tagged(found.delay)}
    raised = found.error.name.lower().replace("unknown", "outcome_unknown")
    return {"raise": raised, "reason": found.reason}


def play(command: Command) -> Any:
    """Several calls of one client."""
    script = Script(command)
    outcomes = []
    with script.at_hand(client(command)) as made:
        for each in command["calls"]:
            try:
                outcomes.append({"result": outcome(made, each)})
            except Exception as found:
                outcomes.append({"error": error(found)})
        state = {"rate_budget": tagged(made.rate_budget), "clock_skew": tagged(made.clock_skew)}
    return {"outcomes": outcomes, **script.told(), **state}


def pages(command: Command) -> Any:
    """A list to its end."""
    script, items, failure = Script(command), [], None
    with script.at_hand(client(command)) as made:
        try:
            for item in invoke(made, command):
                items.append(tagged(item))
        except TradingError as found:
            failure = error(found)
    return {"items": items, "error": failure, **script.told()}


def settle(command: Command) -> Any:
    """What `reconcile` says of an error of another process."""
    script, found = Script(command), OutcomeUnknownError.from_json(command["error"])
    with script.at_hand(client(command)) as made:
        try:
            told: Any = {"settlements": tagged(reconciled(made, found, command))}
        except TradingError as failure:
            told = {"error": error(failure)}
    return {**told, **script.told(), "json": found.to_json()}


def reconciled(made: Client, found: Any, command: Command) -> Any:
    """The settlements of an error."""
    return made.reconcile(found, timeout=value(command.get("timeout")))


# -- at a server ---------------------------------------------------------------------------------


def kept(command: Command) -> Any:
    """The error that a command names, or has as JSON."""
    named = command["error"]
    if isinstance(named, dict):
        return OutcomeUnknownError.from_json(named["json"])
    return KEPT[command["client"], named]


def call(command: Command) -> Any:
    """One call at a server."""
    if not isinstance(command["client"], str):
        with client(command) as made:
            return outcome(made, command)
    try:
        return outcome(CLIENTS[command["client"]], command)
    except (OutcomeUnknownError, ApiError) as found:
        KEPT[command["client"], command.get("keep", "")] = found
        raise


def unsettled(command: Command) -> Any:
    """The open entries of the journal."""
    return [
        {"operation": each.operation, "client_ids": tagged(each.client_ids), "json": each.to_json()}
        for each in CLIENTS[command["client"]].unsettled()
    ]


def unknown(command: Command) -> NoReturn:
    """A newer kit asks for more."""
    raise LookupError("unknown command")


COMMANDS: Mapping[str, Callable[[Command], Any]] = {
    "hello": hello,
    "sign": sign,
    "batch": batch,
    "encode": encode,
    "decode": read_answer,
    "explain": explain,
    "decide": decision,
    "play": play,
    "pages": pages,
    "settle": settle,
    "open": lambda c: CLIENTS.update({c["as"]: client(c)}),
    "call": call,
    "reconcile": lambda c: tagged(reconciled(CLIENTS[c["client"]], kept(c), c)),
    "resend": lambda c: tagged(CLIENTS[c["client"]].resend(kept(c))),
    "unsettled": unsettled,
    "acknowledge": lambda c: CLIENTS[c["client"]].acknowledge(kept(c)),
    "close": lambda c: CLIENTS.pop(c["client"]).close(),
}


def answer(command: Command) -> dict[str, Any]:
    """The answer to a command."""
    try:
        return {"result": COMMANDS.get(command["do"], unknown)(command)}
    except Exception as found:
        return {"error": error(found)}


def main(lines: Iterable[str]) -> None:
    """Answer one command after another."""
    for line in lines:
        command = json.loads(line)
        print(json.dumps({"id": command["id"], **answer(command)}), flush=True)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main(sys.stdin)
