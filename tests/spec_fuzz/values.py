"""JSON values of a JSON Schema, at random, and values that are wrong by it.

Written for the fuzz alone: it reads the schemas as JSON Schema does, not as the generator does. What it
makes is checked by the package `jsonschema`.
"""

from __future__ import annotations

import copy
import random
import re
import string
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import jsonschema

from tests.trees import at, objects

Schema = Any
Path = tuple[str | int, ...]

ANYTHING: tuple[Any, ...] = ("a", 7, None, True, [], {"k": [1, {"l": None}]})
DECIMALS = ("0", "1.50", "-2.5", "0.00000001", "123456789012345678901234567890.50")
TEXTS = ("a", "BTC", "a b", 'quote " \\ /', "{{ x }}", "${x}", "null", "0")
PATTERNED = ("b", "xyz", "ninechars", "Ab1", "Builder0Code0016", "a12w", "b12", "a123", "b34 ")
"""Texts of which some match each pattern of the specs and of the keywords, at both ends of its lengths."""
ADDRESS = "FAe4sisG95oZ42w7buUn5qEE4TAnfTTFPiguZUHmhiF"
TIMES = (1_700_000_000_000, 1_759_215_599_188)
WRONG = {"wrong": [None]}
"""Stands where anything else belongs."""
DEPTH = 5


class NoValue(Exception):
    """No value that is right by the schema was found."""


class Values:
    """Makes values of the schemas of one spec."""

    def __init__(self, spec: dict[str, Any], chance: random.Random) -> None:
        self._spec = spec
        self._chance = chance
        self._autos = _autos(spec)

    def right(self, schema: Schema) -> Any:
        """A value that is right by a schema.

        Raises:
            NoValue: None was found, perhaps because there is none.
        """
        for _ in range(50):
            value = self._value(schema, 0, self._chance.choice((0.0, 0.5, 1.0)))
            if self.is_right(value, schema):
                return value
        raise NoValue(f"{schema!r}")

    def either(self) -> bool:
        """One of two."""
        return self._chance.random() < 0.5

    def is_right(self, value: Any, schema: Schema) -> bool:
        """Whether a value is right by a schema, as another implementation reads it."""
        whole = {**schema, "components": self._spec["components"]}
        return bool(jsonschema.Draft202012Validator(whole).is_valid(value))

    def wrong(self, value: Any, schema: Schema, below: Path = (), *, sent: bool) -> Iterator[Any]:
        """Values that are wrong by a schema: in one place of a right one, somewhere below a path.

        What is `sent` may break limits. What is received is of another type.
        """
        places = [path for path in _paths(value, ()) if path[: len(below)] == below]
        self._chance.shuffle(places)
        for path in places:
            old = _at(value, path)
            for new in (WRONG, *(_beyond(old) if sent else (5,))):
                # Null and nothing are the same in an answer.
                filled = new if sent else self._with_nulls(value, path, new, schema)
                if not self.is_right(_with(value, path, filled), schema):
                    yield _with(value, path, new)
            inside = len(path) > len(below) and isinstance(path[-1], str)
            if inside and path[-1] not in self._autos:
                changed = copy.deepcopy(value)
                del _at(changed, path[:-1])[path[-1]]
                null = changed if sent else _with(value, path, None)
                if not any(self.is_right(each, schema) for each in (changed, null)):
                    yield changed

    def _with_nulls(self, value: Any, path: Path, new: Any, schema: Schema) -> Any:
        """A new object for a path, with null in each member of the old one that may be null."""
        old = _at(value, path)
        if not isinstance(old, dict) or not isinstance(new, dict):
            return new
        nulls = {k: None for k in old if self.is_right(_with(value, (*path, k), None), schema)}
        return {**nulls, **new}

    def plain(self, schema: Schema) -> dict[str, Any]:
        """A schema without references and without allOf."""
        found = self.plain(at(self._spec, schema["$ref"])) if "$ref" in schema else {}
        for part in schema.get("allOf", ()):
            found = merged(found, self.plain(part))
        own = {key: each for key, each in schema.items() if key not in ("$ref", "allOf")}
        return merged(found, own)

    # -- by type ------------------------------------------------------------------------------

    def _value(self, schema: Schema, depth: int, optional: float) -> Any:
        plain = self.plain(schema)
        if "const" in plain:
            return plain["const"]
        if "enum" in plain:
            return self._chance.choice(plain["enum"])
        for word in ("oneOf", "anyOf"):
            choices = [each for each in plain.get(word, ()) if _describes(each)]
            if choices:
                rest = {key: each for key, each in plain.items() if key != word}
                choice = self._chance.choice(choices)
                return self._value(merged(rest, self.plain(choice)), depth, optional)
        if plain.get("x-auto") == "account":
            return ADDRESS
        kind = plain.get("type", self._kind(plain))
        kind = self._chance.choice(kind) if isinstance(kind, list) else kind
        makers: dict[object, Callable[[], Any]] = {
            "object": lambda: self._object(plain, depth, optional),
            "array": lambda: self._array(plain, depth, optional),
            "string": lambda: self._string(plain),
            "integer": lambda: self._integer(plain),
            "number": lambda: self._chance.choice((0, 1.5, -2)),
            "boolean": lambda: self._chance.random() < 0.5,
            "null": lambda: None,
        }
        return makers[kind]() if kind in makers else self._chance.choice(ANYTHING)

    def _kind(self, plain: dict[str, Any]) -> str:
        return "object" if "properties" in plain else "array" if "items" in plain else ""

    def _object(self, plain: dict[str, Any], depth: int, optional: float) -> dict[str, Any]:
        found: dict[str, Any] = {}
        needed = set(plain.get("required", ()))
        for name, each in plain.get("properties", {}).items():
            # What the SDK would fill in by itself is always given.
            given = name in needed or "x-auto" in self.plain(each)
            if given or (depth < DEPTH and self._chance.random() < optional):
                found[name] = self._value(each, depth + 1, optional)
        return found

    def _array(self, plain: dict[str, Any], depth: int, optional: float) -> list[Any]:
        first = [self._value(each, depth + 1, optional) for each in plain.get("prefixItems", ())]
        least, most = plain.get("minItems", 0), plain.get("maxItems", 3)
        count = least if depth >= DEPTH else self._chance.randint(least, max(least, min(most, 3)))
        more = plain.get("items", {}) if plain.get("items") is not False else None
        count = len(first) if more is None or first else count
        if more is not None and "x-unit" in plain:
            more = {"x-unit": plain["x-unit"], **more}
        return first + [self._value(more, depth + 1, optional) for _ in range(count - len(first))]

    def _string(self, plain: dict[str, Any]) -> str:
        format_ = plain.get("format")
        made = {
            "decimal": lambda: self._chance.choice(DECIMALS),
            "uuid": lambda: str(UUID(int=self._chance.getrandbits(128), version=4)),
        }
        if format_ in made:
            return made[format_]()
        if "pattern" in plain:
            known = [each for each in PATTERNED if re.search(plain["pattern"], each)]
            return self._chance.choice(known) if known else ""
        text = self._chance.choice(TEXTS)
        letters = "".join(self._chance.choices(string.ascii_letters, k=plain.get("minLength", 0)))
        return (text + letters if len(text) < len(letters) else text)[: plain.get("maxLength", 99)]

    def _integer(self, plain: dict[str, Any]) -> int:
        if plain.get("x-unit") == "ms":
            return self._chance.choice(TIMES)
        low, high = plain.get("minimum", -(2**63)), plain.get("maximum", 2**63 - 1)
        near = [low, low + 1, high - 1, high, 0, 1, self._chance.randint(low, max(low, high))]
        return int(self._chance.choice(near))


def merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Two schemas that hold both. Where they say different things of one word, the second counts."""
    found = {**one, **other}
    if "properties" in one and "properties" in other:
        found["properties"] = {**one["properties"], **other["properties"]}
    if "required" in one and "required" in other:
        found["required"] = [*one["required"], *other["required"]]
    return found


def _describes(choice: Any) -> bool:
    """Whether one of several choices says what a value is, and not only what else it has."""
    return bool({"type", "$ref", "properties", "allOf", "oneOf", "enum", "const"} & choice.keys())


def _autos(spec: dict[str, Any]) -> set[str]:
    """The names of the fields that the SDK fills in, which may be left out."""
    fields = [pair for each in objects(spec) for pair in each.get("properties", {}).items()]
    return {name for name, field in fields if isinstance(field, dict) and "x-auto" in field}


def _beyond(value: Any) -> tuple[Any, ...]:
    """Values of the same type that may break a limit."""
    if isinstance(value, str):
        return ("", "no such value", value * 50)
    if isinstance(value, list):
        return ([], value * 50)
    return (0, -1, value + 1, 10**9) if type(value) is int else ()


def _paths(value: Any, path: Path) -> Iterator[Path]:
    yield path
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _paths(each, (*path, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _paths(each, (*path, index))


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _with(value: Any, path: Path, new: Any) -> Any:
    """A copy with another value at a path."""
    if not path:
        return copy.deepcopy(new)
    changed = copy.deepcopy(value)
    _at(changed, path[:-1])[path[-1]] = copy.deepcopy(new)
    return changed
