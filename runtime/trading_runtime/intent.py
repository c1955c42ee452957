"""The intent of a call: what it is about to change, in enough detail to find out later whether it did."""

from __future__ import annotations

import os
from collections import OrderedDict, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, TypeAlias
from uuid import UUID

from attrs import asdict, evolve, frozen

from trading_runtime.shown import Compared

_VERSION = 1
Use: TypeAlias = tuple[str, str]
"""An account, and an id of one of its messages, as `plain_id` has it."""
_UUID = 32
"""Digits of a UUID. A text of so many may be one."""
NEVER = "no list shows whether it was executed, so nothing can ever settle it"
ANOTHERS = "a list shows its id, but perhaps of another message that used it"
"""Why a record does not prove that a message was executed whose id the caller gave."""
LOOK = (
    "look at what it should have changed, like balances or settings, before you send it again: if it was "
    "executed, it is then executed twice"
)


@frozen(kw_only=True, eq=False, repr=False)
class Message(Compared):
    """One signed message: a call's own, or one action of a batch. Holds no signature."""

    name: str
    """Operation or action, like `orders.create`."""

    client_id: str | None
    """Its client order id or idempotency key, minted or given; None where it has none."""

    fields: dict[str, Any]
    """Its own fields as sent, without the secret ones."""

    minted: bool = False
    """Whether the SDK made its id inside of the call, so that no other message can have it unless the
    program gave it one. Older versions did not write it down."""

    listed: bool = True
    """Whether a list can show that it was executed. Older versions did not write it down."""

    traced: bool = True
    """Whether lists show what its operation does, if not which message did it. Only False is written down."""

    shares_id: bool = False
    """Whether it names an id that two messages of its call have, so that no record is certainly its own.
    Only True is written down."""

    def given(self) -> Iterator[str]:
        """The ids that it may give to records, but which were not made in its call: also those of legs."""
        if self.client_id is not None and not self.minted:
            yield self.client_id
        inner = [each for each in self.fields.values() if isinstance(each, (dict, list))]
        while inner:
            value = inner.pop()
            for each in value.values() if isinstance(value, dict) else value:
                if isinstance(each, (dict, list)):
                    inner.append(each)
                elif isinstance(each, str) and len(each) >= _UUID and each != self.client_id:
                    yield each


@frozen(kw_only=True, eq=False, repr=False)
class Intent(Compared):
    """A call that changes something: what was signed, for whom, and until when it is accepted."""

    id: str
    """One for each call, whatever the number of attempts."""

    operation: str
    """Its name, like `orders.create`."""

    base_url: str
    account: str

    timestamp: int
    """When its latest attempt was signed, in ms."""

    expiry_window: int
    """How long its signature is accepted, in ms."""

    messages: tuple[Message, ...]

    signed: bool = True
    """Whether it was signed. What is not signed never expires. Older versions did not write it down."""

    @property
    def client_ids(self) -> tuple[str | None, ...]:
        """The client order id or idempotency key of each message; None where it has none."""
        return tuple(message.client_id for message in self.messages)

    @property
    def uses(self) -> set[Use]:
        """The ids of its messages, each with its account."""
        return {(self.account, plain_id(id_)) for id_ in self.client_ids if id_ is not None}

    @property
    def given(self) -> set[Use]:
        """The ids that its messages carry, but which were not made in its call, each with its account."""
        return {(self.account, plain_id(id_)) for each in self.messages for id_ in each.given()}

    def without(self, reused: Collection[Use]) -> Intent:
        """The same call, in which these ids do not count as minted: another message may have them, too."""
        messages = [
            evolve(each, minted=False)
            if each.minted and (self.account, plain_id(str(each.client_id))) in reused
            else each
            for each in self.messages
        ]
        return evolve(self, messages=tuple(messages))

    def known(self) -> Intent:
        """The same call, in which an id counts as minted if no other message of this process carried it."""
        return self.without([each for each in self.uses if was_given(each)])

    def sends_the_same(self, other: Intent) -> bool:
        """Whether it has the ids of another call, and is the same in all else that the service is told."""
        mine, others = (
            (each.base_url, each.account, [(m.name, m.client_id, m.fields) for m in each.messages])
            for each in (self, other)
        )
        return mine == others and None not in self.client_ids

    @property
    def is_by_key(self) -> bool:
        """Whether `resend` may send it again: it is one message with a key, which no list shows, unlike what
        it did. Where no list shows even that, nothing says that the service refuses a used key."""
        first, *others = self.messages
        is_alone = not others and first.name == self.operation  # else it is an action of a batch
        return is_alone and first.client_id is not None and first.traced and not first.listed

    @property
    def accepted_until(self) -> int:
        """The time until which the service can accept it, in ms, if it is signed."""
        return self.timestamp + self.expiry_window


