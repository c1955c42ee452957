"""`x-signing-scheme`: what a spec says of a message that two keys sign, and what is made of it."""

from __future__ import annotations

from typing import Any

import pytest

from codegen.load import Problem
from tests.codegen.specs import DELETED, Tree, built, changed, problems, rendered

TWINS = "/paths/~1v1~1twins/post"
SCHEME = f"{TWINS}/x-signing-scheme"
BODY = "/components/schemas/Twins"
FIELDS = ["elder", "younger", "elder_signature", "younger_signature", "timestamp", "expiry_window"]
KINDS = dict.fromkeys(FIELDS[:4], "string") | dict.fromkeys(FIELDS[4:], "integer")


def twins(edits: dict[str, Any] | None = None) -> Tree:
    """The small spec with a message that two keys sign."""
    operation = {
        "operationId": "makeTwins",
        "summary": "Make twins.",
        "tags": ["Books"],
        "x-group": "books",
        "x-method": "make_twins",
        "x-signing-type": "twin_confirm",
        "x-source": "observed",
        "x-retry": "never",
        "x-signing-scheme": {
            "countersigned": {
                "other": {
                    "type": "twin_ask",
                    "address": "younger",
                    "signature": "younger_signature",
                    "signs": "account",
                },
                "own": {
                    "address": "elder",
                    "signature": "elder_signature",
                    "signs": "signature",
                },
            }
        },
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"$ref": f"#{BODY}"}}},
        },
        "responses": {"200": {"$ref": "#/paths/~1v1~1books~1add/post/responses/200"}},
    }
    body = {
        "type": "object",
        "description": "Twins.",
        "required": FIELDS,
        "properties": {name: {"type": kind, "description": name} for name, kind in KINDS.items()},
    }
    base = changed({"/paths/~1v1~1twins": {"post": operation}, BODY: body})
    return changed(edits or {}, base)


def test_a_message_that_two_keys_sign_takes_the_other_signer_and_nothing_else() -> None:
    assert problems(twins(), None) == []

    files = rendered(twins())

    group = " ".join(files["trading_sdk/groups/books.py"].split())
    assert "def make_twins(self, *, younger: Signer) -> BookAdded:" in group
    assert "return self._caller.countersigned(BOOKS_MAKE_TWINS, younger)" in group
    assert "signed as `twin_confirm` (observed); first by the other key, as `twin_ask`." in group
    assert "Not in the interface document; seen on the live service." in group
    assert "class Twins" not in files["trading_sdk/models.py"]
    (operation,) = [each for each in built(twins()).operations if each.id == "makeTwins"]
    assert operation.countersigned is not None
    assert operation.countersigned.other_type == "twin_ask"
    assert operation.countersigned.own.signs == "signature"
    assert (operation.section, operation.source) == (None, "observed")


@pytest.mark.parametrize(
    ("edits", "at", "says"),
    [
        ({SCHEME: "countersigned"}, SCHEME, "the only scheme is countersigned"),
        ({SCHEME: {"threefold": {}}}, SCHEME, "the only scheme is countersigned"),
        ({f"{SCHEME}/threefold": {}}, SCHEME, "the only scheme is countersigned"),
        (
            {f"{SCHEME}/countersigned/own": DELETED},
            f"{SCHEME}/countersigned",
            "must have the keys other and own",
        ),
        (
            {f"{SCHEME}/countersigned": []},
            f"{SCHEME}/countersigned",
            "must have the keys other and own",
        ),
        (
            {f"{SCHEME}/countersigned/own/type": "x"},
            f"{SCHEME}/countersigned/own",
            "must have the keys address, signature, signs",
        ),
        (
            {f"{SCHEME}/countersigned/other/type": "not one"},
            f"{SCHEME}/countersigned/other/type",
            "'not one' is not an identifier",
        ),
        (
            {f"{SCHEME}/countersigned/other": 7},
            f"{SCHEME}/countersigned/other",
            "must have the keys type, address, signature, signs",
        ),
        (
            {f"{BODY}/properties/note": {"type": "string", "description": "A note."}},
            BODY,
            "a countersigned body has exactly these fields: younger (string)",
        ),
        (
            {f"{BODY}/properties/timestamp/type": "string"},
            BODY,
            "a countersigned body has exactly these fields: younger (string)",
        ),
        (
            {f"{SCHEME}/countersigned/own/address": "younger"},
            BODY,
            "a countersigned body has exactly these fields: younger (string)",
        ),
        (
            {f"{BODY}/required": FIELDS[1:]},
            BODY,
            "a countersigned body always has elder: require it",
        ),
        (
            {
                f"{TWINS}/requestBody/content/application~1json/schema": {
                    "allOf": [{"$ref": f"#{BODY}"}]
                }
            },
            f"{TWINS}/requestBody/content/application~1json/schema",
            "must be a component schema of its own",
        ),
        (
            {f"{TWINS}/x-signing-type": DELETED},
            SCHEME,
            "belongs beside the x-signing-type of the client's own key",
        ),
        (
            {"/paths/~1v1~1loans/get/x-signing-scheme": {"countersigned": {}}},
            "/paths/~1v1~1loans/get/x-signing-scheme",
            "belongs beside the x-signing-type of the client's own key",
        ),
        ({f"{TWINS}/requestBody": DELETED}, f"{TWINS}/requestBody", "needs an application/json"),
    ],
)
def test_a_scheme_that_the_runtime_could_not_follow_is_refused(
    edits: dict[str, Any], at: str, says: str
) -> None:
    found = problems(twins(edits))

    assert any(_is(problem, f"#{at}", says) for problem in found), found


def _is(problem: Problem, pointer: str, says: str) -> bool:
    return problem.pointer == pointer and problem.message.startswith(says)


def test_a_field_of_a_signed_request_is_an_own_field_where_the_own_key_must_sign() -> None:
    wallet = {"type": "string", "description": "An agent."}
    own = {"/components/schemas/AddBook/properties/agent_wallet": wallet}

    assert problems(changed(own)) == []
