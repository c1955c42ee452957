"""Records of lists with the values of a plain one, and a client whose list is what a test says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any, TypeVar

import trading_sdk_observed
from trading_runtime import BadRequestError, Page, Paginator, RateBudget
from trading_sdk import (
    Client,
    Order,
    OrderStatus,
    OrderType,
    Side,
    SpotBalanceEvent,
    SpotWithdrawal,
    Trade,
    TradeCause,
    TradeEventType,
    TradeSide,
)

T = TypeVar("T")
DAY = 86_400_000
NOON = 20_000 * DAY + DAY // 2
PLAIN: Mapping[str, Any] = {
    "symbol": "BTC",
    "side": Side.BID,
    "amount": Decimal("0.1"),
    "price": Decimal(50_000),
    "entry_price": Decimal(50_000),
    "initial_price": Decimal(50_000),
    "average_filled_price": Decimal(0),
    "filled_amount": Decimal(0),
    "cancelled_amount": Decimal(0),
    "balance": Decimal(5),
    "fee": Decimal("0.123456789012345678"),
    "pnl": Decimal(0),
    "funding": Decimal(0),
    "payout": Decimal("0.1"),
    "rate": Decimal("0.01"),
    "event_type": TradeEventType.FULFILL_MAKER,
    "cause": TradeCause.NORMAL,
    "order_type": OrderType.LIMIT,
    "reduce_only": False,
    "isolated": False,
    "batch_nonce": 7,
    "order_id": 1,
    "created_at": NOON,
    "updated_at": NOON,
}


def record(kind: type[T], **changes: Any) -> T:
    """A record of a class of attrs."""
    names = PLAIN.keys() & {*kind.__annotations__}
    return kind(**{**{name: PLAIN[name] for name in names}, **changes})


def event(at: int, amount: str = "1", **changes: Any) -> SpotBalanceEvent:
    given = {"symbol": "SOL", "event_type": "deposit", **changes}
    return record(SpotBalanceEvent, created_at=at, amount=Decimal(amount), **given)


def a_trade(number: int, at: int, **changes: Any) -> Trade:
    ids = {"history_id": number, "order_id": number, "side": TradeSide.OPEN_LONG}
    return record(Trade, created_at=at, **{**ids, **changes})


def an_order(number: int, status: str, changed: int, **changes: Any) -> Order:
    state = {"order_status": OrderStatus(status), "updated_at": changed}
    return record(Order, order_id=number, **{**state, "amount": Decimal(1), **changes})


def withdrawal(amount: str, transaction: str, at: int = NOON) -> SpotWithdrawal:
    values: dict[str, Any] = {"symbol": "SOL", "amount": Decimal(amount), "created_at": at}
    return record(SpotWithdrawal, transaction_id=transaction, **values)


def a_payment(number: int, at: int) -> Any:
    return record(trading_sdk_observed.FundingPayment, history_id=number, created_at=at)


def budget(left: Decimal, quota: int | None = None) -> RateBudget:
    whole = None if quota is None else Decimal(quota)
    return RateBudget(remaining=left, resets_in=32, quota=whole, window=60)


class Listing:
    """A client whose list of one kind is what a test says, two records a page."""

    account_address = "me"
    service_url = rate_class = "https://exchange.example"
    rate_budget: RateBudget | None = None
    clock_skew = 0
    api = Client.api

    def __init__(self, name: str, records: Iterable[Any] = ()) -> None:
        self.records = list(records)
        self.calls: list[tuple[str | None, Any]] = []
        self.sizes: list[int | None] = []
        """The page sizes that were asked for."""

        self.size, self.largest, self.cost = 2, 0, 0
        """The default page, the largest one, and what a page costs for which a size was asked.

        Without a largest page every page has the default size.
        """

        self.fails: dict[str | None, Exception] = {}
        self.refuses = False
        self.answers_from: Callable[[int], int] = lambda since: since
        """From when on it answers if it is asked from a time on."""

        group, _, method = name.partition(".")
        setattr(self, group, self)
        setattr(self, method, self.listed if group == "trades" else self.whole)

    def whole(
        self, account: str = "", symbol: str = "", cursor: str | None = None, limit: int = 0
    ) -> Paginator[Any]:
        return Paginator(partial(self.page, 0, limit=limit), cursor)

    def listed(
        self,
        account: str = "",
        symbol: str = "",
        start_time: int = 0,
        cursor: str | None = None,
        limit: int = 0,
    ) -> Paginator[Any]:
        return Paginator(partial(self.page, start_time, limit=limit), cursor)

    def page(self, since: int, cursor: str | None, limit: int = 0) -> Page[Any]:
        self.calls.append((cursor, since))
        self.sizes.append(limit or None)
        if cursor is None and self.refuses:
            self.fails.clear()
        if cursor in self.fails:
            failure = self.fails[cursor]
            self.refuses = isinstance(failure, BadRequestError)  # as often as it is asked
            if not self.refuses:
                del self.fails[cursor]
            raise failure
        if limit > self.largest > 0:
            raise BadRequestError("trades.history", 400, None, "limit: too large", b"")
        if self.cost:
            left = self.rate_budget.remaining if self.rate_budget else Decimal(10**6)
            self.rate_budget = budget(left - (self.cost if limit else 1))
        found = [each for each in self.records if each.created_at >= self.answers_from(since)]
        start, size = int(cursor or 0), (limit if self.largest else 0) or self.size
        more = start + size < len(found)
        return Page(found[start : start + size], str(start + size) if more else None, more)
