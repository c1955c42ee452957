"""A list is kept in a folder: nothing is lost, nothing stands there twice, whatever interrupts it."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from decimal import Decimal
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from attrs import evolve

import trading_sdk_observed
from tests.toolkit.market import PACKAGES, Dialect, exchange, trade
from tests.toolkit.records import (
    DAY,
    NOON,
    Listing,
    a_payment,
    a_trade,
    an_order,
    budget,
    event,
    withdrawal,
)
from trading_runtime import (
    ApiError,
    BadRequestError,
    ListOperation,
    NoResponseError,
    PaginationError,
    to_dict,
)
from trading_sandbox import Sandbox
from trading_sandbox.engine.funding import FIRST_RECORD
from trading_sdk import Client, Order, OrderStatus, SpotBalanceEvent, SpotWithdrawal, Trade
from trading_toolkit import ToolkitError, history
from trading_toolkit.folder import Folder
from trading_toolkit.frames import to_frame


@pytest.fixture(scope="module")
def clients() -> Iterator[dict[str, Any]]:
    """Of each dialect, a client of an account that has traded."""
    with exchange("documented") as documented, exchange("live") as live, ExitStack() as opened:
        made: dict[str, Any] = {}
        sandboxes: dict[Dialect, Sandbox] = {"documented": documented, "live": live}
        for name, sandbox in sandboxes.items():
            key = sandbox.create_account(usdc="100000", spot={"SOL": "50"})
            trade(sandbox, key, 25)
            connected = PACKAGES[name].Client(sandbox.url, signer=key)
            made[name] = opened.enter_context(connected)
        yield made


@pytest.fixture
def client(clients: dict[str, Any]) -> Any:
    return clients["documented"]


def rows(folder: Path) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in row.items() if name != "day"}
        for row in history.read(folder).to_table().to_pylist()
    ]


def files(folder: Path) -> dict[str, str]:
    """What a sync left: every file but the lock, by the hash of its content."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def sync(listing: Listing, name: str, folder: Path, **options: Any) -> history.SyncReport:
    return history.sync(listing, name, folder, **options)  # type: ignore[arg-type]


# -- every list -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dialect", "format"),
    [("documented", "parquet"), ("live", "parquet"), ("live", "csv"), ("live", "jsonl")],
)
def test_the_folder_has_what_the_list_has(
    clients: dict[str, Any], dialect: str, tmp_path: Path, format: str
) -> None:
    client = clients[dialect]
    operations = client.api.operations.items()
    names = [name for name, each in operations if isinstance(each, ListOperation)]
    for name in {*names} - {"funding.history"}:  # which is below
        folder = tmp_path / name
        try:
            report = history.sync(client, name, folder, format=format, page_size=7)
        except ApiError as error:
            assert error.status == 501, name  # the sandbox does not model it
            continue
        records = [to_dict(each) for each in attrgetter(name)(client)()]
        assert (report.read, report.new, report.rows) == (len(records),) * 3
        assert history.sync(client, name, folder, format=format).new == 0
        assert history.verify(folder) == history.Verified(rows=len(records), days=report.days)
        kept = sorted(map(str, map(as_told, rows(folder))))
        assert kept == sorted(str(as_told(each)) for each in records)


def test_funding_of_a_market_is_kept_without_an_account(tmp_path: Path) -> None:
    soon = FIRST_RECORD + 3 * DAY
    with Sandbox(frozen_at=soon) as sandbox, Client(sandbox.url) as reader:
        report = history.sync(reader, "funding", tmp_path, symbol="BTC", page_size=4000)
        newest = reader.funding.history(symbol="BTC").first()
        with pytest.raises(ToolkitError, match=r"trades\.history needs an account"):
            history.sync(reader, "trades", tmp_path / "t")
    assert newest is not None
    assert report.rows == len(rows(tmp_path)) > 70
    assert newest.funding_rate in {row["funding_rate"] for row in rows(tmp_path)}


def as_told(row: dict[str, Any]) -> list[tuple[str, str]]:
    """A record of the service, or a row, in one form: money without zeros at its end, times in ms."""
    plain = {}
    for name, value in row.items():
        if hasattr(value, "timestamp"):
            value = round(value.timestamp() * 1000)
        elif hasattr(value, "normalize"):
            value = f"{value.normalize():f}"
        elif isinstance(value, str) and name.endswith(("price", "amount", "fee", "pnl", "balance")):
            value = value.rstrip("0").rstrip(".") if "." in value else value
        plain[name] = value
    return sorted((name, str(value)) for name, value in plain.items())


