"""Sending a message that came signed, and showing what would be signed."""

from __future__ import annotations

from typing import Any

import attrs
from attrs import evolve, frozen

from trading_runtime.batch import as_outcome
from trading_runtime.call.caller import Caller
from trading_runtime.call.draft import Draft, Prepared, presigned_part
from trading_runtime.call.once import once
from trading_runtime.call.retry import ONE_ATTEMPT
from trading_runtime.checks import did_you_mean
from trading_runtime.codec.answers import ActionReader, Reader, ResultReader
from trading_runtime.codec.fields import to_model
from trading_runtime.errors import RequestError
from trading_runtime.operation import Action, Api, BatchOperation, CountersignedOperation, Operation
from trading_runtime.signing.presigned import account_of
from trading_runtime.signing.request import SignedRequest


@frozen(kw_only=True, eq=False)
class _Relay(Caller):
    """A caller for one message that came signed: its account, time and window are the message's own."""

    timestamp: int
    sender: str
    """The account of the client that sends it."""

    def _prepared(self, draft: Draft) -> Prepared:
        prepared = Caller._prepared(self, draft)
        if prepared.intent is None:
            return prepared
        sender = None if self.sender == self.account else self.sender
        intent = evolve(prepared.intent, timestamp=self.timestamp, sender=sender)
        return evolve(prepared, intent=intent)


def send(caller: Caller, api: Api, signed: SignedRequest) -> Any:
    """Send a message that came signed, once, and return what its operation returns.

    Raises:
        RequestError: it cannot be sent, was sent before, or has expired.
    """
    if not isinstance(signed, SignedRequest):
        raise TypeError(f"signed must be a SignedRequest, not a {type(signed).__name__}")
    kind = _sendable(api, signed.operation)
    part = presigned_part(kind, signed)
    message = part.signed
    assert message is not None
    operation, reader = _operation(api, kind)
    given = {each.name: getattr(caller, each.name) for each in attrs.fields(Caller)}
    changes = {
        "account": account_of(message),
        "expiry_window": message.header["expiry_window"],
        "retry": ONE_ATTEMPT,
    }
    changes |= {"timestamp": message.header["timestamp"], "sender": caller.account or ""}
    relay = _Relay(**{**given, **changes})
    with once([message], caller.clock.sign_ms()):
        result = relay.carry_out(Draft(operation=operation, parts=[part]), reader)
    return result if operation.outcome is None else as_outcome(operation.outcome, result)


def explain(caller: Caller, api: Api, name: str, arguments: dict[str, Any]) -> SignedRequest:
    """Sign what an operation or action of this name would send with these arguments.

    Raises:
        RequestError: there is no such operation, it is not signed, or an argument is wrong.
    """
    operation = _kind(api, name)
    if operation.signing_type is None:
        raise RequestError(f"{name} is not signed{_instead(operation)}")
    if isinstance(operation, CountersignedOperation):
        raise RequestError(f"{name} is signed by two keys; explain shows what one key signs")
    if operation.params is None and arguments:
        raise RequestError(f"{name} takes no arguments")
    params = to_model(operation.params, arguments) if operation.params else None
    return evolve(caller.sign(operation, params), operation=name)


def _instead(kind: Operation[Any] | Action) -> str:
    if not isinstance(kind, BatchOperation):
        return ", so there is nothing to show: call it"
    first = next(iter(kind.batch.actions.values()))
    return f" as a whole: explain one action by its name, like {first.name}"


def _kind(api: Api, name: str) -> Operation[Any] | Action:
    found = api.operations.get(name) or api.actions.get(name)
    if found is None:
        every: dict[str, Operation[Any] | Action] = {**api.operations, **api.actions}
        known = ", ".join(each for each, kind in every.items() if kind.signing_type)
        near = did_you_mean(name, every)
        raise RequestError(
            f"there is no operation {name!r}; those that are signed are {known}{near}"
        )
    return found


def _sendable(api: Api, name: str | None) -> Operation[Any] | Action:
    if name is None:
        raise RequestError("the signed message names no operation, as those of client.explain do")
    kind = _kind(api, name)
    if kind.signing_type is None or isinstance(kind, CountersignedOperation):
        raise RequestError(f"{name} is not signed as a whole by one key, so it cannot come signed")
    if isinstance(kind, Operation) and (kind.in_url or kind.headers):
        raise RequestError(f"{name} sends arguments outside of what is signed: call it instead")
    return kind


def _operation(api: Api, kind: Operation[Any] | Action) -> tuple[Operation[Any], Reader[Any]]:
    """What carries a message, and reads its answer: an action goes in a batch of its own."""
    if isinstance(kind, Operation):
        return kind, ResultReader(kind)
    batches = [each for each in api.operations.values() if isinstance(each, BatchOperation)]
    batch = next(each for each in batches if kind in each.batch.actions.values())
    alone = evolve(batch, name=kind.name, retry=kind.retry)
    return alone, ActionReader(alone, kind.new_id)
