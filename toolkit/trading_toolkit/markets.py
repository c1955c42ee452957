"""The rules of the markets: ticks, lots and sizes, for prices and amounts that the service takes.

The live service answers a wrong tick with a status 500 (field note 17), after which nobody knows whether the order was
placed. So `Client(check=markets.of(reader))` refuses it before anything is sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from typing import Any
from weakref import WeakKeyDictionary

import attrs
from attrs import frozen

from trading_runtime import BaseClient, DecimalLike, RequestError, to_decimal
from trading_toolkit.errors import ToolkitError, check_client
from trading_toolkit.portfolio import EXACT

_INFO = "markets.info"
_PRICES = ("price", "stop_price", "limit_price")
_cache: WeakKeyDictionary[BaseClient, Markets] = WeakKeyDictionary()


def of(client: BaseClient, *, refresh: bool = False) -> Markets:
    """The rules of all markets. They are read once for each client, in one request.

    Args:
        client: A client of `trading_sdk_observed`, which needs no signer: the interface document has no list of
            markets. The rules serve clients of `trading_sdk` of the same service, too.
        refresh: Read them again, as after a new market was listed.

    Raises:
        ToolkitError: The client has no list of markets.
        TradingError: The list cannot be read.
    """
    check_client(client)
    if _INFO not in client.api.operations:
        raise ToolkitError(
            "trading_sdk has no list of markets: give a client of trading_sdk_observed, like "
            "trading_sdk_observed.Client(url)"
        )
    if refresh or client not in _cache:
        reader: Any = client
        _cache[client] = Markets({each.symbol: each for each in reader.markets.info()})
    return _cache[client]


@frozen(repr=False)
class Markets:
    """The rules of the markets of a service. To call it is to `check`, so it is what `Client(check=...)` takes."""

    rules: Mapping[str, Any]
    """The record of each market as the service listed it, by its symbol: `tick_size`, `lot_size`, and so on."""

    def rule(self, symbol: str) -> Any:
        """The record of a market.

        Raises:
            RequestError: There is no such market; the text says which one was meant.
        """
        if symbol in self.rules:
            return self.rules[symbol]
        near = get_close_matches(str(symbol).upper(), self.rules, 1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(self.rules)}"
        raise RequestError(f"no market is {symbol!r}{hint}")

    def round_price(self, symbol: str, price: DecimalLike, side: str) -> Decimal:
        """The multiple of the tick size nearest to a price that is no worse: of a bid below, of an ask above.

        Args:
            symbol: The market.
            price: Quote per token.
            side: `bid` or `ask`.

        Raises:
            RequestError: There is no such market or side, or the price is no number.
            TypeError: The price is a float.
        """
        if side not in ("bid", "ask"):
            raise RequestError(f"side must be 'bid' or 'ask', not {side!r}")
        below, above = _around(to_decimal(price), self.rule(symbol).tick_size)
        return below if side == "bid" else above

    def round_amount(self, symbol: str, amount: DecimalLike) -> Decimal:
        """The largest multiple of the lot size that is not above an amount, in tokens; 0 of less than a lot.

        Raises:
            RequestError: There is no such market, or the amount is no number.
            TypeError: The amount is a float.
        """
        return _around(to_decimal(amount), self.rule(symbol).lot_size)[0]

    def check(self, model: Any) -> None:
        """Refuse an order or an edit that breaks a rule of its market. What is neither passes.

        Prices must be multiples of the tick size within its bounds, amounts multiples of the lot size. The value of a
        limit order must be within the bounds of its market; reduce-only orders, and edits, may be smaller.

        Raises:
            RequestError: It breaks a rule. The text names the nearest right values.
        """
        if hasattr(model, "symbol") and (hasattr(model, "side") or hasattr(model, "price")):
            rule = self.rule(model.symbol)
            for name, value in _numbers(model):
                _check_step(name, value, rule)
            _check_size(model, rule)

    __call__ = check


def _around(value: Decimal, step: Decimal) -> tuple[Decimal, Decimal]:
    """The nearest multiples of a step, not above and not below a value. A step of 0 is no rule."""
    if step <= 0:
        return value, value
    below, rest = divmod(Fraction(value), Fraction(step))
    return _times(below, step), _times(below + bool(rest), step)


def _times(count: int, step: Decimal) -> Decimal:
    return EXACT.multiply(Decimal(count), step)


def _numbers(model: Any, place: str = "") -> Iterator[tuple[str, Decimal]]:
    """The prices and amounts of an order and of its legs, with their places."""
    for field in attrs.fields(type(model)):
        value = getattr(model, field.name)
        if attrs.has(type(value)):
            yield from _numbers(value, f"{place}{field.name}.")
        elif field.name in (*_PRICES, "amount") and isinstance(value, Decimal):
            yield f"{place}{field.name}", value


def _check_step(place: str, value: Decimal, rule: Any) -> None:
    """Refuse a price off its tick or bounds, and an amount off its lot."""
    is_price = place.rpartition(".")[2] in _PRICES
    kind, step = ("tick", rule.tick_size) if is_price else ("lot", rule.lot_size)
    below, above = _around(value, step)
    if value <= 0:
        raise RequestError(
            f"{place} must be above 0, not {value:f}: the {kind} size of {rule.symbol} is {step:f}"
        )
    if below != above:
        right = f"{below:f} or {above:f}" if below > 0 else f"{above:f}"
        raise RequestError(
            f"{place} {value:f} is no multiple of the {kind} size {step:f} of {rule.symbol}: give {right}"
        )
    if is_price and not rule.min_tick <= value <= rule.max_tick:
        right = rule.min_tick if value < rule.min_tick else rule.max_tick
        raise RequestError(
            f"{place} {value:f} is beyond the bounds of {rule.symbol}: give {right:f}"
        )


def _check_size(model: Any, rule: Any) -> None:
    """Refuse a limit order whose value is beyond the bounds of its market."""
    price = getattr(model, "price", None)
    if price is None or getattr(model, "reduce_only", True):
        return
    value = EXACT.multiply(price, model.amount)
    if rule.min_order_size <= value <= rule.max_order_size:
        return
    is_small = value < rule.min_order_size
    bound = rule.min_order_size if is_small else rule.max_order_size
    lots = Fraction(bound) / Fraction(price) / Fraction(rule.lot_size)
    nearest = _times(-(-lots // 1) if is_small else lots // 1, rule.lot_size)
    raise RequestError(
        f"an order of {value:f} USD is {'smaller' if is_small else 'larger'} than {rule.symbol} allows, "
        f"{bound:f} USD: at {price:f} give an amount of {nearest:f}"
    )
