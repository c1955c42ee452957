"""What the docstring of a generated method tells its user."""

from __future__ import annotations

import ast
import re
from typing import Any

import pytest

from tests.codegen.specs import DELETED, built, changed, rendered

ADD = "/paths/~1v1~1books~1add/post"
BOOK = "/components/schemas/AddBook"
DROP = "/components/schemas/DropBook"
LOANS = "/paths/~1v1~1loans/get"
FINDS_OUT = "It may have been executed: `client.reconcile(error)` looks for it."
NO_HARM = "It may have been executed; it can safely be sent again."
CHECK = "It may have been executed, and `client.reconcile` cannot tell; check before you repeat it."


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
    """Every error that a method names, and when it comes."""
    section = re.sub(r"\n {8,}", " ", doc(name, edits).partition("Raises:\n")[2])
    parts = [line.strip().partition(": ") for line in section.splitlines()]
    return {error: when for error, _, when in parts}


def test_a_change_names_the_errors_that_are_special_about_it() -> None:
    assert raised("books.add") == {
        "ApiError": "The service refused, with status 400.",
        "OutcomeUnknownError": FINDS_OUT,
    }


def test_a_read_names_its_refusal_alone() -> None:
    edits = {f"{LOANS}/x-pagination": DELETED, f"{LOANS}/responses/400": {"description": "No."}}
    edits |= {f"{ADD}/x-reconcile": DELETED, f"{DROP}/x-reconcile": DELETED}

    assert raised("loans.history", edits) == {"ApiError": "The service refused, with status 400."}


def test_a_list_says_what_comes_at_once_and_what_on_iteration() -> None:
    assert raised("loans.history", {f"{LOANS}/responses/401": {"description": "No."}}) == {
        "RequestError": "At once: an argument is wrong.",
        "ApiError": "On iteration: the service refused, with status 401.",
        "PaginationError": "On iteration: the service contradicts itself about the next page.",
    }


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
    failed = {f"{LOANS}/responses/500": {"description": "Failed."}}

    assert raised("loans.history", failed)["ApiError"] == (
        "On iteration: the service refused, with status 500."
    )


def test_a_method_that_sends_a_batch_of_one_says_so_and_nothing_twice() -> None:
    words = "A book to drop, by its title or its id. The id is new.\n\nIt is shorter."

    text = doc("books.drop", {f"{DROP}/description": words})

    assert text.partition("\n\nArgs:")[0] == (
        "Drop one.\n\nThe id is new.\n\nIt is shorter.\n\n"
        "`POST /v1/books/batch`, as a batch of one `Drop` action, signed as `drop_book` (assumed).\n"
        "Section 4."
    )
    assert "Returns:\n    The result of the action. A failed action is raised.\n\n" in text
    assert "A book to drop" not in text


def test_a_method_that_sends_a_batch_of_one_names_the_errors_of_the_batch() -> None:
    refused = {"/paths/~1v1~1books~1batch/post/responses/400": {"description": "Refused."}}

    assert raised("books.drop", refused) == {
        "ApiError": "The service refused, with status 400, or the action failed.",
        "OutcomeUnknownError": FINDS_OUT,
    }


@pytest.mark.parametrize(
    ("name", "traceless", "retry", "said"),
    [
        ("books.add", (), "never", FINDS_OUT),
        ("books.add", (ADD,), "never", CHECK),
        ("books.add", (ADD,), {"by-key": "book_id"}, CHECK),
        ("books.add", (ADD,), "idempotent", NO_HARM),
        ("books.add", (ADD,), "safe", None),
        ("books.drop", (), "idempotent", FINDS_OUT),
        ("books.drop", (DROP,), "idempotent", NO_HARM),
        ("books.drop", (DROP,), "never", CHECK),
        ("books.drop", (DROP,), "safe", None),
        ("books.several", (), "never", FINDS_OUT),
        ("books.several", (ADD,), "never", FINDS_OUT),
        ("books.several", (ADD, DROP), "never", CHECK),
    ],
)
def test_a_method_says_what_to_do_if_its_outcome_is_unknown(
    name: str, traceless: tuple[str, ...], retry: object, said: str | None
) -> None:
    edits: dict[str, Any] = {f"{pointer}/x-reconcile": DELETED for pointer in traceless}
    edits[f"{DROP if name == 'books.drop' else ADD}/x-retry"] = retry
    if name == "books.add" and retry == "never" and not traceless:
        edits[f"{ADD}/x-reconcile/id"] = DELETED

    assert raised(name, edits).get("OutcomeUnknownError") == said


def test_a_source_that_all_fields_share_is_said_once() -> None:
    sources = {f"{DROP}/properties/{name}/x-source": "observed" for name in ("title", "book_id")}

    method, model = doc("books.drop", sources), doc("DropBook", sources)

    assert (
        "\n\nIts arguments are not in the interface document; seen on the live service.\n\nArgs:\n"
        in method
    )
    assert (
        "\n\nIts arguments are not in the interface document; seen on the live service.\n\nArgs:\n"
        in model
    )
    assert method.count("seen on the live service") == model.count("seen on the live service") == 1
    assert (
        rendered(changed(sources))["trading_sdk/models.py"].count("seen on the live service") == 1
    )


def test_a_source_of_one_field_among_others_is_said_at_that_field() -> None:
    text = doc("books.drop", {f"{DROP}/properties/title/x-source": "observed"})

    assert (
        "\n    title: Its title. Not in the interface document; seen on the live service.\n" in text
    )
    assert "Its arguments" not in text


def test_the_source_of_a_unit_stands_beside_it() -> None:
    pages = f"{BOOK}/properties/pages/x-source"

    assert " Unit: pages (observed). " in doc("AddBook", {pages: {"x-unit": "observed"}})
    assert " Unit: pages. " in doc("AddBook", {pages: {"x-unit": "documented"}})


def test_a_field_with_a_source_for_one_word_is_documented() -> None:
    text = doc("AddBook", {f"{BOOK}/properties/title/x-source": {"required": "assumed"}})

    assert "Not in the interface document" not in text


def test_a_parameter_and_its_schema_name_the_sources_of_their_words() -> None:
    at = "/paths/~1v1~1loans/get/parameters/1"
    edits = {f"{at}/x-source": {"description": "assumed"}}
    edits[f"{at}/schema/x-source"] = {"type": "observed"}

    [query] = [each for each in built(changed(edits)).models if each.name == "LoansQuery"]

    assert query.fields[1].sources == {"type": "observed", "description": "assumed"}
    assert query.fields[1].source == "documented"


def test_an_operation_names_the_source_of_its_signing_type() -> None:
    at = "/paths/~1v1~1books~1add/post"
    said = {"x-signing-type": "assumed", "description": "observed"}
    edits: dict[str, Any] = {f"{at}/x-source": said, f"{at}/description": "It adds (observed)."}

    assert "signed as `add_book` (assumed)" in doc("books.add", edits)