def advice(intent: Intent) -> str:
    """What to do about a call whose outcome is not known, in the words of its error."""
    ids = ", ".join(dict.fromkeys(found for found in intent.client_ids if found is not None))
    hidden = dict.fromkeys(each.name for each in intent.messages if not each.listed)
    if intent.is_by_key:
        text = "No list can settle it, so client.reconcile(error) cannot find out. client.resend(error)"
        text += f" sends it again with the same id, {ids}, which is safe."
    elif all(not each.listed for each in intent.messages):
        text = f"{NEVER.capitalize()}. Unless repeating it changes nothing more, {LOOK}."
        text += f" Its client id: {ids}." if ids else ""
    else:
        text = "Call client.reconcile(error) before you send it again."
        text += f" Its client id: {ids}." if ids else " It carries no client id."
        text += f" No list can settle {', '.join(hidden)}." if hidden else ""
    if not intent.signed:
        return f"{text} It is not signed, so the service can accept it at any later time."
    return f"{text} The service can accept it until {intent.accepted_until} ms."


def as_fields(intent: Intent) -> dict[str, Any]:
    """An intent as JSON-ready fields."""
    fields = {"version": _VERSION, **asdict(intent)}
    for message in fields["messages"]:
        if message["traced"]:
            del message["traced"]
        if not message["shares_id"]:
            del message["shares_id"]
    return fields


def from_fields(fields: object) -> Intent:
    """Read what `as_fields` wrote.

    Raises:
        ValueError: the fields are not an intent.
    """
    if isinstance(fields, dict) and fields.get("version") != _VERSION:
        raise ValueError(f"it is of version {fields.get('version')!r}, not {_VERSION}")
    import cattrs  # late, because it takes long to import

    try:
        intent: Intent = _converter().structure(fields, Intent)
    except Exception as error:
        problem = "; ".join(cattrs.transform_error(error, "intent"))
    else:
        if intent.messages:
            return intent
        problem = "intent.messages is empty"
    raise ValueError(problem)


def _exactly(value: Any, kind: type[Any]) -> Any:
    if type(value) is not kind:
        raise ValueError(f"expected {kind.__name__}, not {type(value).__name__}")
    return value


@cache
def _converter() -> Any:
    import cattrs

    made = cattrs.Converter()
    for kind in (str, int, bool):
        made.register_structure_hook(kind, _exactly)
    return made


# -- the ids that errors told ---------------------------------------------------------------------
#
# Nobody else knows an id that the SDK makes inside of a call before the call ends, so a record that has it was made by
# that message: unless an error told the program the id, and the program gave it to another message.

MAX_REFUSED = 10_000
"""Ids of refused messages that a process remembers to have told."""


def plain_id(text: str) -> str:
    """An id as all its spellings mean it: with and without hyphens, capitals or `urn:uuid:`."""
    try:
        return str(UUID(text.strip()))
    except ValueError:
        return text.lower()


# Of the process, because a program may give an id that one client told to another client.
shown_ids: dict[Use, bool] = {}
"""The ids that errors told the program, and whether a message of this process carried one since."""
_refused: deque[Use] = deque()
"""Those of refused messages, of which there may be many. The others are few."""


def tell(uses: Iterable[Use]) -> None:
    """Note ids of unknown outcomes, which the program knows from now on."""
    for each in uses:
        shown_ids.setdefault(each, False)


def tell_refused(uses: Iterable[Use]) -> None:
    """Note ids of a refused message, for some time."""
    new = [each for each in uses if each not in shown_ids]
    tell(new)
    _refused.extend(new)
    while len(_refused) > MAX_REFUSED:
        if not was_given(oldest := _refused.popleft()):
            shown_ids.pop(oldest, None)


def give(uses: Iterable[Use]) -> None:
    """Note ids that a message carries which were not made in its call."""
    for each in uses:
        if each in shown_ids:
            shown_ids[each] = True


def was_given(use: Use) -> bool:
    """Whether another message of this process carried an id after its error told it."""
    return shown_ids.get(use, False)


def _give_all() -> None:
    """After a fork, the other process may give any of them."""
    shown_ids.update(dict.fromkeys(shown_ids, True))


# Windows, where it is missing, has no forks.
getattr(os, "register_at_fork", lambda **_: None)(
    after_in_parent=_give_all, after_in_child=_give_all
)


# -- the promise of a user that no two messages share an id (`unique_ids`) -------------------------

MAX_GIVEN = 10_000
"""Ids that a client remembers."""


class GivenIds:
    """The ids of a client whose user promises that none is given to two messages (`unique_ids`).

    `reconcile` then takes a record with such an id for the message's own. A second message with it would be
    taken for the first one, so it is not sent. Kept are the latest ids of messages that were executed, or may
    be, with their calls. Each step is atomic: it needs no lock.
    """

    def __init__(self) -> None:
        """Begin with no id."""
        self._calls: OrderedDict[str, str] = OrderedDict()

    def take(self, call: str, ids: Sequence[str | None]) -> str | None:
        """Take the ids of the messages of a call. If one is another message's, return it and take none."""
        given = [plain_id(each) for each in ids if each is not None]
        for index, id_ in enumerate(given):
            if id_ in given[:index] or self._calls.setdefault(id_, call) != call:
                self.free(call, ids)
                return id_
        while len(self._calls) > MAX_GIVEN:
            self._calls.popitem(last=False)
        return None

    def free(self, call: str, ids: Sequence[str | None]) -> None:
        """Forget the ids of messages of a call that were not executed; not those of another call."""
        for each in ids:
            if each is not None and self._calls.get(id_ := plain_id(each)) == call:
                self._calls.pop(id_, None)