def test_other_libraries_read_the_same_rows(client: Client, tmp_path: Path) -> None:
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    history.sync(client, "trades", tmp_path / "t")
    history.sync(client, "trades", tmp_path / "none", symbol="SOL")
    every, files = history.read(tmp_path / "t"), f"{tmp_path}/t/**/*.parquet"
    assert history.read(tmp_path / "none").schema == every.schema
    types = [str(every.schema.field(name).type) for name in ("pnl", "created_at", "day")]
    assert types == ["decimal128(38, 18)", "timestamp[ms, tz=UTC]", "date32[day]"]
    ids = sorted(each.history_id for each in client.trades.history())

    assert sorted(every.to_table().to_pandas().history_id) == ids
    assert sorted(polars.from_arrow(every.to_table())["history_id"]) == ids
    scanned = polars.scan_parquet(files, hive_partitioning=True).collect()
    assert sorted(scanned["history_id"]) == ids
    assert sorted(pandas.read_parquet(tmp_path / "t").history_id) == ids
    for query in ("from every", f"from read_parquet('{files}', hive_partitioning=true)"):
        found = duckdb.sql(f"select history_id, pnl {query} order by 1").fetchall()
        assert [each for each, _ in found] == ids


# -- what the same record is ----------------------------------------------------------------------


def test_a_record_that_changed_is_replaced_and_one_seen_before_is_not_written_twice(
    tmp_path: Path,
) -> None:
    listing = Listing("orders.history", [an_order(1, "open", 5), an_order(2, "open", 6)])
    sync(listing, "orders", tmp_path / "o")
    listing.records = [an_order(2, "filled", 9), an_order(1, "open", 5), an_order(2, "open", 6)]
    report = sync(listing, "orders", tmp_path / "o")
    assert report.new == 0
    assert [row["order_status"] for row in rows(tmp_path / "o")] == ["open", "filled"]
    listing.records = []  # what the service no longer lists is kept
    assert sync(listing, "orders", tmp_path / "o").rows == 2


def test_equal_records_without_an_id_stand_as_often_as_in_the_list(tmp_path: Path) -> None:
    same = [event(NOON), event(NOON), event(NOON, "2")]
    listing = Listing("spot.balance_history", same)
    for _ in range(2):
        assert sync(listing, "spot.balance_history", tmp_path / "b").rows == 3
    listing.records = [event(NOON), *same, event(NOON + DAY)]
    assert sync(listing, "spot.balance_history", tmp_path / "b").new == 2


def test_a_withdrawal_whose_transaction_comes_later_stands_once(tmp_path: Path) -> None:
    name = "spot.withdrawal_history"
    listing = Listing(name, [withdrawal("5", ""), withdrawal("5", ""), withdrawal("2", "c")])
    assert sync(listing, name, tmp_path).rows == 3
    for now, ids in (
        (["a", "", "c"], ["a", "", "c"]),
        (["a", "b", "c"], ["a", "b", "c"]),
        (["", "", "c"], ["a", "b", "c"]),  # a page of before
        (["a", "b", "c", ""], ["a", "b", "c", ""]),
    ):
        amounts = ["5", "5", "2", "5"]
        listing.records = list(map(withdrawal, amounts[: len(now)], now))
        report = sync(listing, name, tmp_path)
        assert report.new == (len(now) if len(ids) > 3 else 3) - 3
        assert sorted(row["transaction_id"] for row in rows(tmp_path)) == sorted(ids)
    assert sum(row["amount"] for row in rows(tmp_path)) == 17


def test_its_removed_name_points_to_what_replaces_it() -> None:
    with pytest.raises(
        ImportError, match=r"has no Report any more: write SyncReport \(docs/guides"
    ):
        exec("from trading_toolkit.history import Report")


def test_an_id_that_is_counted_by_market_drops_no_record(tmp_path: Path) -> None:
    same = [a_trade(1, NOON, symbol=symbol) for symbol in ("BTC", "ETH", "SOL")]
    listing = Listing("trades.history", same)
    for new in (3, 0):
        report = sync(listing, "trades", tmp_path)
        assert (report.new, report.rows) == (new, 3)
    assert history.verify(tmp_path).problems == ()


def order_of_day(number: int) -> Order:
    return an_order(number, "open", number, created_at=NOON + number * DAY)


