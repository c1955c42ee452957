"""What `market_close` and `flatten` say of a position is so, also where answers are lost and lists are late."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any, Literal

import pytest
from attrs import define, field

from tests.doubles.orders import market_order, resting
from tests.interface import page
from tests.toolkit.market import PACKAGES, Dialect, exchange
from trading_runtime import ApiError, RequestError, to_dict
from trading_sandbox import Sandbox
from trading_sdk import Client
from trading_toolkit import ToolkitError, account, closing, orders


@define
class Desk:
    """An account that is long BTC and short ETH, in time that passes only when something waits."""

    sandbox: Sandbox
    client: Any
    maker: Client
    waits: list[float] = field(factory=list)
    later: list[Any] = field(factory=list)
    """What happens while the next waits last."""

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        if self.later:
            self.later.pop(0)()

    def clock(self) -> float:
        return 0.0

    def rest(self, symbol: str, side: Literal["bid", "ask"], price: str, amount: str = "1") -> None:
        """Liquidity of another account."""
        order = resting(symbol=symbol, side=side, price=price, amount=amount, tif="GTC")
        self.maker.orders.create(**order)

    def take(self, symbol: str, side: str, amount: str) -> None:
        order = market_order(symbol=symbol, side=side, amount=amount)
        self.client.orders.create_market(**order)

    def close(self, symbol: str | None = None, **more: Any) -> closing.Closed:
        return closing.market_close(self.client, symbol, wait=self.wait, clock=self.clock, **more)

    def held(self) -> dict[str, Decimal]:
        return {each.symbol: each.size for each in account.positions(self.client)}


@contextmanager
def at_desk(dialect: Dialect, lag: float = 0) -> Iterator[Desk]:
    with exchange(dialect) as sandbox:
        key, other = (sandbox.create_account(usdc="1000000") for _ in range(2))
        with (
            PACKAGES[dialect].Client(sandbox.url, signer=key, history_lag=lag) as client,
            Client(sandbox.url, signer=other) as maker,
        ):
            desk = Desk(sandbox, client, maker)
            desk.rest("BTC", "ask", "100000")
            desk.rest("BTC", "bid", "99900")
            desk.rest("ETH", "bid", "3500", "10")
            desk.rest("ETH", "ask", "3501", "10")
            desk.take("BTC", "bid", "0.2")
            desk.take("ETH", "ask", "1.5")
            yield desk


@pytest.fixture(params=PACKAGES)
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    with at_desk(request.param) as made:
        yield made


def test_one_market_is_closed_and_then_all(desk: Desk) -> None:
    found = desk.close("BTC")
    assert (found.closed, found.still_open, found.is_done) == (("BTC",), {}, True)
    assert desk.held() == {"ETH": Decimal("-1.5")}
    again = desk.close("BTC")
    assert (again.closed, again.is_done) == ((), True)
    assert desk.close() == closing.Closed(closed=("ETH",))
    assert desk.held() == {}


def test_flatten_leaves_neither_order_nor_position(desk: Desk) -> None:
    desk.client.orders.create(**resting(side="ask", price="100500", tif="GTC"))
    found = closing.flatten(desk.client, wait=desk.wait, clock=desk.clock)
    assert found.is_done
    assert len(found.orders.cancelled) == 1
    assert set(found.positions.closed) == {"BTC", "ETH"}
    assert desk.held() == {}


@pytest.mark.parametrize("dialect", PACKAGES)
def test_a_position_that_a_late_list_shows_only_later_is_closed(dialect: Dialect) -> None:
    with at_desk(dialect, lag=2) as desk:
        assert desk.close().is_done
        desk.waits.clear()
        desk.later.append(lambda: desk.take("BTC", "ask", "0.3"))
        found = desk.close()
        assert (found.closed, found.is_done) == (("BTC",), True)
        assert desk.waits == [2, 2]
        assert desk.held() == {}


def test_what_nobody_takes_is_still_open(desk: Desk) -> None:
    assert orders.cancel_all(desk.maker, "BTC", wait=desk.wait).cancelled
    desk.rest("BTC", "bid", "99900", "0.05")
    found = desk.close()
    assert found.closed == ("ETH",)
    assert found.still_open == desk.held() == {"BTC": Decimal("0.15")}
    assert not found.is_done


@pytest.mark.parametrize(("fault", "unknown"), [("reset", 0), ("reset_before_read", 1)])
def test_after_a_lost_answer_nothing_is_sent_twice(desk: Desk, fault: str, unknown: int) -> None:
    """What never came to the service may still be executed, which nobody can know before it expires."""
    desk.sandbox.faults.inject("orders.create_market" if is_live(desk) else "orders.batch", fault)
    found = desk.close("BTC", timeout=1.0)
    assert (found.closed, found.still_open) == (("BTC",), {})  # by the second order
    assert (len(found.unknown), found.is_done) == (unknown, not unknown)
    assert desk.held() == {"ETH": Decimal("-1.5")}


def test_without_time_for_a_second_look_nothing_is_called_closed(desk: Desk) -> None:
    found = desk.close("BTC", timeout=0)
    assert found.closed == ()
    assert found.problems == ("no time is left to wait until the lists show the end",)
    assert not found.is_done


def test_a_list_that_fails_later_is_a_problem_and_at_first_an_error(desk: Desk) -> None:
    name = "positions.list" if is_live(desk) else "trades.history"
    desk.later.append(lambda: desk.sandbox.faults.inject(name, "status", status=403, times=9))
    found = desk.close("BTC")
    assert found.closed == ()
    assert found.problems[0].startswith("the positions could not be read again: ")
    assert not found.is_done
    with pytest.raises(ApiError):
        desk.close("BTC")


def test_wrong_arguments_are_errors_and_nothing_is_sent(desk: Desk) -> None:
    before = desk.held()
    wrong: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"symbol": "btc"}, ToolkitError, "did you mean 'BTC'"),
        ({"symbol": ""}, ToolkitError, "symbol must be a text"),
        ({"timeout": -1}, ToolkitError, "timeout"),
        ({"slippage_percent": "a lot"}, RequestError, "plain decimal"),
    ]
    for arguments, error, text in wrong:
        with pytest.raises(error, match=text):
            desk.close(**arguments)
    assert desk.held() == before
    reader = type(desk.client)(desk.sandbox.url, account=desk.client.account_address)
    with reader, pytest.raises(RequestError, match="signer"):
        closing.market_close(reader, wait=desk.wait, clock=desk.clock)


def test_a_size_that_the_trades_do_not_prove_is_a_problem() -> None:
    with at_desk("documented") as desk:
        desk.take("BTC", "ask", "0.1")
        # The list does not reach back to the trade that opened the position.
        every = desk.client.trades.history().to_list()
        opening = min(each.history_id for each in every if each.symbol == "BTC")
        body = page(*(to_dict(each) for each in every if each.history_id != opening))
        shown: dict[str, Any] = {"status": 200, "body": json.dumps(body), "times": 99}
        desk.sandbox.faults.inject("trades.history", "status", **shown)
        found = desk.close("BTC")
        problem = "the trades of BTC do not reach back to where its position was opened"
        assert (found.problems, found.is_done) == ((problem,), False)


def is_live(desk: Desk) -> bool:
    return "positions.list" in desk.client.api.operations
