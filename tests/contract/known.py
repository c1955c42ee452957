"""Puts things that exist in the place of generated ones, so that more than refusals is tested.

Only what the spec allows is replaced, by what the spec allows as well: what Schemathesis broke stays
broken. Some of the other generated values stay, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random
from typing import Any

from tests.contract.signing import is_int64, is_signable
from tests.trees import followed, objects

LEARNED = {"order_id": "order_id", "api_key": "api_key", "next_cursor": "cursor"}
REMEMBERED = 4
SHARE = 0.9
"""How many of the generated values are replaced, where known ones are of their kind."""

SHAPES = (
    re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    re.compile(r"[0-9]+(\.[0-9]+)?"),
    re.compile(r"bid|ask"),
)
"""Of UUIDs, of decimals and of sides."""


class Known:
    """Values by the name of the field that takes them; more are learned from answers."""

    def __init__(self, given: Mapping[str, list[Any]]) -> None:
        self._given = given
        self._learned: dict[str, list[Any]] = {}
        self._random = Random(7)

    def learn(self, answer: Any) -> None:
        """Remember the ids, keys and cursors of an answer, the latest few."""
        if isinstance(answer, list):
            for item in answer:
                self.learn(item)
        if not isinstance(answer, dict):
            return
        for name, value in answer.items():
            field = LEARNED.get(name)
            if field is not None and type(value) in (str, int):
                self._learned[field] = [*self._learned.get(field, []), value][-REMEMBERED:]
            self.learn(value)

    def put(self, value: Any, name: str = "") -> Any:
        """Return a generated value with known ones in it, at any depth."""
        values = [*self._given.get(name, []), *self._learned.get(name, [])]
        known = [each for each in values if intact(value, each)]
        if known and self._random.random() < SHARE:
            return self._random.choice(known)
        if isinstance(value, dict):
            return {key: self.put(inner, self._named(name, key)) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.put(inner, name) for inner in value]
        return value

    def _named(self, holder: str, key: str) -> str:
        """The name of a field for which values are given: in that object alone, or in any."""
        inside = f"{holder}.{key}"
        return inside if inside in self._given else key


def intact(value: Any, known: Any) -> bool:
    """Whether a value is no more broken than the known one that would take its place."""
    if isinstance(value, str) and isinstance(known, str):
        return value != "" and all(it.fullmatch(value) for it in SHAPES if it.fullmatch(known))
    if isinstance(value, list) and isinstance(known, list):
        return all(isinstance(item, str) for item in value)
    return is_int64(value) and is_int64(known)


def has_many_requests(operation: dict[str, Any], document: dict[str, Any]) -> bool:
    """Whether an operation takes a body, or a parameter of more than a few values."""
    parameters = [followed(document, each) for each in operation.get("parameters", ())]
    schemas = [followed(document, each["schema"]) for each in parameters]
    free = [each for each in schemas if "enum" not in each and each.get("type") != "boolean"]
    return "requestBody" in operation or bool(free)


def own_fields(operation: dict[str, Any], document: dict[str, Any]) -> set[str]:
    """The names of the fields that a signed operation has of its own."""
    body = operation["requestBody"]["content"]["application/json"]["schema"]
    parts = followed(document, body).get("allOf", [])
    own = [each for each in parts if "SignedRequest" not in each.get("$ref", "")]
    return property_names([followed(document, each) for each in own])


def property_names(schema: Any) -> set[str]:
    """The names of all properties that the schemas of a document declare."""
    declared = (each.get("properties") for each in objects(schema))
    return {name for each in declared if isinstance(each, dict) for name in each}


def signable(value: Any, declared: set[str]) -> Any:
    """Return a generated body with less in it that can never be signed.

    The spec allows any further field, and nearly every generated body has some with floats or text
    beyond printable ASCII, for which there is no canonical form: those are left out. A whole number is
    written without a fraction, since 1.0 and 1 are the same to a schema, but not to a signature.
    """
    if isinstance(value, dict):
        tidied = {name: signable(inner, declared) for name, inner in value.items()}
        return {
            name: it for name, it in tidied.items() if name in declared or is_signable({name: it})
        }
    if isinstance(value, list):
        return [signable(inner, declared) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
