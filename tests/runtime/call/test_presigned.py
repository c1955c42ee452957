"""Messages that come signed, without a service: what is refused, recorded and remembered.

tests/end_to_end/test_presigned.py sends them to an exchange.
"""

from __future__ import annotations

from typing import Any, cast

import attrs
import pytest
from attrs import evolve

from tests.doubles.clock import VirtualTime
from tests.doubles.orders import HERE, ID, market_order, order
from tests.doubles.signer import KEY, OTHER_KEY
from tests.doubles.transport import LOST, NOT_SENT, ScriptedTransport, ok, refusal, response
from trading_runtime import Response
from trading_runtime.call import once as guard
from trading_runtime.call import send as sending
from trading_runtime.intent import Message
from trading_runtime.recovery.settlement import Conclusion, conclude_refused
from trading_sdk import (
    BadRequestError,
    CancelOrder,
    Client,
    CreateOrder,
    CreateOrderDict,
    NotSentError,
    OutcomeUnknownError,
    RequestError,
    SignedRequest,
)
from trading_sdk.operations import API
from trading_sdk_observed import ActionResult
from trading_sdk_observed import Client as ObservedClient

PLACED = ok({"order_id": 1})
CANCELLED = ok({"results": [{"success": True, "order_id": None, "error": None}]})


@pytest.fixture(autouse=True)
def fresh_memory() -> None:
    guard._sent.clear()


def made(*script: BaseException | Response, signer: Any = KEY, **options: Any) -> Client:
    return Client(HERE, signer=signer, transport=ScriptedTransport(*script), **options)


def script_of(client: Client) -> ScriptedTransport:
    return cast(ScriptedTransport, client._caller.transport)


def explained(client: Client, **changes: Any) -> SignedRequest:
    return client.explain("orders.create", **order(**changes))


def test_an_operation_that_was_an_action_gives_what_its_method_gives() -> None:
    calls = [
        ("orders.cancel", {"symbol": "BTC", "order_id": 1}, b'{"success": true}'),
        ("orders.create_market", market_order(), b'{"order_id": 7}'),
    ]
    for name, arguments, body in calls:
        answers = ScriptedTransport(then=response(200, body))
        with ObservedClient(HERE, signer=KEY, transport=answers) as client:
            signed = client.explain(name, **arguments)
            sent = client.send(signed)
            method = getattr(client.orders, name.removeprefix("orders."))
            client._caller.issued.clear()  # the same id for two orders, but for two tests
            assert sent == method(**arguments)
            assert (type(sent), sent.success) == (ActionResult, True)


# -- one message ---------------------------------------------------------------------------------


def test_the_body_that_was_signed_is_the_body_that_is_sent() -> None:
    with made(PLACED) as client:
        signed = explained(client)
        assert client.send(signed).order_id == 1
        assert script_of(client).bodies == [signed.body]


def test_an_agents_message_is_its_accounts() -> None:
    with made(LOST, account=OTHER_KEY.address) as agent, made(LOST, signer=None) as relay:
        signed = explained(agent)
        assert signed.body["agent_wallet"] == KEY.address
        with pytest.raises(OutcomeUnknownError) as caught:
            relay.send(signed)
    assert caught.value.intent.account == OTHER_KEY.address


def test_an_action_goes_in_a_batch_of_one() -> None:
    with made(CANCELLED) as client:
        signed = client.explain("orders.cancel", symbol="BTC", order_id=1)
        assert client.send(signed).success is True
        assert script_of(client).bodies == [{"actions": [{"type": "Cancel", "data": signed.body}]}]


def test_a_read_has_no_intent() -> None:
    with made(ok({"success": True, "data": {"keys": []}})) as client:
        assert client.send(client.explain("api_keys.list")) == {"keys": []}


@pytest.mark.parametrize("id_", [{}, {"client_order_id": ID}])
def test_an_unknown_outcome_has_the_message_of_the_signature(id_: Any) -> None:
    with made(LOST, expiry_window=7_000) as client:
        signed = explained(client, **id_)
        with pytest.raises(OutcomeUnknownError) as caught:
            client.send(signed)
    intent = caught.value.intent
    assert (intent.timestamp, intent.expiry_window) == (signed.header["timestamp"], 7_000)
    (message,) = intent.messages
    assert message.client_id == signed.body["client_order_id"]
    # Whoever has the signed message knows its id.
    assert (message.minted, message.listed, message.account) == (False, True, None)


