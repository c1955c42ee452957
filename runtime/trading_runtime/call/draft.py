"""A request before and after it is signed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import attrs
from attrs import evolve, field, frozen

from trading_runtime.batch import checked_actions, shared_ids
from trading_runtime.codec.fields import json_name
from trading_runtime.codec.requests import unstructure
from trading_runtime.http.transport import Request
from trading_runtime.intent import Intent, Message
from trading_runtime.operation import Action, BatchOperation, Operation
from trading_runtime.shown import Shown


@frozen(eq=False, repr=False)
class Part(Shown):
    """One message before it is signed: a request's own, or one action of a batch."""

    kind: Operation[Any] | Action

    fields: Mapping[str, Any] = field(repr=False)
    """Its own fields, as sent. They may hold a secret, so the repr does not show them."""

    model: object = field(default=None, repr=False)
    """What the fields were made of inside of the call; None if the program made it, and so knows its id."""

    earlier: Message | None = None
    """The message that it sends again, whose id it has; None if it is new."""

    shares_id: bool = False
    """Whether it names an id that two messages of its call have."""


@frozen(kw_only=True, eq=False, repr=False)
class Draft(Shown):
    """A request before it is signed: every attempt signs it anew, with the same ids."""

    operation: Operation[Any]

    parts: Sequence[Part]
    """One, or one for each action of a batch."""

    id: str = field(factory=lambda: os.urandom(16).hex())
    """The id of the call in the journal; all its attempts share it."""


@frozen(kw_only=True, eq=False, repr=False)
class Prepared(Shown):
    """A request that is ready to be sent, and what it is about to change."""

    request: Request = field(repr=False)

    intent: Intent | None = None
    """None for a read."""


def batch_draft(
    operation: BatchOperation[Any], actions: Sequence[object], *, made_here: bool = False
) -> Draft:
    """A batch before it is signed; `made_here` says that the call made its models, not the program.

    Raises:
        RequestError: its actions cannot be sent together.
    """
    pairs = checked_actions(operation.name, operation.batch, actions)
    parts = [
        Part(action, unstructure(made), made if made_here or _is_plain(given) else None)
        for given, (action, made) in zip(actions, pairs, strict=True)
    ]
    if shared := shared_ids(operation.name, [(part.kind, part.fields) for part in parts]):
        parts = [
            evolve(part, shares_id=any(id_ in part.fields.values() for id_ in shared))
            for part in parts
        ]
    return Draft(operation=operation, parts=parts)


def _is_plain(given: object) -> bool:
    """Whether an action is given as on the wire, so that its model is made inside of the call."""
    return isinstance(given, Mapping) and isinstance(given["data"], Mapping)


@cache
def secret_fields(model: Any) -> frozenset[str]:
    """The fields of a request model that are secret, which its repr leaves out."""
    return frozenset(json_name(each) for each in attrs.fields(model) if not each.repr)
