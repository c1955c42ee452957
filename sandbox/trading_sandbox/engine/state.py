"""The state of the exchange, as plain data that the store writes and reads back.

Fields with `init=False` are derived from the others and are not written.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import attrs

from trading_sandbox.engine.commands import SIDES, ForceOutcome, Side
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.money import ROUNDING, ZERO, divide
from trading_sandbox.engine.records import ApiKey, Order

FIRST_ORDER_ID = 1_000_001
FIRST_HISTORY_ID = 5_000_001
ID_COUNTERS = ("next_order_id", "next_history_id", "next_event_id", "next_batch_nonce", "li")
"""The counters of `State`, from which new ids come; they never run backwards."""


# These are not valid addresses, so no request can name a house account.
MAKER = "maker"
"""The house account of the background maker."""
BACKSTOP = "backstop"
"""The house account that takes over liquidated positions; it is the insurance fund."""
FUNDS = Decimal(1_000_000_000)
"""Opening balance of each house account. USDC."""


@attrs.define
class Holding:
    """The position of an account in one market.

    It stores its cost and not an average price, so that rounding loses nothing: the sum of all
    balances, less the cost of all positions, plus all fees, equals the deposits.
    """

    size: Decimal = ZERO
    """Positive when long, negative when short. Tokens."""
    cost: Decimal = ZERO
    """Size times average entry price, with the sign of the size. USDC."""
    opened_at: int = 0
    """When it was opened, in ms; 0 if that was before the exchange recorded it."""
    updated_at: int = 0
    """When it last grew or shrank, in ms."""
    funding: Decimal = ZERO
    """Funding that it has paid since it was opened, less what it received. USDC."""
    added_margin: Decimal = ZERO
    """Margin that was added to it beyond its initial margin. USDC."""

    @property
    def entry_price(self) -> Decimal:
        """Average entry price; 0 without a position."""
        return divide(self.cost, self.size) if self.size else ZERO

    def unrealised(self, mark_price: Decimal) -> Decimal:
        """Return the profit or loss of closing the position at the mark price. USDC."""
        return self.size * mark_price - self.cost

    def closable(self, side: Side) -> Decimal:
        """Return how much of the position an order of this side can close."""
        return max(ZERO, self.size if side == "ask" else -self.size)

    def grow(self, side: Side, amount: Decimal, price: Decimal, now: int) -> None:
        """Open the position, or add to it."""
        if not self.size:
            self.opened_at, self.funding = now, ZERO
        self.updated_at = now
        signed = amount if side == "bid" else -amount
        self.size += signed
        self.cost += signed * price

    def close(self, side: Side, amount: Decimal, price: Decimal, now: int) -> Decimal:
        """Close a part of the position; return the realised profit or loss. USDC."""
        self.updated_at = now
        released, freed = self.cost, self.added_margin
        if amount != abs(self.size):
            released, freed = (
                (each * amount / abs(self.size)).quantize(ROUNDING) for each in (released, freed)
            )
        signed = amount if side == "bid" else -amount
        self.size += signed
        self.cost -= released
        self.added_margin -= freed
        return -signed * price - released


@attrs.define
class Resting:
    """Totals of an account's resting orders of one market and side, without reduce-only orders."""

    amount: Decimal = ZERO
    notional: Decimal = ZERO

    def add(self, amount: Decimal, price: Decimal) -> None:
        """Add an amount at a price; a negative amount is subtracted."""
        self.amount += amount
        self.notional += amount * price


@attrs.define(kw_only=True)
class MarginSetting:
    """Margin mode and leverage in a market where they differ from the default (section 2.7)."""

    isolated: bool
    leverage: int
    created_at: int
    updated_at: int


def _flat_positions() -> dict[str, Holding]:
    return {symbol: Holding() for symbol in MARKETS}


def _nothing_resting() -> dict[tuple[str, Side], Resting]:
    return {(symbol, side): Resting() for symbol in MARKETS for side in SIDES}


