"""Answers of every type, most of them damaged: made from a seed, a thousand times as fast as Hypothesis would."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from enum import Enum
from random import Random
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints
from uuid import UUID

import attrs

from trading_runtime import Discriminator, IntegerText, Unset

Pairs = list[list[Any]]
"""An object of JSON: names and values, so that a name may come twice."""


class Raw(str):
    """JSON as it is to be written."""

    __slots__ = ()


class Object:
    """An object of JSON."""

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs


LONG = "9" * 5_000
ODD: Sequence[Any] = (
    *(None, True, False, 0, 1, -1, 2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1),
    *(10**30, "", " ", "0", "1", "-0", "+1", "1.", ".5", ".", "1e5", "1E-7", "1e999", "1e1000"),
    *("1e-999", "1e-1000", "15e998", "15e999", "0e999", "0e1000", "0e-1098", "0e-1099", "-0.00"),
    *("9" * 100, "9" * 101, "0" * 101, "1" + "0" * 100, "0." + "1" * 100, "NaN", "nan", "sNaN"),
    *("NaN123", "Infinity", "-inf", "1,5", "1_0", " 1", "1\n", "\u0661", "0x1", "--1", "e5"),
    *("bid", "BID", "red", "open", "new", "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"),
    *("{5f0c1f4e6a0b4c569a3d0f6b2f9d7a11}", "5F0C1F4E6A0B4C569A3D0F6B2F9D7A11", "5f0c1f4e-6a0b"),
    *("5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11 ", "a\r\nb", "\x00", "\x7f", "\u2028", "\U0001f680"),
    *([], [[]], [None], ["1"], [1, 2, 3, 4], Object([]), Object([["a", 1]]), Object([["", []]])),
    *(Raw(each) for each in ("1.0", "1e0", "-0", "-0.0", "1.50", "1e400", "-1e-400", "1E+5", "01")),
    *(Raw(each) for each in ("1.", "+1", "NaN", "-Infinity", "nul", LONG, f"-{LONG}", f"0.{LONG}")),
    *(Raw(each) for each in (f"1e{LONG}", r'"\ud83d\ude80"', r'"\ud800"', r'"\udc00a"', r'"\x"')),
    *(Raw(each) for each in ('"a\nb"', '"\x01"', "12345678901234567890.12", "1e1000", "1e999")),
    *(Raw("[" * depth + "]" * depth) for depth in (60, 96, 97, 98, 99, 100, 101, 150, 5_000)),
    *(Raw('{"a":' * depth + "1" + "}" * depth) for depth in (97, 98, 99, 5_000)),
)
MOMENTS = (
    *("2027-01-31T12:00:00Z", "2027-01-31t12:00:59.5z", "2016-12-31 23:59:60+00:00"),
    *("2027-01-31T12:00:00.123456789-05:30", "9999-12-31T23:59:60Z", "2027-02-30T12:00:00Z"),
    *("2027-01-31T12:00:00", "2027-01-31T12:00:00.9999999+02:00", "2027-01-31T24:00:00Z"),
)
"""Moments of RFC 3339, and texts that are none."""
_BYTES = (b"\xff", b"\xed\xa0\x80", b"\xc3\xa9", b'"', b"\\", b"{", b"]", b",", b"0", b"\x00", b" ")


class Answers:
    """Made-up answers, the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        """Make those of a seed."""
        self._random = Random(seed)

    def body(self, type_: Any) -> bytes:
        """The JSON of a value of a type, most often with some damage."""
        return self.damaged(self.tree(type_))

    def damaged(self, tree: Any) -> bytes:
        """The JSON of a tree, in two cases of five as it is."""
        for _ in range(self._random.choice((0, 0, 1, 1, 2))):
            tree = self._changed(tree)
        body = self._written(tree).encode()
        return self._hurt(body) if self._random.random() < 0.05 else body

    def tree(self, type_: Any) -> Any:
        """A value of a type."""
        random, types, origin = self._random, get_args(type_), get_origin(type_)
        if origin is Annotated:
            return self._kind(types[1])
        if origin in (Union, UnionType):
            chosen = random.choice([each for each in types if each is not Unset])
            return None if chosen is NoneType else self.tree(chosen)
        if origin is Sequence:
            return [self.tree(types[0]) for _ in range(random.choice((0, 1, 2, 3)))]
        if origin is tuple:
            return [*map(self.tree, types), *([1] if random.random() < 0.1 else [])]
        if origin is Mapping:
            return Object(
                [[name, self.tree(types[1])] for name in ("a", "b")[: random.randrange(3)]]
            )
        if attrs.has(type_):
            return self._model(type_)
        return self._scalar(type_)

    def _kind(self, told: Discriminator) -> Object:
        """An object of one of several kinds, or of another one."""
        kind = self._random.choice((*told.models, "strange"))
        made = self.tree(told.models[kind]) if kind in told.models else Object([["note", "a"]])
        others = [pair for pair in made.pairs if pair[0] != told.field]
        return Object([[told.field, kind], *others])

    def _odd(self) -> Any:
        return copy.deepcopy(self._random.choice(ODD))

    def _model(self, model: Any) -> Object:
        hints, pairs = get_type_hints(model, include_extras=True), list[list[Any]]()
        for field in attrs.fields(model):
            if field.default is attrs.NOTHING or self._random.random() < 0.7:
                name = field.metadata.get("json", field.name)
                pairs.append([name, self.tree(hints[field.name])])
        if self._random.random() < 0.2:
            pairs.append(["note", self._odd()])
        if self._random.random() < 0.2:
            self._random.shuffle(pairs)
        return Object(pairs)

    def _scalar(self, type_: Any) -> Any:
        random = self._random
        if issubclass(type_, Enum):
            return random.choice(list(type_)).value
        if type_ is Decimal:
            return f"{random.randrange(-(10**9), 10**9)}.{random.randrange(10**6)}"
        if type_ is UUID:
            return str(UUID(int=random.getrandbits(128)))
        if type_ is datetime:
            return random.choice(MOMENTS)
        if type_ in (int, IntegerText):
            number = random.randrange(-(2**40), 2**60)
            return str(number) if type_ is IntegerText else number
        return random.choice((True, False)) if type_ is bool else random.choice(("BTC", "caf\xe9"))

    def _changed(self, tree: Any) -> Any:
        """A tree with a change at one place."""
        found = list(_places(tree))
        if not found or self._random.random() < 0.02:
            return self._odd()
        holder, index, is_named = self._random.choice(found)
        change = self._random.choice(("replace", "replace", "remove", "repeat", "rename"))
        if change == "remove":
            del holder[index]
        elif change == "repeat":
            odd = self._odd()
            extra = [holder[index][0], odd] if is_named else odd
            holder.insert(self._random.choice((index, index + 1)), extra)
        elif is_named:
            at, new = (0, "note") if change == "rename" else (1, self._odd())
            holder[index] = [new, holder[index][1]] if at == 0 else [holder[index][0], new]
        else:
            holder[index] = self._odd()
        return tree

    def _written(self, tree: Any) -> str:
        space = self._random.choice(("", "", "", " ", "\n\t", "\r\n "))
        if isinstance(tree, Raw):
            return tree
        if isinstance(tree, list):
            return f"[{space}{f',{space}'.join(map(self._written, tree))}]"
        if isinstance(tree, Object):
            pairs = (
                f"{json.dumps(name)}{space}:{self._written(value)}" for name, value in tree.pairs
            )
            return f"{{{f',{space}'.join(pairs)}{space}}}"
        return json.dumps(tree, ensure_ascii=self._random.random() < 0.5)

    def _hurt(self, body: bytes) -> bytes:
        at = self._random.randrange(len(body) + 1)
        cut = at + self._random.choice((0, 0, 1, 3))
        return body[:at] + self._random.choice((*_BYTES, b"")) + body[cut:]


def _places(tree: Any) -> Any:
    """Every item and member in a tree: what holds it, its index, and whether it has a name."""
    is_named = isinstance(tree, Object)
    holder = tree.pairs if isinstance(tree, Object) else tree if isinstance(tree, list) else []
    for index, each in enumerate(holder):
        yield holder, index, is_named
        yield from _places(each[1] if is_named else each)
