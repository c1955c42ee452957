"""What the client makes of the clock of the service, and what time it signs with.

spec/vectors/outcome/{skew,server-clock,local-clock}-* say what is told and signed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from attrs import evolve

from tests.doubles.calls import SETTINGS, create
from tests.doubles.clock import VirtualTime
from tests.doubles.orders import HERE
from tests.doubles.signer import KEY
from tests.doubles.transport import LOST, Answer, ScriptedTransport, no, ok, refusal, response
from trading_runtime.client.client import BaseClient
from trading_runtime.errors import AuthenticationError, NotSentError, RequestError
from trading_runtime.http.transport import Request, Response
from trading_runtime.operation import Api
from trading_sdk import Client, Retry
from trading_sdk.operations import FUNDING_HISTORY

ONCE = Retry(max_attempts=1)


@pytest.fixture
def time() -> Iterator[VirtualTime]:
    with VirtualTime().ruling() as time:
        yield time


def made(time: VirtualTime, *script: Answer, kind: type[Client] = Client, **options: Any) -> Client:
    """A client of a service that dates its answers by its clock."""

    def dated(answer: Answer) -> Answer:
        def play(request: Request) -> Any:
            found: Any = answer(request) if callable(answer) else answer
            if isinstance(found, Response) and "Date" not in found.headers:
                return evolve(found, headers={**found.headers, "Date": time.date()})
            return found

        return play

    transport = ScriptedTransport(*[dated(each) for each in script])
    return time.hold(kind(HERE, signer=KEY, transport=transport, **options))


def sent(client: Client) -> list[Request]:
    transport: Any = client._caller.transport
    found: list[Request] = transport.sent
    return found


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (response(200, SETTINGS, Date=""), "its answer has no Date"),
        (no(503), "account.settings: 503"),
        (LOST, "account.settings: no complete answer"),
    ],
)
def test_without_the_services_time_nothing_is_signed_by_its_clock(
    time: VirtualTime, answer: Answer, says: str
) -> None:
    with made(time, answer, clock="server", retry=ONCE) as client:
        with pytest.raises(NotSentError, match="did not tell the service's time") as caught:
            create(client)
        told = f"account.settings did not tell the service's time: {says}"
        assert caught.value.reason.startswith(told)
        assert caught.value.operation == "orders.create"
        assert len(sent(client)) == 1


def test_a_service_without_a_read_of_one_object_has_no_clock_to_sign_by() -> None:
    class Lists(BaseClient):
        api = Api(title="", version="1", operations=[FUNDING_HISTORY], api_key_header=None)

    words = "^clock='server': this service has no read that could tell its time$"
    with pytest.raises(RequestError, match=words):
        Lists(HERE, clock="server")


def test_a_message_that_expired_is_not_signed_again_by_either_clock(time: VirtualTime) -> None:
    def set_meanwhile(_: Request) -> Response:
        time.service = 60_000
        return refusal(401, "Message expired")

    with made(time, ok(SETTINGS), set_meanwhile, ok({"order_id": 1}), clock="server") as client:
        with pytest.raises(AuthenticationError):
            create(client)
        assert len(sent(client)) == 2
        create(client)
