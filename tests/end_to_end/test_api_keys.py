"""API config keys and the rate limits that they select (sections 2.9, 4.18, 5.4; note 16)."""

from __future__ import annotations

import re
from uuid import UUID

import base58
import pytest
import requests

from tests.end_to_end.trading import Connect, place
from tests.interface import OPERATIONS
from trading_sandbox import Sandbox
from trading_sdk import AuthenticationError, BadRequestError, Client, Keypair, RateLimitError

KEY = re.compile(r"([1-9A-HJ-NP-Za-km-z]{8})_([1-9A-HJ-NP-Za-km-z]+)")


def test_a_key_is_a_prefix_and_a_uuid_in_base58(client: Client) -> None:
    created = client.api_keys.create().api_key

    match = KEY.fullmatch(created)
    assert match is not None
    assert UUID(bytes=base58.b58decode(match[2])).version == 4


def test_keys_are_listed_until_they_are_revoked(client: Client) -> None:
    first, second = (client.api_keys.create().api_key for _ in range(2))
    assert client.api_keys.list() == {"api_keys": [first, second]}

    revoked = client.api_keys.revoke(api_key=first)

    assert revoked is not None and revoked.api_key == first
    assert first not in repr(revoked)
    assert client.api_keys.list() == {"api_keys": [second]}


def test_every_account_has_keys_of_its_own(maker: Client, taker: Client) -> None:
    made = maker.api_keys.create().api_key

    assert taker.api_keys.list() == {"api_keys": []}
    assert taker.api_keys.create().api_key != made


def test_an_account_has_five_keys_at_most(client: Client) -> None:
    keys = [client.api_keys.create().api_key for _ in range(5)]

    with pytest.raises(BadRequestError, match="at most 5"):
        client.api_keys.create()

    client.api_keys.revoke(api_key=keys[0])
    client.api_keys.create()


def test_only_a_key_of_ones_own_can_be_revoked(maker: Client, taker: Client) -> None:
    made = maker.api_keys.create().api_key

    with pytest.raises(BadRequestError, match="API key not found"):
        taker.api_keys.revoke(api_key=made)

    assert maker.api_keys.list() == {"api_keys": [made]}


def test_an_agent_cannot_manage_keys(sandbox: Sandbox, connect: Connect) -> None:
    owner, agent = sandbox.create_account(), Keypair.generate()
    key = connect(owner).api_keys.create().api_key
    sandbox.bind_agent(owner, agent)
    acting = connect(agent, account=owner.address)

    for call in (
        acting.api_keys.create,
        acting.api_keys.list,
        lambda: acting.api_keys.revoke(api_key=key),
    ):
        with pytest.raises(AuthenticationError, match="agent wallet cannot manage API keys"):
            call()


# -- the header ------------------------------------------------------------------------------


def test_the_key_goes_with_every_request(sandbox: Sandbox, connect: Connect) -> None:
    key = sandbox.create_account()
    created = connect(key).api_keys.create().api_key
    with_key = connect(key, api_key=created)

    place(with_key)
    list(with_key.orders.history())

    assert [each.headers["pf-api-key"] for each in sandbox.requests[-2:]] == [created, created]


def test_a_key_that_nobody_has_is_refused(connect: Connect) -> None:
    with pytest.raises(AuthenticationError, match="unknown API key"):
        list(connect(api_key="12345678_unknown").funding.history(symbol="BTC"))


def test_a_revoked_key_is_refused(sandbox: Sandbox, connect: Connect) -> None:
    key = sandbox.create_account()
    created = connect(key).api_keys.create().api_key
    with_key = connect(key, api_key=created)
    connect(key).api_keys.revoke(api_key=created)

    with pytest.raises(AuthenticationError, match="unknown API key"):
        with_key.account.settings()


# -- rate limits -----------------------------------------------------------------------------


@pytest.mark.off_contract
def test_beyond_the_limit_requests_are_refused(sandbox: Sandbox, client: Client) -> None:
    sandbox.set_rate_limit("2", window_s=600)
    place(client)
    place(client)

    with pytest.raises(RateLimitError, match="Rate limit exceeded") as refused:
        place(client)

    assert refused.value.status == 429
    sandbox.set_rate_limit(None)
    assert len(list(client.orders.history())) == 2


@pytest.mark.off_contract
def test_a_key_is_a_class_of_its_own_with_the_same_limit(
    sandbox: Sandbox, connect: Connect
) -> None:
    key = sandbox.create_account()
    without = connect(key)
    with_key = connect(key, api_key=without.api_keys.create().api_key)
    sandbox.set_rate_limit("1", window_s=600)

    for client in (without, with_key):
        place(client)
        with pytest.raises(RateLimitError):
            place(client)


@pytest.mark.off_contract
def test_a_cancel_costs_half_and_a_long_page_more(sandbox: Sandbox, client: Client) -> None:
    stops = [
        client.orders.create_stop(
            symbol="BTC",
            side="bid",
            reduce_only=False,
            stop_order={"stop_price": "110000", "amount": "0.1"},
        ).order_id
        for _ in range(2)
    ]
    sandbox.set_rate_limit("1", window_s=600)
    for order_id in stops:
        client.orders.cancel_stop(symbol="BTC", order_id=order_id)
    with pytest.raises(RateLimitError):
        client.account.settings()

    sandbox.set_rate_limit("4.5", window_s=600)
    with pytest.raises(RateLimitError):
        list(client.orders.history(limit=1000))
    list(client.orders.history(limit=100))


def test_every_answer_tells_the_budget(sandbox: Sandbox, url: str) -> None:
    sandbox.set_rate_limit("125", window_s=60)

    answer = requests.get(
        url + OPERATIONS["funding.history"].path, params={"symbol": "BTC"}, timeout=10
    )

    assert answer.headers["ratelimit-policy"] == '"credits";q=1250;w=60'
    assert re.fullmatch(r'"credits";r=1240;t=(60|59)', answer.headers["ratelimit"])
