"""No word without an effect: a word that nothing reads is refused, with what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.load import Node, Problem, escaped, walk
from codegen.rules.field_places import refers_to_class
from codegen.rules.place import Place, is_map
from codegen.rules.places import places
from codegen.rules.tables import BESIDE, FIELDS, TYPES, WHOLE, WORDS

SAY_IT = "it has no effect; leave it out, or say it in the description"
UNREAD = "the SDK reads no such thing; leave it out"
LIMIT = "the SDK does not check it; leave it out, or say it in the description"
CHOICE = (
    "write dependentRequired, if and then, or oneOf or anyOf of required, on a model of a request"
)
SHAPE = "leave out the type, so that it is returned as parsed JSON"

ADVICE: dict[str, str] = {
    "nullable": "OpenAPI 3.1 does not have it; write type: [TYPE, 'null']",
    "title": SAY_IT,
    "$comment": "it has no effect; write a comment of YAML",
    "example": "it has no effect; write the example in the description",
    "examples": "it has no effect; write the example in the description",
    "deprecated": "write it on an operation, a parameter or a field; of values of an enum list "
    "those in x-enum-deprecated",
    "readOnly": "give what is sent and what is received a schema each",
    "writeOnly": "give what is sent and what is received a schema each",
    "const": "write an enum with one value, as a component schema",
    "webhooks": UNREAD,
    "callbacks": UNREAD,
    "links": UNREAD,
    "headers": UNREAD,
    "security": "write it once, at the root of the document",
    "servers": "write it once, at the root of the document",
    "allOf": "only objects consist of parts; beside a $ref a description may stand alone",
    "additionalProperties": "a map has no properties, and unknown fields are always ignored; "
    "leave it out",
    "patternProperties": SHAPE,
    "propertyNames": SHAPE,
    "unevaluatedProperties": "unknown fields are always ignored; leave it out",
    **dict.fromkeys(("if", "then", "else", "not", "dependentRequired", "dependentSchemas"), CHOICE),
    **dict.fromkeys(
        ("minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum"), LIMIT
    ),
    **dict.fromkeys(
        ("exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems"), LIMIT
    ),
    **dict.fromkeys(("minProperties", "maxProperties", "contains", "minContains"), LIMIT),
    "parameters": "parameters belong in the operations and their paths",
    **dict.fromkeys(
        ("head", "options", "trace"), "only get, post, put, patch and delete are supported"
    ),
}
"""What to write instead of a word that has no effect."""


def _words(root: Node) -> Iterator[Problem]:
    """Every word has an effect where it stands."""
    for kind, place in places(root):
        if not is_map(place.node.value):
            continue
        words = place.node.value.keys()
        if kind in FIELDS and refers_to_class(place):
            words = place.beside or frozenset()
        for word in words:
            if word not in WORDS[kind]:
                yield Problem(place.at(word), _advice(kind, word))


def _choices(root: Node) -> Iterator[Problem]:
    """What may be null says so once."""
    for kind, place in places(root):
        if kind.endswith(", or null") and {"oneOf", "anyOf"} <= place.node.value.keys():
            yield Problem(place.at("anyOf"), "stands beside oneOf; write one of them")


def _types(root: Node) -> Iterator[Problem]:
    """An object has the type that its other words stand for."""
    for kind, place in places(root):
        type_, given = TYPES.get(kind), place.node.get("type")
        has_parts = "allOf" in place.node or kind not in WHOLE
        is_part = given is None and has_parts and "allOf" in WORDS.get(kind, ())
        if type_ is not None and given != type_ and not is_part:
            yield Problem(place.at("type"), f"must be {type_}")


def _advice(kind: str, word: str) -> str:
    known = sorted(each for each, words in WORDS.items() if word in words)
    if word.startswith("x-") and not known:
        return "unknown x- word"
    article = "an" if kind[0] in "aeiou" else "a"
    where = f"has no effect on {article} {kind}" if known else "is not supported"
    advice = ADVICE.get(word, f"it has one on: {', '.join(known[:3])}" if known else SAY_IT)
    return f"{where}; {advice}"


def _beside(root: Node) -> Iterator[Problem]:
    """What stands beside a `$ref` says more about its use, and nothing else about its target."""
    for node in walk(root):
        if not is_map(node.value) or not isinstance(node.value.get("$ref"), str):
            continue
        is_field = re.search("/properties/[^/]+$|/schema$", node.pointer)
        allowed = BESIDE if is_field else {"description"}
        for word in sorted(node.value.keys() - allowed - {"$ref"}):
            advice = "cannot stand beside a $ref; write it where the $ref points to"
            yield Problem(f"{node.pointer}/{escaped(word)}", advice)


def unused(root: Node) -> Iterator[Problem]:
    """Every component is part of an operation. An enum may be there for its name alone."""
    components = Place(root, "#").named("components")
    reached = _reached(root)
    for section, holder in components.items():
        for name in holder.node.value if is_map(holder.node.value) else ():
            place = holder.child(name)
            if section == "securitySchemes":
                continue
            if place.beside is not None:
                yield Problem(place.pointer, "is another name; write the $ref where it is used")
            elif place.pointer not in reached and "enum" not in place.node:
                yield Problem(place.pointer, "nothing refers to it; leave it out")


def _reached(root: Node) -> set[str]:
    """The pointers that operations refer to, directly or through others."""
    found: set[str] = set()
    left = [Node(root["paths"].value, "#/paths", root.value)]
    while left:
        for node in walk(left.pop()):
            reference = node.value.get("$ref") if is_map(node.value) else None
            if isinstance(reference, str) and reference not in found:
                found.add(reference)
                holder = Node({"$ref": reference}, node.pointer, root.value)
                left.append(Node({"to": holder.value}, "", root.value)["to"])
    return found


RULES = (_words, _choices, _types, _beside)
