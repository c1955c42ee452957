"""Ids that the SDK makes: known as made for one message, until their caller uses them again; and `unique_ids`.

spec/vectors/outcome/unique-ids.json says which messages the promise refuses; here it meets `reconcile` and `explain`.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from attrs import evolve

from tests.doubles.clock import VirtualTime
from tests.doubles.orders import HERE, market_order, order, order_record, stop_order
from tests.doubles.server import in_child
from tests.doubles.signer import KEY
from tests.doubles.transport import ListsTransport, ScriptedTransport, ok, refusal, response
from tests.interface import page
from tests.runtime.recovery.histories import GIVEN
from trading_runtime import UNSET, intent
from trading_runtime.clock import now_ms
from trading_runtime.intent import Message
from trading_runtime.recovery.settlement import SHARED_ID
from trading_sdk import (
    BadRequestError,
    CancelOrder,
    Client,
    ConflictError,
    CreateOrder,
    OutcomeUnknownError,
    RateLimitError,
    RequestError,
    Retry,
    SetPositionTpsl,
    Settlement,
)

LEG: dict[str, Any] = {"stop_price": "2"}


def page_of(id_: str | None) -> dict[str, Any]:
    return page(order_record(now_ms(), client_order_id=id_))


def show(lists: ListsTransport, id_: str | None) -> None:
    """Show an order with an id, which was made now."""
    lists.show("orders.history", page_of(id_))


def settled(client: Client, error: Any, timeout: float | None = None) -> Settlement:
    (settlement,) = client.reconcile(error, timeout=timeout)
    return settlement


@pytest.fixture
def lossy() -> ListsTransport:
    return ListsTransport()


@pytest.fixture
def client(lossy: ListsTransport) -> Client:
    return Client(HERE, signer=KEY, transport=lossy)


def lost(call: Any, *arguments: Any, **fields: Any) -> OutcomeUnknownError:
    with pytest.raises(OutcomeUnknownError) as caught:
        call(*arguments, **fields)
    return caught.value


def test_an_id_that_nobody_gave_is_minted_inside_of_the_call(client: Client) -> None:
    errors = [
        lost(client.orders.create, **order()),
        lost(client.orders.create_market, **market_order()),
        lost(client.orders.batch, [{"type": "Create", "data": order()}]),
        lost(client.orders.create_stop, **stop_order()),
        lost(client.spot.withdraw, symbol="SOL", amount="1"),
    ]
    for error in errors:
        assert [each.minted for each in error.intent.messages] == [True]
        assert UUID(str(error.client_ids[0])).version == 4
        again = OutcomeUnknownError.from_json(error.to_json())
        assert again.intent == error.intent and again.intent.messages[0].minted


@pytest.mark.parametrize("given", [UUID(int=1), str(UUID(int=2)), None])
def test_an_id_that_was_given_is_not_minted(client: Client, given: UUID | str | None) -> None:
    error = lost(client.orders.create, **order(client_order_id=given))

    assert [each.minted for each in error.intent.messages] == [False]


def test_the_id_of_a_model_is_known_to_the_program_and_counts_as_given(
    client: Client, lossy: ListsTransport
) -> None:
    model, unset = CreateOrder(**order()), CreateOrder(**order(client_order_id=UNSET))
    for error in (
        lost(client.orders.batch, [model]),
        lost(client.orders.batch, [evolve(model, tif="GTC")]),
        lost(client.orders.batch, [{"type": "Create", "data": model}]),
        lost(client.orders.create, **order(client_order_id=model.client_order_id)),
        lost(client.orders.create, **order(client_order_id=unset.client_order_id)),
    ):
        show(lossy, error.client_ids[0])
        assert settled(client, error).reason == GIVEN[1]


@pytest.mark.parametrize(
    "again",
    [
        lambda client, id_: client.orders.create(**order(client_order_id=id_)),
        lambda client, id_: client.orders.create(**order(client_order_id=UUID(id_.upper()))),
        lambda client, id_: client.orders.create(
            **order(), take_profit={**LEG, "client_order_id": id_}
        ),
        lambda client, id_: client.orders.set_position_tpsl(
            symbol="BTC", side="ask", stop_loss={**LEG, "client_order_id": id_}
        ),
        lambda client, id_: client.orders.batch(
            [{"type": "Create", "data": order(client_order_id=id_)}]
        ),
    ],
    ids=["text", "UUID", "leg", "stop of a position", "an action"],
)
@pytest.mark.parametrize("url", [HERE, "http://localhost:9"], ids=["here", "another URL"])
def test_an_id_that_another_message_carries_settles_nothing(
    client: Client, lossy: ListsTransport, again: Any, url: str
) -> None:
    first = lost(client.orders.create, **order())
    text, id_ = first.to_json(), first.client_ids[0]
    show(lossy, id_)
    assert settled(client, first).state == "executed"

    with Client(url, signer=KEY, transport=lossy) as other:
        lost(again, other, id_)

    later = OutcomeUnknownError.from_json(first.to_json())
    for error in (first, OutcomeUnknownError.from_json(text), later):
        assert (settled(client, error).state, settled(client, error).reason) == GIVEN
    assert later.intent.messages[0].minted is False


def test_what_was_refused_told_its_id_as_well(lossy: ListsTransport) -> None:
    script = ScriptedTransport(response(400, b'{"error": "Invalid price", "code": 400}'))
    with (
        Client(HERE, signer=KEY, transport=script) as client,
        pytest.raises(BadRequestError) as caught,
    ):
        client.orders.create(**order())
    with Client(HERE, signer=KEY, transport=lossy) as client:
        assert caught.value.intent is not None
        show(lossy, id_ := str(caught.value.intent.client_ids[0]))
        lost(client.orders.create, **order(client_order_id=id_))
        assert settled(client, caught.value).reason == f"the service refused it; {GIVEN[1]}"


@pytest.mark.parametrize("legs", [{}, {"take_profit": LEG}], ids=["its id", "a leg"])
def test_after_a_restart_the_journal_knows_that_its_id_was_given_again(
    lossy: ListsTransport, tmp_path: Path, legs: Any
) -> None:
    def opened() -> Client:
        return Client(HERE, signer=KEY, transport=lossy, journal=tmp_path / "journal")

    with opened() as client:
        id_ = str(lost(client.orders.create, **order()).client_ids[0])
    intent.shown_ids.clear()
    show(lossy, id_)
    with opened() as client:
        assert settled(client, client.unsettled()[0]).state == "executed"
        lost(client.orders.create, **order())
    intent.shown_ids.clear()
    with opened() as client:
        (before,) = client.unsettled()
        show(lossy, id_ := str(before.client_ids[0]))
        given: Any = {"client_order_id": id_}
        again: Any = {name: {**leg, **given} for name, leg in legs.items()} or given
        lossy.script.append(response(200, b'{"order_id": 7}'))
        client.orders.create(**order(), **again)
        assert settled(client, before).reason == GIVEN[1]
    intent.shown_ids.clear()
    with opened() as client:
        assert [settled(client, error).reason for error in client.unsettled()] == [GIVEN[1]]


def test_an_error_that_came_pickled_may_be_of_an_id_that_its_process_gave_again(
    client: Client, lossy: ListsTransport
) -> None:
    error = lost(client.orders.create, **order())
    show(lossy, error.client_ids[0])

    came = pickle.loads(pickle.dumps(error))

    assert (settled(client, came).state, settled(client, came).reason) == GIVEN
    assert settled(client, error).state == "executed"


def test_refusals_make_nobody_forget_an_id_that_was_given_again(
    lossy: ListsTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intent, "MAX_REFUSED", 2)
    refusals = [refusal(429, "slow down")] * 4
    with Client(HERE, signer=KEY, transport=lossy, retry=Retry(max_attempts=1)) as client:
        first = lost(client.orders.create, **order())
        lossy.script = [ok({"order_id": 7}), *refusals]
        client.orders.create(**order(client_order_id=first.client_ids[0]))
        for _ in refusals:
            with pytest.raises(RateLimitError):
                client.orders.create(**order())
        assert len(intent.shown_ids) == 3
        show(lossy, first.client_ids[0])
        assert settled(client, first).reason == GIVEN[1]


def test_a_refused_id_is_forgotten_in_time_unless_it_was_given_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(intent, "MAX_REFUSED", 1)
    first, second, third = [("account", str(number)) for number in range(3)]
    intent.tell_refused([first])
    intent.give([first])
    intent.tell_refused([second])
    intent.tell_refused([third])
    assert [intent.was_given(each) for each in (first, second, third)] == [True, False, False]
    assert second not in intent.shown_ids


def test_after_a_fork_the_other_process_may_give_an_id_again(
    client: Client, lossy: ListsTransport
) -> None:
    error = lost(client.orders.create, **order())
    show(lossy, error.client_ids[0])
    assert in_child(lambda: settled(client, error).reason == GIVEN[1])
    assert settled(client, error).reason == GIVEN[1]


def test_an_id_that_is_signed_to_be_sent_elsewhere_counts_as_given(
    client: Client, lossy: ListsTransport
) -> None:
    error = lost(client.orders.create, **order())
    id_ = str(error.client_ids[0])
    show(lossy, id_)
    client.explain("orders.create", **order(client_order_id=id_))
    assert settled(client, error).reason == GIVEN[1]


@pytest.mark.parametrize(
    "spelled", [lambda id_: id_.replace("-", ""), str.upper, "urn:uuid:{}".format]
)
def test_an_id_is_the_same_in_every_spelling(
    client: Client, lossy: ListsTransport, spelled: Any
) -> None:
    error = lost(client.orders.create, **order())
    id_ = str(error.client_ids[0])
    record = order_record(now_ms(), client_order_id=spelled(id_))
    for found, state in ((record, "executed"), ({**record, "filled_amount": None}, "unsettled")):
        lossy.show("orders.history", {**page_of(id_), "data": [found]})
        assert settled(client, error, timeout=0).state == state


def test_the_same_id_of_another_account_is_another_one(
    client: Client, lossy: ListsTransport
) -> None:
    first = lost(client.orders.create, **order())
    show(lossy, first.client_ids[0])
    with Client(HERE, signer=KEY, account="1" * 32, transport=lossy) as other:
        lost(other.orders.create, **order(client_order_id=first.client_ids[0]))

    assert settled(client, first).state == "executed"


def test_a_name_of_an_order_is_no_use_of_its_id(client: Client, lossy: ListsTransport) -> None:
    first = lost(client.orders.create, **order())
    lost(client.orders.cancel, symbol="BTC", client_order_id=first.client_ids[0])
    show(lossy, first.client_ids[0])

    assert settled(client, first).state == "executed"


def test_a_copy_of_a_minted_id_is_a_plain_one() -> None:
    minted = CreateOrder(**order()).client_order_id

    assert repr(minted) == f"UUID('{minted}')"
    for each in (pickle.loads(pickle.dumps(minted)), copy.deepcopy(minted), copy.copy(minted)):
        assert type(each) is UUID
        assert each == minted


def test_with_the_promise_of_unique_ids_one_that_was_given_settles_its_message(
    lossy: ListsTransport,
) -> None:
    mine, twice = str(uuid4()), str(uuid4())
    with Client(HERE, signer=KEY, transport=lossy, unique_ids=True) as client:
        error = lost(client.orders.create, **order(client_order_id=mine))
        show(lossy, mine)
        assert settled(client, error).state == "executed"

        broken = lost(client.orders.create, **order(client_order_id=twice))
        with Client(HERE, signer=KEY, transport=lossy, unique_ids=True) as other:
            lost(other.orders.create, **order(client_order_id=twice))
        show(lossy, twice)
        assert settled(client, broken).state == "unsettled"


def test_a_promise_is_remembered_for_the_latest_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intent, "MAX_GIVEN", 2)
    first, *others = [uuid4() for _ in range(3)]
    answers = [ok({"order_id": each}) for each in range(1, 5)]
    with Client(HERE, signer=KEY, transport=ScriptedTransport(*answers), unique_ids=True) as client:
        for each in (first, *others, first):
            client.orders.create(**order(client_order_id=each))


# -- the promise of `unique_ids` -------------------------------------------------------------------

TAKEN = "was given to another message, which was executed or may be, and unique_ids promises"


@pytest.fixture
def time() -> Iterator[VirtualTime]:
    with VirtualTime().ruling() as time:
        yield time


@pytest.fixture
def promising(lossy: ListsTransport, time: VirtualTime) -> Client:
    return time.hold(Client(HERE, signer=KEY, transport=lossy, unique_ids=True))


def refuses(client: Client, lossy: ListsTransport, id_: UUID) -> None:
    """A client refuses every message with an id, before anything is sent."""
    sent = len(lossy.posts)
    model = CreateOrder(**order(client_order_id=id_))
    for again in (
        lambda: client.orders.create(**order(client_order_id=id_)),
        lambda: client.orders.batch([model]),
    ):
        with pytest.raises(RequestError, match=f"{id_} {TAKEN}"):
            again()
    assert len(lossy.posts) == sent


def lose(client: Client, id_: UUID) -> OutcomeUnknownError:
    return lost(client.orders.create, **order(client_order_id=id_))


def test_to_show_what_would_be_signed_takes_no_id(promising: Client, lossy: ListsTransport) -> None:
    mine = uuid4()
    promising.explain("orders.create", **order(client_order_id=mine))
    lossy.script.append(ok({"order_id": 1}))
    promising.orders.create(**order(client_order_id=mine))


def test_what_was_not_executed_frees_its_id(
    promising: Client, lossy: ListsTransport, time: VirtualTime
) -> None:
    mine = uuid4()
    error = lose(promising, mine)
    refuses(promising, lossy, mine)
    # One that reads the lists for another client says nothing to this one.
    with Client(HERE, signer=KEY, transport=lossy, unique_ids=True) as other:
        copied = OutcomeUnknownError.from_json(error.to_json())
        assert settled(time.hold(other), copied).state == "not executed"
    refuses(promising, lossy, mine)

    assert settled(promising.with_options(timeout=5), error).state == "not executed"

    lossy.script.append(ok({"order_id": 1}))
    promising.orders.create(**order(client_order_id=mine))
    refuses(promising, lossy, mine)
    # It is the second one's, and not taken for the first one, whose settlement frees nothing again.
    show(lossy, str(mine))
    assert settled(promising, error).state == "unsettled"
    refuses(promising, lossy, mine)


def test_an_id_that_is_given_again_is_not_freed_by_the_first_message(
    promising: Client, lossy: ListsTransport
) -> None:
    mine = uuid4()
    error = lose(promising, mine)
    assert settled(promising, error).state == "not executed"
    again = lose(promising, mine)

    assert settled(promising, error).state == "not executed"

    refuses(promising, lossy, mine)
    # Nobody can tell which of the two a record is of.
    show(lossy, str(mine))
    assert [settled(promising, each).state for each in (error, again)] == ["unsettled"] * 2


def test_what_was_executed_or_may_be_keeps_its_id(promising: Client, lossy: ListsTransport) -> None:
    mine, open_ = uuid4(), uuid4()
    unsettled = lose(promising, open_)
    assert settled(promising, unsettled, timeout=0).state == "unsettled"
    refuses(promising, lossy, open_)
    executed = lose(promising, mine)
    show(lossy, str(mine))
    assert settled(promising, executed).state == "executed"
    refuses(promising, lossy, mine)


def test_a_conflict_that_no_list_explains_keeps_its_id(
    promising: Client, lossy: ListsTransport
) -> None:
    mine = uuid4()
    lossy.script.append(refusal(409, "used"))
    with pytest.raises(ConflictError) as caught:
        promising.orders.create(**order(client_order_id=mine))
    assert settled(promising, caught.value).state == "not executed"
    refuses(promising, lossy, mine)


# What the error says of operations that no list can settle


def test_an_operation_that_no_list_shows_says_so_at_once(client: Client) -> None:
    withdrawal = lost(client.spot.withdraw, symbol="SOL", amount="1")
    assert (
        " No list can settle it, so client.reconcile(error) cannot find out. client.resend(error) sends "
        f"it again with the same id, {withdrawal.client_ids[0]}, which is safe. The service can"
    ) in str(withdrawal)

    transfer = lost(client.subaccounts.transfer, to_account="1" * 32, amount="1")
    assert (
        " No list shows whether it was executed, so nothing can ever settle it. Unless repeating it changes "
        "nothing more, look at what it should have changed, like balances or settings, before you send it "
        "again: if it was executed, it is then executed twice. The service can" in str(transfer)
    )


def test_a_batch_names_the_actions_that_no_list_shows(client: Client) -> None:
    tpsl: dict[str, Any] = {"symbol": "BTC", "side": "ask", "take_profit": {"stop_price": "9"}}
    actions = [CreateOrder(**order()), SetPositionTpsl(**tpsl), SetPositionTpsl(**tpsl)]
    error = lost(client.orders.batch, actions)

    assert "Call client.reconcile(error) before you send it again." in str(error)
    assert " No list can settle orders.set_position_tpsl. The service" in str(error)


def test_a_batch_whose_actions_share_an_id_leaves_each_of_them_unsettled(
    client: Client, lossy: ListsTransport
) -> None:
    mine = uuid4()
    create: Any = CreateOrder(**order(client_order_id=mine))
    cancel = CancelOrder(symbol="BTC", client_order_id=mine)
    other: Any = {"type": "Create", "data": order()}
    error = lost(client.orders.batch, [create, cancel, create, other])
    show(lossy, str(mine))

    *shared, alone = client.reconcile(error, timeout=0)

    assert OutcomeUnknownError.from_json(error.to_json()).intent == error.intent
    assert {(each.state, each.reason) for each in shared} == {("unsettled", SHARED_ID)}
    assert alone.reason.startswith("no list shows its id")


def test_ids_of_lists_in_a_message_are_told_as_given() -> None:
    inner = str(uuid4())
    sent = Message(name="a.b", client_id=None, fields={"legs": [{"id": inner}, ["x"]]})
    assert list(sent.given()) == [inner]
