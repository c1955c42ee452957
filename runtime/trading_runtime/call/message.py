"""A call as one object: its messages, and what is known of it so far."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Generic, TypeVar

import attrs
from attrs import define, field

from trading_runtime.codec.answers import BatchReader, Reader
from trading_runtime.codec.batch import ActionOutcome, BatchResult, checked_actions, shared_ids
from trading_runtime.codec.fields import json_name
from trading_runtime.codec.pages import Instead, Page, PageReader
from trading_runtime.codec.requests import identity, unstructure
from trading_runtime.errors import RequestError
from trading_runtime.http.transport import Request, Response
from trading_runtime.intent import Intent, Message
from trading_runtime.operation import Action, BatchOperation, Kind, ListOperation, Operation
from trading_runtime.signing.keys import Signer

T = TypeVar("T")
R = TypeVar("R", bound=ActionOutcome)


@define(kw_only=True, eq=False)
class Call(Generic[T]):
    """One call, which every step passes on: what it sends, how its answer is read, how far it came."""

    operation: Operation[Any]

    kinds: Sequence[Kind]
    """The kind of each message: the operation, or the action for each one of a batch."""

    fields: Sequence[Mapping[str, Any]] = field(repr=False)
    """The fields of each message, as sent. They may hold a secret, so the repr does not show them."""

    messages: tuple[Message, ...] = ()
    """What its intent records of each message; empty for a read, which changes nothing."""

    reader: Reader[T]

    other_signer: Signer | None = None
    """Who signs beside the client, if two keys sign its message."""

    id: str = field(factory=lambda: os.urandom(16).hex())
    """Its id in the journal and in events; all its attempts share it."""

    began: float = 0.0
    deadline: float = 0.0
    """By the monotonic clock, in seconds."""

    is_observed: bool = False
    """Whether somebody asks for the events of each attempt."""

    number: int = 0
    """Which attempt is made; the first is 1."""

    request: Request | None = field(default=None, repr=False)
    """What the attempt sends."""

    intent: Intent | None = None
    """What the attempt is about to change; None for a read."""

    response: Response | None = field(default=None, repr=False)
    """The answer to the attempt; None before it came."""


def single_call(
    operation: Operation[Any],
    fields: Mapping[str, Any],
    reader: Reader[T],
    model: object = None,
    *,
    kind: Action | None = None,
    other_signer: Signer | None = None,
) -> Call[T]:
    """A call of one message.

    Args:
        operation: What is called.
        fields: The fields of its message, as sent.
        reader: Reads the answer.
        model: What the fields were made of.
        kind: The action, if it goes in a batch of its own.
        other_signer: Who signs it beside the client.
    """
    return Call(
        operation=operation,
        kinds=(kind or operation,),
        fields=(fields,),
        messages=(recorded(kind or operation, fields, model),) if _changes(operation) else (),
        reader=reader,
        other_signer=other_signer,
    )


def page_call(
    operation: ListOperation[T], query: Any, cursor: str | None, instead: Instead | None = None
) -> Call[Page[T]]:
    """The call for the page at a cursor; `instead` makes what stands for a record that cannot be read."""
    name, asked = operation.pagination.cursor, unstructure(query)
    asked.pop(name, None)
    fields = {**asked, name: cursor} if cursor else asked
    return single_call(operation, fields, PageReader(operation, cursor, instead))


def batch_call(
    operation: BatchOperation[R], actions: Sequence[object], check: Callable[[object], None]
) -> Call[BatchResult[R]]:
    """A call with several actions, each of which `check` may refuse.

    Raises:
        RequestError: its actions cannot be sent together.
    """
    pairs = checked_actions(operation.name, operation.batch, actions)
    kinds, models = zip(*pairs, strict=True)
    for index, model in enumerate(models):
        try:
            check(model)
        except (TypeError, RequestError) as error:
            error.args = (f"{operation.name}: action {index}: {error}",)
            raise
    fields = [unstructure(model) for model in models]
    shared = shared_ids(operation.name, list(zip(kinds, fields, strict=True)))
    messages = []
    for kind, model, sent in zip(kinds, models, fields, strict=True):
        repeated = bool(shared) and any(id_ in sent.values() for id_ in shared)
        messages.append(recorded(kind, sent, model, shares_id=repeated))
    return Call(
        operation=operation,
        kinds=kinds,
        fields=fields,
        messages=tuple(messages) if _changes(operation) else (),
        reader=BatchReader(operation, kinds),
    )


def _changes(operation: Operation[Any]) -> bool:
    """Whether an operation changes something, so that its calls have an intent."""
    return operation.method != "GET" and operation.retry != "safe"


def recorded(
    kind: Kind,
    fields: Mapping[str, Any],
    model: object,
    *,
    shares_id: bool = False,
) -> Message:
    """What the intent of a call records of a message: its fields without the secret ones.

    Args:
        kind: Its operation or action.
        fields: Its fields, as sent.
        model: What they were made of, which knows whether its id was made here.
        shares_id: Whether it names an id that two messages of its call have.
    """
    trace = kind.trace
    id_, minted = identity(kind.key, fields, model)
    params: Any = kind.params
    public = dict(fields)
    for name in secret_fields(params) if params else ():
        public.pop(name, None)
    return Message(
        name=kind.name,
        client_id=id_,
        fields=public,
        minted=minted and not shares_id,
        listed=trace is not None and (trace.id or trace.target) is not None and not shares_id,
        traced=trace is not None,
        shares_id=shares_id,
    )


@cache
def secret_fields(model: Any) -> frozenset[str]:
    """The fields of a request model that are secret, which its repr leaves out."""
    return frozenset(json_name(each) for each in attrs.fields(model) if not each.repr)
