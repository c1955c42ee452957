"""What the docstring of a generated method tells its user."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from tests.codegen.specs import DELETED, changed, rendered

ADD = "/paths/~1v1~1books~1add/post"
DROP = "/components/schemas/DropBook"
LOOK = "It may have been carried out; look before repeating."
FINDS_OUT = "It may have been carried out: `client.reconcile(error)` finds out."


def doc(name: str, edits: dict[str, Any] | None = None) -> str:
    """The docstring of a method or a model, as in `books.add` or `DropBook`."""
    group, _, last = name.rpartition(".")
    path = f"trading_sdk/groups/{group}.py" if group else "trading_sdk/models.py"
    (found,) = [
        node
        for node in ast.walk(ast.parse(rendered(changed(edits or {}))[path]))
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == last
    ]
    return ast.get_docstring(found) or ""


def raised(name: str, edits: dict[str, Any] | None = None) -> dict[str, str]:
    """Every error that a method names, and when."""
    lines = doc(name, edits).partition("Raises:\n")[2].splitlines()
    parts = [line.strip().partition(": ") for line in lines]
    return {error: when for error, _, when in parts}


def test_a_signed_method_names_every_error() -> None:
    assert raised("books.add") == {
        "RequestError": "An argument is wrong; nothing was sent.",
        "TypeError": "An argument has the wrong type, like a float for money; nothing was sent.",
        "SigningError": "A text is not ASCII, or the key fails; nothing was sent.",
        "OutcomeUnknownError": FINDS_OUT,
        "NotSentError": "It was certainly not sent.",
        "ApiError": "The service refused, with status 400.",
    }


def test_a_list_names_every_error() -> None:
    assert raised("loans.history") == {
        "RequestError": "An argument is wrong; nothing was sent.",
        "TypeError": "An argument has the wrong type; nothing was sent.",
        "NoResponseError": "No usable answer came; ask again at will.",
        "DecodeError": "The answer cannot be used.",
        "PaginationError": "The service contradicts itself about the next page.",
        "NotSentError": "It was certainly not sent.",
        "ApiError": "The service refused.",
    }


def test_a_method_without_arguments_names_no_type_error() -> None:
    schema = {"$ref": "#/components/schemas/SignedRequest"}

    errors = raised(
        "books.add",
        {
            f"{ADD}/requestBody/content/application~1json/schema": schema,
            f"{ADD}/x-retry": "never",
            f"{DROP}/x-method": "drop",
            "/components/schemas/AddBook/externalDocs": {"description": "Section 1", "url": "a"},
            "/components/schemas/AddBook/x-group": "books",
            "/components/schemas/AddBook/x-method": "put",
            "/components/schemas/AddBook/x-retry": "never",
        },
    )

    assert "TypeError" not in errors
    assert "SigningError" in errors


@pytest.mark.parametrize(
    ("statuses", "said"),
    [
        ((), "The service refused."),
        ((400,), "The service refused, with status 400."),
        ((400, 401), "The service refused, with status 400 or 401."),
        ((400, 401, 403), "The service refused, with status 400, 401 or 403."),
        ((400, 500), "The service refused, with status 400."),
    ],
)
def test_the_statuses_of_a_refusal_are_listed(statuses: tuple[int, ...], said: str) -> None:
    answer = changed({})["paths"]["/v1/books/add"]["post"]["responses"]["200"]
    refusals = {str(status): {"description": "Refused."} for status in statuses}

    assert (
        raised("books.add", {f"{ADD}/responses": {"200": answer, **refusals}})["ApiError"] == said
    )


def test_a_failure_of_a_read_is_a_refusal() -> None:
    failed = {"/paths/~1v1~1loans/get/responses/500": {"description": "Failed."}}

    assert raised("loans.history", failed)["ApiError"] == "The service refused, with status 500."


def test_a_method_that_sends_a_batch_of_one_says_so_and_nothing_twice() -> None:
    words = "A book to drop, by its title or its id. The id is new.\n\nIt is shorter."

    text = doc("books.drop", {f"{DROP}/description": words})

    assert text.partition("\n\nArgs:")[0] == (
        "Drop one.\n\nThe id is new.\n\nIt is shorter.\n\n"
        "`POST /v1/books/batch`, as a batch of one `Drop` action, signed as `drop_book` (assumed).\n"
        "Section 4."
    )
    assert "Returns:\n    The action's result; a failed action is raised.\n\n" in text
    assert "A book to drop" not in text


def test_a_method_that_sends_a_batch_of_one_names_the_errors_of_the_batch() -> None:
    refused = {"/paths/~1v1~1books~1batch/post/responses/400": {"description": "Refused."}}

    errors = raised("books.drop", {f"{DROP}/x-retry": "safe", **refused})

    assert errors["ApiError"] == "The service refused, with status 400, or the action failed."
    assert "OutcomeUnknownError" in errors
    assert "SigningError" in errors
    assert "NoResponseError" not in errors


@pytest.mark.parametrize(
    ("name", "traceless", "said"),
    [
        ("books.add", (), FINDS_OUT),
        ("books.add", (ADD,), LOOK),
        ("books.drop", (), FINDS_OUT),
        ("books.drop", (DROP,), LOOK),
        ("books.several", (), FINDS_OUT),
        ("books.several", (ADD,), FINDS_OUT),
        ("books.several", (ADD, DROP), LOOK),
    ],
)
def test_a_method_says_whether_its_outcome_can_be_found_out(
    name: str, traceless: tuple[str, ...], said: str
) -> None:
    errors = raised(name, {f"{pointer}/x-reconcile": DELETED for pointer in traceless})

    assert errors["OutcomeUnknownError"] == said


def test_a_source_that_all_fields_share_is_said_once() -> None:
    sources = {f"{DROP}/properties/{name}/x-source": "observed" for name in ("title", "book_id")}

    method, model = doc("books.drop", sources), doc("DropBook", sources)

    assert "\n\nIts arguments are not documented; observed.\n\nArgs:\n" in method
    assert "\n\nIts fields are not documented; observed.\n\n" in model
    assert method.count("observed") == model.count("observed") == 1
    assert rendered(changed(sources))["trading_sdk/models.py"].count("observed") == 1


def test_a_source_of_one_field_among_others_is_said_at_that_field() -> None:
    text = doc("books.drop", {f"{DROP}/properties/title/x-source": "observed"})

    assert "\n    title: Its title. Not documented; observed.\n" in text
    assert "Its arguments" not in text
