"""Lists: order, limits, cursors that stay valid, filters that are kept."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.interface import OPERATIONS
from tests.sandbox.raw import RawClient
from trading_sandbox import Sandbox

ORDERS = OPERATIONS["orders.history"].path
TRADES = OPERATIONS["trades.history"].path
FUNDING = OPERATIONS["funding.history"].path
BALANCES = OPERATIONS["spot.balance_history"].path
WITHDRAWALS = OPERATIONS["spot.withdrawal_history"].path
HOUR = 3_600_000


def page(client: RawClient, path: str, **query: Any) -> dict[str, Any]:
    response = client.get(path, **query)
    assert response.status_code == 200, response.text
    return dict(response.json())


def refusal(client: RawClient, path: str, **query: Any) -> str:
    response = client.get(path, **query)
    assert response.status_code == 400
    answer = response.json()
    assert answer == {"success": False, "data": None, "error": answer["error"], "code": 400}
    return str(answer["error"])


def place(client: RawClient, count: int) -> None:
    for _ in range(count):
        assert client.create().status_code == 200


def traded(sandbox: Sandbox) -> RawClient:
    """An account with eight trades, alternately in two markets."""
    maker = RawClient(sandbox.url, sandbox.create_account().export_base58())
    taker = RawClient(sandbox.url, sandbox.create_account().export_base58())
    for number in range(8):
        market = {"symbol": ("BTC", "SOL")[number % 2], "amount": ("0.01", "1")[number % 2]}
        price = str(100 + number) if number % 2 else str(100_000 + number)
        maker.create(side="ask", price=price, **market)
        taker.create(side="bid", price=price, tif="IOC", **market)
    return taker


def test_pages_are_newest_first_and_lose_or_repeat_nothing_while_records_arrive(
    raw: RawClient,
) -> None:
    place(raw, 7)
    seen: list[int] = []
    query: dict[str, Any] = {"account": raw.address, "limit": 3}
    while True:
        answer = page(raw, ORDERS, **query)
        seen += [order["order_id"] for order in answer["data"]]
        place(raw, 2)
        if not answer["has_more"]:
            break
        query["cursor"] = answer["next_cursor"]
    assert len(seen) == 7
    assert seen == sorted(seen, reverse=True)
    assert answer["next_cursor"] is None
    assert len(page(raw, ORDERS, account=raw.address)["data"]) == 7 + 2 * 3


def test_a_page_that_ends_with_the_list_has_no_more(raw: RawClient) -> None:
    place(raw, 4)
    first = page(raw, ORDERS, account=raw.address, limit=2)
    last = page(raw, ORDERS, account=raw.address, limit=2, cursor=first["next_cursor"])
    assert (first["has_more"], last["has_more"], last["next_cursor"]) == (True, False, None)


def test_the_same_cursor_gives_the_same_page_again(raw: RawClient) -> None:
    place(raw, 5)
    cursor = page(raw, ORDERS, account=raw.address, limit=1)["next_cursor"]
    once = page(raw, ORDERS, account=raw.address, limit=2, cursor=cursor)
    place(raw, 1)
    assert page(raw, ORDERS, account=raw.address, limit=2, cursor=cursor) == once


def test_an_account_that_nobody_knows_has_empty_lists(shared: Sandbox) -> None:
    stranger = RawClient(shared.url)
    for path in (ORDERS, TRADES, BALANCES, WITHDRAWALS):
        assert page(stranger, path, account=stranger.address)["data"] == []


def test_the_default_page_holds_100_records_and_the_largest_4000(raw: RawClient) -> None:
    assert len(page(raw, FUNDING, symbol="BTC")["data"]) == 100
    whole = page(raw, FUNDING, symbol="BTC", limit=4000)
    assert len(whole["data"]) == 4000
    assert whole["has_more"]
    assert "4000" in refusal(raw, FUNDING, symbol="BTC", limit=4001)


@pytest.mark.parametrize("limit", ["0", "-1", "1.5", "ten", "", " 5", "1_0", "9" * 30, "٣"])
@pytest.mark.parametrize("path", [ORDERS, TRADES, BALANCES, WITHDRAWALS, FUNDING])
def test_a_limit_that_is_no_number_of_records_is_refused(
    raw: RawClient, path: str, limit: str
) -> None:
    assert "limit" in refusal(raw, path, symbol="BTC", account=raw.address, limit=limit)


def test_the_funding_history_pages_back_without_a_gap(raw: RawClient) -> None:
    times: list[int] = []
    query: dict[str, Any] = {"symbol": "ETH", "limit": 40}
    for _ in range(3):
        answer = page(raw, FUNDING, **query)
        times += [record["created_at"] for record in answer["data"]]
        query["cursor"] = answer["next_cursor"]
    assert times == [times[0] - 3_600_000 * hour for hour in range(120)]


def test_trades_are_filtered_by_symbol_and_time(sandbox: Sandbox) -> None:
    taker = traded(sandbox)
    everything = page(taker, TRADES, account=taker.address)["data"]
    assert len(everything) == 8
    sol = page(taker, TRADES, account=taker.address, symbol="SOL")["data"]
    assert sol == [trade for trade in everything if trade["symbol"] == "SOL"]
    start, end = everything[5]["created_at"], everything[2]["created_at"]
    span = page(taker, TRADES, account=taker.address, start_time=start, end_time=end)["data"]
    assert span == [trade for trade in everything if start <= trade["created_at"] <= end]


@pytest.mark.parametrize("repeated", [False, True])
def test_filters_are_kept_over_the_pages(sandbox: Sandbox, repeated: bool) -> None:
    taker = traded(sandbox)
    filters = {"symbol": "SOL", "start_time": 1}
    first = page(taker, TRADES, account=taker.address, limit=3, **filters)
    assert first["has_more"]
    again = filters if repeated else {}
    last = page(taker, TRADES, account=taker.address, cursor=first["next_cursor"], **again)
    assert [trade["symbol"] for trade in first["data"] + last["data"]] == ["SOL"] * 4
    other = {"account": taker.address, "cursor": first["next_cursor"], "symbol": "BTC"}
    assert "another symbol" in refusal(taker, TRADES, **other)


def test_a_cursor_of_another_account_or_list_is_refused(raw: RawClient, shared: Sandbox) -> None:
    place(raw, 2)
    cursor = page(raw, ORDERS, account=raw.address, limit=1)["next_cursor"]
    stranger = RawClient(shared.url)
    assert "another account" in refusal(stranger, ORDERS, account=stranger.address, cursor=cursor)
    for path in (TRADES, BALANCES, WITHDRAWALS):
        assert "cursor" in refusal(raw, path, account=raw.address, cursor=cursor)
    assert "cursor" in refusal(raw, FUNDING, symbol="BTC", cursor=cursor)


def record_orders(sandbox: Sandbox, user: RawClient) -> None:
    assert user.create(symbol="SOL", price="50", amount="1").status_code == 200


def record_trades(sandbox: Sandbox, user: RawClient) -> None:
    maker = RawClient(sandbox.url, sandbox.create_account().export_base58())
    market = {"symbol": "SOL", "price": "150", "amount": "0.1"}
    assert maker.create(side="ask", **market).status_code == 200
    assert user.create(side="bid", tif="IOC", **market).status_code == 200


def record_withdrawals(sandbox: Sandbox, user: RawClient) -> None:
    assert user.call("spot.withdraw", symbol="SOL", amount="0.01").status_code == 200


def record_fundings(sandbox: Sandbox, user: RawClient) -> None:
    sandbox.advance(HOUR)


LISTS: list[tuple[str, Callable[[Sandbox, RawClient], None], str]] = [
    (ORDERS, record_orders, "order_id"),
    (TRADES, record_trades, "history_id"),
    (BALANCES, record_withdrawals, "balance"),
    (WITHDRAWALS, record_withdrawals, "batch_nonce"),
]


@pytest.mark.parametrize("size", [1, 3, 7])
@pytest.mark.parametrize(("path", "record", "key"), LISTS)
def test_every_list_pages_without_loss_or_repetition_while_records_arrive(
    sandbox: Sandbox,
    path: str,
    record: Callable[[Sandbox, RawClient], None],
    key: str,
    size: int,
) -> None:
    user = RawClient(sandbox.url, sandbox.create_account(spot={"SOL": "5"}).export_base58())
    for _ in range(7):
        record(sandbox, user)
    whole = page(user, path, account=user.address)["data"]
    seen: list[Any] = []
    query: dict[str, Any] = {"account": user.address, "limit": size}
    while True:
        answer = page(user, path, **query)
        seen += answer["data"]
        record(sandbox, user)
        if not answer["has_more"]:
            break
        query = {**query, "cursor": answer["next_cursor"]}
    assert seen == whole
    assert len({item[key] for item in seen}) == len(whole) >= 7


@pytest.mark.parametrize("size", [1, 3, 50])
def test_fundings_page_from_the_settled_ones_into_those_of_before_the_opening(
    sandbox: Sandbox, size: int
) -> None:
    user = RawClient(sandbox.url)
    for _ in range(4):
        record_fundings(sandbox, user)
    seen: list[int] = []
    query: dict[str, Any] = {"symbol": "SOL", "limit": size}
    while len(seen) < 9:
        answer = page(user, FUNDING, **query)
        assert answer["has_more"]
        seen += [item["created_at"] for item in answer["data"]]
        record_fundings(sandbox, user)
        query = {**query, "cursor": answer["next_cursor"]}
    assert seen == [seen[0] - HOUR * number for number in range(len(seen))]


def test_the_funding_history_ends_where_it_began(raw: RawClient) -> None:
    query: dict[str, Any] = {"symbol": "ETH", "limit": 4000}
    times: list[int] = []
    while True:
        answer = page(raw, FUNDING, **query)
        times += [item["created_at"] for item in answer["data"]]
        if not answer["has_more"]:
            break
        query["cursor"] = answer["next_cursor"]
    assert answer["next_cursor"] is None
    assert times == [times[0] - HOUR * number for number in range(len(times))]
    assert len(times) > 10_000


def test_spot_balances_are_filtered_by_asset_over_all_pages(shared: Sandbox) -> None:
    key = shared.create_account(spot={"SOL": "5", "ETH": "3"})
    user = RawClient(shared.url, key.export_base58())
    for symbol in ("SOL", "ETH", "SOL", "ETH"):
        assert user.call("spot.withdraw", symbol=symbol, amount="1").status_code == 200
    first = page(user, BALANCES, account=user.address, symbol="ETH", limit=2)
    last = page(user, BALANCES, account=user.address, cursor=first["next_cursor"])
    events = [(e["symbol"], e["amount"]) for e in first["data"] + last["data"]]
    assert events == [("ETH", "-1"), ("ETH", "-1"), ("ETH", "3")]
    other = {"account": user.address, "symbol": "SOL", "cursor": first["next_cursor"]}
    assert "another symbol" in refusal(user, BALANCES, **other)


def test_a_limit_beyond_the_largest_page_is_that_page(raw: RawClient) -> None:
    place(raw, 2)
    answer = page(raw, ORDERS, account=raw.address, limit=10**9)
    assert (len(answer["data"]), answer["has_more"]) == (2, False)


@pytest.mark.parametrize(
    "cursor",
    ["", "abc", "W10", "AAAA", "!", "é", "x" * 5000, "bnVsbA", "WzEsMiwzXQ", "W1tdLHt9LDFd"],
)
def test_a_cursor_that_was_never_handed_out_is_refused(raw: RawClient, cursor: str) -> None:
    assert "cursor" in refusal(raw, ORDERS, account=raw.address, cursor=cursor)


@pytest.mark.parametrize(
    ("filters", "position"),
    [
        ({}, 2**63),
        ({}, -1),
        ({}, True),
        ({"symbol": [1]}, 1),
        ({"symbol": "\ud800"}, 1),
        ({"symbol": "DOGE"}, 1),
        ({"start_time": 2**64}, 1),
    ],
)
def test_a_cursor_that_somebody_made_up_is_refused(
    raw: RawClient, filters: dict[str, Any], position: int
) -> None:
    parts = ["trades.history", {"account": raw.address, **filters}, position]
    text = json.dumps(parts, separators=(",", ":")).encode()
    made_up = base64.urlsafe_b64encode(text).rstrip(b"=").decode()
    assert raw.get(TRADES, account=raw.address, cursor=made_up).status_code == 400


def test_a_changed_cursor_is_refused_or_leads_to_a_page_of_the_same_list(raw: RawClient) -> None:
    place(raw, 3)
    cursor = page(raw, ORDERS, account=raw.address, limit=1)["next_cursor"]
    for index in range(len(cursor)):
        changed = cursor[:index] + ("A" if cursor[index] != "A" else "B") + cursor[index + 1 :]
        status = raw.get(ORDERS, account=raw.address, cursor=changed).status_code
        assert status in (200, 400)


@pytest.mark.parametrize(
    ("path", "query", "words"),
    [
        (ORDERS, {}, "account"),
        (ORDERS, {"account": "nonsense"}, "Invalid public key"),
        (FUNDING, {}, "symbol"),
        (FUNDING, {"symbol": "DOGE"}, "Unknown symbol"),
        (FUNDING, {"symbol": ["BTC", "ETH"]}, "symbol: given twice"),
        (TRADES, {"account": "1" * 32, "start_time": "yesterday"}, "start_time"),
        (TRADES, {"account": "1" * 32, "symbol": "DOGE"}, "Unknown symbol"),
        (BALANCES, {"account": "1" * 32, "symbol": "DOGE"}, "Unknown"),
        (WITHDRAWALS, {"account": "nonsense"}, "Invalid public key"),
    ],
)
def test_a_wrong_query_is_refused_naming_the_parameter(
    raw: RawClient, path: str, query: dict[str, Any], words: str
) -> None:
    assert words in refusal(raw, path, **query)


def test_an_unknown_parameter_is_ignored(raw: RawClient) -> None:
    assert page(raw, ORDERS, account=raw.address, colour="blue")["data"] == []
