"""Records become tables, and what comes out of a table is an argument."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.doubles.orders import resting
from trading_sandbox import Sandbox
from trading_sdk import Client, Order, Trade, to_datetime, to_dict
from trading_toolkit import ToolkitError
from trading_toolkit.frames import to_frame

numpy = pytest.importorskip("numpy")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with (
        Sandbox(seed=7, maker=False, taker_delay=0) as sandbox,
        Client(sandbox.url, signer=sandbox.create_account()) as client,
    ):
        for price in ("50000", "50001", "50002"):
            place(client, price)
        yield client


def place(client: Client, price: Any) -> int:
    return client.orders.create(**resting(price=price, amount="0.01", tif="GTC")).order_id


def test_what_a_table_holds_is_taken_as_an_argument(client: Client) -> None:
    table = pandas.DataFrame(map(to_dict, client.orders.history()))
    latest = pandas.to_datetime(table.created_at, unit="ms", utc=True).max()

    for start in (table.created_at.max(), latest, latest.tz_convert("Asia/Tokyo")):
        assert client.trades.history(start_time=start).to_list() == []
    for missing in (pandas.Timestamp("2026-01-31"), pandas.NaT):
        with pytest.raises((ValueError, TypeError), match=r"TradeHistoryQuery\.start_time: "):
            client.trades.history(start_time=missing)


def test_integers_of_numpy_are_taken_and_floats_refused(client: Client) -> None:
    order_id = place(client, numpy.int64(50_000))
    assert client.orders.cancel(symbol="BTC", order_id=numpy.int64(order_id)).success
    assert len(client.orders.history(limit=numpy.int32(2)).to_list(numpy.uint8(3))) == 3
    for price in (numpy.float64(0.1), numpy.float32(0.1), numpy.float16(0.1)):
        with pytest.raises(TypeError, match=r"^CreateOrder\.price: a float like .* is not exact; "):
            place(client, price)
    for wrong in (numpy.bool_(True), numpy.array([1]), numpy.float64(1)):
        with pytest.raises(TypeError, match=r"\.order_id: expected an integer, not "):
            client.orders.cancel(symbol="BTC", order_id=wrong)


def test_a_frame_has_exact_money_and_utc_times(client: Client) -> None:
    orders = client.orders.history().to_list()

    table = to_frame(client.orders.history())

    assert list(table.order_id) == [order.order_id for order in orders]
    assert list(table.initial_price) == [order.initial_price for order in orders]
    assert list(table.created_at) == [to_datetime(order.created_at) for order in orders]
    assert set(table.side) == {"bid"}
    assert to_frame(orders, decimals="float").initial_price.dtype == "float64"


def test_a_frame_of_polars_has_the_same_columns(client: Client) -> None:
    orders = client.orders.history().to_list()

    table = to_frame(orders, "polars")

    assert list(table["initial_price"]) == [order.initial_price for order in orders]
    assert table.schema["created_at"] == polars.Datetime("ms", "UTC")
    assert table.columns == list(to_frame([], of=Order))


def test_a_frame_of_nothing_needs_a_class_and_one_of_everything_is_refused(client: Client) -> None:
    assert list(to_frame([], of=Trade)) == list(to_frame(client.trades.history(), of=Trade))
    wrong: Any = (
        (([],), None, "there are no records, so write of=CLASS"),
        ((client.orders.history(),), Trade, "of one class are a table, not of Order, Trade"),
        (([], "numpy"), Trade, "library must be 'pandas' or 'polars', not 'numpy'"),
        (([1],), None, "is no record of the SDK"),
        (([{"order_id": 1}],), None, "is no record of the SDK"),
        (([],), "Order", "a Order is no record"),
        ((5,), None, "holds no records"),
    )
    for given, of, words in wrong:
        with pytest.raises(ToolkitError, match=words):
            to_frame(*given, of=of)