def test_there_is_one_attempt_and_after_not_sent_another_sending() -> None:
    with made(NOT_SENT, PLACED) as client:
        signed = explained(client)
        with pytest.raises(NotSentError):
            client.send(signed)
        assert len(script_of(client).sent) == 1
        client.send(signed)
        with pytest.raises(
            RequestError, match=r"^orders\.create: this signed message was sent before"
        ):
            client.send(signed)
        assert len(script_of(client).sent) == 2


def test_a_foreign_exception_leaves_it_sent() -> None:
    with made(ZeroDivisionError()) as client:
        signed = explained(client)
        with pytest.raises(ZeroDivisionError):
            client.send(signed)
        with pytest.raises(RequestError, match="was sent before"):
            client.send(signed)


def test_what_expired_is_refused_and_forgotten() -> None:
    with made(*[PLACED] * 4, expiry_window=1_000) as client:
        time = VirtualTime()
        time.hold(client)
        first = explained(client)
        client.with_options(expiry_window=60_000).send(
            explained(client.with_options(expiry_window=60_000))
        )
        script_of(client).script[:] = [LOST] * 9
        for signed in (first, explained(client)):
            with pytest.raises(OutcomeUnknownError):
                client.send(signed)
        assert len(guard._sent) == 3
        time.advance(1_001)
        with pytest.raises(RequestError, match="its signature expired 1 ms ago; sign it anew"):
            client.send(first)
        for _ in range(2):
            with pytest.raises(OutcomeUnknownError):
                client.send(explained(client))
        assert len(guard._sent) == 3, "the one that lasts longer, and the two that are new"


@pytest.mark.parametrize("what", ["body", "owner", "header", "canonical", "account", "none"])
def test_what_was_changed_is_refused(what: str) -> None:
    with made() as client:
        signed = explained(client)
        wrong: dict[str, Any] = {
            "body": {"body": {**signed.body, "price": "2"}},
            "owner": {"body": {**signed.body, "agent_wallet": OTHER_KEY.address}},
            "header": {"header": {**signed.header, "timestamp": 1}},
            "canonical": {"canonical": signed.canonical.replace('"1"', '"2"')},
            "account": {"body": {**signed.body, "account": None}},
            "none": {"body": None},
        }
        for attempt in (client.send, lambda each: client.orders.batch([each])):
            with pytest.raises(RequestError, match="was changed after it was signed"):
                attempt(evolve(signed, **wrong[what]))
        assert script_of(client).sent == []


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (None, "names no operation, as those of client.explain do"),
        ("orders.make", "there is no operation 'orders.make'; those that are signed are "),
        ("orders.batch", "orders.batch is not signed as a whole by one key"),
        (
            "orders.create",
            "orders.create sends arguments outside of what is signed: call it instead",
        ),
    ],
)
def test_what_cannot_be_sent_is_refused(name: str | None, says: str) -> None:
    create = evolve(API.operations["orders.create"], headers={"symbol": "X-Symbol"})
    api = evolve(
        API, operations=[{**API.operations, "orders.create": create}[n] for n in API.operations]
    )
    with made() as client:
        signed = evolve(explained(client), operation=name)
        with pytest.raises(RequestError, match=says):
            sending.send(client._caller, api, signed)


def test_what_is_no_signed_message_is_a_type_error() -> None:
    with made() as client, pytest.raises(TypeError, match="must be a SignedRequest, not a dict"):
        client.send(cast(Any, {}))


# -- in a batch ----------------------------------------------------------------------------------


