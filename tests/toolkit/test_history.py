"""A list is kept in a folder: nothing is lost, nothing stands there twice, whatever interrupts it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from attrs import evolve

from tests.doubles.transport import ScriptedTransport, ok
from tests.toolkit.market import PACKAGES, Dialect, exchange, trade
from trading_runtime import (
    ApiError,
    BadRequestError,
    ListOperation,
    NoResponseError,
    Page,
    PaginationError,
    Paginator,
    RateBudget,
    Request,
    Response,
    to_dict,
)
from trading_sandbox import Sandbox
from trading_sdk import (
    Client,
    FundingRecord,
    Keypair,
    Order,
    OrderStatus,
    OrderType,
    Side,
    SpotBalanceEvent,
    Trade,
    TradeCause,
    TradeEventType,
    TradeSide,
)
from trading_toolkit import ToolkitError, history
from trading_toolkit.folder import Folder

pytestmark = pytest.mark.toolkit

DAY = 86_400_000
NOON = 20_000 * DAY + DAY // 2


@pytest.fixture(scope="module")
def market() -> Iterator[tuple[Sandbox, Keypair]]:
    with exchange() as sandbox:
        key = sandbox.create_account(usdc="100000", spot={"SOL": "50"})
        trade(sandbox, key, 25)
        yield sandbox, key


@pytest.fixture
def client(market: tuple[Sandbox, Keypair]) -> Iterator[Client]:
    sandbox, key = market
    with Client(sandbox.url, signer=key) as client:
        yield client


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


# -- a list as the service has it -----------------------------------------------------------------


class Listing:
    """A client whose list of one kind is what a test says, two records a page."""

    account_address = "me"
    service_url = "https://exchange.example"
    rate_budget: RateBudget | None = None
    clock_skew = 0
    api = Client.api

    def __init__(self, name: str, records: Sequence[Any] = ()) -> None:
        self.records = list(records)
        self.calls: list[tuple[str | None, Any]] = []
        self.fails: dict[str | None, Exception] = {}
        self.answers_from: Callable[[int], int] = lambda since: since
        """From when on it answers if it is asked from a time on."""

        group, _, method = name.partition(".")
        setattr(self, group, self)
        setattr(self, method, self.listed)

    def listed(
        self,
        account: str = "",
        symbol: str = "",
        start_time: int = 0,
        cursor: str | None = None,
        limit: int = 2,
    ) -> Paginator[Any]:
        return Paginator(partial(self.page, start_time), cursor)

    def page(self, since: int, cursor: str | None) -> Page[Any]:
        self.calls.append((cursor, since))
        if cursor in self.fails:
            raise self.fails.pop(cursor)
        found = [each for each in self.records if each.created_at >= self.answers_from(since)]
        start = int(cursor or 0)
        more = start + 2 < len(found)
        return Page(found[start : start + 2], str(start + 2) if more else None, more)


def event(at: int, amount: str = "1") -> SpotBalanceEvent:
    return SpotBalanceEvent(
        amount=Decimal(amount),
        balance=Decimal(5),
        symbol="SOL",
        event_type="deposit",
        created_at=at,
    )


def a_trade(number: int, at: int) -> Trade:
    return Trade(
        history_id=number,
        order_id=number,
        symbol="BTC",
        amount=Decimal("0.1"),
        price=Decimal("50000"),
        entry_price=Decimal("50000"),
        fee=Decimal("0.123456789012345678"),
        pnl=Decimal("0"),
        event_type=TradeEventType.FULFILL_MAKER,
        side=TradeSide.OPEN_LONG,
        created_at=at,
        cause=TradeCause.NORMAL,
    )


def an_order(number: int, status: str, changed: int) -> Order:
    return Order(
        order_id=number,
        symbol="BTC",
        side=Side.BID,
        initial_price=Decimal("50000"),
        average_filled_price=Decimal("0"),
        amount=Decimal("1"),
        filled_amount=Decimal("0"),
        order_status=OrderStatus(status),
        order_type=OrderType.LIMIT,
        reduce_only=False,
        created_at=NOON,
        updated_at=changed,
    )


def sync(listing: Listing, name: str, folder: Path, **options: Any) -> history.Report:
    return history.sync(listing, name, folder, **options)  # type: ignore[arg-type]


# -- every list -----------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["parquet", "csv", "jsonl"])
def test_the_folder_has_what_the_list_has(client: Client, tmp_path: Path, format: str) -> None:
    lists: dict[str, Callable[..., Paginator[Any]]] = {
        "trades": client.trades.history,
        "orders": client.orders.history,
        "spot.balance_history": client.spot.balance_history,
        "spot.withdrawal_history": client.spot.withdrawal_history,
    }
    for name, listed in lists.items():
        folder = tmp_path / name
        report = history.sync(client, name, folder, format=format, page_size=7)
        records = [to_dict(each) for each in listed()]
        assert (report.read, report.new, report.rows) == (len(records),) * 3
        assert history.sync(client, name, folder, format=format).new == 0
        assert history.verify(folder) == history.Verified(rows=len(records), days=report.days)
        kept = sorted(map(str, map(as_told, rows(folder))))
        assert kept == sorted(str(as_told(each)) for each in records)


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


@pytest.mark.parametrize("dialect", PACKAGES)
def test_every_list_of_both_clients_can_be_kept(dialect: Dialect, tmp_path: Path) -> None:
    with exchange(dialect) as sandbox:
        key = sandbox.create_account()
        trade(sandbox, key, 2)
        with PACKAGES[dialect].Client(sandbox.url, signer=key) as client:
            operations = client.api.operations
            names = [name for name, each in operations.items() if isinstance(each, ListOperation)]
            for name in names:
                if name == "funding.history":  # below
                    continue
                try:
                    history.sync(client, name, tmp_path / name)
                except ApiError as error:
                    assert error.status == 501, name  # the sandbox does not model it
                else:
                    assert history.verify(tmp_path / name).problems == ()


def test_the_columns_are_the_same_with_and_without_records(client: Client, tmp_path: Path) -> None:
    report = history.sync(client, "trades", tmp_path / "none", symbol="SOL")
    history.sync(client, "trades", tmp_path / "some")
    assert report.rows == 0
    empty = history.read(tmp_path / "none").schema
    assert empty == history.read(tmp_path / "some").schema
    types = {name: str(empty.field(name).type) for name in ("pnl", "created_at", "side", "day")}
    assert types == {
        "pnl": "decimal128(38, 18)",
        "created_at": "timestamp[ms, tz=UTC]",
        "side": "string",
        "day": "date32[day]",
    }


def test_other_libraries_read_the_same_rows(client: Client, tmp_path: Path) -> None:
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    history.sync(client, "trades", tmp_path / "t")
    every, files = history.read(tmp_path / "t"), f"{tmp_path}/t/**/*.parquet"
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


def test_equal_records_without_an_id_stand_as_often_as_in_the_list(tmp_path: Path) -> None:
    same = [event(NOON), event(NOON), event(NOON, "2")]
    listing = Listing("spot.balance_history", same)
    for _ in range(2):
        assert sync(listing, "spot.balance_history", tmp_path / "b").rows == 3
    listing.records = [event(NOON), *same, event(NOON + DAY)]
    assert sync(listing, "spot.balance_history", tmp_path / "b").new == 2


def test_what_the_service_no_longer_lists_is_kept(tmp_path: Path) -> None:
    listing = Listing("orders.history", [an_order(1, "filled", 5)])
    sync(listing, "orders", tmp_path / "o")
    listing.records = []
    assert sync(listing, "orders", tmp_path / "o").rows == 1


def test_only_newer_trades_are_read_again_and_late_ones_within_the_lag(tmp_path: Path) -> None:
    listing = Listing("trades.history", [a_trade(1, NOON), a_trade(2, NOON + DAY)])
    sync(listing, "trades", tmp_path / "t")
    listing.records += [a_trade(3, NOON + DAY - 599_000), a_trade(4, NOON + DAY + 1)]
    listing.calls = []
    assert sync(listing, "trades", tmp_path / "t").new == 2
    assert listing.calls[0] == (None, NOON + DAY - 600_000)


# -- interruptions --------------------------------------------------------------------------------


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("name", ["trades", "orders", "spot.balance_history"])
def test_a_kill_at_any_write_loses_nothing_and_writes_nothing_twice(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trading_toolkit.passes._SEGMENT_ROWS", 2)
    monkeypatch.setattr("trading_toolkit.passes.now_ms", lambda: NOON)  # a folder says when
    made: dict[str, tuple[str, Callable[[int], Any]]] = {
        "trades": ("trades.history", lambda n: a_trade(n, NOON + n * DAY // 3)),
        "orders": ("orders.history", lambda n: an_order(n, "open", n)),
        "spot.balance_history": ("spot.balance_history", lambda n: event(NOON + n // 4 * DAY)),
    }
    full, record = made[name]
    first, second = list(map(record, range(8))), list(map(record, range(11)))
    expected = tmp_path / "expected"
    for records in (first, second):
        sync(Listing(full, records), name, expected)
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
    for moment in range(1, 100):
        left, folder = moment, tmp_path / f"killed-{moment}"
        monkeypatch.setattr(Folder, "write", dying)
        ends = True
        for records in (first, second):
            try:
                sync(Listing(full, records), name, folder)
            except Killed:
                ends = False
                break
        monkeypatch.setattr(Folder, "write", write)
        for records in (first, second):
            sync(Listing(full, records), name, folder)
        assert files(folder) == files(expected), f"killed at write {moment}"
        if ends:
            break
        count += 1
    assert ends
    assert count > 10


def test_an_error_of_the_service_keeps_what_was_read(tmp_path: Path) -> None:
    listing = Listing("trades.history", [a_trade(n, NOON + n) for n in range(9)])
    listing.fails = {"6": NoResponseError("trades.history", "no answer")}
    with pytest.raises(NoResponseError):
        sync(listing, "trades", tmp_path / "t")
    assert "a sync was interrupted" in history.verify(tmp_path / "t").problems
    listing.calls = []
    assert sync(listing, "trades", tmp_path / "t").rows == 9
    assert listing.calls[0][0] == "6"


class Pages:
    """A service whose list has these records, oldest first, in pages of 50."""

    def __init__(self, records: Sequence[Any]) -> None:
        self.records = [to_dict(each) for each in records]
        self.last: dict[str, Any] = {"next_cursor": None, "has_more": False}
        """How the last page says that it is the last one."""

    def __call__(self, request: Request) -> Response:
        start = int(parse_qs(urlsplit(request.url).query).get("cursor", ["0"])[0])
        more = {"next_cursor": str(start + 50), "has_more": True}
        leads_on = start + 50 < len(self.records)
        page = {"success": True, "data": self.records[start : start + 50]}
        return ok(page | (more if leads_on else self.last))

    def client(self) -> Client:
        address = Keypair.from_seed(bytes(32)).address
        transport = ScriptedTransport(then=self)
        return Client("https://exchange.example", account=address, transport=transport)


@pytest.mark.parametrize("count", [7, 1_050])
def test_a_last_page_with_an_empty_cursor_is_kept(count: int, tmp_path: Path) -> None:
    service = Pages([a_trade(n, NOON + n) for n in range(count)])
    service.last["next_cursor"] = ""
    with service.client() as client:
        report = history.sync(client, "trades", tmp_path)
        assert len(client.trades.history().to_list()) == count
        assert [page.next_cursor for page in client.trades.history().pages()][-1] is None
    assert (report.read, report.new, report.rows) == (count, count, count)


@pytest.mark.parametrize(
    "last",
    [
        {"next_cursor": None, "has_more": True},
        {"next_cursor": "100", "has_more": False},
        {"next_cursor": "50", "has_more": True},
    ],
)
def test_a_list_that_contradicts_itself_has_no_end_and_is_read_anew(
    last: dict[str, Any], tmp_path: Path
) -> None:
    service = Pages([event(NOON + n) for n in range(120)])
    service.last = last
    with service.client() as client:
        for _ in range(2):
            with pytest.raises(PaginationError):
                history.sync(client, "spot.balance_history", tmp_path)
        service.last = {"next_cursor": None, "has_more": False}
        assert history.sync(client, "spot.balance_history", tmp_path).rows == 120


def test_a_cursor_that_the_service_no_longer_takes_begins_the_list_anew(tmp_path: Path) -> None:
    listing = Listing("trades.history", [a_trade(n, NOON + n) for n in range(9)])
    listing.fails = {"6": NoResponseError("trades.history", "no answer")}
    with pytest.raises(NoResponseError):
        sync(listing, "trades", tmp_path / "t")
    listing.fails = {"6": BadRequestError("trades.history", 400, None, "bad cursor", b"")}
    assert sync(listing, "trades", tmp_path / "t").rows == 9
    assert [cursor for cursor, _ in listing.calls[-5:]] == [None, "2", "4", "6", "8"]


def test_a_full_disk_is_told_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsspec = pytest.importorskip("fsspec")
    memory, listing = (
        fsspec.filesystem("memory"),
        Listing("orders.history", [an_order(1, "open", 1)]),
    )
    folder = str(tmp_path)
    assert sync(listing, "orders", Path(folder), filesystem=memory).rows == 1
    kind: Any = type(memory)
    original = kind._open

    def no_space(self: Any, path: str, mode: str = "rb", **options: Any) -> Any:
        if "w" in mode:
            raise OSError(28, "No space left on device")
        return original(self, path, mode, **options)

    listing.records.append(an_order(2, "open", 2))
    monkeypatch.setattr(kind, "_open", no_space)
    with pytest.raises(ToolkitError, match=r"No space left.*What was stored before is whole"):
        sync(listing, "orders", Path(folder), filesystem=memory)
    monkeypatch.undo()
    assert history.verify(folder, filesystem=memory).rows == 1
    assert sync(listing, "orders", Path(folder), filesystem=memory).rows == 2


def test_it_waits_when_little_of_the_rate_budget_is_left(tmp_path: Path) -> None:
    listing = Listing("trades.history", [a_trade(n, NOON + n) for n in range(5)])
    listing.rate_budget = RateBudget(
        remaining=Decimal(12), resets_in=32, quota=Decimal(125), window=60
    )
    waited: list[float] = []
    sync(listing, "trades", tmp_path / "t", wait=waited.append)
    assert waited == [33.0, 33.0]
    listing.rate_budget = RateBudget(
        remaining=Decimal(13), resets_in=32, quota=Decimal(125), window=60
    )
    sync(listing, "trades", tmp_path / "u", wait=waited.append)
    assert len(waited) == 2


# -- mistakes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("trade", {}, "there is no list 'trade'; there are .*; did you mean 'trades.history'?"),
        ("orders.create", {}, "there is no list 'orders.create'"),
        ("funding", {}, "funding.history needs symbol, like symbol=..."),
        ("trades", {"sybol": "BTC"}, "is not kept by 'sybol'; its arguments are account, symbol"),
        ("trades", {"start_time": 1}, "is not kept by 'start_time'"),
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


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda t: (t / "_sync.json").write_text("{"), "_sync.json is damaged"),
        (
            lambda t: (t / "_sync.json").write_text('{"version": 9}'),
            "is of version 9; this release reads version 1",
        ),
        (
            lambda t: (t / "_sync.json").write_text(
                (t / "_sync.json").read_text().replace("int64", "string")
            ),
            "has the columns .* not .*: sync to a folder of its own",
        ),
        (lambda t: (t / "_sync.json").unlink(), r"holds .* and no _sync\.json"),
    ],
)
def test_a_folder_of_another_kind_is_refused(
    client: Client, tmp_path: Path, damage: Callable[[Path], Any], words: str
) -> None:
    folder = tmp_path / "t"
    history.sync(client, "trades", folder)
    damage(folder)
    before = files(folder)
    with pytest.raises(ToolkitError, match=words):
        history.sync(client, "trades", folder)
    assert files(folder) == before


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda day: (day / "records.parquet").write_bytes(b"PAR1"), "cannot be read"),
        (lambda day: (day / "records.parquet").unlink(), "is missing"),
        (
            lambda day: day.rename(day.parent / "day=1999-01-01"),
            "day=1999-01-01 is not of the last",
        ),
        (
            lambda day: (day / "records.parquet").write_bytes(
                max(day.parent.glob("*/*.parquet")).read_bytes()
            ),
            "has records of another day",
        ),
    ],
)
def test_verify_tells_what_is_wrong_with_a_file(
    client: Client, tmp_path: Path, damage: Callable[[Path], Any], words: str
) -> None:
    history.sync(client, "trades", tmp_path)
    damage(min(tmp_path.glob("day=*")))
    found = history.verify(tmp_path)
    assert any(words in each for each in found.problems), found
    assert found.problems[-1].startswith("sync again")


def test_a_folder_without_a_list_cannot_be_read(tmp_path: Path) -> None:
    for look in (history.read, history.verify):
        with pytest.raises(ToolkitError, match="holds no list; a sync of a list fills it"):
            look(tmp_path)


@pytest.mark.parametrize("format", ["parquet", "csv", "jsonl"])
def test_no_digit_of_a_large_amount_is_lost(tmp_path: Path, format: str) -> None:
    amount = Decimal("12345678901234567890.123456789012345678")
    listing = Listing("trades.history", [evolve(a_trade(1, NOON), amount=amount)])
    sync(listing, "trades", tmp_path, format=format)
    assert history.read(tmp_path).to_table().column("amount").to_pylist() == [amount]
    assert history.verify(tmp_path).problems == ()


@pytest.mark.parametrize("format", ["parquet", "jsonl"])
def test_a_damaged_file_is_told_and_read_again_once_it_is_gone(
    client: Client, tmp_path: Path, format: str
) -> None:
    report = history.sync(client, "trades", tmp_path, format=format)
    file = min(tmp_path.glob("day=*/*"))
    listing = Listing("trades.history", client.trades.history().to_list())
    assert client.account_address is not None
    listing.account_address, listing.service_url = client.account_address, client.service_url
    file.write_bytes(file.read_bytes()[:-10])
    since = listing.records[-1].created_at
    listing.records.append(evolve(listing.records[-1], history_id=1, created_at=since))
    with pytest.raises(ToolkitError, match=r"is damaged: .* Delete it, and sync again"):
        sync(listing, "trades", tmp_path, lag=10**9)
    file.unlink()
    assert sync(listing, "trades", tmp_path).rows == report.rows + 1
    assert history.verify(tmp_path).problems == ()


def days_of_trades(*counts: int) -> list[Trade]:
    """So many trades of each day."""
    places = [(day, n) for day, count in enumerate(counts) for n in range(count)]
    return [a_trade(number, NOON + day * DAY + n) for number, (day, n) in enumerate(places)]


def test_a_damaged_file_that_was_deleted_after_a_sync_told_so_comes_back_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trading_toolkit.passes.now_ms", lambda: NOON + 3 * DAY)
    listing = Listing("trades.history", days_of_trades(3, 5, 4))
    sync(listing, "trades", tmp_path, lag=0)
    file = max(tmp_path.glob("day=*/*"))
    file.write_bytes(file.read_bytes()[:-10])
    listing.records.append(a_trade(99, NOON + 2 * DAY + 9))
    with pytest.raises(ToolkitError, match=r"is damaged: .* Delete it, and sync again"):
        sync(listing, "trades", tmp_path, lag=0)
    file.unlink()
    report = sync(listing, "trades", tmp_path, lag=0)
    assert (report.new, report.rows) == (1, 13)
    assert history.verify(tmp_path) == history.Verified(rows=13, days=3)


def test_a_whole_reading_for_a_lost_file_goes_on_where_it_was_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trading_toolkit.passes._SEGMENT_ROWS", 2)
    listing = Listing("trades.history", days_of_trades(3, 5, 4))
    sync(listing, "trades", tmp_path)
    max(tmp_path.glob("day=*/*")).unlink()
    listing.fails = {"6": NoResponseError("trades.history", "no answer")}
    with pytest.raises(NoResponseError):
        sync(listing, "trades", tmp_path)
    listing.calls = []
    assert sync(listing, "trades", tmp_path).rows == 12
    assert listing.calls[0] == ("6", 0)


@pytest.mark.parametrize("left", [0, 2])
def test_records_that_are_nowhere_any_more_are_an_error_and_not_a_negative_number(
    left: int, tmp_path: Path
) -> None:
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


def test_a_folder_is_of_one_service(tmp_path: Path) -> None:
    listing = Listing("trades.history", [a_trade(1, NOON)])
    sync(listing, "trades", tmp_path)
    listing.service_url = "https://test.exchange.example"
    with pytest.raises(
        ToolkitError, match=r"has the service https://exchange\.example, not https://test"
    ):
        sync(listing, "trades", tmp_path)


def test_two_syncs_at_once_do_not_mix(client: Client, tmp_path: Path) -> None:
    with Folder(tmp_path).locked(), pytest.raises(ToolkitError, match="another sync is writing"):
        history.sync(client, "trades", tmp_path)


# -- many accounts --------------------------------------------------------------------------------


class Here(Executor):
    """Does each job at once."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        from concurrent.futures import Future

        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@pytest.mark.parametrize("executor", [None, Here()])
