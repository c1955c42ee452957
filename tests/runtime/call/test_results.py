"""What the client makes of answers, and of calls that bring none, at a real socket."""

from __future__ import annotations

import asyncio
import json
import pickle
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs

import pytest

from tests.doubles.server import Play, Received, Server, cut
from tests.doubles.transport import response
from trading_runtime.call.retry import Retry
from trading_runtime.client import BaseClient
from trading_runtime.errors import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    DecodeError,
    InternalServerError,
    NoResponseError,
    NotFoundError,
    NotSentError,
    OutcomeUnknownError,
    PaginationError,
    PermissionDeniedError,
    RateLimitError,
    RequestError,
    UnprocessableEntityError,
)
from trading_runtime.http.fault import Fault, TransportError
from trading_runtime.http.transport import Request, Response
from trading_runtime.operation import Api, Operation
from trading_runtime.signing.keys import Keypair
from trading_sdk import (
    UNSET,
    ActionResult,
    CancelOrder,
    Client,
    CreateMarketOrder,
    CreateOrder,
    EditOrder,
    Unset,
)

KEY = Keypair(b"\x01" * 32)
ID, ID_2 = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11", "0b9e6d3a-94c1-4d0e-8b59-3f5a6f1c2e22"
ORDER: dict[str, Any] = {
    "symbol": "BTC",
    "side": "bid",
    "price": "1",
    "amount": "1",
    "tif": "ALO",
    "reduce_only": False,
    "client_order_id": ID,
}
MARKET: dict[str, Any] = {
    "symbol": "BTC",
    "side": "ask",
    "amount": "1",
    "slippage_percent": "0.5",
    "reduce_only": False,
    "client_order_id": ID_2,
}
CANCEL = CancelOrder(symbol="BTC", order_id=1)


@pytest.fixture(scope="module")
def recorder() -> Iterator[Server]:
    with Server() as recorder:
        yield recorder


@pytest.fixture
def service(recorder: Server) -> Server:
    recorder.taken()
    return recorder


@pytest.fixture
def client(service: Server) -> Iterator[Client]:
    with Client(service.url, signer=KEY) as client:
        yield client


def create(client: Client) -> object:
    return client.orders.create(**ORDER)


def settings(client: Client) -> object:
    return client.account.settings()


# Refusals


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, BadRequestError),
        (401, AuthenticationError),
        (403, PermissionDeniedError),
        (404, NotFoundError),
        (409, ConflictError),
        (422, UnprocessableEntityError),
        (429, RateLimitError),
        (418, ApiError),
        (200, BadRequestError),
    ],
)
@pytest.mark.parametrize("call", [create, settings])
def test_a_refusal_is_a_typed_error_in_the_services_words_and_only_a_limited_read_is_repeated(
    client: Client,
    service: Server,
    call: Callable[[Client], object],
    status: int,
    error: type[ApiError],
) -> None:
    payload = {"success": False, "data": None, "error": "Insufficient balance", "code": 5}
    service.will_answer(payload, status)
    with pytest.raises(ApiError) as caught:
        call(client)
    requests = service.taken()
    found = caught.value
    assert type(found) is error
    assert (found.status, found.code, found.error) == (status, 5, "Insufficient balance")
    assert json.loads(found.body) == payload
    name = "orders.create" if call is create else "account.settings"
    assert str(found) == f"{name}: {status} (code 5): Insufficient balance"
    assert len(requests) == (3 if status == 429 and call is settings else 1)


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_failing_service_leaves_a_post_unknown_and_fails_a_get_after_three_attempts(
    client: Client, service: Server, status: int
) -> None:
    service.will_answer(b"<html>oops</html>", status)
    with pytest.raises(OutcomeUnknownError) as caught:
        create(client)
    unknown = caught.value
    assert type(unknown.__cause__) is InternalServerError
    assert unknown.__cause__.status == unknown.status == status
    assert unknown.body == b"<html>oops</html>"
    sent = json.loads(service.taken()[0].body)
    assert unknown.client_ids == (ID,)
    assert (unknown.timestamp, unknown.expiry_window) == (sent["timestamp"], 30_000)
    for read in (settings, lambda client: client.subaccounts.list()):
        with pytest.raises(InternalServerError):
            read(client)
        assert len(service.taken()) == 3


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(client: Client, service: Server, status: int) -> None:
    service.will_answer(b"", status, Location=f"{service.url}/elsewhere")
    with pytest.raises(OutcomeUnknownError) as caught:
        create(client)
    assert isinstance(caught.value.__cause__, ApiError)
    assert caught.value.status == status
    assert "(a redirect to 127.0.0.1, which is not followed)" in str(caught.value)
    with pytest.raises(ApiError) as refused:
        settings(client)
    assert refused.value.status == status
    paths = [request.path for request in service.taken()]
    assert paths == ["/api/v1/orders/create", "/api/v1/account/settings"]


