"""The exchange: commands in, state out. It knows no HTTP, no clock and no chance.

The time of a command is an argument, in milliseconds; it never runs backwards inside.
"""

from __future__ import annotations

from decimal import Decimal

from trading_sandbox.engine import checks
from trading_sandbox.engine.accounts import Account
from trading_sandbox.engine.commands import (
    Cancel,
    Command,
    Edit,
    OpenAccount,
    OrderRef,
    PlaceLimit,
    PlaceMarket,
    SetMarkPrice,
    TimeInForce,
)
from trading_sandbox.engine.margin import equity, require_margin
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.matching import Matcher
from trading_sandbox.engine.money import ZERO, ceil_to, exact_arithmetic, floor_to
from trading_sandbox.engine.records import Order, OrderType, Refused

FIRST_ORDER_ID = 1_000_001
FIRST_HISTORY_ID = 5_000_001


class Exchange:
    """The state of the markets and accounts."""

    def __init__(self) -> None:
        self.accounts: dict[str, Account] = {}
        self.mark_prices = {symbol: market.first_mark_price for symbol, market in MARKETS.items()}
        self._matcher = Matcher(self.accounts, FIRST_HISTORY_ID)
        self.books = self._matcher.books
        self._next_order_id = FIRST_ORDER_ID
        self._now = 0

    @property
    def fees_collected(self) -> Decimal:
        """All fees that were ever paid. USDC."""
        return self._matcher.fees_collected

    def equity(self, account: str) -> Decimal:
        """Return what an account is worth at the mark prices. USDC."""
        with exact_arithmetic():
            return equity(self._account(account), self.mark_prices)

    def execute(self, command: Command, now: int) -> int | None:
        """Carry out a command; return the id of the order it placed or cancelled.

        Raises:
            Refused: the command is not carried out and nothing has changed.
        """
        self._now = max(now, self._now)
        with exact_arithmetic():
            match command:
                case OpenAccount():
                    self._open_account(command)
                case SetMarkPrice():
                    self._set_mark_price(command)
                case PlaceLimit():
                    return self._place_limit(command)
                case PlaceMarket():
                    return self._place_market(command)
                case Cancel():
                    return self._cancel(command)
                case Edit():
                    return self._edit(command)
        return None

    def _account(self, address: str) -> Account:
        account = self.accounts.get(address)
        if account is None:
            raise Refused(f"Account not found: {address} has no account in this sandbox")
        return account

    def _open_account(self, command: OpenAccount) -> None:
        if command.account in self.accounts:
            raise Refused(f"Account {command.account} exists already")
        checks.check_deposit(command.usdc)
        self.accounts[command.account] = Account(command.account, command.usdc)

    def _set_mark_price(self, command: SetMarkPrice) -> None:
        market = checks.market_of(command.symbol)
        checks.check_price(market, command.price)
        self.mark_prices[market.symbol] = command.price

    def _place_limit(self, command: PlaceLimit) -> int:
        market = checks.market_of(command.symbol)
        checks.check_price(market, command.price)
        checks.check_amount(market, command.amount)
        checks.check_minimum(command.amount * command.price, command.reduce_only)
        return self._place(self._limit_order(command))

    def _place_market(self, command: PlaceMarket) -> int:
        market = checks.market_of(command.symbol)
        checks.check_amount(market, command.amount)
        checks.check_slippage(command.slippage_percent)
        current = self.books[market.symbol].mid_price() or self.mark_prices[market.symbol]
        checks.check_minimum(command.amount * current, command.reduce_only)
        allowed = current * command.slippage_percent / 100
        if command.side == "bid":
            bound = floor_to(current + allowed, market.tick)
        else:
            bound = max(ceil_to(current - allowed, market.tick), market.tick)
        return self._place(self._order(command, order_type="market", tif="IOC", price=bound))

    def _cancel(self, command: Cancel) -> int:
        order = self._open_order(command)
        self._matcher.cancel(order, "cancel", self._now)
        return order.order_id

    def _edit(self, command: Edit) -> int:
        market = checks.market_of(command.symbol)
        checks.check_price(market, command.price)
        checks.check_amount(market, command.amount)
        old = self._open_order(command)
        checks.check_minimum(command.amount * command.price, old.reduce_only)
        renewed = PlaceLimit(
            account=old.account,
            symbol=old.symbol,
            side=old.side,
            price=command.price,
            amount=command.amount,
            tif="ALO",
            reduce_only=old.reduce_only,
            client_order_id=old.client_order_id,
        )
        return self._place(self._limit_order(renewed), replaced=old)

    def _open_order(self, ref: OrderRef) -> Order:
        account = self._account(ref.account)
        if (ref.order_id is None) == (ref.client_order_id is None):
            raise Refused("Exactly one of order_id and client_order_id is needed")
        if ref.order_id is not None:
            order = account.open_orders.get(ref.order_id)
        else:
            order = account.open_by_client_id.get(ref.client_order_id or "")
        if order is None or order.symbol != ref.symbol:
            named = ref.order_id if ref.client_order_id is None else ref.client_order_id
            raise Refused(f"Order not found: {named} is no open {ref.symbol} order of this account")
        return order

    def _limit_order(self, command: PlaceLimit) -> Order:
        price = command.price
        if command.tif == "TOB":
            price = self._top_of_book(command)
        return self._order(command, order_type="limit", tif=command.tif, price=price)

    def _order(
        self,
        command: PlaceLimit | PlaceMarket,
        *,
        order_type: OrderType,
        tif: TimeInForce,
        price: Decimal,
    ) -> Order:
        return Order(
            order_id=self._next_order_id,
            account=command.account,
            symbol=command.symbol,
            side=command.side,
            order_type=order_type,
            tif=tif,
            price=price,
            initial_price=command.price if isinstance(command, PlaceLimit) else price,
            amount=command.amount,
            reduce_only=command.reduce_only,
            client_order_id=command.client_order_id,
            created_at=self._now,
            updated_at=self._now,
        )

    def _top_of_book(self, command: PlaceLimit) -> Decimal:
        """Return the price of a TOB order: one tick inside the touch if it would cross."""
        other = self.books[command.symbol].counterparty(command.side, command.price)
        tick = MARKETS[command.symbol].tick
        if other is None or other.price <= tick:
            return command.price
        return other.price - tick if command.side == "bid" else other.price + tick

    def _place(self, order: Order, replaced: Order | None = None) -> int:
        account = self._account(order.account)
        self._check_place(account, order, replaced)
        if replaced is not None:
            self._matcher.cancel(replaced, "cancel", self._now)
        self._next_order_id += 1
        account.orders.append(order)
        crossing = self.books[order.symbol].counterparty(order.side, order.price) is not None
        if crossing and order.tif in ("ALO", "TOB"):
            order.end("rejected", "post_only_rejected", self._now)
        else:
            self._matcher.match(order, self._now)
            self._matcher.settle(order, self._now)
        return order.order_id

    def _check_place(self, account: Account, order: Order, replaced: Order | None) -> None:
        if order.client_order_id is not None:
            holder = account.open_by_client_id.get(order.client_order_id)
            if holder is not None and holder is not replaced:
                raise Refused(f"Duplicate client_order_id: order {holder.order_id} is open with it")
        if order.reduce_only and not account.position(order.symbol).closable(order.side):
            raise Refused("Reduce-only: there is no position that this order would reduce")
        worst = order.price
        if order.side == "ask":
            worst = max(worst, self.books[order.symbol].best_price("bid") or ZERO)
        require_margin(account, self.mark_prices, order, worst, replaced)