def test_a_failed_job_stops_no_other_one(
    market: tuple[Sandbox, Keypair], tmp_path: Path, executor: Executor | None
) -> None:
    sandbox, key = market
    connect = partial(Client, sandbox.url, account=key.address)
    jobs = [
        history.Job(connect=connect, list=name, folder=str(tmp_path / name))
        for name in ("trades", "no such list", "orders")
    ]
    done = history.sync_many(jobs, executor=executor)
    assert [each.job for each in done] == jobs
    assert [each.report.rows if each.report else 0 for each in done][1:] == [0, 25]
    assert isinstance(done[1].error, ToolkitError)


def test_funding_of_a_market_is_kept_without_an_account(
    market: tuple[Sandbox, Keypair], tmp_path: Path
) -> None:
    with Client(market[0].url) as client:
        report = history.sync(client, "funding", tmp_path / "f", symbol="BTC", page_size=4000)
        newest: FundingRecord | None = client.funding.history(symbol="BTC").first()
        with pytest.raises(ToolkitError, match=r"trades\.history needs an account"):
            history.sync(client, "trades", tmp_path / "t")
    assert newest is not None
    assert report.rows == len(rows(tmp_path / "f"))
    assert newest.funding_rate in {row["funding_rate"] for row in rows(tmp_path / "f")}


