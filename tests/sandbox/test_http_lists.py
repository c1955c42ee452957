"""Lists: order, limits, cursors that stay valid, filters that are kept."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.interface import OPERATIONS
from tests.sandbox.raw import RawClient, refusal
from trading_sandbox import Sandbox

ORDERS = OPERATIONS["orders.history"].path
TRADES = OPERATIONS["trades.history"].path
FUNDING = OPERATIONS["funding.history"].path
BALANCES = OPERATIONS["spot.balance_history"].path
WITHDRAWALS = OPERATIONS["spot.withdrawal_history"].path
HOUR = 3_600_000


def page(client: RawClient, path: str, **query: Any) -> dict[str, Any]:
    response = client.get(path, **{"account": client.address, **query})
    assert response.status_code == 200, response.text
    return dict(response.json())


def refused(client: RawClient, path: str, **query: Any) -> str:
    return refusal(client.get(path, **{"account": client.address, **query}))


def place(client: RawClient, count: int) -> None:
    for _ in range(count):
        assert client.create().status_code == 200


@pytest.fixture
def holder(sandbox: Sandbox) -> RawClient:
    return RawClient.of(sandbox, SOL="5", ETH="3")


def record_orders(sandbox: Sandbox, user: RawClient, symbol: str = "SOL") -> None:
    assert user.create(symbol=symbol, price="50", amount="1").status_code == 200


def record_trades(sandbox: Sandbox, user: RawClient, symbol: str = "SOL") -> None:
    maker = RawClient.of(sandbox)
    market = {"symbol": symbol, "price": "150", "amount": "0.1"}
    assert maker.create(side="ask", **market).status_code == 200
    assert user.create(side="bid", tif="IOC", **market).status_code == 200


def record_withdrawals(sandbox: Sandbox, user: RawClient, symbol: str = "SOL") -> None:
    assert user.call("spot.withdraw", symbol=symbol, amount="0.01").status_code == 200


LISTS: list[tuple[str, Callable[[Sandbox, RawClient], None], str]] = [
    (ORDERS, record_orders, "order_id"),
    (TRADES, record_trades, "history_id"),
    (BALANCES, record_withdrawals, "balance"),
    (WITHDRAWALS, record_withdrawals, "batch_nonce"),
]


# -- pages ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "record", "key"), LISTS)
def test_every_list_pages_newest_first_without_loss_or_repetition_while_records_arrive(
    sandbox: Sandbox,
    holder: RawClient,
    path: str,
    record: Callable[[Sandbox, RawClient], None],
    key: str,
) -> None:
    for _ in range(7):
        record(sandbox, holder)
    whole = page(holder, path)["data"]
    seen: list[Any] = []
    query: dict[str, Any] = {"limit": 3}
    while True:
        answer = page(holder, path, **query)
        # The same cursor gives the same page again.
        record(sandbox, holder)
        assert "cursor" not in query or page(holder, path, **query) == answer
        seen += answer["data"]
        if not answer["has_more"]:
            break
        query["cursor"] = answer["next_cursor"]
    assert seen == whole
    assert answer["next_cursor"] is None
    assert len({item[key] for item in seen}) == len(whole) >= 7
    if path in (ORDERS, TRADES):
        assert seen == sorted(seen, key=lambda item: -item[key])


def test_the_largest_page_holds_4000_records(raw: RawClient) -> None:
    largest = page(raw, FUNDING, symbol="ETH", limit=4000)
    times = [item["created_at"] for item in largest["data"]]
    assert times == [times[0] - HOUR * number for number in range(4000)]
    assert largest["has_more"]
    assert "4000" in refused(raw, FUNDING, symbol="BTC", limit=4001)
    # A limit beyond the largest page of the other lists is that page.
    place(raw, 2)
    assert len(page(raw, ORDERS, limit=10**9)["data"]) == 2


@pytest.mark.parametrize("limit", ["0", "-1", "1.5", "", " 5", "1_0", "٣"])
@pytest.mark.parametrize("path", [ORDERS, FUNDING])
def test_a_limit_that_is_no_number_of_records_is_refused(
    raw: RawClient, path: str, limit: str
) -> None:
    assert "limit" in refused(raw, path, symbol="BTC", limit=limit)


# -- filters -------------------------------------------------------------------------------------


def test_filters_are_kept_over_the_pages(sandbox: Sandbox, holder: RawClient) -> None:
    for symbol in ("SOL", "ETH") * 4:
        record_trades(sandbox, holder, symbol)
    filters: dict[str, Any] = {"symbol": "SOL", "start_time": 1}
    first = page(holder, TRADES, limit=3, **filters)
    cursor = first["next_cursor"]
    last = page(holder, TRADES, cursor=cursor)
    assert last == page(holder, TRADES, cursor=cursor, **filters)
    assert [item["symbol"] for item in first["data"] + last["data"]] == ["SOL"] * 4
    assert "another symbol" in refused(holder, TRADES, cursor=cursor, symbol="BTC")


@pytest.mark.parametrize(
    ("path", "query", "words"),
    [
        (ORDERS, {"account": None}, "account"),
        (ORDERS, {"account": "nonsense"}, "Invalid public key"),
        (FUNDING, {}, "symbol"),
        (FUNDING, {"symbol": "DOGE"}, "Unknown symbol"),
        (FUNDING, {"symbol": ["BTC", "ETH"]}, "symbol: given twice"),
        (TRADES, {"start_time": "yesterday"}, "start_time"),
        (TRADES, {"symbol": "DOGE"}, "Unknown symbol"),
        (BALANCES, {"symbol": "DOGE"}, "Unknown"),
        (WITHDRAWALS, {"account": "nonsense"}, "Invalid public key"),
    ],
)
def test_a_wrong_query_is_refused_naming_the_parameter(
    raw: RawClient, path: str, query: dict[str, Any], words: str
) -> None:
    assert words in refused(raw, path, **query)


# -- cursors -------------------------------------------------------------------------------------


def test_a_cursor_of_another_account_or_list_is_refused(raw: RawClient) -> None:
    place(raw, 2)
    cursor = page(raw, ORDERS, limit=1)["next_cursor"]
    assert "another account" in refused(RawClient(raw.url), ORDERS, cursor=cursor)
    for path in (TRADES, BALANCES, WITHDRAWALS, FUNDING):
        assert "cursor" in refused(raw, path, symbol="BTC", cursor=cursor)


def made_up(
    position: object, of_list: str = "trades.history", **filters: Any
) -> Callable[[RawClient], str]:
    """A cursor as it would be of a list, with these values."""

    def of(client: RawClient) -> str:
        parts = [of_list, {"account": client.address, **filters}, position]
        text = json.dumps(parts, separators=(",", ":")).encode()
        return base64.urlsafe_b64encode(text).rstrip(b"=").decode()

    return of


def test_a_cursor_with_a_filter_that_the_list_lacks_is_refused(raw: RawClient) -> None:
    for name, value in (("symbol", [1]), ("symbol", "BTC"), ("start_time", 2**64)):
        cursor = made_up(1, "orders.history", **{name: value})(raw)
        assert "not a parameter of this operation" in refused(raw, ORDERS, cursor=cursor)


@pytest.mark.parametrize(
    "cursor",
    [
        *("", "abc", "W10", "AAAA", "!", "é", "x" * 5000, "bnVsbA", "WzEsMiwzXQ", "W1tdLHt9LDFd"),
        *(made_up(2**63), made_up(-1), made_up(True), made_up(1, symbol=[1])),
        *(made_up(1, symbol="\ud800"), made_up(1, symbol="DOGE"), made_up(1, start_time=2**64)),
    ],
)
def test_a_cursor_that_was_never_handed_out_is_refused(
    raw: RawClient, cursor: str | Callable[[RawClient], str]
) -> None:
    given = cursor if isinstance(cursor, str) else cursor(raw)
    assert refused(raw, TRADES, cursor=given)
