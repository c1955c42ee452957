"""The forms of the x- words: each is declared with its word, on the member of the IR that the word becomes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker, validators

from codegen import ir
from codegen.read.load import Node, Problem, escaped, walk
from codegen.rules.parts import holds_properties

WORDS = {each.name: each for each in ir.WORDS}
_INTEGERS = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, each: type(each) is int)
"""1.0 is an integer to JSON Schema, and none to YAML and Python."""


@cache
def _validator(word: str) -> Any:
    kind: Any = validators.extend(Draft202012Validator, type_checker=_INTEGERS)  # type: ignore[no-untyped-call]
    return kind(WORDS[word].form, format_checker=FormatChecker())


def has_form(node: Node, word: str) -> bool:
    """Whether a node has a word, in its form: rules on what it says need not look at anything else."""
    return word in node and bool(_validator(word).is_valid(node.value[word]))


def needed(node: Node, word: str) -> Iterator[Problem]:
    """A word that must be there."""
    if word not in node:
        yield Problem(f"{node.pointer}/{word}", f"is missing; it must be {_value(word)}")


def _value(word: str) -> str:
    return WORDS[word].value.replace("`", "")


def _forms(root: Node) -> Iterator[Problem]:
    """Every x- word has its form, wherever it stands."""
    for node in walk(root):
        # An x-source names the words that it speaks of.
        is_object = isinstance(node.value, dict) and not node.pointer.endswith("/x-source")
        if is_object and not holds_properties(node.pointer):
            for word in WORDS.keys() & node.value.keys():
                for error in _validator(word).iter_errors(node.value[word]):
                    yield from _told(f"{node.pointer}/{word}", word, error)


def _told(pointer: str, word: str, error: Any) -> Iterator[Problem]:
    steps = "".join(f"/{escaped(step)}" for step in error.absolute_path)
    if error.validator == "required":
        for key in error.validator_value:
            if key not in error.instance:
                yield Problem(pointer + steps, f"must have the key {key}")
    elif error.validator == "additionalProperties":
        known = error.schema["properties"]
        for key in error.instance.keys() - known.keys():
            advice = f"is not a key of {word}; write {', '.join(known)}, or leave it out"
            yield Problem(f"{pointer}{steps}/{escaped(key)}", advice)
    else:
        value = error.schema["title"] if steps else _value(word)
        is_plain = not isinstance(error.instance, dict | list)
        yield Problem(pointer + steps, f"must be {value}" + f", not {error.instance!r}" * is_plain)


RULES = (_forms,)
