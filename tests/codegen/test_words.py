"""A word of the spec is declared once, on the member of the IR that it becomes; what follows from it is kept."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from codegen import __main__ as command, ir
from codegen.documents import documents
from codegen.ir.words import Word, words
from codegen.rules.forms import has_form
from tests.codegen.specs import root


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_what_follows_from_the_ir_is_what_is_kept(path: Path) -> None:
    assert path.read_text("utf-8") == documents()[path], "run `python -m codegen generate`"


def test_every_word_of_every_member_is_known() -> None:
    classes = {each for each in vars(ir).values() if isinstance(each, type) and attrs.has(each)}

    assert {each.name for _, each in words(*classes)} == {each.name for each in ir.WORDS}


@pytest.mark.parametrize("word", ir.WORDS, ids=lambda word: word.name)
def test_the_samples_of_a_word_have_its_form(word: Word) -> None:
    assert word.samples
    assert all(has_form(root({word.name: each}), word.name) for each in word.samples)


def test_documents_are_written_and_compared_with_all_that_is_shipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("old", encoding="utf-8")
    monkeypatch.setattr(command, "documents", lambda: {page: "new"})
    monkeypatch.setattr(command, "_files", lambda *_: {})
    monkeypatch.setattr(command, "_check", lambda *_: 0)
    monkeypatch.setattr(command, "_generate", lambda *_: 0)

    assert command.main(["check"]) == 1
    assert f"{page}: run `python -m codegen generate`" in capsys.readouterr().err
    assert command.main(["generate"]) == 0
    assert page.read_text("utf-8") == "new"
    assert command.main(["check"]) == 0