@pytest.mark.parametrize(
    ("name", "wrong", "words"),
    [
        (
            "trades.history",
            evolve(a_trade(7, NOON), fee=Decimal("0.1234567890123456789")),
            r"Trade with history_id 7: fee 0\.1234567890123456789 does not fit decimal128\(38, 18\)",
        ),
        (
            "trades.history",
            a_trade(7, NOON * 1000),
            rf"Trade with history_id 7: created_at {NOON * 1000} .* in microseconds; in ms it is {NOON}$",
        ),
        (
            "orders.history",
            evolve(an_order(7, "open", NOON), updated_at=1_830_000_000_000_000),
            r"Order with order_id 7: updated_at 1830000000000000 does not fit .* in microseconds",
        ),
        (
            "spot.balance_history",
            event(NOON, "1" * 30),
            f"SpotBalanceEvent with created_at {NOON}: amount 1{{30}} does not fit",
        ),
    ],
)
def test_a_record_that_fits_no_column_is_named(
    tmp_path: Path, name: str, wrong: Any, words: str
) -> None:
    right = {"trades.history": a_trade(1, NOON), "orders.history": an_order(1, "open", NOON)}
    listing: Any = Listing(name, [right.get(name, event(NOON)), wrong])
    with pytest.raises(ToolkitError, match=words):
        history.sync(listing, name, tmp_path)
