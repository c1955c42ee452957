"""What a spec may not say is refused: where it stands, all at once, with what to write instead."""

from __future__ import annotations

import builtins
import inspect
import keyword
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from codegen.python import docstrings, models
from codegen.read.load import Node, Problem, SpecError, load
from codegen.rules import broken, problems_of
from codegen.rules.names import keywords, taken_by
from codegen.rules.wire import SIGNED_MEMBERS, SIGNED_REQUIRED
from tests.codegen.conftest import Run
from tests.codegen.specs import (
    DELETED,
    REAL,
    changed,
    problems,
    rendered,
    root,
    table,
    tree,
    written,
)
from trading_runtime import BaseClient
from trading_runtime.signing.request import RESERVED_FIELDS

REFUSED = table("refused.yaml")
ALONE = [row for row in REFUSED if row.get("alone")]
GROUPS = 20
"""Of rows, each from other parts of the table, for mistakes of one kind hide one another."""
SCHEMAS = "#/components/schemas"
LOANS = "/paths/~1v1~1loans/get"
ADD = "/paths/~1v1~1books~1add/post"


def is_told(row: dict[str, Any], found: Sequence[Problem]) -> bool:
    """Whether the refusal of a row is among some problems."""
    at = f"#{row['at'] if 'at' in row else next(iter(row['change']))}"
    return any(each.pointer == at and each.message.startswith(row["says"]) for each in found)


def touch(one: str, other: str) -> bool:
    """Whether one of two places is the other, or holds it."""
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")


