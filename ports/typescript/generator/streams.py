"""The module of streams: the frames of the websocket as `JSON.parse` returns them, and what asks for them."""

from __future__ import annotations

from ports.typescript.generator import docs
from ports.typescript.generator.syntax import import_text, literal, pascal, property_name, words
from ports.typescript.generator.types import Json

_SCALARS = {
    "string": "string",
    "integer": "number",
    "boolean": "boolean",
    "decimal": "string",
    "uuid": "string",
}
"""Money stays the text that it is in JSON."""


def context(told: Json) -> Json:
    """What the template is filled with."""
    enums = [
        {"name": name, "doc": description, "value": literal(values, column=0)}
        for name, description, values in told["enums"]
    ]
    records = [
        {"name": each["name"], "doc": docs.model_doc(each), "fields": _fields(each["fields"])}
        for each in [*told["shared"], *told["records"]]
    ]
    channels = [_channel(each) for each in told["channels"]]
    own = {each["name"] for each in (*enums, *records)}
    text = str([*records, *channels])
    imported = {name for name in _named(told) if name not in own and name in words(text)}
    return {
        "imports": import_text("type ", imported, "./models.js"),
        "open": import_text("type ", {"Open"}, "../runtime/index.js"),
        "enums": enums,
        "records": records,
        "channels": channels,
    }


def _named(told: Json) -> set[str]:
    """The enums that events hold."""
    fields = [
        field
        for each in (*told["shared"], *told["records"], *told["channels"])
        for field in each["fields"]
    ]
    return {each["type"]["name"] for each in fields if each["type"]["kind"] == "enum"}


def _channel(channel: Json) -> Json:
    name = pascal(channel["name"])
    return {
        "name": channel["name"],
        "frame": f"{name}Frame",
        "subscription": f"{name}Subscription",
        "doc": channel["summary"],
        "asks": channel["description"],
        "item": _type(channel["item"]) if channel["item"] else "",
        "fields": _fields(channel["fields"]),
        "parameters": [
            (each["description"], f"readonly {each['name']}{_asked(each)};")
            for each in channel["parameters"]
        ],
    }


def _fields(fields: list[Json]) -> list[tuple[str, str]]:
    """The comment and the text of each field, which is called as on the wire."""
    shown = []
    for each in fields:
        mark = "" if each["required"] else "?"
        null = " | null" if each["nullable"] else ""
        text = f"readonly {property_name(each['name'])}{mark}: {_type(each['type'])}{null};"
        shown.append((docs.field_doc(each, each["source"]), text))
    return shown


def _type(type_: Json) -> str:
    if type_["kind"] == "list":
        return f"ReadonlyArray<{_type(type_['items'])}>"
    if type_["kind"] == "tuple":
        return f"readonly [{', '.join(map(_type, type_['members']))}]"
    if type_["kind"] == "enum":
        return f"Open<{type_['name']}>"
    return str(type_["name"] or _SCALARS[type_["kind"]])


def _asked(parameter: Json) -> str:
    """Whether a parameter may be left out, and what it may be."""
    choices = parameter["choices"]
    kind = " | ".join(each if each.isdecimal() else f'"{each}"' for each in choices) or "string"
    return f"{'?' if parameter['default'] is not None else ''}: {kind}"
