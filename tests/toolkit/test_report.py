"""A report has the figures of the exchange, and its page and picture are safe, whole and always the same."""

from __future__ import annotations

import csv
import os
import pickle
import re
import subprocess
import sys
from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor
from decimal import Context, Decimal, localcontext
from functools import partial
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.toolkit.market import exchange, trade
from tests.toolkit.test_portfolio import a_trade
from trading_runtime import to_datetime
from trading_sdk_observed import Client, Trade
from trading_toolkit import ToolkitError, history, report
from trading_toolkit.page import write

DAY = 24


class Page(HTMLParser):
    """A page as a browser takes it: its elements, its texts, and its tables."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.source = path.read_text("utf-8")
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(self.source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag != "i":
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        if self.texts:
            self.texts[-1] += data.strip()

    def images(self) -> list[str]:
        """The sources of its images."""
        return [str(more["src"]) for tag, more in self.elements if tag == "img"]


def written(made: report.Report, folder: Path) -> Page:
    return Page(write(made, folder / "report.html"))


def test_the_figures_are_those_of_the_exchange(tmp_path: Path) -> None:
    with exchange("live") as sandbox:
        key = sandbox.create_account(usdc="100000")
        trade(sandbox, key, 30, seed=3)
        with Client(sandbox.url, signer=key) as client:
            trades = client.trades.history().to_list()
            payments = client.funding.payments().to_list()
            held = {each.symbol: each for each in client.positions.list()}
            balance = client.account.info().balance
            history.sync(client, "trades", tmp_path / "trades")

    made = report.build(trades, payments, mark_prices=dict.fromkeys(held, Decimal(50_000)))

    assert made.total.net == balance - 100_000 == made.days[-1].so_far
    assert made.total.net == sum(each.net for each in made.markets.values())
    assert made.total.funding == sum(each.payout for each in payments) != 0
    assert made.total.fees == sum(each.fee for each in trades)
    assert made.total.trades == len(trades)
    assert {each.symbol: abs(each.size) for each in made.positions} == {
        symbol: each.amount for symbol, each in held.items()
    }
    assert made.unrealised.keys() == held.keys() != set()
    # A folder holds the same, and is named.
    kept = history.read(tmp_path / "trades")
    of_folder = report.build(kept, payments, mark_prices=dict.fromkeys(held, Decimal(50_000)))
    named, *others = of_folder.assumptions
    assert attrs.evolve(of_folder, assumptions=tuple(others)) == made
    assert f"trades.history is of {key.address} at http://127.0.0.1:" in named
    assert re.search(r", as of \d{4}-\d\d-\d\d ", named)
    texts = written(made, tmp_path).texts
    for amount in (made.total.net, made.total.volume, made.days[0].drawdown):
        assert Decimal(amount) in {Decimal(each.replace(",", "")) for each in texts if number(each)}
    rows = table(made, tmp_path)
    for symbol, found in made.markets.items():
        own = [row for row in rows if row["symbol"] == symbol]
        for name in "net", "realised", "fees", "funding", "volume":
            assert sum(Decimal(row[name]) for row in own) == getattr(found, name)
    by_day = {(row["day"], row["symbol"]): Decimal(row["funding"]) for row in rows}
    for each in payments:
        by_day[f"{to_datetime(each.created_at):%Y-%m-%d}", each.symbol] -= each.payout
    assert not any(by_day.values())


def table(made: report.Report, folder: Path) -> list[dict[str, str]]:
    path = write(made, folder / "report.csv")
    with path.open(newline="") as file:
        return [*csv.DictReader(file)]


def test_funding_that_is_not_known_is_no_zero(tmp_path: Path) -> None:
    fill = a_trade(1, "open_long", "1")
    for payments, shown in ((None, ""), ([], "0")):
        [row] = table(report.build([fill], payments), tmp_path)
        assert row["funding"] == shown
        assert row["fills"] == "1"


def number(text: str) -> bool:
    return re.fullmatch(r"-?[\d,]+(\.\d+)?", text) is not None


def closing(number: int, pnl: str, **more: Any) -> Trade:
    return a_trade(number, "close_long", "1", pnl=Decimal(pnl), fee=Decimal(0), **more)


def test_drawdown_is_the_fall_from_the_highest_end_of_a_day() -> None:
    gains = {1: "-5", 2: "20", 3: "-8", 4: "3", 5: "-7", 6: "30"}
    made = report.build([closing(day * DAY, pnl) for day, pnl in gains.items()])

    assert [each.so_far for each in made.days] == [-5, 15, 7, 10, 3, 33]
    assert [each.drawdown for each in made.days] == [5, 0, 8, 5, 12, 0]
    assert made.worst == made.days[4]
    assert report.build([closing(1, "1")]).worst is None


def test_markets_are_in_order_of_their_gain_and_closed_positions_are_left_out() -> None:
    trades = [
        a_trade(1, "open_long", "1", symbol="A", pnl=Decimal(-3)),
        a_trade(2, "open_long", "1", symbol="B"),
        a_trade(3, "close_long", "1", symbol="B", pnl=Decimal(9)),
    ]
    made = report.build(trades)
    assert [(symbol, each.trades) for symbol, each in made.markets.items()] == [("B", 2), ("A", 1)]
    assert [each.symbol for each in made.positions] == ["A"]


def test_it_says_what_it_assumes() -> None:
    late = a_trade(1, "close_long", "1")
    assert "Funding payments are not known" in assumed(report.build([late]))
    assert "Funding payments are not known" not in assumed(report.build([late], []))
    assert "taken as before its fee" in assumed(report.build([late]))
    assert "taken as after its fee" in assumed(report.build([late], pnl_includes_fees=True))
    assert "sizes may be wrong: BTC." in assumed(report.build([late]))
    assert "sizes may be wrong" not in assumed(report.build([a_trade(1, "open_long", "1")]))
    # Its profit is known all the same.
    unclear = report.build([a_trade(7, "flip", "1")])
    assert "not known: trade 7: what a 'flip' does to a position" in assumed(unclear)
    assert (unclear.total.fees, unclear.positions) == (Decimal("0.1"), ())


def test_wrong_arguments_and_folders_of_two_accounts_make_no_report(tmp_path: Path) -> None:
    price: Any = 5.0
    with pytest.raises(ToolkitError, match="the mark price of BTC is no Decimal"):
        report.build([], mark_prices={"BTC": price})
    with pytest.raises(ToolkitError, match="title must be a text"):
        report.build([], title="")
    with exchange() as sandbox:
        for name in ("mine", "others"):
            with Client(sandbox.url, signer=sandbox.create_account()) as client:
                history.sync(client, "trades", tmp_path / name)
    with pytest.raises(ToolkitError, match="the folders are not of one account"):
        report.build(history.read(tmp_path / "mine"), history.read(tmp_path / "others"))


def assumed(made: report.Report) -> str:
    return "\n".join(made.assumptions)


HOSTILE = [
    "<script>alert(1)</script>",
    "</text></svg><img src=https://evil.example/x>",
    "'\"><a href=//evil.example>",
    "{{ 7*7 }}{% raw %}",
    r"$\frac{",
    "]]>&amp;--><!--",
    "fill: #1b2430",
    "a\x00\ud800\u202e\nb",
    "All markets",
    "上海🚀",
    "x" * 500,
]


def test_hostile_symbols_are_texts_and_change_nothing(tmp_path: Path) -> None:
    def page(names: list[str]) -> Page:
        trades = [
            a_trade(at, "open_long", "1", symbol=name, entry="90")
            for at, name in enumerate(names, 1)
        ]
        return written(report.build(trades, [], title=f"Of {names[0]}"), tmp_path)

    plain, hostile = page([f"M{number}" for number in range(len(HOSTILE))]), page(HOSTILE)

    assert [tag for tag, _ in hostile.elements] == [tag for tag, _ in plain.elements]
    assert [set(more) for _, more in hostile.elements] == [set(more) for _, more in plain.elements]
    assert f"Of {HOSTILE[0]}" in hostile.texts
    shown = {each for each in HOSTILE if len(each) < 50 and each.isprintable()}
    for symbol in [*shown, "a" + 4 * "\N{REPLACEMENT CHARACTER}" + "b"]:
        # In three tables.
        assert hostile.texts.count(symbol) >= 3


def test_a_page_loads_nothing(tmp_path: Path) -> None:
    page = written(report.build([a_trade(1, "open_long", "1"), closing(30, "-4")]), tmp_path)

    forbidden = {"script", "link", "svg", "iframe", "object", "base"}
    assert not forbidden & {tag for tag, _ in page.elements}
    source = re.sub(r'src="data:image/png;base64,[\w+/=]+"', "", page.source)
    for loads in ("//", "src=", "@import", "url("):
        assert loads not in source
    policy = next(more["content"] for _, more in page.elements if "content" in more)
    assert policy is not None and policy.startswith("default-src 'none'; img-src data:; style-src")
    ids = [more["id"] for _, more in page.elements if "id" in more]
    assert len(ids) == len(set(ids))
    named = {
        each for _, more in page.elements for each in (more.get("aria-labelledby") or "").split()
    }
    assert named <= set(ids)


def test_the_same_records_give_the_same_bytes_also_by_threads_and_another_process(
    tmp_path: Path,
) -> None:
    import matplotlib

    trades = [a_trade(ord(each), "open_long", "1", symbol=each) for each in "ABC"]
    trades.append(closing(90, "-4"))
    made = report.build(trades)
    code = (
        "import matplotlib, pickle, sys\n"
        "from trading_toolkit import page, report\n"
        "matplotlib.rcParams['font.size'] = 20\n"
        "made = report.build(pickle.load(sys.stdin.buffer))\n"
        "for path in sys.argv[1:]:\n"
        "    page.write(made, path)\n"
    )
    others = [tmp_path / "other.html", tmp_path / "other.png"]
    environment = {**os.environ, "PYTHONHASHSEED": "9", "TZ": "Asia/Tokyo"}
    command = (sys.executable, "-c", code, *map(str, others))
    subprocess.run(command, input=pickle.dumps(trades[::-1]), check=True, env=environment)
    before = dict(matplotlib.rcParams)
    files = [tmp_path / f"mine{other.suffix}" for other in others]
    with ThreadPoolExecutor() as threads:
        list(threads.map(partial(write, made), files))
    assert dict(matplotlib.rcParams) == before
    for file in files:
        assert file.read_bytes() == (tmp_path / f"other{file.suffix}").read_bytes()


def test_a_file_is_replaced_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, target = report.build([a_trade(1, "open_long", "1")]), tmp_path / "report.csv"
    target.write_text("before")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(os, "replace", interrupted)
        write(made, target)
    assert target.read_text() == "before"
    assert os.listdir(tmp_path) == ["report.csv"]
    for wrong, words in (
        ("no/report.csv", r"cannot write .*no/report.csv: No such file"),
        ("report.pdf", r"written as \.html, \.png or \.csv, not as 'report.pdf'"),
    ):
        with pytest.raises(ToolkitError, match=words):
            write(made, tmp_path / wrong)


def test_without_matplotlib_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("charts", "page"):
        monkeypatch.delitem(sys.modules, f"trading_toolkit.{name}")
        monkeypatch.delattr(f"trading_toolkit.{name}")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"pip install 'trading-service-sdk\[toolkit\]'"):
        import_module("trading_toolkit.page")


def test_nothing_one_trade_and_many_markets_are_drawn_on_a_small_page(tmp_path: Path) -> None:
    many = [
        a_trade(number, "open_short", "1", symbol=f"M{number % 200}", pnl=Decimal(number % 7 - 3))
        for number in range(1, 2_000)
    ]
    for trades in ([], many[:1], many):
        made = report.build(trades)
        page = written(made, tmp_path)
        charts = [b64decode(source.partition(",")[2]) for source in page.images()]
        assert len(charts) == (2 if trades else 0)
        # A PNG begins with its size: of 200 markets the largest have a bar each, and the others one.
        assert all(int.from_bytes(each[20:24], "big") < 1000 for each in charts)
        assert page.texts.count("All markets") == bool(trades)
    assert write(made, tmp_path / "report.png").read_bytes().startswith(b"\x89PNG")
    assert {f"M{number}" for number in range(200)} <= set(page.texts)
    assert f"{len(made.rows) - 1000:,} older rows are left out" in page.source
    assert len(page.source) < 3_000_000


def test_tiny_and_large_amounts_are_exact_under_any_decimal_context(tmp_path: Path) -> None:
    tiny, large = Decimal("0.000000000000000001"), Decimal("12345678901234567890")
    trades = [
        a_trade(1, "open_long", "1", "0.3", fee=tiny, pnl=-large),
        a_trade(2, "open_long", "2", "0.2", fee=tiny, pnl=Decimal(0)),
    ]
    with localcontext(Context(prec=3)):
        made = report.build(trades, mark_prices={"BTC": tiny})
        page = written(made, tmp_path)
    assert made.total.net == Decimal("-12345678901234567890.000000000000000002")
    assert "-12,345,678,901,234,567,890.000000000000000002" in page.texts
    assert "-0.699999999999999997" in page.texts
    assert "0.233333333333" in page.texts
