"""Signed requests: single ones, and batches of them (interface sections 4.1, 4.3 and 4.5)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from trading_runtime import wire
from trading_runtime.operation import Action, Batch
from trading_sandbox.engine.commands import Cancel, Command
from trading_sandbox.engine.records import Refused
from trading_sandbox.web import auth, shape
from trading_sandbox.web.commands import command_of, is_delayed
from trading_sandbox.web.refusals import Refusal, bad_request
from trading_sandbox.web.service import Call, Service
from trading_sdk import ActionResult, OrderPlaced


async def answer_signed(call: Call, body: Mapping[str, Any]) -> dict[str, Any]:
    """Verify, decode and carry out a request that is signed as a whole."""
    operation = call.operation
    assert operation.signing_type is not None
    signed = _verified(call, body, operation.signing_type)
    model = shape.decode(operation.params, signed.data)
    command = command_of(operation.name, signed, model)
    if is_delayed(command):
        await asyncio.sleep(call.service.taker_delay)
    with call.service.lock:
        order_id = call.service.exchange.execute(command, call.service.clock())
    assert order_id is not None
    return wire.unstructure(OrderPlaced(order_id=order_id))


async def answer_batch(call: Call, batch: Batch, body: Mapping[str, Any]) -> dict[str, Any]:
    """Verify and decode all actions of a batch, then carry them out without interruption.

    What is wrong with one signature or shape refuses the whole batch before anything runs. What
    the exchange refuses, or does not model, fails that action alone.
    """
    actions = _actions(batch, body)
    planned = [_plan(call, *action) for action in actions]
    if any(is_delayed(command) for command in planned if not isinstance(command, Refusal)):
        await asyncio.sleep(call.service.taker_delay)
    with call.service.lock:
        results = [_carry_out(call.service, command) for command in planned]
    return {"success": True, "data": {"results": results}, "error": None, "code": None}


def _verified(call: Call, body: Mapping[str, Any], signing_type: str) -> auth.Signed:
    signed = auth.verified(body, signing_type, call.service.clock(), call.canonical.append)
    call.account = call.account or signed.account
    if signed.account not in call.service.exchange.accounts:
        raise bad_request(f"Account not found: {signed.account} has no account in this sandbox")
    return signed


def _actions(batch: Batch, body: Mapping[str, Any]) -> list[tuple[str, Action, Mapping[str, Any]]]:
    items = body.get(batch.field)
    if not isinstance(items, list) or not 1 <= len(items) <= batch.max_items:
        raise bad_request(f"{batch.field}: must be a list of 1 to {batch.max_items} actions")
    kinds = {action.type: action for action in batch.actions.values()}
    found: list[tuple[str, Action, Mapping[str, Any]]] = []
    for index, item in enumerate(items):
        where = f"{batch.field}[{index}]"
        if not isinstance(item, dict) or not isinstance(item.get("data"), dict):
            raise bad_request(f"{where}: must be an object with a type and an object data")
        kind = item.get("type")
        if not isinstance(kind, str) or kind not in kinds:
            raise bad_request(f"{where}.type: must be one of {', '.join(kinds)}")
        found.append((where, kinds[kind], item["data"]))
    return found


def _plan(call: Call, where: str, action: Action, data: Mapping[str, Any]) -> Command | Refusal:
    try:
        signed = _verified(call, data, action.signing_type)
        model = shape.decode(action.params, signed.data)
    except Refusal as refusal:
        raise refusal.inside(where) from None
    try:
        return command_of(action.name, signed, model)
    except Refusal as refusal:
        return refusal


def _carry_out(service: Service, command: Command | Refusal) -> dict[str, Any]:
    if isinstance(command, Refusal):
        return _result(ActionResult(success=False, error=command.error))
    try:
        order_id = service.exchange.execute(command, service.clock())
    except Refused as refused:
        return _result(ActionResult(success=False, error=str(refused)))
    placed = None if isinstance(command, Cancel) else order_id
    return _result(ActionResult(success=True, order_id=placed))


def _result(result: ActionResult) -> dict[str, Any]:
    found: dict[str, Any] = {"success": result.success, "error": result.error}
    return found if result.order_id is None else {**found, "order_id": result.order_id}
