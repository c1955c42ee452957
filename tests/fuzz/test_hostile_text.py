"""Whatever a spec holds as text changes literals of the output, or is refused where it stands."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import settings

from codegen.ir.names import attribute_name, member_name
from codegen.python.render import Contents, render
from codegen.read.load import Problem, escaped, walk
from codegen.read.operations import SIGNED
from tests.codegen.specs import REAL, Tree, changed, problems, read, rendered, root, tree
from tests.fuzz import FUZZ

HOSTILE = {
    "triple quotes within": 'a """ + __import__("os").getcwd() + """ b',
    "apostrophes": "'''",
    "backslash": "a\\b",
    "quote and backslash": 'a\\"""\\',
    "carriage return": "a\rimport os\r",
    "line feed": "a\nimport os\n",
    "line separator": "a\u2028import os\u2028",
    "form feed": "a\x0cimport os",
    "nul": "a\0b",
    "lone surrogate": "a\ud800b",
    "emoji": "\N{SNAKE}",
    "right-to-left": "a\u202eb",
    "expression": "{{ 7*7 }}",
    "statement block": "{% include '/etc/passwd' %}",
    "keyword": "class",
    "climbing path": "../../evil",
    "python object": "!!python/object/apply:os.system",
    "call": '"); import os; os.system("',
    "comment": "a # noqa",
    "reference": "#/nowhere/at/all",
    "table": "a | `b` | c",
    "empty": "",
}


NAMED = ("properties", "schemas", "paths", "securitySchemes", "mapping")
"""Words whose keys are names; all other keys are words of OpenAPI."""

SERVER = "http://127.0.0.1:1"
FREE = {"description", "summary", "title", "url", "x-unit", "version"}
"""Words whose values are free text."""


def strings(value: Any, word: str = "") -> Iterator[tuple[str, bool]]:
    """Every text of a spec that is a value or a name, and whether it is free text."""
    if isinstance(value, str):
        yield value, word in FREE
    elif isinstance(value, dict):
        for key, item in value.items():
            if word in NAMED:
                yield key, False
            yield from strings(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item, word)


def replaced(value: Any, old: str, new: str, *, is_key: bool = False) -> Any:
    """A spec that says something else wherever it says one text, names and references included."""
    if isinstance(value, dict):
        return {
            (new if is_key and key == old else key): replaced(
                item, old, new, is_key=key in NAMED and not is_key
            )
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [replaced(item, old, new) for item in value]
    if isinstance(value, str) and value.startswith("#/") and value.endswith(f"/{old}"):
        return value.removesuffix(old) + escaped(new)
    return new if value == old and isinstance(value, str) else value


def with_free_text(value: Any, text: str, word: str = "") -> Any:
    """A spec with the text at the end of every free text; what names a section goes on to do so.

    Times keep their units, because x-reconcile and the signed request ask for them. The server stays
    where it is.
    """
    if isinstance(value, dict):
        return {key: with_free_text(item, text, key) for key, item in value.items()}
    if isinstance(value, list):
        return [with_free_text(item, text) for item in value]
    is_free = (
        isinstance(value, str)
        and word in FREE
        and value not in ("ms", "duration in ms", "percent", SERVER)
    )
    return f"{value} {text}" if is_free else value


class _Blank(ast.NodeTransformer):
    """Takes the content out of every string."""

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant("") if isinstance(node.value, str) else node


def shape(files: dict[str, str]) -> dict[str, str]:
    """What a package is, its strings aside."""
    modules = {path: text for path, text in files.items() if path.endswith(".py")}
    return {path: ast.dump(_Blank().visit(ast.parse(text))) for path, text in modules.items()}


def cells(files: dict[str, str]) -> list[int]:
    """How many cells each line of METHODS.md has, which can be written as UTF-8."""
    lines = files["trading_sdk/METHODS.md"].encode("utf-8").decode("utf-8").split("\n")
    return [len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in lines]


def points_at(problem: Problem, text: str, spec: Tree) -> bool:
    """Whether a problem quotes a text, or its pointer leads to it."""
    if repr(text) in problem.message or escaped(text) in problem.pointer.split("/"):
        return True
    below = [node for node in walk(root(spec)) if node.pointer.startswith(problem.pointer)]
    return any(node.value == text for node in below)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_free_text_changes_literals_only(text: str) -> None:
    spec = with_free_text(tree(), text)

    found = problems(spec)

    if found:
        assert {problem.message for problem in found} == {"must be one line of text"}
        spec = changed({problem.pointer: "One line." for problem in found}, spec)
    assert problems(spec) == []
    assert shape(rendered(spec)) == plain_shape()


def test_all_of_it_at_once_in_all_of_the_real_spec_changes_literals_only() -> None:
    text = " ".join(text for text in HOSTILE.values() if "\n" not in text)
    spec = with_free_text(tree(REAL), text)

    hostile, plain = render(Contents(*read(spec))), render(Contents(*read(tree(REAL))))
    assert shape(hostile) == shape(plain)
    assert cells(hostile) == cells(plain)


@cache
def plain_shape() -> dict[str, str]:
    """What the package of the unchanged spec is."""
    return shape(rendered(tree()))


def without_mappings(modules: dict[str, str]) -> dict[str, str]:
    """The modules in which a field has its name in code: mappings have keys, by their names in JSON."""
    return {path: text for path, text in modules.items() if not path.endswith("/mappings.py")}


def is_renamed(files: dict[str, str], old: str, new: str) -> bool:
    """Whether a member of an enum, or a field, has got the name of the rule, and nothing else changed."""
    named = without_mappings(files)
    for path, text in named.items():
        if old in MEMBERS:
            named[path] = text.replace(member_name(new), old.upper())
        else:
            without = re.sub(r",? ?metadata=\{'json': .*\}\)", ")", text)
            named[path] = without.replace(attribute_name(new), old)
    return shape(named) == without_mappings(plain_shape())


# SignedRequest is a word of the generator, like those of OpenAPI; so are success and data, by which a batch is known.
NAMES = sorted(
    {text for text, is_free in strings(tree()) if not is_free} - {SIGNED, "success", "data"}
)
MEMBERS = tree()["components"]["schemas"]["Genre"]["enum"]
SPACING = 1 if settings.get_current_profile_name() == FUZZ else 27
"""Of so many names one is tried with a text, so that each name is tried; in a long run all of them are."""


@pytest.mark.parametrize("number", range(len(HOSTILE)), ids=HOSTILE)
def test_a_name_changes_literals_only_or_is_refused_where_it_stands(number: int) -> None:
    text = list(HOSTILE.values())[number]
    for name in NAMES[number % SPACING :: SPACING]:
        spec = replaced(tree(), name, text)
        found = problems(spec)
        if found:
            assert any(points_at(problem, text, spec) for problem in found), (name, found)
            continue
        files = rendered(spec)
        assert shape(files) == plain_shape() or is_renamed(files, name, text), name
