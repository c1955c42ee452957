"""What is written out where it stands gets a class named after that place."""

from __future__ import annotations

from typing import Any

import pytest

from tests.codegen.specs import DELETED, built, changed, problems

STATE = {"type": "string", "description": "Its state.", "enum": ["lent", "free"]}
TEXT = {"type": "string", "description": "A text."}
SORT = {"name": "sort-by", "in": "query", "description": "Their order.", "schema": STATE}
ADDED = {
    "type": "object",
    "description": "A new book.",
    "required": ["book_id"],
    "properties": {"book_id": {**TEXT, "format": "uuid"}, "state": STATE},
}
SHELVED = {"description": "It is there.", "content": {"application/json": {"schema": ADDED}}}
NO_OTHER = {"/components/schemas/BookAdded": DELETED}
LOANS, ANSWER = "/paths/~1v1~1loans", "/paths/~1v1~1books~1add/post/responses/200"
FIELD = "/components/schemas/Loan/properties/state"

PLACES: dict[str, dict[str, Any]] = {
    "ShelvedState": {
        "/components/responses": {"Shelved": SHELVED},
        ANSWER: {"$ref": "#/components/responses/Shelved"},
        **NO_OTHER,
    },
    "AddBookResultState": {ANSWER: SHELVED, **NO_OTHER},
    "Sort": {
        "/components/parameters": {"Sort": SORT},
        f"{LOANS}/get/parameters/2": {"$ref": "#/components/parameters/Sort"},
    },
    "SortByParameter": {f"{LOANS}/parameters": [SORT]},
    "LoansQuerySortBy": {f"{LOANS}/get/parameters/2": SORT},
    "LoanState": {FIELD: STATE},
    "LoanStatePart2": {
        FIELD: {"type": "array", "description": "Two.", "prefixItems": [TEXT, STATE]}
    },
    "LoanStateItem": {FIELD: {"type": "array", "description": "Several.", "items": STATE}},
}


@pytest.mark.parametrize("name", PLACES)
def test_an_enum_is_named_after_the_place_where_it_is_written_out(name: str) -> None:
    spec = changed(PLACES[name])

    assert problems(spec) == []
    assert [each.name for each in built(spec).enums] == ["Genre", name]


def test_what_stands_where_nothing_has_a_name_is_refused() -> None:
    elsewhere = {"$ref": "#/components/headers/State/schema", "description": "Its state."}
    spec = changed({"/components/headers": {"State": {"schema": STATE}}, FIELD: elsewhere})

    found = {each.pointer: each.message for each in problems(spec)}

    assert found["#" + FIELD] == "such an enum or object must be a component schema"
