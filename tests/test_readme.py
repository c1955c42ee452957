"""Everything that the README and the pages under docs/ show works as it is shown."""

from __future__ import annotations

import inspect
import re
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

import trading_sdk
from tests.readme import README, ROOT, snippets
from trading_runtime import Action, BaseClient, Operation
from trading_sdk.client import Client
from trading_sdk.operations import API

METHODS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in README.split("\n## Every method\n")[1].split("\n## ")[0].splitlines()
    if line.startswith("| ")
][1:]
"""Group, method, what it does, endpoint."""


@pytest.mark.parametrize(("name", "text"), snippets(), ids=[name for name, _ in snippets()])
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


def test_the_table_of_methods_names_every_operation_and_action_with_its_endpoint() -> None:
    called: dict[str, Operation[Any] | Action] = {**API.actions, **API.operations}
    names = [f"{group}.{method.strip('`')}" for group, method, *_ in METHODS]

    assert sorted(names) == sorted(called)
    for name, (*_, endpoint) in zip(names, METHODS, strict=True):
        each = called[name]
        if isinstance(each, Operation):
            assert endpoint == f"`{each.method} {each.path}`"
        else:
            assert endpoint == f"batch action `{each.type}`"


def test_the_table_of_methods_names_every_method_of_a_group() -> None:
    with Client("http://127.0.0.1:8787") as client:
        groups = {
            name: getattr(client, name)
            for name, found in vars(Client).items()
            if isinstance(found, cached_property)
        }
    methods = {
        (name, f"`{method}`")
        for name, group in groups.items()
        for method in vars(type(group))
        if not method.startswith("_")
    }

    assert {(group, method) for group, method, *_ in METHODS} == methods


def test_the_table_of_methods_says_what_their_docstrings_say_first() -> None:
    with Client("http://127.0.0.1:8787") as client:
        for group, method, does, _ in METHODS:
            text = inspect.getdoc(getattr(getattr(client, group), method.strip("`"))) or ""
            assert " ".join(text.split("\n\n")[0].split()) == f"{does}."


def test_the_methods_of_the_client_itself_are_named() -> None:
    sentence = README.split("On the client itself: ")[1].split(". ")[0]
    methods = [
        name
        for name, found in vars(BaseClient).items()
        if not name.startswith("_") and isinstance(found, (FunctionType, classmethod))
    ]

    assert sorted(re.findall(r"`(\w+)`", sentence)) == sorted(methods)


def test_the_position_of_an_account_is_the_sum_of_its_trades(
    capsys: pytest.CaptureFixture[str],
) -> None:
    name, text = next(each for each in snippets() if "SIGNS" in each[1])
    exec(compile(text, name, "exec"), {})

    assert f"print(dict(positions))  # {capsys.readouterr().out}" in text


def test_every_page_that_it_links_to_is_there() -> None:
    linked = re.findall(r"\]\(([\w/.-]+)(?:#[\w-]+)?\)", README)

    assert linked
    assert [path for path in linked if not (ROOT / path).is_file()] == []


def test_ci_runs_the_test_command_of_the_readme_and_nothing_that_it_does_not_say() -> None:
    command = "python -m pip install nox && python -m nox"
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()

    assert any(line.split("#")[0].strip() == command for line in README.splitlines())
    assert script[-1] == command


def test_every_file_and_folder_that_it_names_is_there() -> None:
    named = re.findall(r"`((?:spec|codegen|generated|runtime|sandbox|tests)/[\w./-]*)`", README)

    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_files_of_an_order_on_its_way_are_there() -> None:
    way = README.split("in five files: ")[1].split("reads the answer")[0]
    first, room, *rest = re.findall(r"`([\w/.]+)`", way)

    assert (ROOT / first).is_file()
    assert len(rest) == 5
    assert [path for path in rest if not (ROOT / room / path).is_file()] == []


def test_the_table_of_errors_names_real_errors() -> None:
    table = README.split("| error | meaning |\n|---|---|\n")[1].split("\n\n")[0]
    names = re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in table.splitlines()))

    assert len(names) >= 9
    assert [name for name in names if not hasattr(trading_sdk, name)] == []
