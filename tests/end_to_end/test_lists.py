"""The five lists and their pages (sections 2.10, 4.7, 4.9, 4.10, 4.11, 4.15 and 8)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest
from attrs import frozen

from tests.end_to_end.trading import Connect, place, trade
from tests.interface import PAGINATED
from trading_sandbox import Sandbox
from trading_sdk import (
    UNSET,
    Client,
    Paginator,
    TimeLike,
    to_datetime,
)

HOUR = 3_600_000


@frozen
class Desk:
    """A sandbox with two clients; the lists are those of the first."""

    sandbox: Sandbox
    client: Client
    other: Client


@frozen
class Case:
    """How one list comes to records, and what tells its records apart."""

    operation: str
    add: Callable[[Desk], object]
    key: Callable[[Any], object]

    def read(self, client: Client, **query: Any) -> Paginator[Any]:
        group, method = self.operation.split(".")
        walk: Paginator[Any] = getattr(getattr(client, group), method)(
            **PAGINATED[self.operation].least, **query
        )
        return walk


def deposit(desk: Desk) -> None:
    desk.sandbox.deposit(desk.client.account_address or "", spot={"SOL": "1"})


CASES = {
    "orders": Case(
        "orders.history",
        lambda desk: place(desk.client, amount="0.001"),
        lambda record: record.order_id,
    ),
    "trades": Case(
        "trades.history",
        lambda desk: trade(desk.client, desk.other, amount="0.001"),
        lambda record: record.history_id,
    ),
    "spot balances": Case(
        "spot.balance_history",
        deposit,
        lambda record: (record.symbol, record.balance),
    ),
    "withdrawals": Case(
        "spot.withdrawal_history",
        lambda desk: desk.client.spot.withdraw(symbol="ETH", amount="0.1"),
        lambda record: record.batch_nonce,
    ),
    "funding": Case(
        "funding.history",
        lambda desk: desk.sandbox.advance(HOUR),
        lambda record: record.created_at,
    ),
}


OF_AN_ACCOUNT = [name for name in CASES if name != "funding"]


def test_every_list_of_the_interface_is_read_here() -> None:
    assert {each.operation for each in CASES.values()} == PAGINATED.keys()


@pytest.fixture(params=list(CASES))
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]


@pytest.fixture
def desk(sandbox: Sandbox, connect: Connect) -> Desk:
    key = sandbox.create_account("1000000", spot={"ETH": "10"})
    return Desk(sandbox, connect(key), connect(sandbox.create_account("1000000")))


def keys(case: Case, desk: Desk, count: int, **query: Any) -> list[object]:
    return [case.key(each) for each in islice(case.read(desk.client, **query), count)]


def test_no_record_is_lost_or_repeated_while_others_arrive(case: Case, desk: Desk) -> None:
    for _ in range(7):
        case.add(desk)
    there = keys(case, desk, 8)

    seen: list[object] = []
    for page in case.read(desk.client, limit=3).pages():
        assert len(page) <= 3
        assert page.has_more == (page.next_cursor is not None)
        seen += map(case.key, page)
        case.add(desk)
        if len(seen) >= 7:
            break

    assert seen[:7] == there[:7]
    assert len(set(seen)) == len(seen)


def test_a_cursor_gives_the_same_page_again_and_a_saved_one_goes_on(case: Case, desk: Desk) -> None:
    for _ in range(5):
        case.add(desk)
    first = next(case.read(desk.client, limit=2).pages())
    assert first.has_more and first.next_cursor
    once = keys(case, desk, 3, limit=3, cursor=first.next_cursor)

    case.add(desk)

    assert keys(case, desk, 3, limit=3, cursor=first.next_cursor) == once
    assert [*map(case.key, first), *once] == keys(case, desk, 6)[1:]


def test_a_job_that_saves_its_cursor_reads_no_list_twice(desk: Desk) -> None:
    for _ in range(3):
        place(desk.client, amount="0.001")
    (_, last) = desk.client.orders.history(limit=2).pages()
    asked = len(desk.sandbox.requests)

    # Type checkers flag it, too: the end of a list is no cursor.
    with pytest.raises(TypeError, match=r"read to its end, .* leave the cursor out"):
        desk.client.orders.history(cursor=last.next_cursor)  # type: ignore[arg-type]
    assert len(desk.sandbox.requests) == asked
    assert len(desk.client.orders.history(cursor=UNSET).to_list()) == 3


@pytest.mark.parametrize("case", OF_AN_ACCOUNT, indirect=True)
def test_the_last_page_says_that_there_is_no_more(case: Case, desk: Desk) -> None:
    for _ in range(4):
        case.add(desk)

    first, *_, last = case.read(desk.client, limit=1).pages()

    assert (first.has_more, last.has_more, last.next_cursor) == (True, False, None)


# -- page sizes ------------------------------------------------------------------------------


# -- filters ---------------------------------------------------------------------------------


def two_markets(sandbox: Sandbox, maker: Client, taker: Client) -> list[int]:
    """Trade in BTC and ETH by turns, a second after each other; return the times."""
    times = []
    sandbox.freeze()
    for number in range(6):
        sandbox.advance(1_000)
        symbol, price, amount = (("BTC", 100_000, "0.01"), ("ETH", 3_500, "1"))[number % 2]
        place(maker, "ask", price, amount, symbol=symbol)
        place(taker, "bid", price, amount, "IOC", symbol=symbol)
        times.append(next(iter(taker.trades.history(limit=1))).created_at)
    return times


def test_trades_are_filtered_by_time_on_every_page(
    sandbox: Sandbox, maker: Client, taker: Client
) -> None:
    times = two_markets(sandbox, maker, taker)

    def between(start: TimeLike | None, end: TimeLike | None) -> list[int]:
        found = taker.trades.history(start_time=start, end_time=end, limit=1)
        return sorted(each.created_at for each in found)

    assert between(times[1], times[4]) == times[1:5]
    assert between(times[3], None) == times[3:]
    assert between(None, times[2]) == times[:3]
    assert between(to_datetime(times[1]), to_datetime(times[4])) == times[1:5]


@pytest.mark.parametrize("case", OF_AN_ACCOUNT, indirect=True)
def test_every_account_has_lists_of_its_own(case: Case, desk: Desk, connect: Connect) -> None:
    case.add(desk)
    own = keys(case, desk, 1)

    stranger = connect(desk.sandbox.create_account())
    assert list(case.read(stranger)) == []
    found = next(iter(case.read(stranger, account=desk.client.account_address)))
    assert [case.key(found)] == own
