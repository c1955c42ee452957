"""No word without an effect: what the build did not read is refused, with what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator
from openapi_spec_validator.schemas import schema_v31

from codegen.dialect import ADVICE, DIALECT, LEARN, SAY_IT, WORDS
from codegen.read.api import build
from codegen.read.load import Node, Problem, Record, escaped, kept, walk
from codegen.read.operations import json_schema, operations, success
from codegen.read.schemas import known_type
from codegen.rules import batches, responses, schemas, wire
from codegen.rules.forms import holds_properties, meant

COMPARED = (*wire.RULES, *wire.CONSEQUENCES, *responses.BODIES, *batches.RULES, *schemas.TYPES)
"""The rules that compare the spec with what the SDK does by itself. What they look at, they read."""

NOTES = re.compile("|".join(DIALECT["notes"]))
"""The places of what nothing reads and that may stand there. So may `additionalProperties: false`: unknown members are ignored."""

SECTIONS = ("schemas", "parameters", "responses", "requestBodies", "securitySchemes")
"""The parts of the components. They may be empty."""

BESIDE = {"description", "x-source", "x-name", "x-unit", "x-auto", "default", "deprecated"}
"""The words that may stand beside a `$ref` to the schema of a field."""

OBJECTS = ("path-item", "operation", "parameter", "request-body", "response", "media-type", "tag")
"""The objects of OpenAPI in which the SDK reads words."""

KNOWN = {
    *ADVICE,
    *WORDS,
    *Draft202012Validator.VALIDATORS,
    *(word for name in OBJECTS for word in schema_v31["$defs"][name]["properties"]),
}
"""The words of the SDK, of JSON Schema and of OpenAPI: another word may be one of them, misspelt."""


@kept
def record(root: Node) -> Record:
    """What is read of a spec, by the build and by the rules that compare it with the SDK."""
    seen = root.recorded
    for rule in COMPARED:
        list(rule(seen))
    for section in SECTIONS:
        seen["components"].child(section)
    build(seen, "")
    assert seen.record is not None, "it has just got one"
    _read_alike(seen, seen.record)
    return seen.record


def _read_alike(root: Node, record: Record) -> None:
    """What is read of an answer is read of another success that says the same."""
    for _, _, operation in operations(root):
        first = json_schema(success(operation))
        for response in operation.named("responses").values() if first else ():
            other = json_schema(response)
            if first and other and other.pointer != first.pointer and other.value == first.value:
                for pointer, words in [*record.items()]:
                    if f"{pointer}/".startswith(f"{first.pointer}/"):
                        same = f"{other.pointer}{pointer.removeprefix(first.pointer)}"
                        record.setdefault(same, set()).update(words)


def unread(root: Node) -> Iterator[Problem]:
    """Every word has an effect where it stands."""
    for pointer, word in _unread(root):
        if not _is_component(pointer):
            yield Problem(pointer, _advice(pointer, word))


def unused(root: Node) -> Iterator[Problem]:
    """Every component is part of an operation. An enum may be there for its name alone."""
    # Any other word that nothing read is told by the rule above, and then this one is not asked.
    for pointer, _ in _unread(root):
        yield Problem(pointer, "nothing refers to it; leave it out")
    for section in SECTIONS:
        components = root["components"].get(section, {})
        for name in components:
            if "$ref" in components[name]:
                pointer = f"#/components/{section}/{escaped(name)}"
                yield Problem(pointer, "is another name; write the $ref where it is used")


def _is_component(pointer: str) -> bool:
    return re.fullmatch(f"#/components/({'|'.join(SECTIONS)})/[^/]+", pointer) is not None


def _advice(pointer: str, word: str) -> str:
    if holds_properties(pointer.rpartition("/")[0]):
        return "the SDK does not read this property; leave it out"
    if re.search("/(responses/[^/]+|requestBody|requestBodies/[^/]+)/content/[^/]+$", pointer):
        if word == "application/problem+json" and re.search(
            "/responses/[^2][^/]+/content/", pointer
        ):
            return f"problem+json is not supported; leave it out, `ApiError.body` has it nevertheless; {LEARN}"
        return (
            f"only JSON is sent and read; write application/json instead of {word}, or leave it out"
        )
    if word in WORDS:
        return f"has no effect here; write it on {WORDS[word].on}"
    alike = sorted(each for each in KNOWN if each.startswith("x-") == word.startswith("x-"))
    if word not in KNOWN and (question := meant(word, alike)):
        return f"unknown word; {question} if not, {SAY_IT}"
    if word.startswith("x-") and word not in ADVICE:
        return "unknown x- word; leave it out"
    return f"has no effect here; {ADVICE.get(word, SAY_IT)}"


def _unread(root: Node) -> Iterator[tuple[str, str]]:
    """The words that nothing read, with their pointers. What stands below one is not told apart."""
    read = record(root)
    steps = {"#"}
    for pointer in read:
        while pointer not in steps:
            steps.add(pointer)
            pointer = pointer.rpartition("/")[0]
    yield from _below(root.value, "#", read, steps)


def _below(value: Any, pointer: str, read: Record, steps: set[str]) -> Iterator[tuple[str, str]]:
    children = value.items() if isinstance(value, dict) else enumerate(value)
    for key, child in children:
        at = f"{pointer}/{escaped(key)}"
        is_note = NOTES.fullmatch(at) or (key == "additionalProperties" and child is False)
        if (
            (is_note and not holds_properties(pointer))
            or key == "$ref"
            or key in read.get(pointer, ())
        ):
            continue
        if isinstance(child, dict | list) and at in steps:
            yield from _below(child, at, read, steps)
        else:
            yield at, str(key)


def _beside(root: Node) -> Iterator[Problem]:
    """What stands beside a `$ref` says more about its use, and nothing else about its target."""
    for node in walk(root):
        if not isinstance(node.value, dict) or not isinstance(node.value.get("$ref"), str):
            continue
        is_field = re.search("/properties/[^/]+$|/schema$", node.pointer)
        allowed = BESIDE if is_field else {"description"}
        for word in sorted(node.value.keys() - allowed - {"$ref"}):
            advice = "cannot stand beside a $ref; write it where the $ref points to"
            yield Problem(f"{node.pointer}/{escaped(word)}", advice)


def warnings(root: Node) -> list[Problem]:
    """What to tell whoever generates from a spec that breaks no rule, at the place of each format."""
    read = record(root)
    found: list[Problem] = []
    for node in walk(root):
        # What only notes, and compares, is asked for its type, too; the format is asked of values alone.
        type_ = known_type(node) if "format" in read.get(node.pointer, ()) else None
        if type_ and type_.format:
            told = f"the value is read as {node.get('type')!r}"
            said = f"the format {type_.format!r} is not known; {told}"
            found.append(Problem(f"{node.pointer}/format", said))
    return sorted(found, key=lambda problem: problem.pointer)


RULES = (_beside,)
