"""The ticks and lots of markets, and orders that are held against them before they are sent.

The live service was seen to answer a wrong tick with status 500, which leaves the outcome unknown. So look first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from math import ceil, floor
from types import MappingProxyType
from typing import Any

import attrs

from trading_runtime import BaseClient, DecimalLike, RequestError, to_decimal
from trading_toolkit.errors import ToolkitError, check_client
from trading_toolkit.portfolio import EXACT

_PRICES = frozenset({"price", "stop_price", "limit_price"})


def of(client: BaseClient) -> Markets:
    """Read the rules of all markets, once.

    Args:
        client: One of `trading_sdk_observed`: the interface document has no list of markets.

    Raises:
        ToolkitError: The client has no list of markets.
        TradingError: It cannot be read.
    """
    check_client(client)
    markets: Any = getattr(client, "markets", None)
    if markets is None:
        raise ToolkitError("give a client of trading_sdk_observed: trading_sdk has no markets.info")
    return Markets({each.symbol: each for each in markets.info()})


class Markets:
    """The rules of markets. Called with a model it is `check`, so that `Client(check=markets)` uses it."""

    def __init__(self, rules: Mapping[str, Any]) -> None:
        """Take records of `client.markets.info()` by their symbols; `of(client)` reads them."""
        self._rules = dict(rules)

    @property
    def rules(self) -> Mapping[str, Any]:
        """The record of each market, by its symbol."""
        return MappingProxyType(self._rules)

    def round_price(self, symbol: str, price: DecimalLike, side: str) -> Decimal:
        """The price on the tick that is not worse for the account: a bid is rounded down, an ask up.

        Args:
            symbol: The market.
            price: Unit: quote per token.
            side: `bid` or `ask`.

        Raises:
            ToolkitError: There is no such market, or no such side.
        """
        if side not in ("bid", "ask"):
            raise ToolkitError(f"side must be 'bid' or 'ask', not {side!r}")
        below, above = _around(to_decimal(price), self._rule(symbol).tick_size)
        return below if side == "bid" else above

    def round_amount(self, symbol: str, amount: DecimalLike) -> Decimal:
        """The amount in whole lots, rounded down: 0 if it is less than one. Unit: token.

        Raises:
            ToolkitError: There is no such market.
        """
        return _around(to_decimal(amount), self._rule(symbol).lot_size)[0]

    def check(self, model: object) -> None:
        """Hold an order against the tick, the lot and the sizes of its market, its stop orders, too. It is not changed.

        The size is that of a limit order: its price times its amount. Reduce-only orders may have any size, and so may
        edits, which do not say whether they are. What is no order passes, such as a withdrawal or a cancel.

        Raises:
            RequestError: A price, an amount or the size does not fit, and the error names the nearest that does; or its
                market was not there when the rules were read.
        """
        symbol = getattr(model, "symbol", None)
        if not isinstance(symbol, str) or not (hasattr(model, "side") or hasattr(model, "price")):
            return
        if symbol not in self._rules:
            raise RequestError(f"{self._unknown(symbol)}; markets.of(client) reads them again")
        rule = self._rule(symbol)
        for path, value in _numbers(model):
            is_price = path.rpartition(".")[2] in _PRICES
            step, what = (rule.tick_size, "tick") if is_price else (rule.lot_size, "lot size")
            below, above = _around(value, step)
            if below != above:
                right = f"{below:f} or {above:f}" if below > 0 else f"{above:f}"
                raise RequestError(
                    f"{path}: {value:f} is no multiple of the {what} of {symbol}, {step:f}; give {right}"
                )
        _check_size(model, rule)

    def __call__(self, model: object) -> None:
        """Do as `check`."""
        self.check(model)

    def _rule(self, symbol: str) -> Any:
        if symbol not in self._rules:
            raise ToolkitError(self._unknown(symbol))
        return self._rules[symbol]

    def _unknown(self, symbol: str) -> str:
        near = get_close_matches(symbol.upper(), self._rules, 1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(self._rules)}"
        return f"there is no market {symbol!r}; {hint}"


def _around(value: Decimal, step: Decimal) -> tuple[Decimal, Decimal]:
    """The nearest multiples of a step, not above and not below a value. A step of 0 is no rule."""
    if step <= 0:
        return value, value
    count, rest = divmod(Fraction(value), Fraction(step))
    below = EXACT.multiply(Decimal(count), step)
    return below, EXACT.add(below, step) if rest else below


def _check_size(model: Any, rule: Any) -> None:
    """Refuse a limit order whose size in USD is beyond the bounds of its market.

    Raises:
        RequestError: It is, and the error names the nearest amount that is not.
    """
    price, amount = getattr(model, "price", None), getattr(model, "amount", None)
    if price is None or amount is None or getattr(model, "reduce_only", True):
        return
    size, least, most = EXACT.multiply(price, amount), rule.min_order_size, rule.max_order_size
    if least <= size <= most or price <= 0 or rule.lot_size <= 0:
        return
    is_small = size < least
    bound, what = (least, "smallest") if is_small else (most, "largest")
    lots = Fraction(bound) / Fraction(price) / Fraction(rule.lot_size)
    right = EXACT.multiply(Decimal(ceil(lots) if is_small else floor(lots)), rule.lot_size)
    raise RequestError(
        f"amount: {amount:f} at {price:f} is {size:f} USD, and the {what} order of {rule.symbol} is {bound:f} USD; "
        f"give {right:f}"
    )


def _numbers(model: Any, path: str = "") -> Iterator[tuple[str, Decimal]]:
    """The prices and amounts of a model, and of the stop orders in it, with their paths."""
    if not attrs.has(type(model)):
        return
    for field in attrs.fields(type(model)):
        value = getattr(model, field.name)
        if isinstance(value, Decimal) and (field.name in _PRICES or field.name == "amount"):
            yield f"{path}{field.name}", value
        else:
            yield from _numbers(value, f"{path}{field.name}.")
