"""Messages that somebody caught: no operation carries out another's, an old one or a changed one.

A door is a place where a signed message is taken: a signed operation, or an action of a batch.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from http.client import HTTPConnection
from typing import Any

import pytest
from solders.keypair import Keypair

from tests.interface import ACTIONS, SIGNED
from tests.sandbox.desk import ID
from tests.sandbox.raw import BATCH, CREATE, RawClient, limit_order, now
from trading_sandbox import Sandbox
from trading_sandbox.web.dialects.documented import MODELLED
from trading_sdk.operations import API, ORDERS_BATCH

DOORS = {name: each for name, each in SIGNED.items() if name in MODELLED} | ACTIONS
"""Operations that the sandbox knows by name, actions by type."""

TYPES = {door: each.signing_type or "" for door, each in DOORS.items()}
ABOUT_THE_SIGNATURE = ("Verification failed", "Invalid message", "Unauthorized")

at_every_door = pytest.mark.parametrize("door", DOORS)


class Visitor(RawClient):
    """A client that brings messages to any door, over one connection: there are many pairs."""

    def __init__(self, sandbox: Sandbox) -> None:
        super().__init__(sandbox.url, sandbox.create_account().export_base58())
        self.connection = HTTPConnection(sandbox.url.removeprefix("http://"), timeout=10)

    def bring(self, door: str, message: dict[str, Any]) -> str:
        """What the door says against a message; nothing where it takes it."""
        path, body = BATCH, {"actions": [{"type": door, "data": message}]}
        if door in SIGNED:
            path, body = SIGNED[door].path, message
        self.connection.request(
            "POST", path, json.dumps(body), {"content-type": "application/json"}
        )
        with self.connection.getresponse() as response:
            answer = json.load(response)
        if response.status == 200:
            return ""
        assert response.status in (400, 401), answer
        return str(answer["error"]).removeprefix("actions[0]: ")

    def message(self, door: str, **header: Any) -> dict[str, Any]:
        """What a door takes: the fullest sample, signed for it."""
        return self.signed(DOORS[door], DOORS[door].most, **header)

    def seen(self) -> list[Any]:
        """All that the doors could have changed."""
        settings = self.data("account.settings", account=self.address)
        return [settings, self.orders(), self.data("api_keys.list"), self.data("subaccounts.list")]


@pytest.fixture
def visitor(shared: Sandbox) -> Iterator[Visitor]:
    made = Visitor(shared)
    yield made
    made.connection.close()


@pytest.fixture(scope="module")
def stranger(shared: Sandbox) -> Iterator[Visitor]:
    """A visitor whose messages are all refused, so that nothing of them may be seen in the end."""
    made = Visitor(shared)
    before = made.seen(), shared.account(made.address)
    yield made
    made.connection.close()
    assert (made.seen(), shared.account(made.address)) == before


def test_every_signed_operation_and_every_action_has_a_door_here() -> None:
    operations = {o.name for o in API.operations.values() if o.signing_type is not None}
    actions = {action.type for action in ORDERS_BATCH.batch.actions.values()}
    assert operations | actions == set(DOORS)


def changed(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, dict):
        first, *_ = value
        return {**value, first: changed(value[first])}
    if isinstance(value, list):
        return [*value, "ETH"]
    return (not value) if isinstance(value, bool) else value + type(value)(1)


def tampered(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The body with one field of the signed message changed, taken away or added."""
    for name in body.keys() - {"account", "signature"}:
        yield {**body, name: changed(body[name])}
        if name != "timestamp":
            yield {field: value for field, value in body.items() if field != name}
    yield {**body, "added": None}


def signed_for_another_operation(visitor: Visitor, door: str) -> Iterator[dict[str, Any]]:
    for other in sorted({*TYPES.values()} - {TYPES[door]}):
        yield visitor.body(other, DOORS[door].most)


def of_another_account(visitor: Visitor, door: str) -> Iterator[dict[str, Any]]:
    yield {**visitor.message(door), "account": str(Keypair().pubkey())}


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (signed_for_another_operation, "Verification failed"),
        (of_another_account, "Verification failed"),
        (lambda v, d: tampered(v.message(d, expiry_window=25_000)), "Verification failed"),
        (lambda v, d: [v.message(d, timestamp=now() - 30_001)], "Invalid message: it expired "),
        (lambda v, d: [v.message(d, timestamp=now() + 60_000)], "Invalid message: its timestamp"),
    ],
    ids=["operation", "account", "changed", "old", "early"],
)
@at_every_door
def test_a_message_that_was_not_made_for_this_door_and_now_is_refused(
    stranger: Visitor, door: str, made: Callable[..., Iterable[dict[str, Any]]], words: str
) -> None:
    for message in made(stranger, door):
        assert stranger.bring(door, message).startswith(words), message


@at_every_door
def test_a_caught_message_is_refused_once_it_has_expired(
    visitor: Visitor, shared: Sandbox, door: str
) -> None:
    body = visitor.message(door)
    first = visitor.bring(door, body)
    assert not first.startswith(ABOUT_THE_SIGNATURE)
    operation = door if door in SIGNED else "orders.batch"
    shared.faults.inject(operation, "clock_offset", offset_ms=60_000)
    words = visitor.bring(door, body)
    assert words.startswith("Invalid message: it expired ")


# What the protocol leaves open


def test_a_signature_does_not_say_whether_it_is_for_a_batch(raw: RawClient) -> None:
    """Field note 25: it covers the type, not the path."""
    body = raw.body("create_order", limit_order())
    assert raw.post(CREATE, body).status_code == 200
    assert raw.batch({"type": "Create", "data": body}).json()["data"]["results"][0]["success"]


def test_a_message_is_carried_out_again_until_it_expires(raw: RawClient) -> None:
    """Field notes: whether the service refuses a replay is unknown. The sandbox does not."""
    body = raw.body("create_order", limit_order())
    assert [raw.post(CREATE, body).status_code for _ in range(2)] == [200, 200]
    # An order that is still open is not placed again under its client order id.
    named = raw.body("create_order", limit_order(client_order_id=ID))
    assert [raw.post(CREATE, named).status_code for _ in range(2)] == [200, 400]
    assert len(raw.orders()) == 3
