"""The ticks and lots of markets, and orders that are held against them before they are sent.

The live service was seen to answer a wrong tick with status 500, which leaves the outcome unknown. So look first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
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
        """Hold an order against the tick and the lot of its market, its stop orders, too. It is not changed.

        What is no order passes, such as a withdrawal or a cancel.

        Raises:
            RequestError: A price or an amount does not fit, and the error names the nearest that do; or its market
                was not there when the rules were read.
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

    def __call__(self, model: object) -> None:
        """Do as `check`."""
        self.check(model)

    def _rule(self, symbol: str) -> Any:
        if symbol not in self._rules:
            raise ToolkitError(self._unknown(symbol))
        return self._rules[symbol]

    def _unknown(self, symbol: str) -> str:
        return f"there is no market {symbol!r}; there are {', '.join(self._rules)}"


def _around(value: Decimal, step: Decimal) -> tuple[Decimal, Decimal]:
    """The nearest multiples of a step, not above and not below a value. A step of 0 is no rule."""
    if step <= 0:
        return value, value
    count, rest = divmod(Fraction(value), Fraction(step))
    below = EXACT.multiply(Decimal(count), step)
    return below, EXACT.add(below, step) if rest else below


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