def told_together(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows that are told of one spec with the mistakes of all of them, at places that do not touch."""
    mistakes: dict[str, Any] = {}
    for row in rows:
        if not any(touch(one, other) for one in row["change"] for other in mistakes):
            mistakes |= row["change"]
    try:
        found = problems(changed(mistakes))
    except (LookupError, TypeError, ValueError):
        # A mistake takes away what the rules of another one read.
        return []
    if any("the generator failed" in each.message for each in found):
        return []
    made = (row for row in rows if row["change"].items() <= mistakes.items())
    return [row for row in made if is_told(row, found)]


def told_alone(row: dict[str, Any]) -> list[Problem]:
    """The problems of a spec with one mistake, which is told there."""
    found = problems(changed(row["change"]))
    assert is_told(row, found), (row, found)
    assert not any("the generator failed" in each.message for each in found)
    return found


@pytest.mark.parametrize("number", range(GROUPS))
def test_a_word_without_effect_is_refused_where_it_stands(number: int) -> None:
    """Many mistakes at once, which takes a tenth of the time; one that the others hide is tried alone."""
    left = [row for row in REFUSED[number::GROUPS] if row not in ALONE]
    while left:
        told = told_together(left)
        if not told:
            told_alone(left[0])
            told = left[:1]
        left = [row for row in left if row not in told]


@pytest.mark.parametrize("row", ALONE, ids=lambda row: next(iter(row["change"])))
def test_a_mistake_brings_no_other_problem(row: dict[str, Any]) -> None:
    assert len(told_alone(row)) == 1


def test_the_real_spec_and_the_small_one_break_no_rule() -> None:
    assert problems(tree(REAL)) == []
    assert problems(tree()) == []


def test_a_spec_that_signs_nothing_needs_no_signed_request() -> None:
    reads = tree()
    reads["paths"] = {"/v1/loans": reads["paths"]["/v1/loans"]}
    used = ("PageEnvelope", "Genre", "Loan")
    schemas = reads["components"]["schemas"]
    reads["components"]["schemas"] = {name: schemas[name] for name in used}
    del reads["tags"][0]

    assert problems(reads) == []


def test_all_mistakes_are_reported_at_once_in_the_order_of_their_pointers() -> None:
    mistakes: dict[str, Any] = {
        "/x-rate-scale": 0,
        "/components/schemas/AddBook/minProperties": 2,
        "/components/schemas/AddBook/properties/genre/default": "comic",
        "/components/schemas/Cover/properties/price/x-unit": DELETED,
        "/components/schemas/Genre/x-magic": 1,
        "/components/schemas/Loan/properties/reader/minLength": 4,
        f"{ADD}/x-retry": "always",
        f"{LOANS}/x-group": "Loans",
        "/servers/0/variables": {},
        "/webhooks": {},
    }

    told = [(problem.pointer, problem.message) for problem in problems(changed(mistakes))]
    found = [pointer for pointer, _ in told]

    # Also two at one place come in the same order in every run.
    assert told == sorted(told) and len({*found}) < len(found)
    assert {f"#{pointer}" for pointer in mistakes} <= {*found, "#" + [*mistakes][3]}
    assert len({*found}) >= len(mistakes)


# -- names ------------------------------------------------------------------------------------


TAKEN = """
    Client Any Decimal Sequence Keypair UUID Literal API Unset BaseClient Group Operation Page ApiError
    Loans Books LoansQuery GenreLike CoverLike CoverDict DecimalLike OptionalGenre NullableCover
    ValueError Exception Warning Trace Target
"""


def test_models_with_names_that_the_package_uses_are_refused() -> None:
    note = {"type": "string", "description": "A note."}
    model = {"type": "object", "description": "A thing.", "properties": {"note": note}}
    edits: dict[str, Any] = {}
    for name in [*TAKEN.split(), "SignedRequest2"]:
        edits[f"/components/schemas/{name}"] = model
        edits[f"/components/schemas/Loan/properties/{name.lower()}_"] = {
            "$ref": f"{SCHEMAS}/{name}"
        }

    found = [each for each in problems(changed(edits)) if "is taken" in each.message]

    assert {each.pointer for each in found} == {f"{SCHEMAS}/{name}" for name in TAKEN.split()}
    books = next(each.message for each in found if each.pointer == f"{SCHEMAS}/Books")
    assert books == "the name 'Books' is taken; write another one, or another x-group than books"


def test_a_name_that_the_generator_of_models_would_change_is_refused() -> None:
    enum = {"type": "string", "description": "An enum.", "enum": ["a"]}

    with pytest.raises(SpecError) as caught:
        rendered(changed({"/components/schemas/lower_case": enum}))

    assert f"{SCHEMAS}/lower_case" in [each.pointer for each in caught.value.problems]


def test_two_queries_with_one_name_are_refused() -> None:
    again = {**tree()["paths"]["/v1/loans"]["get"], "operationId": "Loans", "x-method": "all"}

    found = problems(changed({"/paths/~1v1~1all": {"get": again}}))

    expected = Problem("#/paths/~1v1~1all/get/operationId", "another operation has LoansQuery, too")
    assert found == [expected]


def test_no_group_can_hide_a_public_name_of_the_client() -> None:
    public = {name for name in dir(BaseClient) if not name.startswith("_")}

    assert public | {"api", "cached_property"} <= taken_by("groups")


def test_no_class_can_hide_a_class_of_python_and_no_name_is_a_keyword() -> None:
    assert {name for name in dir(builtins) if name[0].isupper()} <= taken_by("types")
    assert keywords() == {*keyword.kwlist}


# -- the document as a whole ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pointer", "value", "at", "message"),
    [
        ("/info/title", DELETED, "/info", "'title' is a required property"),
        (f"{LOANS}/tags", "Loans", f"{LOANS}/tags", "'Loans' is not of type 'array'"),
        ("/components/schemas/Loan/properties", 0, "", "0 is not of type 'object'"),
        ("/components/schemas/Genre/enum", "ab", "", "'ab' is not of type 'array'"),
        (f"{LOANS}/operationId", "addBook", f"{LOANS}/operationId", "'addBook' is that of #"),
        (f"{LOANS}/externalDocs", "Section 3", f"{LOANS}/externalDocs", ""),
        ("/components/schemas/PageEnvelope/properties/data", True, "", ""),
        (f"{LOANS}/parameters/1/schema", DELETED, f"{LOANS}/parameters/1", "needs a schema"),
        (f"{LOANS}/parameters", {}, f"{LOANS}/parameters", ""),
        (LOANS, None, LOANS, ""),
        (f"{ADD}/requestBody/content/application~1json/schema", 5, "", ""),
        (f"{ADD}/responses/400/content", {"application/json": {"schema": []}}, "", ""),
        ("/tags/0", "Books", "/tags/0", "'Books' is not of type 'object'"),
    ],
)
def test_what_is_no_openapi_is_refused(pointer: str, value: Any, at: str, message: str) -> None:
    found = problems(changed({pointer: value}))

    assert [p for p in found if str(p).startswith(f"#{at}") and p.message.startswith(message)]
    assert not any("the generator failed" in problem.message for problem in found)


def test_a_failure_of_a_rule_itself_is_a_problem_with_a_pointer() -> None:
    def failing(document: Node) -> Any:
        info = document["info"]
        raise KeyError(f"a mistake of the generator about {info.value!r}")

    (problem,) = broken(root(tree()), [failing])

    assert problem.pointer == "#/info"
    assert "a mistake of the generator" in problem.message
    assert "test_rules.py" in problem.message


# -- the file ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("010000", 10_000), ("-0x1F", "-0x1F"), ("0x1F", 31), ("0o17", 15), ("1_000", "1_000")),
        *(("1:10:00", "1:10:00"), ("12:30", "12:30"), ("2025-01-01", "2025-01-01"), ("-5", -5)),
        *(("no", "no"), ("On", "On"), ("true", True), ("False", False), ("tRUE", "tRUE")),
        *(("~", None), ("", None), ("null", None), ("Nil", "Nil"), ("<<", "<<"), ("=", "=")),
        *(("1e3", 1000.0), (".5", 0.5), ("1.", 1.0), ("1.5.0", "1.5.0"), ("-.inf", -math.inf)),
    ],
)
def test_values_are_those_of_yaml_1_2(tmp_path: Path, text: str, value: object) -> None:
    """OpenAPI is written in it. YAML 1.1, which PyYAML reads by itself, has octal 010 and times in base 60."""
    path = tmp_path / "spec.yaml"
    path.write_text(f"a: {text}\n", encoding="utf-8")

    found = load(path)[0].value["a"]

    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\na: 2\n", "duplicate key 'a'"),
        ("a: !!python/object/apply:os.system ['true']\n", "could not determine a constructor"),
        ("a: !!python/name:os.system ''\n", "could not determine a constructor"),
        ("a: &x [1]\nb: *x\n", "aliases are refused; use $ref"),
        ("a: &x [*x]\n", "aliases are refused; use $ref"),
        ("? [a]\n: 1\n", "found unhashable key"),
        ("a: \0\n", "characters are not allowed"),
        ("a: [\n", "while parsing a flow node"),
        ("--- {a: 1}\n--- {b: 2}\n", "but found another document"),
        ("[" * 1000, "nested too deep"),
        ("{a: " * 100_000, "nested too deep"),
        ("- a\n", "not a mapping"),
        ("", "not a mapping"),
    ],
)
def test_a_file_that_is_no_plain_yaml_mapping_is_refused(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(SpecError) as caught:
        load(path)

    (problem,) = caught.value.problems
    assert problem.pointer == "#"
    assert message in problem.message
    assert "byte string" not in problem.message
    if text.startswith("a: "):
        assert f'in "{path}"' in problem.message


# -- what the runtime does, and mistakes of the generator ---------------------------------------


def test_what_the_spec_is_compared_with_is_what_the_runtime_sends() -> None:
    window = inspect.signature(BaseClient).parameters["expiry_window"].default

    assert SIGNED_MEMBERS.keys() == RESERVED_FIELDS
    assert SIGNED_MEMBERS["expiry_window"].words["default"] == window
    assert RESERVED_FIELDS - {"agent_wallet", "expiry_window"} == SIGNED_REQUIRED


def test_a_crash_is_reported_where_it_happened(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> str:
        raise KeyError("missing")

    for function, pointer in (
        ("operation_doc", "#/paths/~1v1~1books~1add/post"),
        ("model_doc", "#/components/schemas/Cover"),
    ):
        monkeypatch.setattr(docstrings, function, fail)

        with pytest.raises(KeyError) as caught:
            rendered(tree())

        (problem,) = problems_of(caught.value)
        told = "the generator failed (KeyError: 'missing', test_rules.py:"
        assert (problem.pointer, problem.message.startswith(told)) == (pointer, True)


def test_a_spec_that_crashes_the_generator_is_refused_with_a_pointer(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def __init__(self, *_: Any, **__: Any) -> None:
            raise RecursionError("too deep")

    monkeypatch.setattr(models, "OpenAPIParser", Broken)
    path = written(tree(), tmp_path)

    status, _, said = run("generate", "--spec", path, "--out", tmp_path / "out")

    assert status == 1
    assert "nothing was generated\n#: the generator failed (RecursionError: too deep, " in said
    assert "report this" in said
    assert not (tmp_path / "out").exists()
