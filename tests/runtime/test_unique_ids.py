"""The promise of `unique_ids` for what `explain` shows, and for messages that `reconcile` settled.

tests/runtime/test_client_ids.py has those that a client signs, and spec/vectors/outcome/unique-ids.json what any
port must do.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.doubles.clock import VirtualTime
from tests.doubles.orders import HERE, order, order_record
from tests.doubles.signer import KEY
from tests.doubles.transport import (
    ListsTransport,
    ScriptedTransport,
    ok,
    refusal,
)
from tests.interface import page
from trading_runtime import Response
from trading_runtime.clock import now_ms
from trading_sdk import (
    Client,
    ConflictError,
    CreateOrder,
    OutcomeUnknownError,
    RequestError,
)

PLACED = [ok({"order_id": number}) for number in range(1, 9)]
_COUNT = count(1)
TAKEN = "was given to another message, which was executed or may be, and unique_ids promises"


def made(*script: BaseException | Response, signer: Any = KEY, **options: Any) -> Client:
    return Client(
        HERE, signer=signer, transport=ScriptedTransport(*script), unique_ids=True, **options
    )


def refuses(client: Client, id_: UUID) -> None:
    """A client refuses every message with an id, before anything is sent."""
    sent = len(client._caller.transport.sent)  # type: ignore[attr-defined]
    model = CreateOrder(**order(client_order_id=id_))
    for again in (
        lambda: client.orders.create(**order(client_order_id=id_)),
        lambda: client.orders.batch([model]),
    ):
        with pytest.raises(RequestError, match=f"{id_} {TAKEN}"):
            again()
    assert len(client._caller.transport.sent) == sent  # type: ignore[attr-defined]


# -- what takes an id ------------------------------------------------------------------------------


def test_to_show_what_would_be_signed_takes_no_id() -> None:
    mine = uuid4()
    with made(PLACED[0]) as client:
        client.explain("orders.create", **order(client_order_id=mine))
        client.orders.create(**order(client_order_id=mine))


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


def lose(client: Client, id_: UUID) -> OutcomeUnknownError:
    with pytest.raises(OutcomeUnknownError) as caught:
        client.orders.create(**order(client_order_id=id_))
    return caught.value


def test_what_was_not_executed_frees_its_id(
    client: Client, service: ListsTransport, time: VirtualTime
) -> None:
    mine = uuid4()
    error = lose(client, mine)
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
    error = lose(client, mine)
    assert state(client, error) == "not executed"
    again = lose(client, mine)

    assert state(client, error) == "not executed"

    refuses(client, mine)
    # Nobody can tell which of the two a record is of.
    show(service, mine)
    assert [state(client, each) for each in (error, again)] == ["unsettled"] * 2


def test_what_was_executed_or_may_be_keeps_its_id(client: Client, service: ListsTransport) -> None:
    mine, open_ = uuid4(), uuid4()
    unsettled = lose(client, open_)
    assert state(client, unsettled, timeout=0) == "unsettled"
    refuses(client, open_)
    executed = lose(client, mine)
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
