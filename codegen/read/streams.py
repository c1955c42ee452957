"""From spec/streams.yaml, which is AsyncAPI 3, to the channels, subscriptions and events of a package.

Its schemas are read as those of the spec: a reference to `openapi.json` of the package leads to the class that the
package has, and its own schemas have the same words.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import frozen

from codegen import ir
from codegen.read import load
from codegen.read.load import Node, Problem, SpecError
from codegen.read.models import model
from codegen.read.schemas import known_type

_SCHEMAS = "#/components/schemas/"
_KINDS = ("event", "picture")
_WORDS = {
    "channel": ("address", "description", "messages", "x-kind", "x-subscription"),
    "parameter": ("description",),
    "message": ("payload", "summary"),
}
"""The words that each of these needs."""
_MORE = {
    "channel": ("x-key", "x-parameters"),
    "parameter": ("default", "enum"),
    "message": ("x-items",),
}
"""Those that it may have besides."""


@frozen(kw_only=True)
class Parameter:
    """A parameter of a subscription."""

    name: str
    description: str
    default: str | None
    choices: tuple[str, ...]


@frozen(kw_only=True)
class Channel:
    """A channel, the class that subscribes to it, and its event."""

    name: str
    """As on the wire."""
    description: str
    subscription: str
    """The name of the class that subscribes to it."""
    is_picture: bool
    keys: tuple[str, ...]
    """The parameters that each frame names, by their names in the event."""
    parameters: tuple[Parameter, ...]
    event: str
    """The name of the class of its events."""
    summary: str
    items: str | None
    """The field with the list, if the data of a frame are a list."""
    item: ir.Type | None
    """The type of what the list holds."""
    fields: tuple[ir.Field, ...]
    """Those of an event whose data are an object."""


@frozen(kw_only=True)
class Streams:
    """All channels of a package, with the records and enums that only their events have."""

    channels: tuple[Channel, ...]
    records: tuple[ir.Model, ...]
    enums: tuple[tuple[str, str, tuple[str, ...]], ...]
    """Name, description and values."""
    shared: tuple[ir.Model, ...]
    """The models of the package that its events hold, too."""


def read(path: Path, spec: Node) -> Streams:
    """The streams of a file, whose references to `openapi.json` lead into the spec of the package.

    Raises:
        SpecError: It cannot be read, or says what the generator does not take.
    """
    root, _ = load.load(path)
    told = _inside(root.value)
    schemas = told["components"]["schemas"]
    whole = {
        **spec.value,
        "components": {"schemas": {**spec.value["components"]["schemas"], **schemas}},
    }
    nodes = {name: Node(schema, f"{_SCHEMAS}{name}", whole) for name, schema in schemas.items()}
    problems = [*_of_words(told), *_of_fields(nodes)]
    if problems:
        raise SpecError([Problem(f"{path}{each.pointer}", each.message) for each in problems])
    messages = told["components"]["messages"]
    found = tuple(_channel(each, messages, whole) for each in told["channels"].values())
    frames = {each["payload"].get("$ref") for each in messages.values()}
    objects = {name: node for name, node in nodes.items() if "properties" in node}
    held = {each.item.name for each in found if each.item and each.item.kind == "model"}
    known = whole["components"]["schemas"]
    return Streams(
        channels=found,
        records=tuple(
            model(name, node, "response")
            for name, node in objects.items()
            if f"{_SCHEMAS}{name}" not in frames
        ),
        shared=tuple(
            model(name, Node(known[name], f"{_SCHEMAS}{name}", whole), "response")
            for name in sorted(filter(None, held - {*schemas}))
        ),
        enums=tuple(
            (name, node.value["description"], tuple(node.value["enum"]))
            for name, node in nodes.items()
            if "enum" in node
        ),
    )


def _inside(value: Any) -> Any:
    """The document with references into other files as references into this one."""
    if isinstance(value, list):
        return [*map(_inside, value)]
    if not isinstance(value, dict):
        return value
    reference = value.get("$ref")
    if isinstance(reference, str):
        value = {**value, "$ref": f"#{reference.partition('#')[2]}"}
    return {key: _inside(each) for key, each in value.items()}


def _of_words(told: Any) -> Iterator[Problem]:
    """The words that are missing, or have no effect, in channels, their parameters, and messages."""
    for name, channel in told["channels"].items():
        place, parameters = f"#/channels/{name}", channel.get("x-parameters", {})
        yield from _misworded("channel", place, channel)
        for key, each in parameters.items():
            yield from _misworded("parameter", f"{place}/x-parameters/{key}", each)
        if channel.get("x-kind", _KINDS[0]) not in _KINDS:
            yield Problem(f"{place}/x-kind", f"must be one of {', '.join(_KINDS)}")
        for key in channel.get("x-key", ()):
            if key not in parameters:
                yield Problem(f"{place}/x-key", f"{key!r} is none of its x-parameters")
    for name, message in told["components"]["messages"].items():
        yield from _misworded("message", f"#/components/messages/{name}", message)


def _misworded(what: str, place: str, given: dict[str, Any]) -> Iterator[Problem]:
    known = (*_WORDS[what], *_MORE[what])
    for word in _WORDS[what]:
        if word not in given:
            yield Problem(place, f"has no {word}, which a {what} needs")
    for word in given:
        if word not in known:
            yield Problem(f"{place}/{word}", f"has no effect; a {what} has {', '.join(known)}")


def _of_fields(nodes: dict[str, Node]) -> Iterator[Problem]:
    """The fields of which the generator knows no type."""
    for node in nodes.values():
        for field in node.named("properties").values():
            if known_type(field) is None:
                yield Problem(field.pointer, "has no type that an answer may have")


def _channel(told: dict[str, Any], messages: dict[str, Any], root: Any) -> Channel:
    event = told["messages"]["frame"]["$ref"].rpartition("/")[2]
    message = messages[event]
    payload = Node({"payload": message["payload"]}, f"#/components/messages/{event}", root)[
        "payload"
    ]
    type_ = known_type(payload)
    is_list = type_ is not None and type_.kind == "list"
    return Channel(
        name=told["address"],
        description=told["description"],
        subscription=told["x-subscription"],
        is_picture=told["x-kind"] == "picture",
        keys=tuple(told.get("x-key", ())),
        parameters=tuple(
            Parameter(
                name=key,
                description=each["description"],
                default=each.get("default"),
                choices=tuple(each.get("enum", ())),
            )
            for key, each in told.get("x-parameters", {}).items()
        ),
        event=event,
        summary=message["summary"],
        items=message["x-items"] if is_list else None,
        item=type_.items if type_ and is_list else None,
        fields=() if is_list else model(event, payload, "response").fields,
    )
