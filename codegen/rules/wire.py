"""Rules on what the runtime does by itself: the spec must say the same.

The runtime builds the signed body, takes envelopes off, reads error bodies and sends the API key,
for every service alike. Nothing of it follows from the spec, so a spec that differs is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve, field, frozen

from codegen.dialect import LEARN
from codegen.read.load import Node, Problem
from codegen.read.methods import SCHEME
from codegen.read.operations import OUTCOME, SIGNED, json_schema, operations, wrappers
from codegen.read.schemas import parts, properties, required, without_null
from codegen.rules.forms import has_form

NOTES = {"description", "x-source"}


@frozen
class Member:
    """A member of an object that the runtime writes or reads: its types, and its other words."""

    types: tuple[Any, ...]
    words: Mapping[str, Any] = field(factory=dict)
    made_by: str = ""
    """The part of the runtime that would have to change first."""


SIGNING = "sign_request in runtime/trading_runtime/signing/request.py"
WINDOW = "BaseClient in runtime/trading_runtime/client/client.py"
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

TIMES = ("timestamp", "expiry_window")
"""Those that a message which two keys sign has, too."""

ENVELOPE = {
    "success": Member(("boolean",)),
    "error": Member((NULLABLE_TEXT, "string", "null")),
    "code": Member(_CODES, INT64),
}
"""What stands beside the data of an answer."""


def compared(node: Node, member: Member) -> Iterator[Problem]:
    """One member has the type and the words that the runtime counts on."""
    if not isinstance(node.value, dict):
        yield Problem(node.place, "must be a mapping")
        return
    if (type_ := node.get("type")) not in member.types:
        wanted = " or ".join(str(each) for each in member.types)
        yield Problem(node.place, f"has type {type_!r}; the SDK counts on {wanted}")
    for word in NOTES:
        node.get(word)
    for word, value in member.words.items():
        if node.get(word, value) != value:
            advice = f"is {value!r} in what the SDK sends and reads; write that"
            advice += f", or change {member.made_by} first" if member.made_by else ""
            yield Problem(node.at(word), advice)


def _all_compared(
    schema: Node, known: Mapping[str, Member], other: str, apart: frozenset[str] = frozenset()
) -> Iterator[Problem]:
    """All members of an object but those that are looked at elsewhere."""
    yield from is_object(schema)
    for name, node in properties(schema).items():
        if name in apart:
            continue
        if name in known:
            yield from compared(node, known[name])
        else:
            yield Problem(node.place, other)


def required_exist(schema: Node) -> Iterator[Problem]:
    """An object has the properties that it requires."""
    for part in parts(schema):
        for name in part.get("required", ()):
            if name not in properties(schema):
                told = f"there is no property {name!r}; leave it out, or write it"
                yield Problem(part.at("required"), told)


def is_object(schema: Node) -> Iterator[Problem]:
    """An object, and every part of its allOf, has the type of one, and what it requires. A part may leave out its type."""
    for part in parts(schema):
        if "type" in part:
            yield from has_type(part, "object")
    yield from required_exist(schema)


def has_type(schema: Node, type_: str) -> Iterator[Problem]:
    """A schema says its type."""
    if schema.get("type") != type_:
        yield Problem(schema.at("type"), f"must be {type_}; write `type: {type_}`")


def is_list(node: Node) -> bool:
    """Whether a schema is that of a list."""
    return bool(node.get("type") == "array")


# -- the rules --------------------------------------------------------------------------------


def _signed_request(root: Node) -> Iterator[Problem]:
    """SignedRequest is the body that the SDK makes and signs."""
    if SIGNED not in root["components"]["schemas"]:
        return
    signed = root["components"]["schemas"][SIGNED]
    other = (
        f"no signed request has it; write it into the schema beside {SIGNED} of each operation that has"
        f" it, or change {SIGNING} first, which makes what all of them have"
    )
    yield from _all_compared(signed, SIGNED_MEMBERS, other)
    found = properties(signed)
    for name in sorted(SIGNED_MEMBERS.keys() - found.keys()):
        advice = f"lacks {name!r}, which the SDK sends; write it, or change {SIGNING} first"
        yield Problem(f"{signed.place}/properties", advice)
    if found.keys() == SIGNED_MEMBERS.keys() and required(signed) != SIGNED_REQUIRED:
        needed = ", ".join(sorted(SIGNED_REQUIRED))
        yield Problem(signed.at("required"), f"the SDK always sends {needed}; write these")


REFUSALS = re.compile(
    "(ret|return|result|response|status|err|error)?(code|msg|message|desc)|errors?|err|errno|ok|result"
)
"""How services call what tells a refusal under a status of success, in small letters without what joins words."""

UNSEEN = (
    "may tell a refusal, which the SDK would hand out as a result: it knows a refusal under a status of success by"
    " success: false alone; write success, and require it, if the service sends it; if not, the SDK cannot read this"
    " answer, so leave the operation out"
)


def _unseen_refusals(schema: Node) -> Iterator[Problem]:
    """An answer that does not always say `success` has no other member that may tell a refusal."""
    if "success" in required(schema):
        return
    for name, node in properties(schema).items():
        # The runtime looks at an error whatever else the answer says.
        if name != "error" and REFUSALS.fullmatch(re.sub("[^a-z]", "", name.lower())):
            yield Problem(node.place, UNSEEN)


def _envelopes(root: Node) -> Iterator[Problem]:
    """Beside its data, an answer has the members that the runtime reads, and no other."""
    for _, _, operation in operations(root):
        answers = operation.named("responses")
        schemas = [json_schema(answers[status]) for status in answers if status[:1] == "2"]
        schema = next(filter(None, schemas), None)
        if schema is None:
            continue
        yield from _unseen_refusals(schema)
        pages = operation.get("x-pagination")
        if isinstance(pages, dict) and not is_list(schema):
            names = {word: str(pages[word]) for word in {"items", *_PAGE} & pages.keys()}
            yield from _envelope(schema, names, "the records of a page")
        elif "data" in (found := properties(schema)):
            yield from _envelope(schema, {"items": "data"}, "data")
            if "x-result" in operation:
                found["data"].get("description")
            else:
                yield from _result(found["data"], bare="success" not in required(schema))
        elif "x-result" in operation:
            yield Problem(operation.at("x-result"), "the answer has no data; leave it out")
        else:
            yield from _result(schema, bare=False, whole=True)


_PAGE = {"next_cursor": Member((NULLABLE_TEXT, "string")), "has_more": Member(("boolean",))}
"""What x-pagination names beside the records."""


def _envelope(schema: Node, names: Mapping[str, str], held: str) -> Iterator[Problem]:
    """An envelope has the members that it names, those of every envelope, and no other."""
    known = {**ENVELOPE, **{names[word]: _PAGE[word] for word in _PAGE if word in names}}
    other = f"stands beside {held}, and would be lost; leave it out if nobody needs it, else leave the operation out"
    yield from _all_compared(schema, known, f"{other}, {LEARN}", frozenset({names["items"]}))
    for name in sorted({names["items"], names.get("has_more", "")}):
        if name in properties(schema) and name not in required(schema):
            yield Problem(schema.pointer, f"its {name} must be required; the SDK counts on it")


SHAPES = {"type", "properties", "enum", "oneOf", "anyOf", "allOf"}

ANY_FORM = "an answer of any form may be a refusal; write what a success answers, or an envelope with the JSON in its data"


def _result(result: Node, *, bare: bool, whole: bool = False) -> Iterator[Problem]:
    """A result whose fields the runtime does not take for those of an envelope.

    `bare` says that its envelope need not have `success`: the runtime then tells it from an answer
    without an envelope by the names of the fields.
    """
    if whole and not result.value.keys() & SHAPES:
        yield Problem(result.pointer, ANY_FORM)
    plain, is_nullable = without_null(result)
    if is_nullable:
        yield from _result(plain, bare=bare, whole=whole)
        return
    found = properties(result)
    yield from is_object(result) if found else ()
    for name in ("success", "error"):
        if name in found:
            yield from compared(found[name], ENVELOPE[name])
    if "success" in found and found.keys() <= OUTCOME:
        if bare or "success" not in required(result):
            yield Problem(result.pointer, "success must be required; nothing else shows success")
    elif len(found) == 1 and is_list(*found.values()):
        result.get("x-source")  # a note: the object around the list becomes no class
        if not required(result):
            advice = "its only list must be required; the SDK counts on it"
            yield Problem(result.pointer, advice)
    for name in found.keys() & {"data", "error", "code"} if bare else ():
        advice = "would be taken for the envelope; let the envelope require success"
        yield Problem(found[name].place, advice)


def _batches(root: Node) -> Iterator[Problem]:
    """A batch is sent as one list of at least one action, each with its type and its data."""
    for _, _, operation in operations(root):
        if not wrappers(operation):
            continue
        body = json_schema(operation.child("requestBody"))
        assert body is not None, "it has wrappers"
        yield from is_object(body)
        lists = properties(body)
        for name, actions in lists.items():
            if "items" not in actions or "oneOf" not in actions["items"]:
                yield Problem(
                    actions.place, "a batch has no field beside its list of actions; leave it out"
                )
            elif name not in required(body):
                yield Problem(body.pointer, f"must require {name}, which the SDK always sends")
            yield from has_type(actions, "array")
            actions.get("x-source")
            if actions.get("minItems", 1) != 1:
                yield Problem(actions.at("minItems"), "the SDK sends one action, too; write 1")
            yield from _wrapped(actions)


def _wrapped(actions: Node) -> Iterator[Problem]:
    types: dict[str, str] = {}
    choice = actions.below("items")
    for wrapper in choice.each("oneOf") if choice else ():
        if required(wrapper) != {"type", "data"}:
            yield Problem(wrapper.pointer, "must require type and data; the SDK sends both")
        yield from has_type(wrapper, "object")
        if kind := wrapper.below("properties", "type"):
            yield from has_type(kind, "string")
        types[str(kind.get("const")) if kind else ""] = wrapper.pointer
    if choice and "discriminator" in choice:
        given = choice.get("discriminator")
        # Without a mapping the type of an action is the name of its schema, by OpenAPI.
        names = {name: pointer.rpartition("/")[2] for name, pointer in types.items()}
        unmapped = given == {"propertyName": "type"} and all(map(str.__eq__, names, names.values()))
        if not unmapped and given != {"propertyName": "type", "mapping": types}:
            advice = "must name type, and map the type of each action to its wrapper"
            yield Problem(choice.at("discriminator"), advice)


def _countersigned(root: Node) -> Iterator[Problem]:
    """The body holds both addresses, both signatures and the times of every signed request, all required."""
    for _, _, operation in operations(root):
        body = json_schema(operation.child("requestBody"))
        if body is None or not has_form(operation, SCHEME):
            continue
        given = operation.quiet[SCHEME]["countersigned"].value
        texts = [
            given[role][word] for role in ("other", "own") for word in ("address", "signature")
        ]
        # All of them are required, so that no default is ever taken.
        times = {
            name: evolve(each, words={word: each.words[word] for word in ("format", "x-unit")})
            for name, each in SIGNED_MEMBERS.items()
            if name in TIMES
        }
        known = {**dict.fromkeys(texts, TEXT), **times}
        yield from has_type(body, "object")
        body.get("x-source")
        found = properties(body)
        for name in known.keys() & found.keys():
            yield from compared(found[name], known[name])
        if len(known) != len(texts) + len(TIMES) or found.keys() != known.keys():
            needed = ", ".join(f"{name} ({each.types[0]})" for name, each in known.items())
            told = f"a countersigned body has exactly these fields: {needed}"
            yield Problem(body.pointer, told)
        for name in known.keys() - required(body):
            yield Problem(body.pointer, f"a countersigned body always has {name}: require it")
        if body.schema_name is None or "allOf" in body:
            told = f"must be a component schema of its own, without {SIGNED}"
            yield Problem(body.pointer, told)


OTHER_HEADERS = (
    "leave this one out, and let the session or a transport add its header to every request"
)


def _security(root: Node) -> Iterator[Problem]:
    """The client has at most one API key. It is optional, and sent in a header of every request."""
    keys = {
        name: scheme
        for name, scheme in root["components"].named("securitySchemes").items()
        if (scheme.get("type"), scheme.get("in")) == ("apiKey", "header")
    }
    for scheme in [*keys.values()][1:]:
        yield Problem(scheme.place, f"only one API key is supported; {OTHER_HEADERS}")
    expected: list[dict[str, Any]] = [{}, *({name: []} for name in [*keys][:1])]
    if root.get("security", [{}]) != expected:
        told = "an API key is optional, and sent if given" if keys else "there is no API key"
        yield Problem("#/security", f"{told}; write {expected}")


def _placeholders(root: Node) -> Iterator[Problem]:
    """A placeholder has the type of what replaces it, or none: otherwise no answer would be right."""
    for _, _, operation in operations(root):
        pages = operation.get("x-pagination")
        path = str(pages.get("items")) if isinstance(pages, dict) else "data"
        for status, response in operation.named("responses").items():
            schema = json_schema(response) if status.startswith("2") else None
            for name in path.split("."):
                used = properties(schema).get(name) if schema else None
                if schema and used and isinstance(used.value, dict):
                    yield from _replaced(schema, name, used)
                schema = used


def _replaced(schema: Node, name: str, used: Node) -> Iterator[Problem]:
    type_ = "object" if "properties" in used else used.quiet.get("type")
    for part in parts(schema):
        found = part.named("properties").get(name)
        if found and found.place != used.place and isinstance(found.value, dict):
            found.below("items")  # of any type
            given = found.get("type", type_)
            if given != type_:
                advice = f"is replaced by what has type {type_!r}; write that, or leave it out"
                yield Problem(found.at("type"), advice)


RULES = (_signed_request, _envelopes, _batches, _countersigned, _security)
CONSEQUENCES = (_placeholders,)
