"""Mutations of a spec: one word, with one value, at one place."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from codegen.read.load import walk
from codegen.rules.words import record
from tests.codegen.specs import REAL, SECOND, SMALL, Tree, changed, root, tree
from tests.spec_fuzz.keywords import (
    FIELD_NAMES,
    FIELDS,
    KEYWORDS,
    OF_OPENAPI,
    OF_SCHEMAS,
    OURS,
)
from tests.trees import at

BASES = {"small": SMALL, "second": SECOND, "real": REAL}


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

    A third put any word anywhere; a third a word where it could stand; a third a word where it has an
    effect, or a field into an object.
    """
    chance = random.Random(seed)
    while True:
        base = chance.choice(("small", "small", "small", "second", "real", "real"))
        yield chance.choice((_anywhere, _where_it_could_stand, _with_an_effect))(base, chance)


def _anywhere(base: str, chance: random.Random) -> Mutation:
    return _put(base, chance.choice(_places(base)), sorted(KEYWORDS), chance)


def _where_it_could_stand(base: str, chance: random.Random) -> Mutation:
    pointer = chance.choice(_places(base))
    return _put(base, pointer, _likely(base, pointer), chance)


def _with_an_effect(base: str, chance: random.Random) -> Mutation:
    pointer, words = chance.choice(_spots(base))
    if pointer.endswith("/properties"):
        return Mutation(base, pointer, chance.choice(FIELD_NAMES), chance.choice(FIELDS))
    return _put(base, pointer, sorted(words & KEYWORDS.keys()) or ["description"], chance)


def _put(base: str, pointer: str, words: list[str], chance: random.Random) -> Mutation:
    word = chance.choice(words)
    return Mutation(base, pointer, word, copy.deepcopy(chance.choice(KEYWORDS[word])))


@cache
def _spots(base: str) -> list[tuple[str, set[str]]]:
    """The pointers of the objects of a spec whose words have an effect, with these words.

    The properties of the objects are there more than once: most of what comes and goes are fields.
    """
    known = set(_places(base))
    found = [(at, words) for at, words in record(root(plain(base))).items() if at in known]
    return found + [each for each in found if each[0].endswith("/properties")] * 5


def _likely(base: str, pointer: str) -> list[str]:
    """Words that could stand at a place: those of schemas, or of other objects; and ours."""
    value = at(plain(base), pointer)
    is_schema = SCHEMA_WORDS & value.keys() and "in" not in value
    return sorted({*(OF_SCHEMAS if is_schema else OF_OPENAPI), *OURS})


SCHEMA_WORDS = {"type", "properties", "items", "oneOf", "allOf", "$ref", "enum"}


def applied(mutation: Mutation) -> Tree:
    """The spec with its mutation."""
    return changed({mutation.at.removeprefix("#"): mutation.value}, plain(mutation.base))
