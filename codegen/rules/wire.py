"""Rules on what the runtime does by itself: the spec must say the same.

The runtime builds the signed body, takes envelopes off, reads error bodies and sends the API key,
for every service alike. Nothing of it follows from the spec, so a spec that differs is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import field, frozen

from codegen.read.load import Node, Problem
from codegen.read.methods import SCHEME, has_integer_cursor
from codegen.read.operations import OUTCOME, SIGNED, wrappers
from codegen.rules.place import Place, is_map, members, operation_places, parts, schema_of
from codegen.rules.signing import TIMES

NOTES = {"description", "x-source"}

TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+"
"""A token as RFC 9110 defines it."""


@frozen
class Member:
    """A member of an object that the runtime writes or reads: its types, and its other words."""

    types: tuple[Any, ...]
    words: Mapping[str, Any] = field(factory=dict)
    made_by: str = ""
    """The part of the runtime that would have to change first."""


SIGNING = "sign_request in runtime/trading_runtime/signing/request.py"
WINDOW = "BaseClient in runtime/trading_runtime/client.py"
NULLABLE_TEXT: list[str] = ["string", "null"]
NULLABLE_NUMBER: list[str] = ["integer", "null"]
_CODES = (NULLABLE_NUMBER, "integer", "null", NULLABLE_TEXT, "string")
INT64 = {"format": "int64"}

TEXT = Member(("string",))

SIGNED_MEMBERS = {
    "account": Member(("string",)),
    "signature": Member(("string",)),
    "timestamp": Member(("integer",), {**INT64, "x-unit": "ms"}),
    "agent_wallet": Member((NULLABLE_TEXT,)),
    "expiry_window": Member(
        ("integer",), {**INT64, "x-unit": "duration in ms", "default": 30_000}, made_by=WINDOW
    ),
}
"""What every signed request has beside its own fields."""

SIGNED_REQUIRED = {"account", "signature", "timestamp"}

ENVELOPE = {
    "success": Member(("boolean",)),
    "error": Member((NULLABLE_TEXT, "string", "null")),
    "code": Member(_CODES, INT64),
}
"""What stands beside the data of an answer."""


def compared(place: Place, member: Member) -> Iterator[Problem]:
    """One member has the type and the words that the runtime counts on."""
    if not is_map(place.node.value):
        yield Problem(place.pointer, "must be a mapping")
        return
    if (type_ := place.node.get("type")) not in member.types:
        wanted = " or ".join(str(each) for each in member.types)
        yield Problem(place.pointer, f"has type {type_!r}; the SDK counts on {wanted}")
    else_ = f", or change {member.made_by} first" if member.made_by else ""
    for word in place.node.value.keys() - {"type"}:
        if word in NOTES:
            place.node.get(word)
        elif word not in member.words:
            advice = f"has no effect here, the SDK does not read it; leave it out{else_}"
            yield Problem(place.at(word), advice)
        elif place.node.get(word) != (value := member.words[word]):
            advice = f"is {value!r} in what the SDK sends and reads; write that{else_}"
            yield Problem(place.at(word), advice)


def _all_compared(
    schema: Place, known: Mapping[str, Member], other: str, apart: frozenset[str] = frozenset()
) -> Iterator[Problem]:
    """All members of an object but those that are looked at elsewhere."""
    yield from is_object(schema)
    for name, place in members(schema).items():
        if name in apart:
            continue
        if name in known:
            yield from compared(place, known[name])
        else:
            yield Problem(place.pointer, other)
    for part in parts(schema):
        for name in part.node.get("required", ()):
            if name not in members(schema):
                yield Problem(part.at("required"), f"there is no property {name!r}")


def required(schema: Place) -> set[str]:
    """The properties that an object always has."""
    return {name for part in parts(schema) for name in part.node.get("required", ())}


def is_object(schema: Place) -> Iterator[Problem]:
    """An object, and every part of its allOf, has the type of one. A part may leave it out."""
    for part in parts(schema):
        if part.node.get("type", "object") != "object":
            yield Problem(part.at("type"), "must be object")


def is_list(place: Place) -> bool:
    """Whether a schema is that of a list."""
    return bool(place.node.get("type") == "array")


# -- the rules --------------------------------------------------------------------------------


def _signed_request(root: Node) -> Iterator[Problem]:
    """SignedRequest is the body that the SDK makes and signs."""
    schemas = Place(root, "#").below("components", "schemas")
    assert schemas is not None, "the frame demands it"
    signed = schemas.child(SIGNED)
    other = (
        f"no signed request has it; write it into the schema beside {SIGNED} of each operation that has"
        f" it, or change {SIGNING} first, which makes what all of them have"
    )
    yield from _all_compared(signed, SIGNED_MEMBERS, other)
    found = members(signed)
    for name in sorted(SIGNED_MEMBERS.keys() - found.keys()):
        advice = f"lacks {name!r}, which the SDK sends; write it, or change {SIGNING} first"
        yield Problem(f"{signed.pointer}/properties", advice)
    if found.keys() == SIGNED_MEMBERS.keys() and required(signed) != SIGNED_REQUIRED:
        needed = ", ".join(sorted(SIGNED_REQUIRED))
        yield Problem(signed.at("required"), f"the SDK always sends {needed}; write these")
    for word in signed.node.value.keys() - {"type", "description", "required", "properties"}:
        yield Problem(signed.at(word), "has no effect here, the SDK does not read it; leave it out")


def _envelopes(root: Node) -> Iterator[Problem]:
    """Beside its data, an answer has the members that the runtime reads, and no other."""
    for operation in operation_places(Place(root, "#")):
        answers = operation.named("responses")
        schemas = [schema_of(answers[status]) for status in answers if status[:1] == "2"]
        schema = next(filter(None, schemas), None)
        if schema is None:
            continue
        pages = operation.node.get("x-pagination")
        if isinstance(pages, dict):
            named = {"items", "next_cursor", "has_more"} & pages.keys()
            paths = {word: str(pages[word]) for word in named}
            yield from _page(schema, paths, integers=has_integer_cursor(operation.node))
        elif "data" in (found := members(schema)):
            other = (
                "stands beside data, and would be lost; leave it out, or do without the envelope"
            )
            yield from _all_compared(schema, ENVELOPE, other, frozenset({"data"}))
            if "data" not in required(schema):
                yield Problem(
                    schema.node.pointer, "its data must be required; the SDK counts on it"
                )
            if "x-result" in operation.node:
                found["data"].node.get("description")
            else:
                yield from _result(found["data"], bare="success" not in required(schema))
        elif "x-result" in operation.node:
            yield Problem(operation.at("x-result"), "the answer has no data; leave it out")
        else:
            yield from _result(schema, bare=False, whole=True)


def _page(schema: Place, pages: Mapping[str, str], *, integers: bool) -> Iterator[Problem]:
    """The envelope of a page: the members that x-pagination names, and those of every envelope.

    Where it names paths, like `data.items`, the object on the way is looked at in the same way.
    """
    inner: dict[str, dict[str, str]] = {}
    for word, path in pages.items():
        head, _, rest = path.partition(".")
        if rest:
            inner.setdefault(head, {})[word] = rest
    here = {word: path for word, path in pages.items() if "." not in path}
    number = Member((NULLABLE_NUMBER, "integer"), {"format": "int64"})
    cursor = number if integers else Member((NULLABLE_TEXT, "string"))
    told = {"next_cursor": cursor, "has_more": Member(("boolean",))}
    known = {**ENVELOPE, **{here[word]: told[word] for word in told if word in here}}
    needed = {here.get("items", ""), *inner}
    other = "stands beside the records of a page, and would be lost; leave it out"
    yield from _all_compared(schema, known, other, frozenset(needed))
    for name in sorted({*needed, here.get("has_more", "")}):
        if name in members(schema) and name not in required(schema):
            yield Problem(schema.node.pointer, f"its {name} must be required; the SDK counts on it")
    for name in inner.keys() & members(schema).keys():
        yield from _page(members(schema)[name], inner[name], integers=integers)


def _result(result: Place, *, bare: bool, whole: bool = False) -> Iterator[Problem]:
    """A result whose fields the runtime does not take for those of an envelope.

    `bare` says that its envelope need not have `success`: the runtime then tells it from an answer
    without an envelope by the names of the fields.
    """
    choices = [*result.each("oneOf"), *result.each("anyOf")]
    for each in (each for each in choices if each.node.get("type") != "null"):
        yield from _result(each, bare=bare, whole=whole)
    found = {} if choices else members(result)
    yield from is_object(result) if found else ()
    if whole and "additionalProperties" in result.node and not found:
        advice = "a map needs an envelope, whose names its own could be; put it into data"
        yield Problem(result.node.pointer, advice)
    for name in ("success", "error"):
        if name in found:
            yield from compared(found[name], ENVELOPE[name])
    if "success" in found and found.keys() <= OUTCOME:
        if bare or "success" not in required(result):
            yield Problem(
                result.node.pointer, "success must be required; nothing else shows success"
            )
    elif len(found) == 1 and is_list(*found.values()):
        result.node.get("x-source")  # a note: the object around the list becomes no class
        if not required(result):
            advice = "its only list must be required; the SDK counts on it"
            yield Problem(result.node.pointer, advice)
    for name in found.keys() & {"data", "error", "code"} if bare else ():
        advice = "would be taken for the envelope; let the envelope require success"
        yield Problem(found[name].pointer, advice)


def _batches(root: Node) -> Iterator[Problem]:
    """A batch is sent as one list of at least one action, each with its type and its data."""
    for operation in operation_places(Place(root, "#")):
        if not wrappers(operation.node):
            continue
        body = schema_of(operation.below("requestBody"))
        assert body is not None, "it has wrappers"
        yield from is_object(body)
        lists = members(body)
        for name, actions in lists.items():
            if "items" not in actions.node or "oneOf" not in actions.node["items"]:
                yield Problem(actions.pointer, "a batch has no field beside its list of actions")
            elif name not in required(body):
                yield Problem(body.node.pointer, f"must require {name}, which the SDK always sends")
            if actions.node.get("type") != "array":
                yield Problem(actions.at("type"), "must be array")
            actions.node.get("x-source")
            if actions.node.get("minItems", 1) != 1:
                yield Problem(actions.at("minItems"), "the SDK sends one action, too; write 1")
            yield from _wrapped(actions)


def _wrapped(actions: Place) -> Iterator[Problem]:
    types: dict[str, str] = {}
    choice = actions.below("items")
    for wrapper in choice.each("oneOf") if choice else ():
        if required(wrapper) != {"type", "data"}:
            yield Problem(wrapper.node.pointer, "must require type and data; the SDK sends both")
        if wrapper.node.get("type") != "object":
            yield Problem(wrapper.at("type"), "must be object")
        kind = wrapper.below("properties", "type")
        if kind and kind.node.get("type") != "string":
            yield Problem(kind.at("type"), "must be string")
        types[str(kind.node.get("const")) if kind else ""] = wrapper.node.pointer
    if choice and "discriminator" in choice.node:
        given = choice.node.get("discriminator")
        # Without a mapping the type of an action is the name of its schema, by OpenAPI.
        names = {name: pointer.rpartition("/")[2] for name, pointer in types.items()}
        unmapped = given == {"propertyName": "type"} and all(map(str.__eq__, names, names.values()))
        if not unmapped and given != {"propertyName": "type", "mapping": types}:
            advice = "must name type, and map the type of each action to its wrapper"
            yield Problem(choice.at("discriminator"), advice)


def _countersigned(root: Node) -> Iterator[Problem]:
    """The times of a message that two keys sign are those of every signed request."""
    for operation in operation_places(Place(root, "#")):
        body = schema_of(operation.below("requestBody"))
        if SCHEME in operation.node and body is not None:
            if body.node.get("type") != "object":
                yield Problem(body.at("type"), "must be object")
            required(body)
            body.node.get("x-source")
            for name, place in members(body).items():
                known = SIGNED_MEMBERS[name] if name in TIMES else TEXT
                yield from compared(place, known)


def _bodies(root: Node) -> Iterator[Problem]:
    """A request always has its body."""
    for operation in operation_places(Place(root, "#")):
        body = operation.below("requestBody")
        if body and body.node.get("required") is not True:
            yield Problem(body.at("required"), "must be true, because the SDK always sends a body")


def _security(root: Node) -> Iterator[Problem]:
    """The client has at most one API key. It is optional, and sent in a header of every request."""
    found = Place(root, "#").child("components")
    for number, scheme in enumerate(found.named("securitySchemes").values()):
        if number > 0:
            yield Problem(scheme.pointer, "only one security scheme is supported")
        if scheme.node.get("type") != "apiKey" or scheme.node.get("in") != "header":
            yield Problem(scheme.pointer, "only an apiKey in a header is supported")
        if not re.fullmatch(TOKEN, name := str(scheme.node.get("name"))):
            yield Problem(f"{scheme.pointer}/name", f"{name!r} cannot be the name of a header")
    schemes = root["components"].quiet.get("securitySchemes") or {}
    expected: list[dict[str, Any]] = [{}, *({name: []} for name in schemes)]
    given = root.get("security", [{}])
    if given != expected and is_map(schemes) and len(schemes) < 2:
        yield Problem("#/security", f"an API key is optional, and sent if given; write {expected}")


def _placeholders(root: Node) -> Iterator[Problem]:
    """A placeholder has the type of what replaces it, or none: otherwise no answer would be right."""
    for operation in operation_places(Place(root, "#")):
        pages = operation.node.get("x-pagination")
        path = str(pages.get("items")) if is_map(pages) else "data"
        for status, response in operation.named("responses").items():
            schema = schema_of(response) if status.startswith("2") else None
            for name in path.split("."):
                used = members(schema).get(name) if schema else None
                if schema and used and is_map(used.node.value):
                    yield from _replaced(schema, name, used)
                schema = used


def _replaced(schema: Place, name: str, used: Place) -> Iterator[Problem]:
    type_ = "object" if "properties" in used.node else used.node.quiet.get("type")
    for part in parts(schema):
        found = part.named("properties").get(name)
        if found and found.pointer != used.pointer and is_map(found.node.value):
            found.below("items")  # of any type
            given = found.node.get("type", type_)
            if given != type_:
                advice = f"is replaced by what has type {type_!r}; write that, or leave it out"
                yield Problem(found.at("type"), advice)


RULES = (_signed_request, _envelopes, _batches, _countersigned, _bodies, _security)
CONSEQUENCES = (_placeholders,)