@pytest.mark.parametrize(
    ("headers", "text"),
    [
        (
            {"Location": "https://user:canary@elsewhere.example:1/canary?canary"},
            "account.settings: 302: no (a redirect to elsewhere.example, which is not followed)",
        ),
        (
            {"Location": "/canary"},
            "account.settings: 302: no (a redirect to the same host, which is not followed)",
        ),
        (
            {"Location": "http://[canary"},
            "account.settings: 302: no (a redirect to a URL that is none, which is not followed)",
        ),
        ({}, "account.settings: 302: no"),
    ],
)
def test_the_error_of_a_redirect_names_its_host(
    client: Client, service: Server, headers: dict[str, str], text: str
) -> None:
    service.will_answer(b"no", 302, **headers)
    with pytest.raises(ApiError) as refused:
        settings(client)
    assert str(refused.value) == str(pickle.loads(pickle.dumps(refused.value))) == text


@pytest.mark.parametrize(
    ("body", "headers", "reason"),
    [
        (b"", {}, "not JSON (application/json): it is empty"),
        (
            b" <!DOCTYPE HTML><p>canary</p>",
            {"Content-Type": "text/html; charset=utf-8"},
            "not JSON (text/html; charset=utf-8): it is a page of HTML",
        ),
        (
            b"canary",
            {"Content-Type": "text/plain"},
            "not JSON (text/plain): JSON is malformed: invalid character (byte 0)",
        ),
    ],
)
def test_an_answer_that_is_not_json_tells_what_it_is_and_nothing_of_it(
    client: Client, service: Server, body: bytes, headers: dict[str, str], reason: str
) -> None:
    service.respond = lambda request: Response(200, headers, body)
    for call in (create, lambda client: client.orders.cancel(symbol="BTC", order_id=1)):
        with pytest.raises(OutcomeUnknownError) as caught:
            call(client)
        assert caught.value.reason == reason


@pytest.mark.parametrize("body", [b"", b"<html>", b'{"order_id":"1"}', b'{"success":true}', b"[]"])
def test_an_unusable_success_keeps_its_body(client: Client, service: Server, body: bytes) -> None:
    service.will_answer(body)
    with pytest.raises(DecodeError) as unusable:
        list(client.orders.history())
    assert unusable.value.body == body
    with pytest.raises(OutcomeUnknownError) as caught:
        create(client)
    cause = caught.value.__cause__
    assert isinstance(cause, DecodeError)
    assert caught.value.body == cause.body == body
    assert caught.value.status == cause.status == 200


# No answer


def test_a_call_that_reaches_nobody_was_not_sent() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with Client(f"http://127.0.0.1:{port}", signer=KEY) as client:
        for call in (create, settings):
            with pytest.raises(NotSentError, match="cannot connect"):
                call(client)