@pytest.mark.parametrize("format", ["parquet", "csv", "jsonl"])
@pytest.mark.parametrize("name", ["orders", "trades", "funding.payments"])
def test_a_record_that_moves_over_midnight_is_one(name: str, format: str, tmp_path: Path) -> None:
    made: dict[str, tuple[Any, Callable[[int], Any]]] = {
        "orders": (Client, order_of_day),
        "trades": (Client, lambda n: a_trade(n, NOON + n * DAY)),
        "funding.payments": (trading_sdk_observed.Client, lambda n: a_payment(n, NOON + n * DAY)),
    }
    kind, record = made[name]
    listing = Listing(name if "." in name else f"{name}.history", list(map(record, range(4))))
    listing.api = kind.api
    sync(listing, name, tmp_path, format=format, lag=10**7)
    for number, days in ((2, -1), (2, 1), (1, 4)):
        old = listing.records[number]
        listing.records[number] = evolve(old, created_at=old.created_at + days * DAY)
        report = sync(listing, name, tmp_path, lag=10**7)
        assert (report.new, report.rows) == (0, 4)
        verified = history.verify(tmp_path)
        assert (verified.rows, verified.days, verified.problems) == (4, report.days, ())
        times = sorted(round(row["created_at"].timestamp() * 1000) for row in rows(tmp_path))
        assert times == sorted(each.created_at for each in listing.records)


def test_an_id_in_two_files_of_an_older_release_is_told_and_a_whole_reading_mends_it(
    tmp_path: Path,
) -> None:
    listing = Listing("orders.history", map(order_of_day, range(3)))
    sync(listing, "orders", tmp_path, format="jsonl")
    day, other = (f"day=2024-10-0{each}" for each in (4, 5))
    text = (tmp_path / day / "records.jsonl").read_text()
    with (tmp_path / other / "records.jsonl").open("a") as file:
        file.write(text.replace("2024-10-04", "2024-10-05"))
    state = json.loads((tmp_path / "_sync.json").read_text())
    content = (tmp_path / other / "records.jsonl").read_bytes()
    state["days"] = {
        name: {"rows": each["rows"], "sha256": each["sha256"]}
        for name, each in state["days"].items()
    }
    state["days"][other[4:]] = {"rows": 2, "sha256": hashlib.sha256(content).hexdigest()}
    (tmp_path / "_sync.json").write_text(json.dumps({**state, "version": 1}))

    found = history.verify(tmp_path).problems
    assert found[0] == "1 records stand there twice, like order_id 0 of BTC"
    report = sync(listing, "orders", tmp_path)
    assert (report.new, report.rows) == (0, 3)
    assert history.verify(tmp_path).problems == ()


def test_a_record_does_not_leave_its_file_for_one_that_is_damaged(tmp_path: Path) -> None:
    listing = Listing("orders.history", map(order_of_day, range(3)))
    sync(listing, "orders", tmp_path)
    listing.records[0] = evolve(listing.records[0], created_at=NOON + DAY)
    first, second = sorted(tmp_path.glob("day=*/*"))[:2]
    held, kept = first.read_bytes(), second.read_bytes()
    second.write_bytes(kept[:-9])
    with pytest.raises(ToolkitError, match="is damaged"):
        sync(listing, "orders", tmp_path)
    assert first.read_bytes() == held
    second.write_bytes(kept)
    assert sync(listing, "orders", tmp_path).rows == 3
    assert history.verify(tmp_path).problems == ()


@pytest.mark.parametrize("later", [0, DAY])
@pytest.mark.parametrize("is_stored", [True, False])
def test_two_records_of_one_id_are_named(is_stored: bool, later: int, tmp_path: Path) -> None:
    right = a_trade(7, NOON + later, amount=Decimal(3), order_id=8)
    listing = Listing("trades.history", [a_trade(7, NOON), a_trade(9, NOON + DAY)])
    if is_stored:
        sync(listing, "trades", tmp_path, lag=10**6)
        listing.records[0] = right
    else:
        sync(Listing("trades.history"), "trades", tmp_path)
        listing.records.append(right)
    for _ in range(2):
        with pytest.raises(ToolkitError) as caught:
            sync(listing, "trades", tmp_path, lag=10**6)
        text = str(caught.value)
        one, other = "order_id 7, amount 0.1", "order_id 8, amount 3"
        assert text.startswith("history_id 7 of BTC is two records: ")
        assert one in text.replace("0" * 17, "") and other in text.replace("." + "0" * 18, "")
    assert [each for each in files(tmp_path) if each.startswith("_pass")] == []
    if not is_stored:
        listing.records.pop(0)
    elif later:  # its advice
        tmp_path = tmp_path / "new"
    else:
        (tmp_path / "day=2024-10-04" / "records.parquet").unlink()
    assert sync(listing, "trades", tmp_path).rows == 2
    assert history.verify(tmp_path).problems == ()