@attrs.define(kw_only=True)
class Account:
    """The money, positions and settings of one account."""

    address: str
    created_at: int
    balance: Decimal = ZERO
    """Deposits plus realised profit, less losses and fees. USDC."""
    debt_paid: Decimal = ZERO
    """Debts that the insurance fund has paid for the account, which its balance counts in. USDC."""
    main: str | None = None
    """Address of the main account; None if this is not a subaccount."""
    is_house_account: bool = False
    """A house account belongs to the exchange; its orders and trades appear in no history."""
    use_ltp_for_stop_orders: bool = False
    positions: dict[str, Holding] = attrs.field(factory=_flat_positions)
    spot: dict[str, Decimal] = attrs.field(factory=dict)
    """Balances of spot assets. Tokens."""
    margin_settings: dict[str, MarginSetting] = attrs.field(factory=dict)
    """By market; only those that differ from the default."""
    spot_excluded: dict[str, bool] = attrs.field(factory=dict)
    """Whether a spot asset is excluded from the collateral; only assets that were ever set."""
    auto_lend_disabled: bool | None = None
    agents: list[str] = attrs.field(factory=list)
    api_keys: list[ApiKey] = attrs.field(factory=list)
    builder_codes: dict[str, Decimal] = attrs.field(factory=dict)
    """The builder codes that it has approved, each with the highest fee rate."""
    idempotency_keys: dict[str, int] = attrs.field(factory=dict)
    """Used idempotency keys, each with the batch nonce of its withdrawal."""

    open_orders: dict[int, Order] = attrs.field(init=False, factory=dict, eq=False, repr=False)
    """By order id: orders that rest in a book or wait for a stop price."""
    open_by_client_id: dict[str, Order] = attrs.field(
        init=False, factory=dict, eq=False, repr=False
    )
    open_reduce_only: dict[int, Order] = attrs.field(init=False, factory=dict, eq=False, repr=False)
    """By order id: reduce-only orders that rest in a book."""
    _resting: dict[tuple[str, Side], Resting] = attrs.field(
        init=False, factory=_nothing_resting, eq=False, repr=False
    )

    def position(self, symbol: str) -> Holding:
        """Return the position in a market, which may be flat."""
        return self.positions[symbol]

    def is_isolated(self, symbol: str) -> bool:
        """Whether the account uses isolated margin in a market."""
        setting = self.margin_settings.get(symbol)
        return setting is not None and setting.isolated

    def leverage(self, symbol: str) -> int:
        """Return its leverage in a market."""
        setting = self.margin_settings.get(symbol)
        return MARKETS[symbol].leverage if setting is None else setting.leverage

    def resting(self, symbol: str, side: Side) -> Resting:
        """Return the totals of its orders in the book of a market, on one side."""
        return self._resting[symbol, side]

    def add_open(self, order: Order) -> None:
        """Add an open order, which rests in the book or waits for its stop price."""
        self.open_orders[order.order_id] = order
        if order.client_order_id is not None:
            self.open_by_client_id[order.client_order_id] = order
        if order.in_trigger_book:
            return
        if order.reduce_only:
            self.open_reduce_only[order.order_id] = order
        self.change_resting(order, order.remaining)

    def remove_open(self, order: Order) -> None:
        """Remove an order that has ended or is triggered."""
        del self.open_orders[order.order_id]
        if order.client_order_id is not None:
            del self.open_by_client_id[order.client_order_id]
        if order.in_trigger_book:
            return
        self.open_reduce_only.pop(order.order_id, None)
        self.change_resting(order, -order.remaining)

    def change_resting(self, order: Order, amount: Decimal) -> None:
        """Change the totals by an amount of a resting order; a negative amount is subtracted."""
        if not order.reduce_only:
            self.resting(order.symbol, order.side).add(amount, order.price)


