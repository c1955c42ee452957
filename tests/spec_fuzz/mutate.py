"""Mutations of a spec: one word, with one value, at one place."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from codegen.load import walk
from tests.codegen.specs import REAL, SMALL, Tree, changed, root, tree, unescaped
from tests.spec_fuzz.keywords import KEYWORDS, OF_OPENAPI, OF_SCHEMAS, OURS

BASES = {"small": SMALL, "real": REAL}


class Mutation(NamedTuple):
    """A word that is put at a place of a spec, whatever stood there."""

    base: str
    pointer: str
    word: str
    value: Any

    @property
    def at(self) -> str:
        """The pointer to the word itself."""
        return f"{self.pointer}/{self.word.replace('~', '~0').replace('/', '~1')}"

    def __str__(self) -> str:
        return f"{self.base} {self.at} = {self.value!r}"


@cache
def plain(base: str) -> Tree:
    """The unchanged spec, to be read only."""
    return tree(BASES[base])


@cache
def _places(base: str) -> list[str]:
    """The pointers of all objects of a spec."""
    nodes = walk(root(plain(base)))
    return [node.pointer for node in nodes if isinstance(node.value, dict)]


def mutations(seed: int) -> Iterator[Mutation]:
    """An endless row of mutations, the same for the same seed.

    Two of three put a word where it could stand; the others put any word anywhere.
    """
    chance = random.Random(seed)
    while True:
        base = chance.choice(("small", "small", "real"))
        pointer = chance.choice(_places(base))
        words = _likely(base, pointer) if chance.random() < 0.67 else sorted(KEYWORDS)
        word = chance.choice(words)
        value = copy.deepcopy(chance.choice(KEYWORDS[word]))
        yield Mutation(base, pointer, word, value)


def _likely(base: str, pointer: str) -> list[str]:
    """Words that could stand at a place: those of schemas, or of other objects; and ours."""
    value: Any = plain(base)
    for step in pointer.split("/")[1:]:
        value = value[int(step) if isinstance(value, list) else unescaped(step)]
    is_schema = SCHEMA_WORDS & value.keys() and "in" not in value
    return sorted({*(OF_SCHEMAS if is_schema else OF_OPENAPI), *OURS})


SCHEMA_WORDS = {"type", "properties", "items", "oneOf", "allOf", "$ref", "enum"}


def applied(mutation: Mutation) -> Tree:
    """The spec with its mutation."""
    return changed({mutation.at.removeprefix("#"): mutation.value}, plain(mutation.base))
