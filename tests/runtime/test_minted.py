"""Ids that the SDK makes: known as made for one message, until their caller uses them again."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from attrs import evolve

from tests.doubles.server import in_child
from tests.doubles.signer import KEY
from tests.runtime.attempts import ORDER, Scripted
from tests.runtime.recovery.histories import (
    GIVEN,
    HERE,
    Histories,
    order,
    settled,
)
from trading_runtime import UNSET, minted
from trading_runtime.call import given
from trading_runtime.clock import now_ms
from trading_runtime.http.fault import Fault, TransportError
from trading_runtime.http.transport import Request, Response
from trading_runtime.intent import Message
from trading_runtime.recovery.conclusion import SHARED_ID
from trading_sdk import (
    AuthenticationError,
    BadRequestError,
    CancelOrder,
    Client,
    ConflictError,
    CreateOrder,
    NotSentError,
    OutcomeUnknownError,
    RateLimitError,
    RequestError,
    Retry,
    SetPositionTpsl,
)

CONFIG: dict[str, Any] = {"stop_price": "2"}
UNSET_ID: dict[str, Any] = {**ORDER, "client_order_id": UNSET}
MARKET: dict[str, Any] = {
    "symbol": "BTC",
    "side": "bid",
    "amount": "1",
    "slippage_percent": "1",
    "reduce_only": False,
}


class Lossy(Histories):
    """Histories, beside which every message is lost."""

    def __init__(self) -> None:
        super().__init__()
        self.posts: list[Request] = []
        self.answers: list[Response] = []

    def send(self, request: Request, *, timeout: float) -> Response:
        if request.method == "GET":
            return super().send(request, timeout=timeout)
        self.posts.append(request)
        if self.answers:
            return self.answers.pop()
        raise TransportError(Fault.MAYBE_SENT, "reset")

    def show_order(self, id_: str | None) -> None:
        self.show("orders.history", page_of(id_))


def page_of(id_: str | None) -> dict[str, Any]:
    record = order(at=now_ms(), client_order_id=id_)
    return {"success": True, "data": [record], "next_cursor": None, "has_more": False}


@pytest.fixture
def lossy() -> Lossy:
    return Lossy()


@pytest.fixture
def client(lossy: Lossy) -> Client:
    return Client(HERE, signer=KEY, transport=lossy)


def lost(call: Any, *arguments: Any, **fields: Any) -> OutcomeUnknownError:
    with pytest.raises(OutcomeUnknownError) as caught:
        call(*arguments, **fields)
    return caught.value


def test_an_id_that_nobody_gave_is_minted_inside_of_the_call(client: Client) -> None:
    stop = {"symbol": "BTC", "side": "bid", "reduce_only": False, "stop_order": CONFIG}
    errors = [
        lost(client.orders.create, **ORDER),
        lost(client.orders.create_market, **MARKET),
        lost(client.orders.batch, [{"type": "Create", "data": ORDER}]),
        lost(client.orders.create_stop, **stop),
        lost(client.spot.withdraw, symbol="SOL", amount="1"),
    ]
    for error in errors:
        assert [each.minted for each in error.intent.messages] == [True]
        assert UUID(str(error.client_ids[0])).version == 4
        again = OutcomeUnknownError.from_json(error.to_json())
        assert again == error and again.intent.messages[0].minted


@pytest.mark.parametrize("given", [UUID(int=1), str(UUID(int=2)), None])
def test_an_id_that_was_given_is_not_minted(client: Client, given: UUID | str | None) -> None:
    error = lost(client.orders.create, **ORDER, client_order_id=given)

    assert [each.minted for each in error.intent.messages] == [False]


def test_an_error_of_an_older_version_does_not_know_who_made_its_id(client: Client) -> None:
    fields = json.loads(lost(client.orders.create, **ORDER).to_json())
    for message in fields["intent"]["messages"]:
        del message["minted"], message["listed"]

    (message,) = OutcomeUnknownError.from_json(json.dumps(fields)).intent.messages

    assert (message.minted, message.listed) == (False, True)


def test_the_id_of_a_model_is_known_to_the_program_and_counts_as_given(
    client: Client, lossy: Lossy
) -> None:
    model = CreateOrder(**ORDER)
    for error in (
        lost(client.orders.batch, [model]),
        lost(client.orders.batch, [evolve(model, tif="GTC")]),
        lost(client.orders.batch, [{"type": "Create", "data": model}]),
        lost(client.orders.create, **ORDER, client_order_id=model.client_order_id),
        lost(
            client.orders.create, **ORDER, client_order_id=CreateOrder(**UNSET_ID).client_order_id
        ),
    ):
        lossy.show_order(error.client_ids[0])
        assert settled(client, error).reason == GIVEN[1]


LEG: dict[str, Any] = {"stop_price": "2"}


@pytest.mark.parametrize(
    "again",
    [
        lambda client, id_: client.orders.create(**ORDER, client_order_id=id_),
        lambda client, id_: client.orders.create(**ORDER, client_order_id=UUID(id_.upper())),
        lambda client, id_: client.orders.create(
            **ORDER, take_profit={**LEG, "client_order_id": id_}
        ),
        lambda client, id_: client.orders.set_position_tpsl(
            symbol="BTC", side="ask", stop_loss={**LEG, "client_order_id": id_}
        ),
        lambda client, id_: client.orders.batch(
            [client.explain("orders.create", **ORDER, client_order_id=id_)]
        ),
    ],
    ids=["text", "UUID", "leg", "stop of a position", "a message that came signed"],
)
@pytest.mark.parametrize("url", [HERE, "http://localhost:9"], ids=["here", "another URL"])
def test_an_id_that_another_message_carries_settles_nothing(
    client: Client, lossy: Lossy, again: Any, url: str
) -> None:
    first = lost(client.orders.create, **ORDER)
    text, id_ = first.to_json(), first.client_ids[0]
    lossy.show_order(id_)
    assert settled(client, first).state == "executed"

    with Client(url, signer=KEY, transport=lossy) as other:
        lost(again, other, id_)

    later = OutcomeUnknownError.from_json(first.to_json())
    for error in (first, OutcomeUnknownError.from_json(text), later):
        assert (settled(client, error).state, settled(client, error).reason) == GIVEN
    assert later.intent.messages[0].minted is False


def test_what_was_refused_told_its_id_as_well(lossy: Lossy) -> None:
    script = Scripted(Response(400, {}, b'{"error": "Invalid price", "code": 400}'))
    with (
        Client(HERE, signer=KEY, transport=script) as client,
        pytest.raises(BadRequestError) as caught,
    ):
        client.orders.create(**ORDER)
    with Client(HERE, signer=KEY, transport=lossy) as client:
        assert caught.value.intent is not None
        lossy.show_order(id_ := str(caught.value.intent.client_ids[0]))
        lost(client.orders.create, **ORDER, client_order_id=id_)
        assert settled(client, caught.value).reason == f"the service refused it; {GIVEN[1]}"


@pytest.mark.parametrize("legs", [{}, {"take_profit": LEG}], ids=["its id", "a leg"])
def test_after_a_restart_the_journal_knows_that_its_id_was_given_again(
    lossy: Lossy, tmp_path: Path, legs: Any
) -> None:
    def opened() -> Client:
        return Client(HERE, signer=KEY, transport=lossy, journal=tmp_path / "journal")

    with opened() as client:
        id_ = str(lost(client.orders.create, **ORDER).client_ids[0])
    minted.told.clear()
    lossy.show_order(id_)
    with opened() as client:
        assert settled(client, client.unsettled()[0]).state == "executed"
        lost(client.orders.create, **ORDER)
    minted.told.clear()
    with opened() as client:
        (before,) = client.unsettled()
        lossy.show_order(id_ := str(before.client_ids[0]))
        given: Any = {"client_order_id": id_}
        again: Any = {name: {**leg, **given} for name, leg in legs.items()} or given
        lossy.answers.append(Response(200, {}, b'{"order_id": 7}'))
        client.orders.create(**ORDER, **again)
        assert settled(client, before).reason == GIVEN[1]
    minted.told.clear()
    with opened() as client:
        assert [settled(client, error).reason for error in client.unsettled()] == [GIVEN[1]]


def test_an_error_that_came_pickled_may_be_of_an_id_that_its_process_gave_again(
    client: Client, lossy: Lossy
) -> None:
    error = lost(client.orders.create, **ORDER)
    lossy.show_order(error.client_ids[0])

    came = pickle.loads(pickle.dumps(error))

    assert (settled(client, came).state, settled(client, came).reason) == GIVEN
    assert settled(client, error).state == "executed"


def test_refusals_make_nobody_forget_an_id_that_was_given_again(
    lossy: Lossy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minted, "MAX_REFUSED", 2)
    refusals = [Response(429, {}, b'{"error": "slow down", "code": 9}') for _ in range(4)]
    with Client(HERE, signer=KEY, transport=lossy, retry=Retry(max_attempts=1)) as client:
        first = lost(client.orders.create, **ORDER)
        lossy.answers = [*refusals, Response(200, {}, b'{"order_id": 7}')]
        client.orders.create(**ORDER, client_order_id=first.client_ids[0])
        for _ in refusals:
            with pytest.raises(RateLimitError):
                client.orders.create(**ORDER)
        assert len(minted.told) == 3
        lossy.show_order(first.client_ids[0])
        assert settled(client, first).reason == GIVEN[1]


def test_a_refused_id_is_forgotten_in_time_unless_it_was_given_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(minted, "MAX_REFUSED", 1)
    first, second, third = [("account", str(number)) for number in range(3)]
    minted.tell_refused([first])
    minted.give([first])
    minted.tell_refused([second])
    minted.tell_refused([third])
    assert [minted.was_given(each) for each in (first, second, third)] == [True, False, False]
    assert second not in minted.told


def test_after_a_fork_the_other_process_may_give_an_id_again(client: Client, lossy: Lossy) -> None:
    error = lost(client.orders.create, **ORDER)
    lossy.show_order(error.client_ids[0])
    assert in_child(lambda: settled(client, error).reason == GIVEN[1])
    assert settled(client, error).reason == GIVEN[1]


def test_an_id_that_is_signed_to_be_sent_elsewhere_counts_as_given(
    client: Client, lossy: Lossy
) -> None:
    error = lost(client.orders.create, **ORDER)
    id_ = str(error.client_ids[0])
    lossy.show_order(id_)
    client.explain("orders.create", **ORDER, client_order_id=id_)
    assert settled(client, error).reason == GIVEN[1]


@pytest.mark.parametrize(
    "spelled", [lambda id_: id_.replace("-", ""), str.upper, "urn:uuid:{}".format]
)
def test_an_id_is_the_same_in_every_spelling(client: Client, lossy: Lossy, spelled: Any) -> None:
    error = lost(client.orders.create, **ORDER)
    id_ = str(error.client_ids[0])
    record = order(at=now_ms(), client_order_id=spelled(id_))
    for found, state in ((record, "executed"), ({**record, "filled_amount": None}, "unsettled")):
        lossy.show("orders.history", {**page_of(id_), "data": [found]})
        assert settled(client, error, timeout=0).state == state


def test_the_same_id_of_another_account_is_another_one(client: Client, lossy: Lossy) -> None:
    first = lost(client.orders.create, **ORDER)
    lossy.show_order(first.client_ids[0])
    with Client(HERE, signer=KEY, account="1" * 32, transport=lossy) as other:
        lost(other.orders.create, **ORDER, client_order_id=first.client_ids[0])

    assert settled(client, first).state == "executed"


def test_a_name_of_an_order_is_no_use_of_its_id(client: Client, lossy: Lossy) -> None:
    first = lost(client.orders.create, **ORDER)
    lost(client.orders.cancel, symbol="BTC", client_order_id=first.client_ids[0])
    lossy.show_order(first.client_ids[0])

    assert settled(client, first).state == "executed"


def test_a_copy_of_a_minted_id_is_a_plain_one() -> None:
    minted = CreateOrder(**ORDER).client_order_id

    assert repr(minted) == f"UUID('{minted}')"
    for each in (pickle.loads(pickle.dumps(minted)), copy.deepcopy(minted), copy.copy(minted)):
        assert type(each) is UUID
        assert each == minted


def test_with_the_promise_of_unique_ids_one_that_was_given_settles_its_message(
    lossy: Lossy,
) -> None:
    mine, twice = str(uuid4()), str(uuid4())
    with Client(HERE, signer=KEY, transport=lossy, unique_ids=True) as client:
        error = lost(client.orders.create, **ORDER, client_order_id=mine)
        lossy.show_order(mine)
        assert settled(client, error).state == "executed"

        broken = lost(client.orders.create, **ORDER, client_order_id=twice)
        with Client(HERE, signer=KEY, transport=lossy, unique_ids=True) as other:
            lost(other.orders.create, **ORDER, client_order_id=twice)
        lossy.show_order(twice)
        assert settled(client, broken).state == "unsettled"


def test_an_id_that_is_promised_to_be_of_one_message_is_sent_with_one(
    lossy: Lossy,
) -> None:
    mine = uuid4()
    with Client(HERE, signer=KEY, transport=lossy, unique_ids=True) as client:
        lost(client.orders.create, **ORDER, client_order_id=mine)
        sent = len(lossy.posts)
        model = CreateOrder(**ORDER, client_order_id=mine)
        other = CreateOrder(**ORDER)
        for again in (
            lambda: client.orders.create(**ORDER, client_order_id=mine),
            lambda: client.with_options(timeout=5).orders.batch([other, model]),
        ):
            with pytest.raises(
                RequestError, match=f"{mine} was given to another message, which was"
            ):
                again()
        assert len(lossy.posts) == sent
        # It names an order, or is a key that may be used again, or the other one's, which was not sent.
        lost(client.orders.cancel, symbol="BTC", client_order_id=mine)
        lost(client.spot.withdraw, symbol="SOL", amount="1", idempotency_key=mine)
        lost(client.spot.withdraw, symbol="SOL", amount="1", idempotency_key=mine)
        lost(client.orders.batch, [other])
        assert len(lossy.posts) == sent + 4


def test_what_was_certainly_not_executed_frees_its_id_of_the_promise() -> None:
    mine = uuid4()
    results = [{"success": False, "error": "no"}, {"success": True, "order_id": 1}]
    scripted = Scripted(
        TransportError(Fault.NOT_SENT, "no connection"),
        Response(400, {}, b'{"error": "Invalid price", "code": 400}'),
        Response(200, {}, json.dumps({"results": results}).encode()),
        Response(200, {}, b'{"order_id": 2}'),
    )
    options: Any = {"transport": scripted, "unique_ids": True, "retry": Retry(max_attempts=1)}
    with Client(HERE, signer=KEY, **options) as client:
        with pytest.raises(NotSentError):
            client.orders.create(**ORDER, client_order_id=mine)
        with pytest.raises(BadRequestError):
            client.orders.create(**ORDER, client_order_id=mine)
        client.orders.batch([CreateOrder(**ORDER, client_order_id=mine), CreateOrder(**ORDER)])
        client.orders.create(**ORDER, client_order_id=mine)
        with pytest.raises(RequestError, match="unique_ids promises"):
            client.orders.create(**ORDER, client_order_id=mine)


def test_an_id_that_was_refused_as_used_is_not_given_again() -> None:
    mine, used = uuid4(), Response(409, {}, b'{"error": "used", "code": 409}')
    with Client(HERE, signer=KEY, transport=Scripted(used), unique_ids=True) as client:
        with pytest.raises(ConflictError):
            client.orders.create(**ORDER, client_order_id=mine)
        with pytest.raises(RequestError, match="unique_ids promises"):
            client.orders.create(**ORDER, client_order_id=mine)


def test_a_promise_is_remembered_for_the_latest_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(given, "MAX_GIVEN", 2)
    first, *others = [uuid4() for _ in range(3)]
    answers = [Response(200, {}, b'{"order_id": %d}' % each) for each in range(1, 5)]
    with Client(HERE, signer=KEY, transport=Scripted(*answers), unique_ids=True) as client:
        for each in (first, *others, first):
            client.orders.create(**ORDER, client_order_id=each)


@pytest.mark.parametrize("wrong", [None, 1, "yes"])
def test_nothing_but_true_is_a_promise(wrong: Any) -> None:
    with pytest.raises(TypeError, match="unique_ids must be True or False"):
        Client(HERE, unique_ids=wrong)


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
    actions = [CreateOrder(**ORDER), SetPositionTpsl(**tpsl), SetPositionTpsl(**tpsl)]
    error = lost(client.orders.batch, actions)

    assert "Call client.reconcile(error) before you send it again." in str(error)
    assert " No list can settle orders.set_position_tpsl. The service" in str(error)


def test_a_batch_whose_actions_share_an_id_leaves_each_of_them_unsettled(
    client: Client, lossy: Lossy
) -> None:
    mine = uuid4()
    create: Any = CreateOrder(**ORDER, client_order_id=mine)
    cancel = CancelOrder(symbol="BTC", client_order_id=mine)
    other: Any = {"type": "Create", "data": ORDER}
    error = lost(client.orders.batch, [create, cancel, create, other])
    lossy.show_order(str(mine))

    *shared, alone = client.reconcile(error, timeout=0)

    assert OutcomeUnknownError.from_json(error.to_json()).intent == error.intent
    assert {(each.state, each.reason) for each in shared} == {("unsettled", SHARED_ID)}
    assert alone.reason.startswith("no list shows its id")


def test_ids_of_lists_in_a_message_are_told_as_given() -> None:
    inner = str(uuid4())
    sent = Message(name="a.b", client_id=None, fields={"legs": [{"id": inner}, ["x"]]})
    assert list(sent.given()) == [inner]


def test_a_refused_signature_of_another_key_than_the_accounts_says_whose_it_was() -> None:
    script = Scripted(Response(401, {}, b'{"error": "Verification failed", "code": 401}'))
    with (
        Client(HERE, signer=KEY, account="1" * 32, transport=script) as client,
        pytest.raises(AuthenticationError, match="if that is a subaccount, sign with its own key"),
    ):
        client.orders.create(**ORDER)
