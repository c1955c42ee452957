"""Whatever a spec says, it is refused by its pointers, or what is generated is Python and no more."""

from __future__ import annotations

import ast
import datetime
import keyword
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from codegen.python import render
from codegen.read.api import build
from codegen.read.load import Problem, SpecError, load
from codegen.read.models import schemas
from codegen.rules import check
from tests.codegen import specs
from tests.fuzz import fuzzed_by
from tests.fuzz.mutations import damaged, mutated, odd
from tests.fuzz.test_hostile_text import HOSTILE

_WORDS = ["SignedRequest", "self", "API", "Client", "Any", "str", "evil()", "x" * 300]
_SCHEMAS: list[Any] = [
    *({"type": kind} for kind in ("string", "integer", "boolean", "object", "array", "number")),
    *({"type": [kind, "null"]} for kind in ("string", "array", "null")),
    *({"$ref": f"#/components/schemas/{name}"} for name in ("Genre", "Loan", "Cover", "AddBook")),
    *(
        {"$ref": ref}
        for ref in ("#/components/schemas/Nothing", "#", "other.yaml#/a", "#/info/title")
    ),
    *({word: [{"type": "string"}, {"type": "null"}]} for word in ("oneOf", "anyOf", "allOf")),
    *({"oneOf": [{"required": ["title"]}]}, {"enum": ["a", "b"]}, {"properties": {"a": {}}}),
    *({"type": "array", "items": {"type": "array", "items": {}}}, {"type": "array"}),
]
_OF_YAML: list[Any] = [
    *(datetime.date(2026, 1, 1), datetime.datetime(2026, 1, 1), b"\xff", {1, 2}, float("nan")),
    *({1: "one"}, {None: {}}, {"$ref": 5}, {"$ref": None}, 10**400, True),
]
_TEXTS = [*HOSTILE.values(), *_WORDS, *keyword.kwlist]
nodes = odd | st.text(max_size=40) | st.sampled_from([*_TEXTS, *_SCHEMAS, *_OF_YAML])


def outcome(spec: specs.Tree) -> dict[str, str] | list[Problem]:
    """The modules that follow from a spec, or what is wrong with it. Nothing else comes."""
    root = specs.root(spec)
    try:
        check(root)
        files = render.unformatted(render.Contents(build(root, "0" * 64), schemas(root)))
        for path, text in files.items():
            compile(text, path, "exec", dont_inherit=True)
        return files
    except SpecError as error:
        return checked(error.problems)


def checked(problems: list[Problem]) -> list[Problem]:
    assert problems
    assert all(problem.pointer == "#" or problem.pointer.startswith("#/") for problem in problems)
    assert all(problem.message for problem in problems)
    return problems


def identifiers(files: dict[str, str]) -> set[str]:
    """Everything in modules that is no text."""
    found: set[str] = set()
    for path, text in files.items():
        for node in ast.walk(ast.parse(text, path)):
            words = [getattr(node, word, None) for word in ("id", "attr", "arg", "name", "module")]
            found |= {word for word in words if isinstance(word, str)}
    return found


def refused_or_python(spec: specs.Tree) -> None:
    found = outcome(spec)
    if isinstance(found, dict):
        assert not any("evil" in name.lower() for name in identifiers(found))


@fuzzed_by(ordinary=0.4, long=0.5)
@given(mutated(specs.tree(), nodes))
def test_a_changed_spec_is_refused_or_makes_python(spec: specs.Tree) -> None:
    refused_or_python(spec)


@fuzzed_by(ordinary=0.02, long=0.01)
@given(mutated(specs.tree(specs.REAL), nodes))
def test_the_changed_real_spec_is_refused_or_makes_python(spec: specs.Tree) -> None:
    refused_or_python(spec)


# The file

DOCUMENTS = [
    b"openapi: 3.1.0\ninfo: {title: a, version: '1'}\npaths: {}\n",
    b"a: &x [1, 2]\nb: *x\n<<: {c: 0x10, d: 1e999, e: .nan, f: 1_0, g: 0o7}\n",
    b"? {a: b}\n: !!set {x, y}\n? [1]\n: 2026-01-01T00:00:00Z\n? 1\n: yes\n",
    b"a: !!binary /w==\nb: !!python/object/apply:os.system [id]\nc: !!omap [x: 1]\n",
    b"%YAML 1.1\n--- |\n text\n...\n--- >-\n more\n",
    b'{"a": "\\ud800", "b": "\\x41", "c": [1, {"d": null}], "a": 2026-13-45}',
    b"\xef\xbb\xbfa: 1\n\tb: 2\n",
    "a: \u00e9\n".encode("utf-16"),
]


@pytest.fixture(scope="session")
def spec_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of this test run alone."""
    return tmp_path_factory.mktemp("specs") / "spec.yaml"


@given(content=st.binary(max_size=80) | st.sampled_from(DOCUMENTS).flatmap(damaged))
def test_a_file_is_read_as_a_mapping_or_refused(spec_file: Path, content: bytes) -> None:
    spec_file.write_bytes(content)
    try:
        root, sha256 = load(spec_file)
        assert isinstance(root.value, dict) and len(sha256) == 64
        check(root)
    except SpecError as error:
        checked(error.problems)