def test_an_order_may_change_but_not_become_another_one(tmp_path: Path) -> None:
    first = an_order(1, "open", 5)
    named = evolve(first, client_order_id=UUID(int=1), filled_amount=Decimal("0.5"))
    listing = Listing("orders.history", [first])
    sync(listing, "orders", tmp_path)
    for now in (named, evolve(named, order_status=OrderStatus.FILLED, filled_amount=Decimal(1))):
        listing.records = [now]
        assert sync(listing, "orders", tmp_path).rows == 1
        assert rows(tmp_path)[0]["filled_amount"] == now.filled_amount
    listing.records = [evolve(named, client_order_id=UUID(int=2))]
    with pytest.raises(ToolkitError, match=r"order_id 1 of BTC is two records: client_order_id .*"):
        sync(listing, "orders", tmp_path)


@pytest.mark.parametrize("format", ["parquet", "csv", "jsonl"])
def test_no_digit_of_an_amount_is_lost_and_csv_is_plain(tmp_path: Path, format: str) -> None:
    large = "12345678901234567890.123456789012345678"
    plain = ["0", "60000", "0.000000000000000001", "-0.0000001", large, "100"]
    names = ["", *['a "b", c'] * 5]
    records = [event(NOON + n, each, symbol=names[n]) for n, each in enumerate(plain)]
    name = "spot.balance_history"
    sync(Listing(name, records), name, tmp_path, format=format)
    assert [row["amount"] for row in rows(tmp_path)] == list(map(Decimal, plain))
    assert [row["symbol"] for row in rows(tmp_path)] == names
    assert history.verify(tmp_path).problems == ()
    if format == "csv":
        head, *lines = next(tmp_path.glob("day=*/records.csv")).read_text().splitlines()
        assert head == '"amount","balance","symbol","event_type","created_at"'
        assert [line.split(",")[0] for line in lines] == plain
        assert lines[0] == '0,5,"","deposit",2024-10-04 12:00:00.000Z'
        sync(Listing("trades.history", [a_trade(1, NOON)]), "trades", tmp_path / "t", format="csv")
        assert '1,1,,"BTC",0.1' in next((tmp_path / "t").glob("day=*/*")).read_text()


def test_only_newer_trades_are_read_again_and_late_ones_within_the_lag(tmp_path: Path) -> None:
    listing = Listing("trades.history", [a_trade(1, NOON), a_trade(2, NOON + DAY)])
    sync(listing, "trades", tmp_path / "t")
    listing.records += [a_trade(3, NOON + DAY - 599_000), a_trade(4, NOON + DAY + 1)]
    listing.calls = []
    assert sync(listing, "trades", tmp_path / "t").new == 2
    assert listing.calls[0] == (None, NOON + DAY - 600_000)