def test_an_action_of_another_account_is_recorded_as_its_own_and_never_as_this_one() -> None:
    with made(LOST, NOT_SENT) as client, made(signer=OTHER_KEY) as other:
        foreign = explained(other)
        with pytest.raises(OutcomeUnknownError) as caught:
            client.orders.batch([CancelOrder(symbol="BTC", order_id=1), foreign])
        intent = caught.value.intent
        assert intent.account == KEY.address
        own, came = intent.messages
        assert (own.account, own.listed) == (None, True)
        assert (came.account, came.listed, came.minted) == (OTHER_KEY.address, False, False)
        assert came.client_id == foreign.body["client_order_id"]
        assert intent.uses == {(OTHER_KEY.address, came.client_id)}
        assert f"No list can settle orders.create of {OTHER_KEY.address}." in str(caught.value)
        assert OutcomeUnknownError.from_json(caught.value.to_json()).intent == intent
        actions = script_of(client).bodies[0]["actions"]
        assert actions[1] == {"type": "Create", "data": foreign.body}
        with pytest.raises(NotSentError):
            client.orders.batch([explained(other)])
        assert len(script_of(client).sent) == 2, "none is attempted again"


@pytest.mark.parametrize(
    ("signed", "says"),
    [
        (
            "subaccounts.list",
            "orders.batch: action 0: the signed message is of subaccounts.list; it must",
        ),
        (
            None,
            "orders.batch: action 0: the signed message names no operation; it must be of orders",
        ),
    ],
)
def test_only_an_action_can_be_in_a_batch(signed: str | None, says: str) -> None:
    with made() as client, pytest.raises(RequestError, match=f"^{says}"):
        client.orders.batch([evolve(explained(client), operation=signed)])


def test_whoever_signed_an_action_settles_it() -> None:
    message = Message(name="orders.create", client_id=ID, fields={}, account=OTHER_KEY.address)
    kind = attrs.evolve(API.operations["orders.create"], trace=None)
    refused = conclude_refused(message, None)
    for found in (Conclusion(1.0, "").of(message, kind, None), refused):
        assert (found.state, found.client_id) == ("unsettled", ID)
        assert found.reason == f"it came signed; look in the lists of {OTHER_KEY.address}"


def test_reconcile_asks_no_list_of_this_account_for_it() -> None:
    with made(refusal(400)) as client, made(signer=OTHER_KEY) as other:
        with pytest.raises(BadRequestError) as caught:
            client.orders.batch([explained(other)])
        asked = len(script_of(client).sent)
        (settled,) = client.reconcile(caught.value)
        assert settled.state == "unsettled"
        assert len(script_of(client).sent) == asked


# -- actions as on the wire ------------------------------------------------------------------------


def test_a_mapping_stands_for_its_model() -> None:
    results = [{"success": True, "order_id": number} for number in (1, 2)]
    fields = cast(CreateOrderDict, order())
    with made(ok({"results": results})) as client:
        client.orders.batch(
            [{"type": "Create", "data": fields}, {"type": "Create", "data": CreateOrder(**order())}]
        )
        first, second = (each["data"] for each in script_of(client).bodies[0]["actions"])
    assert first["client_order_id"] != second["client_order_id"]


@pytest.mark.parametrize(
    ("wrong", "error", "says"),
    [
        ({"type": "Create"}, RequestError, "'data' is missing; an action has 'type' and 'data'"),
        ({"type": "Create", **order()}, RequestError, "unknown key 'symbol'; an action has"),
        ({"type": "create", "data": order()}, RequestError, "type 'create' is not one of 'Create'"),
        ({"type": None, "data": order()}, RequestError, "type None is not one of 'Create'"),
        (
            {"type": "Create", "data": {**order(), "pric": 1}},
            RequestError,
            "unknown key 'pric'; a Cr",
        ),
        (
            {"type": "Create", "data": {**order(), "price": 1.5}},
            TypeError,
            "CreateOrder.price: a float",
        ),
        (
            {"type": "Create", "data": {**order(), "signature": "x"}},
            RequestError,
            "a signed action is",
        ),
    ],
)
def test_a_wrong_mapping_is_refused_by_its_place_and_key(
    wrong: Any, error: type[Exception], says: str
) -> None:
    with made() as client, pytest.raises(error, match=f"^orders.batch: action 1: {says}"):
        client.orders.batch([CancelOrder(symbol="BTC", order_id=1), wrong])