@attrs.define(kw_only=True)
class Vault:
    """A vault; its name on the wire is `lake` (interface sections 2.8 and 4.8)."""

    address: str
    creator: str
    manager: str | None
    created_at: int
    balance: Decimal = ZERO
    """Deposits. USDC."""
    shares: dict[str, Decimal] = attrs.field(factory=dict)
    """By the address of their holder."""
    leverage_caps: dict[str, Decimal] = attrs.field(factory=dict)
    blacklist: list[str] = attrs.field(factory=list)


@attrs.frozen
class Pin:
    """From when on a mark price stood still, or moved along its path."""

    since: int
    """In ms; 0: ever."""
    price: Decimal | None
    """Where it stood; None: it moved along its path."""
    quoted: bool
    """Whether the background maker quoted around it, so that there are prints."""


@attrs.define(kw_only=True)
class MarketState:
    """The prices of a market."""

    mark_price: Decimal
    last_price: Decimal | None = None
    """Price of the latest trade."""
    pinned: bool = False
    """The mark price was set by hand and does not follow its price path."""
    pins: list[Pin] = attrs.field(factory=list)
    """How the mark price has moved, by time; never empty."""

    def pin(self, now: int, maker_on: bool) -> None:
        """Note how the mark price moves from now on."""
        pin = Pin(now, self.mark_price if self.pinned or not maker_on else None, maker_on)
        if self.pins and self.pins[-1].since == now:
            self.pins.pop()
        if not self.pins or attrs.evolve(self.pins[-1], since=now) != pin:
            self.pins.append(pin)


def _markets() -> dict[str, MarketState]:
    return {
        symbol: MarketState(mark_price=market.first_mark_price)
        for symbol, market in MARKETS.items()
    }


def _opened_at(state: State) -> int:
    return state.started_at


@attrs.define(kw_only=True)
class State:
    """The whole state of the exchange, without its histories."""

    seed: int
    started_at: int
    """When the exchange was opened, in ms. The price paths start here."""
    now: int
    """Time of the latest command, in ms. It never runs backwards."""
    accounts: dict[str, Account] = attrs.field(factory=dict)
    vaults: dict[str, Vault] = attrs.field(factory=dict)
    markets: dict[str, MarketState] = attrs.field(factory=_markets)
    orders: dict[int, Order] = attrs.field(factory=dict)
    """Every open order by id, in the order in which they entered their book or trigger book."""
    forced_outcomes: dict[str, ForceOutcome] = attrs.field(factory=dict)
    """Forced outcomes that still apply, by client order id."""
    maker_on: bool = True
    stepped_at: int = attrs.Factory(_opened_at, takes_self=True)
    """When the maker last moved prices and quoted, in ms."""
    settled_at: int = attrs.Factory(_opened_at, takes_self=True)
    """Time up to which funding is settled, in ms."""
    frozen_at: int | None = None
    clock_offset: int = 0
    fees: Decimal = ZERO
    """All fees ever paid. USDC."""
    next_order_id: int = FIRST_ORDER_ID
    next_history_id: int = FIRST_HISTORY_ID
    next_event_id: int = 1
    next_batch_nonce: int = 1
    li: int = 0
    """Sequence number of the latest event of an order, of any account."""
    next_key: int = 1
    """Number from which, with the seed, the next address or API key is derived."""

    def __attrs_post_init__(self) -> None:
        """Note how mark prices have moved in a new state, or in one that an older version stored."""
        for market in self.markets.values():
            if not market.pins:
                market.pin(0, self.maker_on)

    def number_on_from(self, later: State) -> None:
        """Continue with the counters of `later`: going back to this state must give no id twice."""
        for counter in ID_COUNTERS:
            setattr(self, counter, max(getattr(self, counter), getattr(later, counter)))

    def without_counters(self) -> State:
        """The same state, as if no id had ever been given."""
        counters: dict[str, Any] = dict.fromkeys(ID_COUNTERS, 0)
        return attrs.evolve(self, **counters)


def open_house_accounts(state: State) -> None:
    """Open the house accounts in a new state."""
    for address in (MAKER, BACKSTOP):
        state.accounts[address] = Account(
            address=address, created_at=state.started_at, balance=FUNDS, is_house_account=True
        )
