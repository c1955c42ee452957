"""Everything that the README and the pages under docs/ show works as it is shown."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

import trading_sdk
from tests.readme import PAGES, README, ROOT, snippets
from trading_runtime import BaseClient
from trading_sdk.client import Client
from trading_sdk_observed import Client as ObservedClient

DOCS = ROOT / "docs"
ESSENTIALS = (DOCS / "essentials.md").read_text("utf-8")


@pytest.fixture
def quiet_log() -> Iterator[None]:
    """A snippet that sets the level of the log sets it for this test alone."""
    yield
    logging.getLogger("trading_sdk").setLevel(logging.NOTSET)


@pytest.mark.usefixtures("quiet_log")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param(*each, marks=pytest.mark.toolkit if "trading_toolkit" in each[1] else ())
        for each in snippets()
    ],
    ids=[name for name, _ in snippets()],
)
def test_a_snippet_runs_as_it_stands(
    name: str,
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("TRADING_BASE_URL", "https://exchange.example")
    monkeypatch.chdir(tmp_path)

    exec(compile(text, name, "exec"), {})

    assert "Error" not in capsys.readouterr().out


def test_the_first_example_shows_the_orders_that_it_placed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    name, text = snippets()[0]
    exec(compile(text, name, "exec"), {})

    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1:] for line in lines] == [
        ["open", "0.01", "at", "60000"],
        ["cancelled", "0.01", "at", "59000"],
    ]


def methods(client: type[BaseClient] = Client) -> dict[str, Callable[..., Any]]:
    """Every public method of every group of a client, by `group.method`."""
    with client("http://127.0.0.1:8787") as made:
        groups = {
            name: getattr(made, name)
            for name, found in vars(client).items()
            if isinstance(found, cached_property)
        }
    return {
        f"{name}.{method}": getattr(group, method)
        for name, group in groups.items()
        for method in vars(type(group))
        if not method.startswith("_")
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_method_that_a_page_names_is_there(page: Path) -> None:
    """Those of the client of what was seen stand in paragraphs, or in snippets, that say so."""
    known, observed = methods().keys(), methods(ObservedClient).keys()
    groups = {name.split(".")[0] for name in observed}

    snippets = re.split(r"(^```.*?^```$)", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    paragraphs = [each for part in snippets[::2] for each in re.split(r"\n(?=\n|- |\|)", part)]
    for text in (*paragraphs, *snippets[1::2]):
        there = observed if "observed" in text else known
        for name in re.findall(r"\bclient\.([a-z_]+\.[a-z_]+)\b", text):
            assert name.split(".")[0] not in groups or name in there, text


def test_the_methods_of_the_client_itself_are_named() -> None:
    sentence = ESSENTIALS.split("On the client itself: ")[1].split(".\n")[0]
    methods = [
        name
        for each in BaseClient.__mro__[:-1]
        for name, found in vars(each).items()
        if not name.startswith("_") and isinstance(found, (FunctionType, classmethod))
    ]

    assert sorted(re.findall(r"`(\w+)`", sentence)) == sorted(methods)


def test_the_position_of_an_account_is_the_sum_of_its_trades(
    capsys: pytest.CaptureFixture[str],
) -> None:
    name, text = next(each for each in snippets() if "SIGNS" in each[1])
    exec(compile(text, name, "exec"), {})

    assert f"print(dict(positions))  # {capsys.readouterr().out}" in text


def test_it_is_short() -> None:
    assert len(README.split()) <= 1_000


def test_every_page_file_and_folder_that_it_names_is_there() -> None:
    linked = re.findall(r"\]\(([\w/.-]+)(?:#[\w-]+)?\)", README)
    named = re.findall(r"`((?:spec|codegen|generated|runtime|sandbox|tests)/[\w./-]*)`", README)

    assert linked and named
    assert [path for path in linked if not (ROOT / path).is_file()] == []
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_files_of_an_order_on_its_way_are_there() -> None:
    page = (DOCS / "making.md").read_text("utf-8")
    way = page.split("in six files: ")[1].split("reads the answer")[0]
    first, room, *rest = re.findall(r"`([\w/.]+)`", way)

    assert (ROOT / first).is_file()
    assert len(rest) == 6
    assert [path for path in rest if not (ROOT / room / path).is_file()] == []


def test_the_table_of_errors_names_real_errors() -> None:
    table = ESSENTIALS.split("| error | meaning |\n|---|---|\n")[1].split("\n\n")[0]
    names = re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in table.splitlines()))

    assert len(names) >= 9
    assert [name for name in names if not hasattr(trading_sdk, name)] == []
