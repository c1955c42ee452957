"""Every house rule of a spec, broken, is reported where it is broken, and all at once."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from codegen.languages.python_imports import CLIENT_NAMES
from codegen.load import Node, Problem, SpecError, load
from tests.codegen.specs import (
    DELETED,
    REAL,
    Tree,
    changed,
    problems,
    rendered,
    tree,
)
from trading_runtime import BaseClient

RULES = yaml.safe_load(
    (Path(__file__).parent / "fragments" / "rules.yaml").read_text(encoding="utf-8")
)
SCHEMAS = "#/components/schemas"
TITLE = "/components/schemas/AddBook/properties/title"
LOANS = "/paths/~1v1~1loans/get"
NOTE = {"type": "string", "description": "A note."}


def model(**words: Any) -> dict[str, Any]:
    return {"type": "object", "description": "A thing.", "properties": {"note": NOTE}, **words}


def deleted(value: Any) -> Any:
    return DELETED if value == "(deleted)" else value


@pytest.mark.parametrize("case", RULES, ids=[case["name"] for case in RULES])
def test_a_broken_rule_is_reported_where_it_is_broken(case: dict[str, Any]) -> None:
    edits = {pointer: deleted(value) for pointer, value in case["change"].items()}

    found = problems(changed(edits))

    messages = [problem.message for problem in found if problem.pointer == case["at"]]
    assert any(message.startswith(case["says"]) for message in messages), found


def test_the_real_spec_and_the_small_one_break_no_rule() -> None:
    assert problems(tree(REAL), None) == []
    assert problems(tree(), None) == []


def test_all_mistakes_are_reported_at_once_in_the_order_of_their_pointers() -> None:
    edits: Tree = {}
    expected = set()
    for case in RULES:
        (pointer, value), *more = case["change"].items()
        is_small = not more and isinstance(value, str | int) and value != "(deleted)"
        # A method that is renamed moves, and a trace or a result of a wrong shape is not looked into.
        is_alone = not re.search("x-method$|x-reconcile/", pointer)
        looks_into = re.search("x-(reconcile|echo|new-id)", case["at"])
        if is_small and is_alone and not looks_into and pointer not in edits:
            edits[pointer] = value
            expected.add(case["at"])

    found = [problem.pointer for problem in problems(changed(edits))]

    assert len(expected) > 20
    assert expected <= set(found)
    assert found == sorted(found)


# -- names ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        *("Client", "Any", "Decimal", "Sequence", "Keypair", "UUID", "Literal", "API", "Unset"),
        *("BaseClient", "Group", "Operation", "Page", "ApiError", "SignedRequest2"),
        *(
            "Loans",
            "Books",
            "LoansQuery",
            "GenreLike",
            "CoverLike",
            "CoverDict",
            "DecimalLike",
            "OptionalGenre",
        ),
        *("NullableCover", "ValueError", "Exception", "Warning", "PAGES"),
        *("Trace", "Target"),
    ],
)
def test_a_model_with_a_name_that_the_package_uses_is_refused(name: str) -> None:
    spec = changed(
        {
            f"/components/schemas/{name}": model(),
            "/components/schemas/Loan/properties/thing": {"$ref": f"{SCHEMAS}/{name}"},
        }
    )

    found = problems(spec)

    if name == "SignedRequest2":
        assert found == []
    else:
        assert found == [Problem(f"{SCHEMAS}/{name}", f"the name {name!r} is taken")]


@pytest.mark.parametrize("name", ["Decimal", "Loans", "OptionalCover"])
def test_an_enum_with_a_name_that_the_package_uses_is_refused(name: str) -> None:
    enum = {"type": "string", "description": "Kinds.", "enum": ["a"]}

    found = problems(changed({f"/components/schemas/{name}": enum}))

    assert found == [Problem(f"{SCHEMAS}/{name}", f"the name {name!r} is taken")]


def test_a_schema_that_becomes_no_class_may_have_any_name() -> None:
    error = {"type": "object", "description": "No.", "properties": {"error": NOTE}}
    answer = {"schema": {"$ref": f"{SCHEMAS}/Keypair"}}
    refused = {"description": "No.", "content": {"application/json": answer}}

    spec = changed({"/components/schemas/Keypair": error, f"{LOANS}/responses/400": refused})

    assert problems(spec, None) == []


@pytest.mark.parametrize("operation_id", ["getLoans", "Loans", "loans"])
def test_two_queries_with_one_name_are_refused(operation_id: str) -> None:
    again = {**tree()["paths"]["/v1/loans"]["get"], "operationId": operation_id, "x-method": "all"}

    found = problems(changed({"/paths/~1v1~1all": {"get": again}}))

    expected = Problem("#/paths/~1v1~1all/get/operationId", "another operation has LoansQuery, too")
    assert found == [expected]


def test_two_places_that_share_a_constant_are_refused() -> None:
    spec = changed({f"{LOANS}/x-group": "books_add", f"{LOANS}/x-method": "x"})
    spec["paths"]["/v1/books/batch"]["post"]["x-method"] = "add_x"

    assert "is defined twice" in problems(spec)[0].message


def test_no_group_can_hide_a_public_name_of_the_client() -> None:
    public = {name for name in dir(BaseClient) if not name.startswith("_")}

    assert public | {"api", "cached_property"} == CLIENT_NAMES


# -- the document as a whole ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pointer", "value", "at", "message"),
    [
        ("/openapi", "3.0.3", "#/openapi", "this is not an OpenAPI 3.1 document"),
        ("/openapi", DELETED, "#/openapi", "this is not an OpenAPI 3.1 document"),
        ("/paths", DELETED, "#/paths", "is missing, or not a mapping"),
        ("/components", [], "#/components/schemas", "is missing, or not a mapping"),
        ("/info/title", DELETED, "#/info", "'title' is a required property"),
        (f"{LOANS}/tags", "Loans", f"#{LOANS}/tags", "'Loans' is not of type 'array'"),
        ("/components/schemas/Loan/properties", 0, "#", "openapi-spec-validator cannot read it: "),
        (f"{LOANS}/summary", 7, f"#{LOANS}/summary", "7 is not of type 'string'"),
    ],
)
def test_what_is_no_openapi_is_refused(pointer: str, value: Any, at: str, message: str) -> None:
    found = problems(changed({pointer: value}), None)

    assert [p for p in found if p.pointer == at and p.message.startswith(message)], found


@pytest.mark.parametrize(
    "pattern",
    [r"^(a|b)$", r"^((a|b)|c)d$", r"^[|]$", r"^[]|]$", r"^[^]|\]|]$", r"^\|\[\|$", r"^\(\|$"],
)
def test_a_pattern_may_hold_alternatives_in_a_group(pattern: str) -> None:
    assert problems(changed({f"{TITLE}/pattern": pattern})) == []


def test_a_pattern_that_is_none_is_reported_at_one_place() -> None:
    found = problems(changed({f"{TITLE}/pattern": "^[a-z$"}), None)

    assert {problem.pointer for problem in found} == {f"#{TITLE}/pattern"}
    assert len(found) == 2


def test_a_key_in_a_header_is_optional() -> None:
    spec = changed({"/components/securitySchemes": DELETED, "/security": DELETED})

    assert problems(spec, None) == []
    assert "api_key_header=None" in rendered(spec)["trading_sdk/operations.py"]


LOAN = "#/components/schemas/Loan/properties/extra"


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("https://example.com/a.yaml#/A", "points outside this file"),
        ("other.yaml#/A", "points outside this file"),
        ("file:///etc/passwd", "points outside this file"),
        (f"{SCHEMAS}/Nobody", "points to nothing"),
        (f"{SCHEMAS}/Genre/enum", "does not point to a mapping"),
        (f"{SCHEMAS}/Genre/enum/0", "does not point to a mapping"),
        (f"{SCHEMAS}/Genre/enum/7", "points to nothing"),
        (LOAN, "points to nothing"),
        (7, "points to nothing"),
        (["#/paths"], "points to nothing"),
    ],
)
def test_a_reference_that_does_not_lead_to_a_part_of_the_file_is_refused(
    reference: object, message: str
) -> None:
    found = problems(changed({LOAN[1:]: {"$ref": reference}}), None)

    assert found == [Problem(LOAN, f"$ref {reference!r} {message}")]


@pytest.mark.parametrize(
    "schema",
    [
        {"allOf": [{"$ref": f"{SCHEMAS}/Loop"}, model()], "description": "A loop."},
        {"type": "array", "description": "A loop.", "items": {"$ref": f"{SCHEMAS}/Loop"}},
        {"oneOf": [{"$ref": f"{SCHEMAS}/Loop"}, {"type": "null"}], "description": "A loop."},
    ],
)
def test_a_schema_that_is_made_of_itself_is_refused(schema: Tree) -> None:
    found = problems(changed({"/components/schemas/Loop": schema}), None)

    assert found == [Problem(f"{SCHEMAS}/Loop", "consists of itself")]


def test_a_model_may_hold_itself() -> None:
    spec = changed({"/components/schemas/Loan/properties/earlier": {"$ref": f"{SCHEMAS}/Loan"}})

    assert problems(spec, None) == []
    assert "earlier: Loan | None = None" in rendered(spec)["trading_sdk/models.py"]


def test_a_key_that_is_no_string_is_refused() -> None:
    spec = tree()
    responses = spec["paths"]["/v1/loans"]["get"]["responses"]
    responses[200] = responses.pop("200")

    assert problems(spec) == [Problem(f"#{LOANS}/responses", "the key 200 is not a string")]


def test_a_failure_of_a_rule_itself_is_a_problem_with_a_pointer() -> None:
    def failing(document: Node) -> Any:
        info = document["info"]
        raise KeyError(f"a mistake of the generator about {info.value!r}")

    (problem,) = problems(tree(), [failing])

    assert problem.pointer == "#/info"
    assert "a mistake of the generator" in problem.message
    assert "test_rules.py" in problem.message


# -- the file ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("010000", 10_000), ("-0x1F", "-0x1F"), ("0x1F", 31), ("0o17", 15), ("1_000", "1_000")),
        *(("1:10:00", "1:10:00"), ("12:30", "12:30"), ("2025-01-01", "2025-01-01"), ("-5", -5)),
        *(
            ("no", "no"),
            ("On", "On"),
            ("y", "y"),
            ("true", True),
            ("False", False),
            ("tRUE", "tRUE"),
        ),
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
        ("a: \0\n", "special characters are not allowed"),
        ("a: [\n", "while parsing a flow node"),
        ("--- {a: 1}\n--- {b: 2}\n", "but found another document"),
        ("[" * 2000, "nested too deep"),
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


@pytest.mark.parametrize("text", ["a: 1\na: 2\n", "a: \0\n", "a: [\n"])
def test_a_mistake_of_yaml_is_reported_with_its_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(SpecError) as caught:
        load(path)

    assert f'in "{path}"' in str(caught.value)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"#: cannot read .*spec\.yaml: No such file"):
        load(tmp_path / "spec.yaml")


def test_the_rate_scale_has_a_source_for_itself() -> None:
    assert problems(changed({"/x-source": {"x-rate-scale": "observed"}})) == []
    [problem] = problems(changed({"/x-source": {"info": "observed"}}))
    assert problem == Problem("#/x-source", "a rate scale needs its source")


@pytest.mark.parametrize(("path", "is_refused"), [("/v2/books/add", False), ("/v1/more", True)])
def test_a_signing_type_is_that_of_one_message_in_any_version(path: str, is_refused: bool) -> None:
    spec = tree()
    other = {**spec["paths"]["/v1/books/add"]["post"], "operationId": "addMore", "x-method": "more"}
    spec["paths"][path] = {"post": other}

    pointer = f"#/paths/{path.replace('/', '~1')}/post/x-signing-type"
    told = [each.pointer for each in problems(spec) if "signature does not cover" in each.message]

    assert (pointer in told) is is_refused


def test_what_follows_from_another_mistake_is_not_reported() -> None:
    """A list that cannot be read has no fields to compare, and what is not reached is not unused."""
    answer = "/paths/~1v1~1loans/get/responses/200/content/application~1json/schema"
    nullable = changed({f"{answer}/allOf/1/properties/data/type": ["array", "null"]})
    without = changed({"/paths/~1v1~1books~1add/post/responses/200/content": DELETED})
    put = changed({"/paths/~1v1~1books~1add/trace": {}})

    assert [each.message for each in problems(nullable, None)] == [
        "the records of a page cannot be null; leave null out"
    ]
    assert len(problems(without, None)) == 1
    messages = [each.message for each in problems(put) if each.pointer.endswith("/trace")]
    assert len(messages) == 1
