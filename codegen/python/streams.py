"""The module of streams: classes of subscriptions, events and records, and the page STREAMS.md."""

from __future__ import annotations

from collections.abc import Iterable

from codegen import ir
from codegen.ir import names
from codegen.python import docstrings, syntax
from codegen.read.streams import Channel, Parameter, Streams


def context(streams: Streams) -> dict[str, object]:
    """What the templates of streams are filled with."""
    return {
        "channels": streams.channels,
        "records": streams.records,
        "enums": [
            (name, description, [(names.member_name(each), each) for each in values])
            for name, description, values in streams.enums
        ],
        "members": [
            each for channel in streams.channels for each in (channel.subscription, channel.event)
        ],
        "annotation": annotation,
        "description": docstrings.described,
        "default": default,
        "name_of": syntax.name_of,
        "parameter": parameter,
        "renamed": renamed,
        "sorted_fields": sorted_fields,
        "item": item,
        "choices": choices,
    }


def annotation(field: ir.Field) -> str:
    """The type of a field of an event or a record."""
    text = syntax.annotation(field.type, "response")
    return f"{text} | None" if _is_optional(field) else text


def default(field: ir.Field) -> str:
    """The default of a field, as it stands behind its type; empty for one that always comes."""
    return " = None" if _is_optional(field) else ""


def _is_optional(field: ir.Field) -> bool:
    return field.nullable or not field.required


def sorted_fields(fields: Iterable[ir.Field]) -> list[ir.Field]:
    """The fields with those that always come first."""
    return sorted(fields, key=_is_optional)


def renamed(fields: Iterable[ir.Field]) -> dict[str, str]:
    """The names on the wire of the fields that have others in code."""
    return {syntax.name_of(each): each.name for each in fields if syntax.name_of(each) != each.name}


def item(channel: Channel) -> str:
    """The type of what the list of an event holds."""
    assert channel.item is not None
    return syntax.annotation(channel.item, "response")


def parameter(given: Parameter) -> tuple[str, str]:
    """The type of a parameter and its default, as it stands behind the type."""
    if given.name == "account":
        return "str | None", " = None"
    kind = "int" if given.choices and all(map(str.isdecimal, given.choices)) else "str"
    if given.default is None:
        return kind, ""
    return kind, f" = {given.default if kind == 'int' else repr(given.default)}"


def choices(channel: Channel) -> tuple[tuple[str, tuple[object, ...]], ...]:
    """The parameters of a channel of which only some values may be given, with these."""
    return tuple(
        (each.name, tuple(int(c) if c.isdecimal() else c for c in each.choices))
        for each in channel.parameters
        if each.choices
    )
