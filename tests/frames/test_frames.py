"""Records become a table as people write it, and what comes out of a table is an argument."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from trading_sandbox import Sandbox
from trading_sdk import Client, to_datetime, to_dict

pytestmark = pytest.mark.frames


@pytest.fixture(scope="module")
def pandas() -> Any:
    return importlib.import_module("pandas")


@pytest.fixture(scope="module")
def numpy() -> Any:
    return importlib.import_module("numpy")


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
    return client.orders.create(
        symbol="BTC", side="bid", price=price, amount="0.01", tif="GTC", reduce_only=False
    ).order_id


def test_a_list_of_records_is_a_table(client: Client, pandas: Any) -> None:
    orders = client.orders.history().to_list()

    table = pandas.DataFrame(map(to_dict, client.orders.history()))

    assert list(table.columns) == list(to_dict(orders[0]))
    assert list(table.order_id) == [order.order_id for order in orders]
    assert sum(table.initial_price.map(Decimal)) == Decimal(150_003)
    assert table.created_at.dtype == "int64"
    times = pandas.to_datetime(table.created_at, unit="ms", utc=True)
    assert list(times) == [to_datetime(order.created_at) for order in orders]


def test_what_a_table_holds_is_taken_as_an_argument(client: Client, pandas: Any) -> None:
    table = pandas.DataFrame(map(to_dict, client.orders.history()))
    latest = pandas.to_datetime(table.created_at, unit="ms", utc=True).max()

    for start in (table.created_at.max(), latest, latest.tz_convert("Asia/Tokyo")):
        assert client.trades.history(start_time=start).to_list() == []
    for missing in (pandas.Timestamp("2026-01-31"), pandas.NaT):
        with pytest.raises((ValueError, TypeError), match=r"TradeHistoryQuery\.start_time: "):
            client.trades.history(start_time=missing)


def test_integers_of_numpy_are_integers_and_its_floats_are_refused(
    client: Client, numpy: Any
) -> None:
    order_id = place(client, numpy.int64(50_000))
    assert client.orders.cancel(symbol="BTC", order_id=numpy.int64(order_id)).success
    assert len(client.orders.history(limit=numpy.int32(2)).to_list(numpy.uint8(3))) == 3
    for price in (numpy.float64(0.1), numpy.float32(0.1), numpy.float16(0.1)):
        with pytest.raises(TypeError, match=r"^CreateOrder\.price: a float like .* is not exact; "):
            place(client, price)
    for wrong in (numpy.bool_(True), numpy.array([1]), numpy.float64(1)):
        with pytest.raises(TypeError, match=r"\.order_id: expected an integer, not "):
            client.orders.cancel(symbol="BTC", order_id=wrong)
