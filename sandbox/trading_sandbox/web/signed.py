"""Answer signed requests, single ones and batches (interface sections 4.5 and 5)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import attrs

from trading_runtime import RESERVED_FIELDS, Action, Batch, CountersignedOperation, Operation
from trading_sandbox.engine.commands import Command
from trading_sandbox.engine.records import Refused
from trading_sandbox.engine.venue import no_account
from trading_sandbox.service import Service
from trading_sandbox.web import auth, decoding
from trading_sandbox.web.commands import check_fields, is_delayed
from trading_sandbox.web.context import RequestContext
from trading_sandbox.web.refusals import Refusal, bad_request, not_modelled, unauthorized
from trading_sandbox.web.responses import enveloped, result_of


async def answer_signed(context: RequestContext, body: Mapping[str, Any]) -> dict[str, Any]:
    """Verify, decode and execute a request with a single signature."""
    operation, dialect = context.operation, context.dialect
    if not dialect.has(operation.name):
        raise not_modelled(operation.name)
    signed = _verified(context, body, operation)
    if signed.agent is not None and operation.name.startswith(dialect.not_for_agents):
        managed = operation.name.partition(".")[0].replace("api_keys", "API keys")
        raise unauthorized(f"Unauthorized: an agent wallet cannot manage {managed}")
    model: Any = signed.data
    if operation.params is not None:
        model = decoding.decode(operation.params, signed.data)
    answer, command = dialect.answers[operation.name], None
    if operation.name in dialect.builders:
        command = _command(context, operation, signed, model)
    else:
        check_fields(operation, answer, signed.data)
    if is_delayed(command):
        await _taker_delay(context.service)
    reply = None if command is None else context.service.execute(command)
    return answer(context.service, {**signed.data, "account": signed.account}, reply)


async def answer_batch(
    context: RequestContext, batch: Batch, body: Mapping[str, Any]
) -> dict[str, Any]:
    """Verify and decode all actions of a batch, then execute them with no other command between.

    One invalid signature or malformed action refuses the whole batch before anything is executed.
    If the exchange refuses an action, only that action fails; so does a malformed one with the fault
    `malformed_alone`.
    """
    given = [_command_of_action(context, *action) for action in _actions(batch, body)]
    commands = [each for each in given if not isinstance(each, Refused)]
    if any(map(is_delayed, commands)):
        await _taker_delay(context.service)
    replies = iter(context.service.execute_all(commands))
    outcomes = [each if isinstance(each, Refused) else next(replies) for each in given]
    results = [
        result_of(command, _refusal(context, each) if isinstance(each, Refused) else each)
        for command, each in zip(given, outcomes, strict=True)
    ]
    return enveloped({"results": results})


def _refusal(context: RequestContext, refused: Refused) -> Refusal:
    return context.dialect.refusal_of(refused, context.operation)


async def _taker_delay(service: Service) -> None:
    resets = service.resets
    await asyncio.sleep(service.taker_delay)
    if service.resets != resets:
        # A reset hands out the same keys again, so this order would end up in the next test.
        raise bad_request("The sandbox was reset while this request waited for the taker delay")


def _verified(
    context: RequestContext, body: Mapping[str, Any], method: Operation[Any] | Action
) -> auth.Signed:
    assert method.signing_type is not None
    now, note = context.signature_time(), context.canonical.append
    before = len(context.canonical)
    if isinstance(method, CountersignedOperation):
        signed = auth.countersigned(method.scheme, body, method.signing_type, now, note)
    else:
        omitted, own = context.dialect.omitted_windows, _own_fields(method)
        signed = auth.verified(body, method.signing_type, now, note, omitted=omitted, own=own)
    context.account = context.account or signed.account
    with context.service.reading() as exchange:
        account = exchange.state.accounts.get(signed.account)
        auth.check_agent(signed, () if account is None else account.agents)
    context.verified += len(context.canonical) - before
    if account is None:
        raise _refusal(context, no_account(signed.account))
    return signed


@lru_cache
def _own_fields(method: Operation[Any] | Action) -> frozenset[str]:
    """Return the names of a signed request that are fields of an operation's own."""
    fields = () if method.params is None else attrs.fields(method.params)
    return RESERVED_FIELDS & {field.name for field in fields}


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


def _command(
    context: RequestContext, method: Operation[Any] | Action, signed: auth.Signed, model: Any
) -> Command | None:
    builder = context.dialect.builders.get(method.name)
    if builder is None:
        raise not_modelled(method.name)
    check_fields(method, builder, signed.data)
    _check_builder_code(context, method, signed)
    return builder(signed.account, model)


def _check_builder_code(
    context: RequestContext, method: Operation[Any] | Action, signed: auth.Signed
) -> None:
    """Refuse an order with a builder code that its account has not approved (field note 42)."""
    code = signed.data.get("builder_code")
    if code is None or not (
        context.dialect.approves_builders and method.name.startswith("orders.")
    ):
        return
    with context.service.reading() as exchange:
        if code not in exchange.venue.account(signed.account).builder_codes:
            raise Refused(f"Account {signed.account} has not approved builder code {code}", 50)


def _command_of_action(
    context: RequestContext, where: str, action: Action, data: Mapping[str, Any]
) -> Command | Refused:
    signed = None
    try:
        signed = _verified(context, data, action)
        model = decoding.decode(action.params, signed.data)
        command = _command(context, action, signed, model)
    except Refused as refused:
        return refused
    except Refusal as refusal:
        if signed is not None and context.malformed_fails_alone:
            return Refused(refusal.error)
        raise refusal.inside(where) from None
    assert command is not None
    return command
