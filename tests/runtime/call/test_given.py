"""The promise of `unique_ids`, of messages that came signed, and of those that `reconcile` settled.

tests/runtime/test_minted.py has those that a client signs, and spec/vectors/outcome/unique-ids.json what any
port must do.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any
from uuid import UUID, uuid4

import pytest
from attrs import evolve

from tests.doubles.clock import VirtualTime
from tests.doubles.orders import HERE, order, order_record
from tests.doubles.signer import KEY, OTHER_KEY
from tests.doubles.transport import (
    LOST,
    NOT_SENT,
    ListsTransport,
    ScriptedTransport,
    ok,
    refusal,
)
from tests.interface import page
from trading_runtime import Response
from trading_runtime.clock import now_ms
from trading_runtime.signing.request import sign_request
from trading_sdk import (
    Client,
    ConflictError,
    CreateOrder,
    NotSentError,
    OutcomeUnknownError,
    RequestError,
    SignedRequest,
)

PLACED = [ok({"order_id": number}) for number in range(1, 9)]
_COUNT = count(1)
TAKEN = "was given to another message, which was executed or may be, and unique_ids promises"


def made(*script: BaseException | Response, signer: Any = KEY, **options: Any) -> Client:
    return Client(
        HERE, signer=signer, transport=ScriptedTransport(*script), unique_ids=True, **options
    )


def batch_answer(*results: dict[str, Any]) -> Response:
    return ok({"results": results})


def signed_order(id_: UUID | str, signer: Any = KEY, **options: Any) -> SignedRequest:
    # No two have the same signature, also those of the same ms.
    window = 30_000 + next(_COUNT)
    with Client(HERE, signer=signer, expiry_window=window, **options) as elsewhere:
        return elsewhere.explain("orders.create", **order(client_order_id=id_))


def refuses(client: Client, id_: UUID) -> None:
    """A client refuses every message with an id, before anything is sent."""
    sent = len(client._caller.transport.sent)  # type: ignore[attr-defined]
    model = CreateOrder(**order(client_order_id=id_))
    own, other = signed_order(id_), signed_order(id_)
    for again in (
        lambda: client.orders.create(**order(client_order_id=id_)),
        lambda: client.orders.batch([model]),
        lambda: client.send(own),
        lambda: client.orders.batch([CreateOrder(**order()), other]),
    ):
        with pytest.raises(RequestError, match=f"{id_} {TAKEN}"):
            again()
    assert len(client._caller.transport.sent) == sent  # type: ignore[attr-defined]


# -- messages that came signed ---------------------------------------------------------------------


def test_the_id_of_a_message_that_came_signed_is_given_when_it_is_sent() -> None:
    mine, lost = uuid4(), uuid4()
    with made(PLACED[0], LOST) as client:
        signed = client.explain("orders.create", **order(client_order_id=mine))
        assert client.send(signed).order_id == 1
        refuses(client, mine)
        with pytest.raises(OutcomeUnknownError):
            client.send(signed_order(lost))
        refuses(client, lost)


def test_to_show_what_would_be_signed_takes_no_id() -> None:
    mine = uuid4()
    with made(PLACED[0]) as client:
        client.explain("orders.create", **order(client_order_id=mine))
        client.orders.create(**order(client_order_id=mine))


def test_a_signed_message_that_was_not_sent_may_be_sent_again() -> None:
    mine = uuid4()
    with made(NOT_SENT, PLACED[0]) as client:
        signed = signed_order(mine)
        with pytest.raises(NotSentError):
            client.send(signed)
        assert client.send(signed).order_id == 1
        with pytest.raises(RequestError, match="this signed message was sent before"):
            client.send(signed)
        refuses(client, mine)


def test_a_signed_message_that_was_refused_for_its_id_was_not_sent() -> None:
    mine = uuid4()
    with made(PLACED[0]) as client, made(PLACED[1]) as other:
        signed = signed_order(mine)
        client.orders.create(**order(client_order_id=mine))
        with pytest.raises(RequestError, match=TAKEN):
            client.send(signed)
        other.send(signed)


def test_signed_actions_of_a_batch_give_their_ids() -> None:
    mine, failed, lost = uuid4(), uuid4(), uuid4()
    results: list[dict[str, Any]] = [
        {"success": True, "order_id": 7},
        {"success": False, "error": "no"},
    ]
    with made(batch_answer(*results), LOST, PLACED[0]) as client:
        client.orders.batch([signed_order(mine), signed_order(failed)])
        refuses(client, mine)
        with pytest.raises(OutcomeUnknownError):
            client.orders.batch([CreateOrder(**order()), signed_order(lost)])
        refuses(client, lost)
        client.orders.create(**order(client_order_id=failed))


def test_ids_of_other_accounts_are_other_ids() -> None:
    mine = uuid4()
    done = batch_answer({"success": True, "order_id": 7})
    with made(PLACED[0], done, PLACED[1]) as client:
        client.send(signed_order(mine, OTHER_KEY))
        client.orders.batch([signed_order(mine, OTHER_KEY)])
        client.orders.create(**order(client_order_id=mine))
        refuses(client, mine)


def test_a_message_of_an_agent_is_its_accounts() -> None:
    mine, account = uuid4(), KEY.address
    with made(*PLACED, signer=None, account=account) as client:
        client.send(signed_order(mine, OTHER_KEY, account=account))
        with pytest.raises(RequestError, match=f"{mine} {TAKEN}"):
            client.send(signed_order(mine))


def test_an_id_in_capitals_is_the_same_one() -> None:
    first, second = uuid4(), uuid4()
    with made(*PLACED[:2]) as client:

        def in_capitals(id_: UUID) -> SignedRequest:
            fields = {**signed_order(id_).body, "client_order_id": str(id_).upper()}
            for name in ("account", "signature", "timestamp", "expiry_window"):
                del fields[name]
            options: Any = {"timestamp": now_ms(), "expiry_window": 30_000, "account": KEY.address}
            signed = sign_request(fields, signing_type="create_order", signer=KEY, **options)
            return evolve(signed, operation="orders.create")

        client.send(in_capitals(first))
        refuses(client, first)
        client.orders.create(**order(client_order_id=second))
        with pytest.raises(RequestError, match=f"{second} {TAKEN}"):
            client.send(in_capitals(second))


# -- what `reconcile` settles ----------------------------------------------------------------------


@pytest.fixture
def time() -> Iterator[VirtualTime]:
    with VirtualTime().ruling() as time:
        yield time


@pytest.fixture
def service() -> ListsTransport:
    return ListsTransport()


@pytest.fixture
def client(service: ListsTransport, time: VirtualTime) -> Client:
    return time.hold(Client(HERE, signer=KEY, transport=service, unique_ids=True))


def show(service: ListsTransport, id_: UUID) -> None:
    """Show an order with an id, which was made now."""
    service.show("orders.history", page(order_record(now_ms(), client_order_id=str(id_))))


def state(client: Client, error: Any, timeout: float | None = None) -> str:
    (settlement,) = client.reconcile(error, timeout=timeout)
    return settlement.state


def lose(client: Client, id_: UUID, *, signed: bool) -> OutcomeUnknownError:
    with pytest.raises(OutcomeUnknownError) as caught:
        if signed:
            client.send(signed_order(id_))
        else:
            client.orders.create(**order(client_order_id=id_))
    return caught.value


@pytest.mark.parametrize("signed", [False, True])
def test_what_was_not_executed_frees_its_id(
    client: Client, service: ListsTransport, time: VirtualTime, signed: bool
) -> None:
    mine = uuid4()
    error = lose(client, mine, signed=signed)
    refuses(client, mine)
    # One that reads the lists for another client says nothing to this one.
    with Client(HERE, signer=KEY, transport=service, unique_ids=True) as other:
        copied = OutcomeUnknownError.from_json(error.to_json())
        assert state(time.hold(other), copied) == "not executed"
    refuses(client, mine)

    assert state(client.with_options(timeout=5), error) == "not executed"

    service.script.append(PLACED[0])
    client.orders.create(**order(client_order_id=mine))
    refuses(client, mine)
    # It is the second one's, and not taken for the first one, whose settlement frees nothing again.
    show(service, mine)
    assert state(client, error) == "unsettled"
    refuses(client, mine)


def test_an_id_that_is_given_again_is_not_freed_by_the_first_message(
    client: Client, service: ListsTransport
) -> None:
    mine = uuid4()
    error = lose(client, mine, signed=False)
    assert state(client, error) == "not executed"
    again = lose(client, mine, signed=False)

    assert state(client, error) == "not executed"

    refuses(client, mine)
    # Nobody can tell which of the two a record is of.
    show(service, mine)
    assert [state(client, each) for each in (error, again)] == ["unsettled"] * 2


def test_what_was_executed_or_may_be_keeps_its_id(client: Client, service: ListsTransport) -> None:
    mine, open_ = uuid4(), uuid4()
    unsettled = lose(client, open_, signed=False)
    assert state(client, unsettled, timeout=0) == "unsettled"
    refuses(client, open_)
    executed = lose(client, mine, signed=True)
    show(service, mine)
    assert state(client, executed) == "executed"
    refuses(client, mine)


def test_a_conflict_that_no_list_explains_keeps_its_id(
    client: Client, service: ListsTransport
) -> None:
    mine = uuid4()
    service.script.append(refusal(409, "used"))
    with pytest.raises(ConflictError) as caught:
        client.orders.create(**order(client_order_id=mine))
    assert state(client, caught.value) == "not executed"
    refuses(client, mine)
