"""What the rules share: the forms of the x- words, and small checks of texts, sections and sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from typing import Any

from codegen.dialect import WORDS, misfit, validator
from codegen.read.load import Node, Problem, walk

# -- forms of x- words ------------------------------------------------------------------------------


@cache
def _validator(word: str) -> Any:
    return validator(WORDS[word].form)


def has_form(node: Node, word: str) -> bool:
    """Whether a node has a word, in its form: rules on what it says need not look at anything else."""
    return word in node and bool(_validator(word).is_valid(node.value[word]))


def needed(node: Node, word: str) -> Iterator[Problem]:
    """A word that must be there."""
    if word not in node:
        yield Problem(f"{node.pointer}/{word}", f"is missing; it must be {_value(word)}")


def _value(word: str) -> str:
    return str(WORDS[word].form["title"]).replace("`", "")


def _forms(root: Node) -> Iterator[Problem]:
    """Every x- word has its form, wherever it stands."""
    for node in walk(root):
        # An x-source names the words that it speaks of.
        is_object = isinstance(node.value, dict) and not node.pointer.endswith("/x-source")
        if is_object and not holds_properties(node.pointer):
            for word in WORDS.keys() & node.value.keys():
                for error in _validator(word).iter_errors(node.value[word]):
                    yield from misfit(error, f"{node.pointer}/{word}", word, _value(word))


# -- texts, sections, sources -----------------------------------------------------------------------


NO_DESCRIPTION = "has no description; write one, as a sentence"
SOURCE = "write x-source: documented, observed or assumed"


def section(node: Node) -> Iterator[Problem]:
    """The section of the interface document that a docstring refers to."""
    docs = node.child("externalDocs")
    if docs is None or not str(docs.get("description", "")).startswith("Section"):
        yield Problem(f"{node.pointer}/externalDocs", "must name its section, like 'Section 4.1'")


def place_in_document(node: Node) -> Iterator[Problem]:
    """The section of an endpoint; where it came from, if the interface document lacks it."""
    if "externalDocs" in node or node.get("x-source") not in ("observed", "assumed"):
        yield from section(node)


def meant(word: str, known: Iterable[str]) -> str:
    """The question whether a known word was meant by one that is spelt much like it, or an empty text."""
    near = " or ".join(map(repr, get_close_matches(word, known, n=2, cutoff=0.75)))
    return f"did you mean {near}?" if near else ""


def one_line(node: Node, word: str) -> Iterator[Problem]:
    """A text that becomes the first line of a docstring."""
    text = node.get(word)
    if not isinstance(text, str) or not text.strip() or "\n" in text.strip():
        yield Problem(f"{node.pointer}/{word}", "must be one line of text")


def has_source(node: Node, word: str) -> bool:
    """Whether an `x-source` speaks of a word, for itself or together with all that is beside it."""
    given = node.get("x-source")
    return word in given if isinstance(given, dict) else given is not None


def holds_properties(pointer: str) -> bool:
    """Whether the keys of a node are names of properties. A property may be called `properties`."""
    steps = re.search("(/properties)*$", pointer)
    return steps is not None and steps[0].count("/") % 2 == 1


def source(node: Node, word: str) -> Iterator[Problem]:
    """An x-source that belongs to another word of the same object, if it does not name its words."""
    if isinstance(node.get("x-source"), str) and word not in node:
        yield Problem(
            f"{node.pointer}/x-source", f"is the source of {word}, which is missing; leave it out"
        )


RULES = (_forms,)