@pytest.mark.parametrize(
    ("play", "of_read"),
    [
        (cut(b""), NoResponseError),
        (cut(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"), DecodeError),
    ],
)
def test_a_connection_that_breaks_leaves_a_post_unknown(
    play: Play, of_read: type[Exception]
) -> None:
    once = Retry(max_attempts=1)
    with Server(play) as server, Client(server.url, signer=KEY, retry=once) as client:
        with pytest.raises(OutcomeUnknownError) as caught:
            create(client)
        assert caught.value.client_ids == (ID,)
        with pytest.raises(of_read):
            settings(client)
        assert len(server.requests) == 2


class Careless:
    """A transport that sends, and then hands over something else than an answer."""

    def __init__(self, found: object) -> None:
        self._found = found
        self.sent = 0

    def send(self, request: Request, *, timeout: float) -> Any:
        self.sent += 1
        if isinstance(self._found, Exception):
            raise self._found
        return self._found

    def close(self) -> None: ...


def test_what_a_transport_returns_instead_of_an_answer_leaves_a_post_unknown(
    tmp_path: Path,
) -> None:
    transport = Careless({"status": 200})
    with Client("http://127.0.0.1:9", signer=KEY, transport=transport, journal=tmp_path / "j") as c:
        with pytest.raises(OutcomeUnknownError, match="returned a dict, not a Response") as caught:
            create(c)
        assert [error.intent for error in c.unsettled()] == [caught.value.intent]
        with pytest.raises(DecodeError, match="returned a dict, not a Response"):
            settings(c)
    assert transport.sent == 2


@pytest.mark.parametrize("fault", [Fault.RATE_LIMITED, Fault.DUPLICATE, Fault.REFUSED])
def test_a_transport_that_reports_a_refusal_without_its_answer_leaves_a_post_unknown(
    fault: Fault,
) -> None:
    transport = Careless(TransportError(fault, "slow down"))
    with Client("http://127.0.0.1:9", signer=KEY, transport=transport) as client:
        with pytest.raises(OutcomeUnknownError, match="slow down"):
            create(client)
        assert transport.sent == 1
        with pytest.raises(NoResponseError, match="slow down"):
            settings(client)
        assert transport.sent == 4


def test_an_unknown_outcome_is_unsettled_until_it_is_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Server(cut(b"")) as server, Client(server.url, signer=KEY, journal=path) as client:
        with pytest.raises(OutcomeUnknownError) as caught:
            create(client)
        assert [error.intent for error in client.unsettled()] == [caught.value.intent]
        client.acknowledge(caught.value)
        assert client.unsettled() == []


def test_without_a_journal_nothing_is_known_of_what_is_unsettled(client: Client) -> None:
    with pytest.raises(RequestError, match="this client has no journal"):
        client.unsettled()


# Batches


def test_a_batch_of_one_that_is_lost_is_named_as_the_method_that_sent_it() -> None:
    with (
        Server(cut(b"")) as server,
        Client(server.url, signer=KEY) as client,
        pytest.raises(OutcomeUnknownError) as caught,
    ):
        client.orders.create_market(**MARKET)
    assert caught.value.operation == "orders.create_market"
    assert caught.value.client_ids == (ID_2,)


_ORDER = CreateOrder(**ORDER)
_CANCEL_IT = CancelOrder(symbol="BTC", client_order_id=ID)
_EDIT_IT = EditOrder(symbol="BTC", client_order_id=ID, price="1", amount="1")


@pytest.mark.parametrize(
    "actions",
    [
        [_ORDER, CANCEL, _ORDER],
        [_ORDER, _EDIT_IT, _ORDER],
        [_CANCEL_IT, _ORDER, _ORDER],
        [_ORDER, _CANCEL_IT, _ORDER, _ORDER],
    ],
)
def test_two_orders_of_a_batch_have_one_id_only_with_a_cancel_of_it_between(
    client: Client, service: Server, actions: list[Any]
) -> None:
    with pytest.raises(RequestError, match=f"have the same id, {ID}, and no cancel of it stands"):
        client.orders.batch(actions)
    assert service.taken() == []


@pytest.mark.parametrize("actions", [iter([CANCEL]), {CANCEL}, "cancel", None])
def test_actions_that_are_no_list_are_a_type_error(
    client: Client, service: Server, actions: Any
) -> None:
    with pytest.raises(TypeError, match=r"orders\.batch: actions must be a list, not a"):
        client.orders.batch(actions)
    assert service.taken() == []


def test_an_unknown_batch_names_the_id_of_each_action() -> None:
    with (
        Server(cut(b"")) as server,
        Client(server.url, signer=KEY) as client,
        pytest.raises(OutcomeUnknownError) as caught,
    ):
        client.orders.batch([CANCEL, CreateOrder(**ORDER)])
    assert caught.value.client_ids == (None, ID)


def results(*items: dict[str, Any]) -> dict[str, Any]:
    return {"success": True, "data": {"results": list(items)}, "error": None, "code": None}


FAILED = {"success": False, "error": "Order not found"}


def test_a_batch_returns_one_result_per_action_and_some_may_have_failed(
    client: Client, service: Server
) -> None:
    service.will_answer(results({"success": True, "order_id": 7}, FAILED))
    returned = client.orders.batch([CreateOrder(**ORDER), CANCEL])
    assert list(returned) == [
        ActionResult(success=True, order_id=7),
        ActionResult(success=False, error="Order not found"),
    ]
    with pytest.raises(TypeError):
        bool(returned)


@pytest.mark.parametrize("actions", [[], [CANCEL] * 11, [CANCEL, KEY], [CANCEL, None]])
def test_a_wrong_batch_is_refused_before_sending(
    client: Client, service: Server, actions: list[Any]
) -> None:
    with pytest.raises(RequestError, match=r"^orders\.batch: "):
        client.orders.batch(actions)
    assert service.taken() == []


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_batch_with_another_number_of_results_has_an_unknown_outcome(
    client: Client, service: Server, count: int
) -> None:
    service.will_answer(results(*[{"success": True}] * count))
    with pytest.raises(OutcomeUnknownError) as caught:
        client.orders.batch([CreateOrder(**ORDER), CreateMarketOrder(**MARKET)])
    assert caught.value.reason == f"{count} results for 2 actions"
    assert caught.value.client_ids == (ID, ID_2)
    assert isinstance(caught.value.__cause__, DecodeError)


def test_a_batch_with_a_result_that_contradicts_itself_has_an_unknown_outcome(
    client: Client, service: Server
) -> None:
    service.will_answer(results({"success": True, "order_id": 7, "error": "Order not found"}))
    with pytest.raises(OutcomeUnknownError) as caught:
        client.orders.batch([CreateOrder(**ORDER)])
    assert caught.value.reason == "result 0 says success beside an error"
    assert isinstance(caught.value.__cause__, DecodeError)


def test_the_only_action_of_a_batch_returns_its_result(client: Client, service: Server) -> None:
    service.will_answer(results({"success": True, "order_id": 7, "error": None}))
    assert client.orders.create_market(**MARKET) == ActionResult(success=True, order_id=7)


@pytest.mark.parametrize(
    ("result", "words"), [(FAILED, "Order not found"), ({"success": False}, "no reason given")]
)
def test_the_only_action_of_a_batch_raises_its_failure(
    client: Client, service: Server, result: dict[str, Any], words: str
) -> None:
    service.will_answer(results(result))
    with pytest.raises(ApiError) as caught:
        client.orders.cancel(symbol="BTC", order_id=1)
    assert str(caught.value) == f"orders.cancel: 200: {words}"
    assert caught.value.operation == "orders.cancel"


def test_the_failure_of_an_only_action_says_all_that_a_refusal_says(
    client: Client, service: Server
) -> None:
    payload = {**results(FAILED), "message": "of this answer alone"}
    budget = {"ratelimit": '"pool";r=1200;t=32', "Retry-After": "7"}
    service.respond = lambda request: Response(200, budget, json.dumps(payload).encode())
    with pytest.raises(ApiError) as caught:
        client.orders.create_market(**MARKET)

    error = caught.value
    assert (error.status, error.error, error.code) == (200, "Order not found", None)
    assert json.loads(error.body) == payload
    assert error.retry_after == 7
    assert error.rate_budget is not None
    assert error.rate_budget == client.rate_budget
    assert error.rate_budget.resets_in == 32
    assert error.intent is not None
    assert (error.intent.operation, error.intent.client_ids) == ("orders.create_market", (ID_2,))
    (message,) = error.intent.messages
    assert (message.name, message.fields["amount"]) == ("orders.create_market", "1")


def test_the_failure_of_an_only_action_is_reconciled_without_a_look(
    client: Client, service: Server
) -> None:
    service.will_answer(results(FAILED))
    with pytest.raises(ApiError) as caught:
        client.orders.cancel(symbol="BTC", order_id=1)
    service.taken()

    (settled,) = client.reconcile(caught.value)

    assert (settled.operation, settled.state) == ("orders.cancel", "not executed")
    assert service.taken() == []


def test_a_refused_batch_is_a_typed_error(client: Client, service: Server) -> None:
    service.will_answer({"error": "Verification failed", "code": 400}, 400)
    with pytest.raises(AuthenticationError, match="Verification failed") as refused:
        client.orders.batch([CANCEL])
    assert (refused.value.status, refused.value.reason) == (400, "invalid_signature")


# Results


def test_a_result_that_is_awaited_says_that_the_call_was_carried_out(
    client: Client, service: Server
) -> None:
    service.respond = lambda request: response(
        200,
        b'{"success": true, "order_id": 7}'
        if request.path.endswith("create")
        else b'{"success": true, "data": {"results": [{"success": true, "order_id": 8}]}}',
    )

    async def bot() -> list[int | None]:
        # Type checkers flag both.
        placed = await client.orders.create(**ORDER)  # type: ignore[misc]
        (result,) = await client.orders.batch([CreateOrder(**ORDER)])  # type: ignore[misc]
        return [placed.order_id, result.order_id]

    with pytest.warns(RuntimeWarning, match="the call was carried out before") as warned:
        assert asyncio.run(bot()) == [7, 8]

    assert [str(each.message).split()[0] for each in warned] == ["OrderPlaced", "BatchResult"]
    assert {each.filename for each in warned} == {__file__}
    assert len(service.taken()) == 2


# Lists


def paged(request: Received) -> Response:
    """Three pages of one record; each cursor names the next one."""
    at = parse_qs(request.query).get("cursor", ["0"])[0]
    event = {"amount": "1", "balance": at, "symbol": "SOL", "event_type": "x", "created_at": 1}
    following = {"0": "1", "1": "2"}.get(at)
    page = {"success": True, "data": [event], "next_cursor": following, "has_more": bool(following)}
    return response(200, json.dumps(page).encode())


@pytest.mark.parametrize(
    ("cursor", "read", "asked"),
    [(UNSET, [0, 1, 2], [None, "1", "2"]), ("1", [1, 2], ["1", "2"])],
)
def test_a_list_is_walked_from_its_start_or_from_a_saved_cursor(
    client: Client,
    service: Server,
    cursor: str | Unset,
    read: list[int],
    asked: list[str | None],
) -> None:
    service.respond = paged
    events = client.spot.balance_history(limit=1, symbol="SOL", cursor=cursor)
    assert service.taken() == []
    for _ in range(2):
        assert [event.balance for event in events] == read
        queries = [parse_qs(request.query) for request in service.taken()]
        assert [query.get("cursor", [None])[0] for query in queries] == asked
        assert all(query["limit"] == ["1"] and query["symbol"] == ["SOL"] for query in queries)
        assert all(query["account"] == [KEY.address] for query in queries)


def test_a_list_that_fails_on_the_way_keeps_what_was_read(client: Client, service: Server) -> None:
    service.respond = lambda request: (
        response(503, b"busy") if "cursor=2" in request.query else paged(request)
    )
    read = []
    with pytest.raises(InternalServerError):
        for event in client.spot.balance_history():
            read.append(event.balance)
    assert read == [0, 1]


def test_a_list_whose_cursor_comes_back_is_an_error(client: Client, service: Server) -> None:
    service.will_answer({"success": True, "data": [], "next_cursor": "1", "has_more": True})
    with pytest.raises(PaginationError):
        list(client.spot.withdrawal_history(cursor="1"))
    assert len(service.taken()) == 1


# Another service, over another transport


class Ping(BaseClient):
    """A client of a service that has one operation and no API keys."""

    api: ClassVar[Api] = Api(
        title="Ping",
        version="v1",
        operations=[
            Operation(name="net.ping", method="GET", path="/ping", result=Any),
            Operation(name="net.poke", method="POST", path="/poke", signing_type="poke"),
        ],
        api_key_header=None,
    )

    def call(self, name: str) -> Any:
        return self._caller.call(self.api.operations[name])


class Canned:
    """A transport that answers without a network."""

    def __init__(self) -> None:
        self.sent: list[tuple[Request, float]] = []
        self.closed = 0

    def send(self, request: Request, *, timeout: float) -> Response:
        self.sent.append((request, timeout))
        return Response(200, {}, b'{"success":true}')

    def close(self) -> None:
        self.closed += 1


def test_the_runtime_serves_any_service_over_any_transport() -> None:
    transport = Canned()
    with Ping("https://a.b/c/", signer=KEY, timeout=3, transport=transport) as client:
        assert client.call("net.ping") == {"success": True}
        assert client.call("net.poke") is None
    (ping, first), (poke, second) = transport.sent
    assert (ping.method, ping.url, ping.body) == ("GET", "https://a.b/c/ping", None)
    assert (poke.method, poke.url) == ("POST", "https://a.b/c/poke")
    assert ping.headers == {"Accept": "application/json"}
    assert json.loads(poke.body or b"").keys() == {
        *("account", "signature", "timestamp", "expiry_window"),
    }
    # What is left of the timeout of the whole call.
    assert 2 < first <= 3
    assert 2 < second <= 3
    assert transport.closed == 1


def test_a_service_without_api_keys_refuses_one() -> None:
    with pytest.raises(RequestError, match="takes no api_key"):
        Ping("https://a.b", api_key="x")
