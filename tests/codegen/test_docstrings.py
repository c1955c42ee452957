"""Text of the spec as a docstring: whatever it says, it is that literal and nothing else."""

from __future__ import annotations

import ast

from hypothesis import example, given, strategies as st

from codegen.python.docstrings import docstring

TRICKY = st.text(
    st.sampled_from("\"'\\ab {}%#\n\r\t\0\x0c\x85\u2028\u202e\ud800\N{SNAKE}"), max_size=150
) | st.text(max_size=150)


def read(literal: str, indent: int) -> str:
    """What a function says that has the literal as its docstring."""
    module = ast.parse(f"def f():\n    {literal}" if indent else literal)
    place = module.body[0] if indent else module
    assert isinstance(place, ast.FunctionDef | ast.Module)
    assert len(place.body) == 1
    return ast.get_docstring(place) or ""


def said(text: str) -> str:
    """A text with its spaces, which wrapping changes, as single ones."""
    return " ".join(text.split())


@given(TRICKY, st.sampled_from([0, 4]))
@example('quotes """ within', 4)
@example('ends with three"""', 0)
@example('ends with both\\"', 0)
@example("\\N{SNAKE} \\x41 {{ 7*7 }} {% raw %} nul \0, surrogate \ud800, \u2028 \\", 4)
def test_any_text_is_one_literal_and_says_the_same(text: str, indent: int) -> None:
    assert said(read(docstring(text, indent=indent), indent)) == said(text)


@given(st.lists(TRICKY, min_size=1, max_size=4).map("\n    ".join))
def test_an_indented_list_is_one_literal_and_says_the_same(text: str) -> None:
    assert said(read(docstring(text, indent=4), 4)) == said(text)
