"""`x-signing-scheme`: a message that is signed in another way than by one key, as an operation's body.

The spec names the scheme and the fields; the runtime has its steps. There is one, `countersigned`.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.ir import Countersigned, Countersigner
from codegen.load import Node, Problem
from codegen.objects import properties
from codegen.spec import SIGNED, json_schema

WORD = "x-signing-scheme"
ROLES = {
    "other": ("type", "address", "signature", "signs"),
    "own": ("address", "signature", "signs"),
}
"""The keys that sign, and what the spec says of each."""

TIMES = ("timestamp", "expiry_window")
"""The fields that the body shares with SignedRequest."""


def countersigned(node: Node) -> Countersigned | None:
    """How two keys sign the body of an operation. The node must have passed `problems`."""
    if WORD not in node:
        return None
    given = node.get(WORD)["countersigned"]
    other = dict(given["other"])
    return Countersigned(
        other_type=other.pop("type"),
        other=Countersigner(**other),
        own=Countersigner(**given["own"]),
    )


def problems(node: Node) -> Iterator[Problem]:
    """What is wrong with the scheme of an operation that has one."""
    scheme = node[WORD]
    given = scheme.child("countersigned")
    if given is None or set(scheme.value) != {"countersigned"}:
        yield Problem(scheme.pointer, "the only scheme is countersigned")
        return
    misshapen = list(_misshapen(given))
    yield from misshapen
    if not misshapen:
        yield from _body(node, given)


def _misshapen(given: Node) -> Iterator[Problem]:
    if not isinstance(given.value, dict) or set(given.value) != set(ROLES):
        yield Problem(given.pointer, f"must have the keys {' and '.join(ROLES)}")
        return
    for role, words in ROLES.items():
        found = given.get(role)
        if not isinstance(found, dict) or set(found) != set(words):
            yield Problem(f"{given.pointer}/{role}", f"must have the keys {', '.join(words)}")
            continue
        for word, name in found.items():
            if not isinstance(name, str) or not name.isidentifier():
                yield Problem(f"{given.pointer}/{role}/{word}", f"{name!r} is not an identifier")


def _body(node: Node, given: Node) -> Iterator[Problem]:
    """The body holds both addresses, both signatures and the times, all texts and integers, required."""
    schema = json_schema(node.child("requestBody"))
    assert schema is not None, "another rule asks for it first"
    texts = [given[role].get(word) for role in ROLES for word in ("address", "signature")]
    kinds = {**dict.fromkeys(texts, "string"), **dict.fromkeys(TIMES, "integer")}
    found = {name: field.get("type") for name, field in properties(schema).items()}
    if len(kinds) != len(texts) + len(TIMES) or found != kinds:
        needed = ", ".join(f"{name} ({kind})" for name, kind in kinds.items())
        yield Problem(schema.pointer, f"a countersigned body has exactly these fields: {needed}")
    for name in kinds.keys() - set(schema.get("required", [])):
        yield Problem(schema.pointer, f"a countersigned body always has {name}: require it")
    if schema.schema_name is None or "allOf" in schema:
        yield Problem(schema.pointer, f"must be a component schema of its own, without {SIGNED}")
