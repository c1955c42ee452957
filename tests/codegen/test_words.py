"""A word of the spec is declared once, on the member of the IR that it becomes; what follows from it is kept."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from codegen import __main__ as command, ir
from codegen.dialect import WORDS, Word
from codegen.documents import documents
from codegen.rules.forms import has_form
from tests.codegen.specs import root


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_what_follows_from_the_ir_is_what_is_kept(path: Path) -> None:
    assert path.read_text("utf-8") == documents()[path], "run `python -m codegen generate`"


@pytest.mark.parametrize("word", WORDS.values(), ids=lambda word: word.name)
def test_a_word_becomes_members_that_the_ir_has(word: Word) -> None:
    for member in word.becomes:
        class_, _, name = member.partition(".")
        assert name in attrs.fields_dict(getattr(ir, class_))


@pytest.mark.parametrize("word", WORDS.values(), ids=lambda word: word.name)
def test_the_examples_of_a_word_have_its_form(word: Word) -> None:
    assert word.form["examples"]
    assert all(has_form(root({word.name: each}), word.name) for each in word.form["examples"])


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