def orders_newest_first(count: int, *still_open: int) -> list[Order]:
    """Four orders a day, the newest of them first."""

    def made(number: int) -> Order:
        state, at = "open" if number in still_open else "filled", NOON + number // 4 * DAY + number
        return an_order(number, state, NOON + number, created_at=at)

    return list(map(made, range(count)))[::-1]


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The time of this machine, in ms."""
    now = [NOON + 10 * DAY]
    for module in ("history", "passes"):
        monkeypatch.setattr(f"trading_toolkit.{module}.now_ms", lambda: now[0])
    return now


def test_a_second_sync_reads_what_can_have_changed(tmp_path: Path, today: list[int]) -> None:
    listing = Listing("orders.history", orders_newest_first(40, 26))
    assert sync(listing, "orders", tmp_path).read == 40
    listing.records = orders_newest_first(44)  # the open one was filled, and four are new
    today[0] += DAY // 2
    report = sync(listing, "orders", tmp_path)
    assert (report.read, report.new, report.rows) == (22, 4, 44)  # to the day before that of 26
    assert {row["order_status"] for row in rows(tmp_path)} == {"filled"}
    assert history.verify(tmp_path).problems == ()
    assert sync(listing, "orders", tmp_path).read == 2
    today[0] += DAY  # and once a day all of them, where a record was added late
    listing.records = orders_newest_first(44)
    listing.records[-2] = evolve(listing.records[-2], order_id=99)
    report = sync(listing, "orders", tmp_path)
    assert (report.read, report.new) == (44, 1)


@pytest.mark.parametrize("open_order", [(), (3,)])
def test_orders_that_do_not_come_newest_first_are_read_whole(
    open_order: tuple[int, ...], tmp_path: Path, today: list[int]
) -> None:
    listing = Listing("orders.history", orders_newest_first(16, *open_order)[::-1])
    sync(listing, "orders", tmp_path)
    assert sync(listing, "orders", tmp_path).read == 16
    today[0] = NOON + 4 * DAY
    listing = Listing("orders.history", orders_newest_first(16))
    sync(listing, "orders", tmp_path / "turned")
    listing.records = orders_newest_first(20)
    listing.records[2:4] = reversed(listing.records[2:4])
    assert sync(listing, "orders", tmp_path / "turned").read == 20
    listing.records = orders_newest_first(20)
    assert sync(listing, "orders", tmp_path / "turned").read == 20
    assert sync(listing, "orders", tmp_path / "turned").read < 20


def test_a_part_of_the_orders_that_was_interrupted_is_no_whole_reading(
    tmp_path: Path, today: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trading_toolkit.passes._SEGMENT_ROWS", 2)
    listing = Listing("orders.history", orders_newest_first(16, 9))
    sync(listing, "orders", tmp_path)
    listing.records = orders_newest_first(20)
    listing.fails = {"4": NoResponseError("orders.history", "no answer")}
    with pytest.raises(NoResponseError):
        sync(listing, "orders", tmp_path)
    assert sync(listing, "orders", tmp_path).rows == 20
    listing.fails = {"4": NoResponseError("orders.history", "no answer")}
    with pytest.raises(NoResponseError):
        sync(listing, "orders", tmp_path)
    min(tmp_path.glob("day=*/*")).unlink()
    assert sync(listing, "orders", tmp_path).read == 20
    assert history.verify(tmp_path) == history.Verified(rows=20, days=5)


# -- interruptions --------------------------------------------------------------------------------


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize(
    ("name", "corrected"),
    [
        ("trades.history", ()),
        ("spot.balance_history", ()),
        ("orders.history", (1, 2, 3, 4, 7)),
    ],
)
def test_a_kill_at_any_write_loses_nothing_and_writes_nothing_twice(
    name: str, corrected: Sequence[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trading_toolkit.passes._SEGMENT_ROWS", 2)
    monkeypatch.setattr("trading_toolkit.passes.now_ms", lambda: NOON)  # a folder says when
    made: dict[str, Callable[[int], Any]] = {
        "trades.history": lambda n: a_trade(n, NOON + n * DAY // 3),
        "orders.history": lambda n: an_order(n, "open", n, created_at=NOON + n // 4 * DAY),
        "spot.balance_history": lambda n: event(NOON + n // 4 * DAY),
    }
    record = made[name]
    first, second = list(map(record, range(6))), list(map(record, range(8)))
    for number in corrected:
        day = {3: 1, 4: 0}.get(number, (number + 1) // 3)  # the two change places
        second[number] = evolve(second[number], created_at=NOON + day * DAY)
    expected = tmp_path / "expected"
    for records in (first, second):
        sync(Listing(name, records), name, expected)
    write, count, left = Folder.write, 0, 0

    def dying(folder: Folder, file: str, content: Any) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise Killed  # before it is written
        write(folder, file, content)
        if left == 1:
            raise Killed  # after it was written

    ends = False
    while not ends:
        count += 1
        left, folder, ends = count, tmp_path / f"killed-{count}", True
        monkeypatch.setattr(Folder, "write", dying)
        for records in (first, second):
            try:
                sync(Listing(name, records), name, folder)
            except Killed:
                ends = False
                monkeypatch.setattr(Folder, "write", write)
                sync(Listing(name, records), name, folder)
        assert files(folder) == files(expected), f"killed at write {count}"
    assert count > 10


def test_an_error_of_the_service_keeps_what_was_read_unless_its_cursor_is_worth_nothing(
    tmp_path: Path,
) -> None:
    lost, whole = NoResponseError("trades.history", "no answer"), [None, "2", "4", "6", "8"]
    for number, (failure, then, cursors) in enumerate(
        (
            (lost, None, ["6", "8"]),
            (
                lost,
                BadRequestError("trades.history", 400, None, "bad cursor", b""),
                ["6", "6", *whole],
            ),
            (PaginationError("trades.history", "a cursor came again"), None, whole),
        )
    ):
        folder = tmp_path / str(number)
        listing = Listing("trades.history", [a_trade(n, NOON + n) for n in range(9)])
        listing.fails = {"6": failure}
        with pytest.raises(type(failure)):
            sync(listing, "trades", folder)
        if failure is lost:
            assert "a sync was interrupted" in history.verify(folder).problems
        listing.fails, listing.calls = {"6": then} if then else {}, []
        assert sync(listing, "trades", folder).rows == 9
        assert [cursor for cursor, _ in listing.calls] == cursors


@pytest.mark.parametrize(
    ("cost", "largest", "size"), [(5, 1000, 1000), (11, 1000, None), (5, 200, None)]
)
def test_the_cheapest_page_is_asked_for_and_one_that_is_refused_no_more(
    cost: int, largest: int, size: int | None, tmp_path: Path
) -> None:
    listing = Listing("trades.history", [a_trade(n, NOON + n) for n in range(2_500)])
    listing.rate_class, listing.cost = f"of pages that cost {cost}, up to {largest}", cost
    listing.size, listing.largest = 100, largest
    assert sync(listing, "trades", tmp_path, lag=0).rows == 2_500
    assert listing.sizes[:2] == [None, 1000]
    assert {*listing.sizes[2:]} == {size}
    listing.sizes.clear()
    sync(listing, "trades", tmp_path, lag=0)
    assert listing.sizes == [None]  # a short list costs one credit
    if largest == 200:
        with pytest.raises(BadRequestError):
            sync(listing, "trades", tmp_path, page_size=300)


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "make room.*what was stored before is whole"),
        (errno.EACCES, "change who may read and write it, or name another one"),
    ],
)
def test_what_a_disk_does_not_take_is_told_and_nothing_is_lost(
    number: int, advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory: Any = pytest.importorskip("fsspec").filesystem("memory")
    listing = Listing("orders.history", [an_order(1, "open", 1)])
    assert sync(listing, "orders", tmp_path, filesystem=memory).rows == 1
    original = type(memory)._open

    def failing(self: Any, path: str, mode: str = "rb", **options: Any) -> Any:
        if "w" in mode:
            raise OSError(number, os.strerror(number))
        return original(self, path, mode, **options)

    listing.records.append(an_order(2, "open", 2))
    monkeypatch.setattr(type(memory), "_open", failing)
    with pytest.raises(ToolkitError, match=rf"cannot use .*/_pass/000001\.arrow: .*{advice}"):
        sync(listing, "orders", tmp_path, filesystem=memory)
    monkeypatch.undo()
    assert history.verify(str(tmp_path), filesystem=memory).rows == 1
    assert sync(listing, "orders", tmp_path, filesystem=memory).rows == 2


def test_it_leaves_a_third_of_the_budget(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for left, waits in ((43, []), (42, [33.0, 33.0])):
        listing = Listing("trades.history", [a_trade(n, NOON + n) for n in range(5)])
        listing.rate_class = f"a budget of which {left} are left"
        listing.rate_budget = budget(Decimal(left), 125)
        waited: list[float] = []
        with caplog.at_level("INFO", "trading_sdk"):
            sync(listing, "trades", tmp_path / str(left), wait=waited.append)
        assert waited == waits
    told = r"trades.history: waits for the rate limit; goes on at \d\d:\d\d:\d\d UTC \(in 33 s\)"
    assert [re.match(told, each) is None for each in caplog.messages] == [False, False]


def test_errors_of_the_machine_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listing, file = Listing("trades.history", [a_trade(1, NOON)]), tmp_path / "file"
    file.write_text("text")
    kind = "a file stands where a folder is needed"
    for look in (history.read, history.verify):
        (tmp_path / "empty").mkdir(exist_ok=True)
        with pytest.raises(ToolkitError, match="holds no list; a sync of a list fills it"):
            look(tmp_path / "empty")
    for use in (partial(sync, listing, "trades"), history.read, history.verify):
        with pytest.raises(ToolkitError, match=rf"cannot use {file}.*; {kind}"):
            use(file)
        for name in (f"{tmp_path}/\udcff", f"{tmp_path}/\0", b"text", None):
            with pytest.raises(ToolkitError, match=r"is no name of a folder: .* UTF-8"):
                use(name)  # type: ignore[arg-type]
        with pytest.raises(ToolkitError, match="carrier://pigeon cannot be used as a folder"):
            use("carrier://pigeon")  # type: ignore[arg-type]
    sync(listing, "trades", tmp_path / "t")
    for wrong in ("_sync.json", "day=2024-10-04/records.parquet"):
        path = tmp_path / "t" / wrong
        kept = path.read_bytes()
        path.unlink()
        path.mkdir()
        with pytest.raises(ToolkitError, match=rf"cannot use {path}"):
            sync(listing, "trades", tmp_path / "t")
        path.rmdir()
        path.write_bytes(kept)
    segment = tmp_path / "t" / "_pass" / "000001.arrow"
    segment.write_bytes(b"no segment")
    with pytest.raises(ToolkitError, match=rf"{segment} is damaged: .* Delete .*/_pass, and sync"):
        sync(listing, "trades", tmp_path / "t")
    segment.unlink()

    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", no_locks)
    with pytest.raises(
        ToolkitError, match=r"cannot use .*\.lock: .*has no locks.* on a local disk"
    ):
        sync(listing, "trades", tmp_path / "t")
    monkeypatch.undo()
    locked = Folder(tmp_path / "t").locked()
    with locked, pytest.raises(ToolkitError, match="another sync is writing"):
        sync(listing, "trades", tmp_path / "t")
    assert sync(listing, "trades", tmp_path / "t").rows == 1


FINE = Decimal("0.1234567890123456789")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (a_trade(7, NOON, fee=FINE), rf"fee {FINE} does not fit decimal128\(38, 18\)"),
        (a_trade(7, NOON, order_id=2**63), rf"order_id {2**63} does not fit int64"),
        (a_trade(7, NOON * 1000), rf"{NOON * 1000} .* in microseconds; in ms it is {NOON}$"),
        (a_trade(7, 10**17), "created_at .* is a time in nanoseconds"),
        (a_trade(7, NOON // 1000), f"created_at {NOON // 1000} .* is a time in seconds"),
        (an_order(7, "open", 183 * 10**13), "updated_at 183.* does not fit .* in microseconds"),
        (event(NOON, "1" * 30), "amount 1{30} does not fit"),
        (withdrawal("1" * 30, ""), "amount 1{30} does not fit"),
    ],
)
def test_a_record_that_fits_no_column_is_named(tmp_path: Path, wrong: Any, words: str) -> None:
    name, right, named = {
        Trade: ("trades.history", a_trade(1, 5), "history_id 7"),
        Order: ("orders.history", an_order(1, "open", 5, created_at=5), "order_id 7"),
        SpotBalanceEvent: ("spot.balance_history", event(5), f"created_at {NOON}"),
        SpotWithdrawal: ("spot.withdrawal_history", withdrawal("1", "a", 5), f"created_at {NOON}"),
    }[type(wrong)]
    listing = Listing(name, [right, right, wrong, right])
    told = f"{type(wrong).__name__} with {named}: .*{words}"
    with pytest.raises(ToolkitError, match=told):
        to_frame(listing.records)
    for cursor in (None, "2"):  # the page before it is kept
        with pytest.raises(ToolkitError, match=told):
            sync(listing, name, tmp_path)
        assert listing.calls[0][0] == cursor
        listing.calls.clear()


# -- mistakes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("trade", {}, "there is no list 'trade'; there are .*; did you mean 'trades.history'?"),
        ("funding", {}, "funding.history needs symbol, like symbol=..."),
        ("trades", {"sybol": "BTC"}, "is not kept by 'sybol'; its arguments are account, symbol"),
        ("trades", {"format": "xlsx"}, "format must be one of parquet, csv, jsonl, not 'xlsx'"),
        ("trades", {"symbol": "ETH"}, "has the arguments .* not .*'symbol': 'ETH'.*: sync to"),
        ("orders", {}, "has the name trades.history, not orders.history: sync to"),
        ("trades", {"format": "csv"}, "has the format parquet, not csv"),
        ("trades", {"lag": -1}, "lag must be a number of seconds, 0 or more, not -1"),
        (None, {}, "the name of a list must be a text, not None"),
        ("trades", {"account": "1" * 32}, "has the arguments"),
    ],
)
def test_a_mistake_is_told_before_anything_is_written(
    client: Client, tmp_path: Path, name: Any, options: dict[str, Any], words: str
) -> None:
    history.sync(client, "trades", tmp_path / "t")
    before = files(tmp_path / "t")
    with pytest.raises(ToolkitError, match=words):
        history.sync(client, name, tmp_path / "t", **options)
    assert files(tmp_path / "t") == before


def test_a_folder_of_another_kind_is_refused(client: Client, tmp_path: Path) -> None:
    history.sync(client, "trades", tmp_path)
    state = tmp_path / "_sync.json"
    text = state.read_text()
    for now, words in (
        ("{", "_sync.json is damaged"),
        ('{"version": 9}', "is of version 9; this release reads versions 1 and 2"),
        (text.replace("int64", "string"), "has the columns .* not .*: sync to a folder of its own"),
        (text.replace("http:", "https:"), "has the service https.* not http:.*: sync to a folder"),
        ("", r"holds .* and no _sync\.json"),
    ):
        state.write_text(now) if now else state.unlink()
        before = files(tmp_path)
        with pytest.raises(ToolkitError, match=words):
            history.sync(client, "trades", tmp_path)
        assert files(tmp_path) == before


def test_verify_tells_what_is_wrong_with_a_file(client: Client, tmp_path: Path) -> None:
    history.sync(client, "trades", tmp_path)
    first, *_, last = sorted(tmp_path.glob("day=*/records.parquet"))
    for spoil, words in (
        (lambda: first.write_bytes(b"PAR1"), "cannot be read"),
        (lambda: first.write_bytes(last.read_bytes()), "has records of another day"),
        (first.unlink, "is missing"),
        (lambda: last.parent.rename(tmp_path / "day=1999-01-01"), "day=1999-01-01 is not of the"),
    ):
        spoil()
        found = history.verify(tmp_path)
        assert any(words in each for each in found.problems), found
        assert found.problems[-1].startswith("sync again")


@pytest.mark.parametrize("format", ["parquet", "jsonl"])
def test_a_damaged_file_is_told_and_comes_back_whole_once_it_is_deleted(
    format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trading_toolkit.passes.now_ms", lambda: NOON + 3 * DAY)
    listing = Listing("trades.history", days_of_trades(3, 5, 4))
    sync(listing, "trades", tmp_path, lag=0, format=format)
    file = max(tmp_path.glob("day=*/*"))
    file.write_bytes(file.read_bytes()[:-10])
    listing.records.append(a_trade(99, NOON + 2 * DAY + 9))
    with pytest.raises(ToolkitError, match=r"is damaged: .* Delete it, and sync again"):
        sync(listing, "trades", tmp_path, lag=0)
    file.unlink()
    report = sync(listing, "trades", tmp_path, lag=0)
    assert (report.new, report.rows) == (1, 13)
    assert history.verify(tmp_path) == history.Verified(rows=13, days=3)


def days_of_trades(*counts: int) -> list[Trade]:
    """So many trades of each day."""
    places = [(day, n) for day, count in enumerate(counts) for n in range(count)]
    return [a_trade(number, NOON + day * DAY + n) for number, (day, n) in enumerate(places)]


@pytest.mark.parametrize("left", [0, 2])
def test_records_that_are_nowhere_any_more_are_an_error(left: int, tmp_path: Path) -> None:
    listing = Listing("trades.history", days_of_trades(3, 5, 4))
    sync(listing, "trades", tmp_path)
    lost = sorted(tmp_path.glob("day=*/*"))[1]
    kept = lost.read_bytes()
    lost.unlink()
    # The service lists the day no more, or a part of it, and has more of another day.
    listing.records[3:8] = listing.records[3 : 3 + left]
    listing.records += [a_trade(100 + n, NOON + 2 * DAY + 100 + n) for n in range(50)]
    for _ in range(2):
        with pytest.raises(ToolkitError, match=rf"had 5 records, .* have {left} of them now"):
            sync(listing, "trades", tmp_path)
    assert [each for each in history.verify(tmp_path).problems if "missing" in each]
    assert len(history.verify(tmp_path).problems) == 2
    lost.write_bytes(kept)
    assert sync(listing, "trades", tmp_path).rows == 62
    assert history.verify(tmp_path).problems == ()


# -- many accounts --------------------------------------------------------------------------------


def test_a_failed_job_stops_no_other_one_also_in_a_cluster(client: Client, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    connect = partial(Client, client.service_url, account=client.account_address)
    # Any free port: with None it takes 8787, and warns if that is in use.
    options = {"n_workers": 1, "processes": False, "dashboard_address": "127.0.0.1:0"}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as dask:
        for place, executor in (("here", None), ("cluster", dask.get_executor())):
            jobs = [
                history.Job(connect=connect, list=name, folder=str(tmp_path / place / name))
                for name in ("trades", "no such list", "orders")
            ]
            done = {each.job.list: each for each in history.sync_many(jobs, executor=executor)}
            assert [done[each.list].job for each in jobs] == jobs
            assert [done[each.list].report is None for each in jobs] == [False, True, False]
            assert isinstance(done["no such list"].error, ToolkitError)
