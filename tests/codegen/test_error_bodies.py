"""Error bodies as the spec describes them: what a refusal says and its code, read at a socket."""

from __future__ import annotations

from typing import Any

import pytest

from tests.codegen.exchange import exchange
from tests.codegen.in_memory import imported
from tests.codegen.specs import Tree, built, changed, problems
from tests.fuzz.quick_render import quickly
from trading_runtime import BadRequestError, Keypair, OutcomeUnknownError, TradingError

REFUSAL = "/paths/~1v1~1books~1add/post/responses/400"
ANSWER = "/components/schemas/BookAdded/properties"
TEXT = {"type": "string", "description": "A text."}
CODE = {"type": "integer", "description": "A number."}
BOOK = {"title": "emma", "genre": "novel", "words": ["a"]}
PROBLEM = {
    "type": "https://example.com/full",
    "title": "The shelf is full",
    "status": 400,
    "detail": "Shelf 3 holds 40 books.",
}


def body(
    type_: str = "application/json", at: dict[str, str] | None = None, **schema: Any
) -> dict[str, Any]:
    """The edits that give the refusal of `books.add` a body of this schema, with `x-error` if given."""
    named = {} if at is None else {"x-error": at}
    content = {type_: {"schema": {"type": "object", **schema, **named}}}
    return {REFUSAL: {"description": "It is not.", "content": content}}


PLAIN = body(properties={"error": TEXT, "code": TEXT})
NAMED = body(
    properties={
        "error": {
            "type": "object",
            "description": "The error.",
            "required": ["message"],
            "properties": {"message": TEXT, "reason": TEXT},
        },
    },
    at={"text": "error.message", "code": "error.reason"},
)
PROBLEMS = body(
    "application/problem+json",
    properties={**dict.fromkeys(("type", "title", "detail"), TEXT), "status": CODE},
)
OWN_CODE = body("application/problem+json", properties={"title": TEXT, "code": CODE})
# A result with names that a problem has: they must not be taken for those of a result.
OVERLAPPING = {**PROBLEMS, f"{ANSWER}/status": TEXT, f"{ANSWER}/type": TEXT}


def raised(spec: Tree, answer: Any) -> TradingError:
    """What `books.add` of the package of a spec raises at a socket that answers so."""
    assert problems(spec, None) == []
    files = quickly(built(spec), "refusing")
    with (
        exchange({"/v1/books/add": [answer]}) as service,
        imported(files, "refusing") as package,
        package.Client(service.url, signer=Keypair.generate()) as client,
        pytest.raises(TradingError) as caught,
    ):
        client.books.add(**BOOK)
    return caught.value


@pytest.mark.parametrize(
    ("edits", "answer", "error", "code"),
    [
        ({}, {"error": "no", "code": 7}, "no", 7),
        (PLAIN, {"error": "no", "code": "E_FULL"}, "no", "E_FULL"),
        (NAMED, {"error": {"message": "no", "reason": "E_FULL"}}, "no", "E_FULL"),
        (NAMED, {"error": "of a gateway", "code": 502}, "of a gateway", 502),
        (PROBLEMS, PROBLEM, PROBLEM["detail"], PROBLEM["type"]),
        (PROBLEMS, {"title": "Full", "status": 400}, "Full", None),
        (OVERLAPPING, PROBLEM, PROBLEM["detail"], PROBLEM["type"]),
        (OWN_CODE, {"title": "Full", "code": 7}, "Full", 7),
    ],
)
def test_a_refusal_is_read_where_the_spec_says(
    edits: Tree, answer: Any, error: str, code: object
) -> None:
    found = raised(changed(edits), (400, answer))

    assert isinstance(found, BadRequestError)
    assert (found.error, found.code) == (error, code)


@pytest.mark.parametrize("members", [{"order_id": 7}, {"success": True}])
def test_a_refusal_that_holds_a_result_is_not_believed(members: dict[str, Any]) -> None:
    spec = changed({**PROBLEMS, f"{ANSWER}/order_id": CODE})

    found = raised(spec, (400, {**PROBLEM, **members}))

    assert isinstance(found, OutcomeUnknownError)


def test_a_refusal_under_200_may_not_hold_what_only_refusals_by_status_have() -> None:
    found = raised(changed(OVERLAPPING), (200, {"success": False, "status": "shelved"}))

    assert isinstance(found, OutcomeUnknownError)
