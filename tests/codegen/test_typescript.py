"""The TypeScript that codegen writes: names, types, comments and data, from specs small and large."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from codegen import ir
from codegen.__main__ import main
from codegen.languages import typescript
from codegen.languages.typescript_docs import comment
from codegen.languages.typescript_literals import Name, literal
from codegen.packages import PORTS
from codegen.render_typescript import render
from tests.codegen.invented import changed_spec
from tests.codegen.specs import REAL, SMALL, built, observed, problems, tree


@cache
def invented() -> dict[str, str]:
    return render(built(changed_spec()))


@cache
def real() -> dict[str, str]:
    return render(built(tree(REAL)))


# -- the port ---------------------------------------------------------------------------------


def test_the_port_is_written_and_compared_with_the_packages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (port,) = PORTS.values()
    monkeypatch.setattr("codegen.options.PORTS", {tmp_path: port})
    assert main(["check"]) == 1
    assert (
        f"{tmp_path}/generated/client.ts: run `python -m codegen generate`"
        in capsys.readouterr().err
    )


def test_a_spec_of_ones_own_becomes_typescript(tmp_path: Path) -> None:
    where = ["--language", "typescript", "--out", str(tmp_path), "--package", "mine"]
    given = ["--spec", str(SMALL), *where]
    assert main(["generate", *given]) == 0
    assert main(["generate", *given]) == 0, "what it wrote may be replaced"
    assert main(["check", *given]) == 0
    assert "class Client extends BaseClient" in (tmp_path / "mine" / "client.ts").read_text()


def test_what_was_observed_becomes_typescript() -> None:
    files = render(observed())
    assert "from spec/openapi.yaml and overlays." in files["index.ts"]
    groups = "".join(text for path, text in files.items() if path.startswith("groups/"))
    assert "(other: Signer, options?: CallOptions): Promise<void>" in groups
    assert "countersigned: {" in files["operations.ts"]


def test_it_is_not_written_where_something_else_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "index.ts").write_text("// by hand\n")
    where = ["--language", "typescript", "--out", str(tmp_path), "--package", "mine"]
    assert main(["generate", "--spec", str(SMALL), *where]) == 1
    assert "was not generated" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["generate", "--language", "typescript"])
    assert "with --language, --out and --package say" in capsys.readouterr().err


# -- names and types --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "found"),
    [("create_stop", "createStop"), ("a_1", "a_1"), ("a__b", "a_B"), ("api_keys", "apiKeys")],
)
def test_methods_are_in_camel_case_and_no_two_become_one(name: str, found: str) -> None:
    assert typescript.camel(name) == found


def field(**members: Any) -> ir.Field:
    type_ = members.pop("type", ir.Type(kind="integer"))
    found = {"name": "x", "required": True, "nullable": False, "description": "", **members}
    return ir.Field(type=type_, **found)


LIST = ir.Type(kind="list", items=ir.Type(kind="string"))
OF_NULLS = ir.Type(kind="list", items=ir.Type(kind="string", nullable=True))


@pytest.mark.parametrize(
    ("given", "request_", "response"),
    [
        (field(), "readonly x: IntegerInput;", "readonly x: bigint;"),
        (field(unit="ms"), "readonly x: TimeInput;", "readonly x: bigint;"),
        (field(nullable=True), "readonly x: IntegerInput | null;", "readonly x: bigint | null;"),
        (
            field(required=False),
            "readonly x?: IntegerInput | null | undefined;",
            "readonly x: bigint | null;",
        ),
        (field(name="a-b"), 'readonly "a-b": IntegerInput;', 'readonly "a-b": bigint;'),
        (
            field(type=ir.Type(kind="integer", bits=32)),
            "readonly x: IntegerInput;",
            "readonly x: number;",
        ),
        (
            field(type=ir.Type(kind="enum", name="Side")),
            "readonly x: Side;",
            "readonly x: Open<Side>;",
        ),
        (
            field(type=LIST, required=False),
            "readonly x?: readonly string[] | null | undefined;",
            "readonly x: readonly string[];",
        ),
        (
            field(type=OF_NULLS),
            "readonly x: ReadonlyArray<string | null>;",
            "readonly x: ReadonlyArray<string | null>;",
        ),
        (
            field(type=ir.Type(kind="map", items=ir.Type(kind="decimal"))),
            "readonly x: Readonly<Record<string, DecimalInput>>;",
            "readonly x: Readonly<Record<string, Decimal>>;",
        ),
        (
            field(type=ir.Type(kind="tuple", members=(ir.Type(kind="decimal"), LIST))),
            "readonly x: readonly [DecimalInput, readonly string[]];",
            "readonly x: readonly [Decimal, readonly string[]];",
        ),
    ],
)
def test_fields_have_the_types_of_what_is_given_and_received(
    given: ir.Field, request_: str, response: str
) -> None:
    assert typescript.field_text(given, "request") == request_
    assert typescript.field_text(given, "response") == response


def test_every_shape_of_a_result_has_a_type() -> None:
    text = "".join(text for path, text in invented().items() if path.startswith("groups/"))
    for returns in ("Promise<void>", "Promise<OrderPlaced>", "Promise<BatchResult<ActionResult>>"):
        assert returns in text
    assert "Paginator<Order>" in text
    assert " | null> {" in text


# -- data -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({}, "{}"),
        ([], "[]"),
        ("x" * 120, f'"{"x" * 120}"'),
        ({"a": 1, "b-c": [True, "x"]}, '{ a: 1, "b-c": [true, "x"] }'),
        (Name("API"), "API"),
        ([{"a": 1}, {"a": 2}], "[{ a: 1 }, { a: 2 }]"),
        (
            [{"a": 1, "b": 2}, {"a": 1, "b": 2}],
            "[\n  { a: 1, b: 2 },\n  { a: 1, b: 2 },\n]",
        ),
        ({"a": "x" * 90, "b": 1}, f'{{\n  a: "{"x" * 90}",\n  b: 1,\n}}'),
    ],
)
def test_data_is_written_as_a_formatter_would(value: Any, text: str) -> None:
    assert literal(value) == text


def test_a_limit_of_zero_is_a_limit() -> None:
    spec = tree(REAL)
    limit = spec["paths"]["/api/v1/funding_rate/history"]["get"]["parameters"]
    given = next(each for each in limit if each.get("name") == "limit")
    given["schema"]["minimum"] = 0
    assert "minimum: 0" in render(built(spec))["schema.ts"]


def test_what_the_runtime_asks_of_the_service_is_data() -> None:
    operations = invented()["operations.ts"]
    assert "noContent: true" in operations
    assert "servers: {" in operations
    assert 'signing: { type: "create_order", source: "documented" }' in operations
    assert 'becomes: { order_status: "cancelled" }' in operations


def test_reasons_for_refusals_are_closed_where_the_service_tells_them() -> None:
    text = real()["reasons.ts"]
    assert "Record<RefusalReason, Recognition>> = {" in text
    assert 'texts: ["Invalid message: it expired"], asStatus: 401' in text
    assert 'codes: { "subaccounts.transfer": 5 }' in text
    assert "readonly reason: RefusalReason;" in text
    assert 'import "./reasons.js";' in real()["index.ts"], "or no user's compiler reads it"
    assert " * - `order_too_small`: The order is below the minimum size." in real()["models.ts"]
    without = render(built(tree()))
    assert "Record<string, Recognition>> = {};" in without["reasons.ts"]
    assert "declare module" not in without["reasons.ts"]
    assert "reasons" not in without["index.ts"]


# -- comments ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One line.", "/** One line. */"),
        ("It ends */ here.", "/** It ends *\\/ here. */"),
        ("a\u2028b\x00", "/** a b\\x00 */"),
        ("Two.\n\nBlocks.", "/**\n * Two.\n *\n * Blocks.\n */"),
        ("@returns x\n@throws y", "/**\n * @returns x\n * @throws y\n */"),
    ],
)
def test_no_text_ends_a_comment(text: str, found: str) -> None:
    assert comment(text) == found


def test_hostile_text_stays_in_comments_and_literals() -> None:
    spec = tree(REAL)
    evil = '*/ process.exit(1) /* @internal {@link x} "; `${1}'
    for schema in spec["components"]["schemas"].values():
        schema["description"] = evil
    spec["info"]["title"] = evil
    files = render(built(spec))
    assert not any("*/ process" in text for path, text in files.items() if path != "operations.ts")
    assert '"*/ process.exit(1) /* @internal {@link x} \\"; `${1}"' in files["operations.ts"]
    assert "\\@internal" in files["models.ts"]


def test_comments_say_what_the_docstrings_say() -> None:
    models = invented()["models.ts"]
    assert "@deprecated Use something else." in models
    assert "Told apart by `" in models
    assert "A new random one unless given; null sends none." in models
    assert "Unit: quote per token (observed)." in models
    orders = real()["groups/orders.ts"]
    assert "`POST /api/v1/orders/create`, signed as `create_order`. Section 4.1." in orders
    assert "@throws {@link PaginationError} On iteration: the service" in orders
    assert "as a batch of one `Cancel` action" in orders


def test_a_service_without_enums_and_types_has_no_empty_import() -> None:
    api = built(tree())
    assert all("import type {  }" not in text for text in render(api).values())


@pytest.mark.parametrize(
    ("word", "name"),
    [("x-method", "constructor"), ("x-group", "paginator"), ("x-group", "promise")],
)
def test_a_name_that_typescript_cannot_have_is_refused(word: str, name: str) -> None:
    spec = tree(REAL)
    spec["paths"]["/api/v1/orders/edit"]["post"][word] = name
    assert f"the name '{name}' is taken" in " ".join(map(str, problems(spec)))
