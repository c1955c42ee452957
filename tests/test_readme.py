"""Everything that the README and the pages under docs/ show works as it is shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import trading_sdk
from tests.readme import README, ROOT, snippets


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


def test_ci_runs_the_test_command_of_the_readme_and_nothing_that_it_does_not_say() -> None:
    command = "python -m pip install nox && python -m nox"
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()

    assert any(line.split("#")[0].strip() == command for line in README.splitlines())
    assert script[-1] == command


def test_every_file_and_folder_that_it_names_is_there() -> None:
    named = re.findall(r"`((?:spec|codegen|generated|runtime|sandbox|tests)/[\w./-]*)`", README)

    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_table_of_errors_names_real_errors() -> None:
    table = README.split("| error | meaning |\n|---|---|\n")[1].split("\n\n")[0]
    names = re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in table.splitlines()))

    assert len(names) >= 9
    assert [name for name in names if not hasattr(trading_sdk, name)] == []
