"""`client.with_options(...)`: the same client with other options."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import cast

import pytest

from tests.doubles.calls import SETTINGS, create, settings
from tests.doubles.clock import VirtualTime
from tests.doubles.orders import HERE, order
from tests.doubles.server import Server
from tests.doubles.signer import KEY
from tests.doubles.transport import LOST, NOT_SENT, ScriptedTransport, ok, response, scripted
from trading_sdk import Client, NotSentError, OutcomeUnknownError, RequestError, Retry

BUDGET = {"ratelimit": '"credits";r=1200;t=32'}
GOOD = ok(SETTINGS)


def test_each_option_holds_for_the_new_client_alone() -> None:
    ids = count(1)
    transport = ScriptedTransport(then=lambda _: ok({"order_id": next(ids)}))
    with Client(HERE, signer=KEY, api_key="first", transport=transport) as client:
        create_one(client)  # its groups are made by now, and must not be taken over
        for other in (
            client.with_options(expiry_window=1_000),
            client.with_options(api_key="second"),
            client.with_options(api_key=None),
            client.with_options(api_key="second").with_options(expiry_window=2_000),
            client,
        ):
            create_one(other)

    keys = [each.headers.get("PF-API-KEY") for each in transport.sent]
    assert keys == ["first", "first", "second", None, "second", "first"]
    windows = [each["expiry_window"] for each in transport.bodies]
    assert windows == [30_000, 1_000, 30_000, 30_000, 2_000, 30_000]


def create_one(client: Client) -> object:
    return client.orders.create(**order())


# -- what the two share --------------------------------------------------------------------------


def test_the_retries_that_either_spends_count_for_both() -> None:
    policy = Retry(max_attempts=2, base_delay=0, quota=2)
    with scripted(*[NOT_SENT] * 9, retry=policy) as client:
        VirtualTime().hold(client)
        other = client.with_options(timeout=5)
        script = cast(ScriptedTransport, client._caller.transport)
        for each, attempts in ((client, 2), (other, 4), (client, 5), (other, 6)):
            with pytest.raises(NotSentError):
                create(each)
            assert len(script.sent) == attempts
        none = client.with_options(retry=Retry(max_attempts=2, base_delay=0, quota=3))
        with pytest.raises(NotSentError):
            create(none)
        assert len(script.sent) == 8, "a larger quota allows one more, of those that are left"


def test_the_journal_is_of_both(tmp_path: Path) -> None:
    with scripted(LOST, journal=tmp_path / "journal") as client:
        other = client.with_options(timeout=5)
        with pytest.raises(OutcomeUnknownError) as caught:
            create(other)
        assert [each.intent for each in client.unsettled()] == [caught.value.intent]
        other.acknowledge(caught.value)
        assert client.unsettled() == []


def test_what_either_learns_of_clock_and_rate_limit_both_know() -> None:
    dated = {"Date": "Thu, 01 Jan 2099 00:00:00 GMT", **BUDGET}
    with scripted(response(200, SETTINGS, **dated)) as client:
        settings(client.with_options(timeout=5))
        assert client.rate_budget is not None
        assert client.clock_skew is not None


def test_one_connection_serves_both_which_the_first_client_alone_closes(service: Server) -> None:
    service.respond = lambda _: GOOD
    client = Client(service.url, signer=KEY)
    with client.with_options(timeout=5) as other:
        settings(other)
    settings(other)
    settings(client)
    assert service.connections == 1
    client.close()
    for each in (client, other):
        with pytest.raises(RequestError, match="the client is closed: make another one"):
            settings(each)


# -- what kind of client it is ------------------------------------------------------------------


def test_clients_of_one_service_and_key_share_a_rate_class_which_tells_no_key() -> None:
    with scripted() as client, scripted() as same, scripted(api_key="secret") as keyed:
        assert client.rate_class == same.rate_class == client.with_options(timeout=1).rate_class
        assert client.with_options(api_key="secret").rate_class == keyed.rate_class
        assert keyed.with_options(api_key="other").rate_class != keyed.rate_class
        assert len({client.rate_class, keyed.rate_class}) == 2
        assert "secret" not in keyed.rate_class
