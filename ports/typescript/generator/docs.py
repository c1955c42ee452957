"""What the comments say of enums, models, fields and methods."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ports.typescript.generator.syntax import escaped
from ports.typescript.generator.types import TIME, Json

DEPRECATED = "Deprecated."
TAG = "@deprecated Use something else."
ACTION_RESULT = "The result of the action. A failed action is raised."
NOT_DOCUMENTED = {
    "observed": "Not in the interface document; seen on the live service",
    "assumed": "Not in the interface document; assumed",
}
"""What is said of a source other than the interface document."""


# -- enums and models -------------------------------------------------------------------------


def enum_doc(enum: Json, told: Mapping[str, str]) -> str:
    """The comment of an enum. `told` describes its values, where the spec does."""
    deprecated = ", ".join(f"`{value}`" for value in enum["deprecated"])
    return _escaped_blocks(
        enum["description"],
        f"Deprecated: {deprecated}." if deprecated else "",
        *(f"- `{value}`: {_line(text)}" for value, text in told.items()),
    )


def model_doc(model: Json) -> str:
    """The comment of an interface."""
    section, one, least = model["section"], model["exactly_one"], model["at_least_one"]
    return _escaped_blocks(
        model["description"],
        f"Interface: {section[0].lower()}{section[1:]}." if section else "",
        f"Give exactly one of {' and '.join(one)}." if one else "",
        f"Give {' or '.join(least)}, or all." if least else "",
    )


def shared_source(fields: list[Json]) -> str:
    """The source that all of several fields have, else `documented`."""
    sources = {str(field["source"]) for field in fields}
    return sources.pop() if len(sources) == 1 and len(fields) > 1 else "documented"


def field_doc(field: Json, source: str) -> str:
    """What a field means, its unit, its limits, and its source unless that is `source`."""
    text = escaped(" ".join([_line(field["description"]), *_notes(field)]))
    other = "" if field["source"] == source else f" {NOT_DOCUMENTED[field['source']]}."
    return f"{text}{other}" + (f"\n\n{TAG}" if field["deprecated"] else "")


def _notes(field: Json) -> Iterator[str]:
    if field["unit"]:
        origin = field["sources"].get("x-unit", "documented")
        yield f"Unit: {field['unit']}{'' if origin == 'documented' else f' ({origin})'}."
    yield from _format(field["type"])
    yield from _held(field["type"])
    if field["default"] is not None:
        yield f"Default: {field['default']}."
    if field["auto"] == "uuid":
        yield "A new random one unless given; null sends none."
    if field["auto"] == "account":
        yield "The client's own unless given."
    if field["cursor"]:
        yield "null, the `nextCursor` of a last page, is refused: leave it out to start at the beginning."
    if field["pattern"]:
        yield f"Pattern: `{field['pattern']}`."
    yield from _limits(field)


def _format(type_: Json) -> Iterator[str]:
    """The format of a text, if the spec says one that its type in code does not tell."""
    if type_["kind"] == "list":
        yield from _format(type_["items"])
    if type_["format"]:
        yield f"Format: {type_['format']}."


def _held(type_: Json) -> Iterator[str]:
    """What the members of a tuple mean, and the unit inside a list."""
    if items := type_["items"]:
        if items["unit"]:
            yield f"Unit: {items['unit']}."
        yield from (text.replace("Holds:", "Each holds:") for text in _held(items))
    members = [
        f"{_line(each['description'].rstrip('.')) or each['kind']}"
        + (f" ({each['unit']})" if each["unit"] else "")
        for each in type_["members"]
    ]
    if members:
        yield f"Holds: {', '.join(members)}."


def _limits(field: Json) -> Iterator[str]:
    """The limits of a field, but for those that nobody breaks."""
    known = (
        ("At least {}.", field["minimum"] if field["unit"] != TIME else None),
        ("At most {}.", field["maximum"]),
        ("At least {} characters.", field["min_length"] if field["min_length"] != 1 else None),
        ("At most {} characters.", field["max_length"]),
        ("At least {} items.", field["min_items"] if field["min_items"] != 1 else None),
        ("At most {} items.", field["max_items"]),
        ("Not before `{}`.", field["not_before"]),
    )
    return (text.format(limit) for text, limit in known if limit is not None)


# -- the client and its methods ---------------------------------------------------------------


def where(servers: list[Json]) -> str:
    """What a client takes as the place of its service."""
    names = [f"`{each['name']}`" for each in servers if each["name"]]
    choice = f": {', '.join(names)}, or a URL" if names else ""
    longer = next((each["url"] for each in servers if each["url"].count("/") > 2), None)
    prefix = f" A URL holds the prefix of all paths, like {longer}." if longer else ""
    return f"Where the service is{choice}.{prefix}"


def operation_doc(operation: Json, actions: list[Json]) -> str:
    """The comment of an operation's method: what, where, how signed, result, errors."""
    is_traced = any(method["trace"] for method in (operation, *actions))
    place = f"`{operation['http_method']} {operation['path']}`{_signed(operation['signing'])}"
    if scheme := operation["countersigned"]:
        place += f"; first by the other key, as `{scheme['other_type']}`"
    thrown = _thrown(operation, operation["retry"], is_traced=is_traced)
    return _method_doc(operation, operation["description"], place, _returned(operation), thrown)


def _returned(operation: Json) -> str:
    if operation["outcome"]:
        return ACTION_RESULT
    result = operation["result"]
    return " ".join([_line(result["description"]), *_held(result["type"])]) if result else ""


def action_doc(action: Json, batch: Json) -> str:
    """The comment of the method of an action that only batches offer."""
    place = f"`{batch['http_method']} {batch['path']}`, as a batch of one `{action['type']}` action"
    # The first sentence describes the model, as the summary describes the method.
    details = " ".join(re.split(r"(?<=[.!?])\s+", action["description"], maxsplit=1)[1:])
    is_traced = action["trace"] is not None
    thrown = _thrown(batch, action["retry"], is_traced=is_traced, other=", or the action failed")
    return _method_doc(action, details, place + _signed(action["signing"]), ACTION_RESULT, thrown)


def _signed(signing: Json | None) -> str:
    if signing is None:
        return ""
    source = "" if signing["source"] == "documented" else f" ({signing['source']})"
    return f", signed as `{signing['type']}`{source}"


def _thrown(
    operation: Json, retry: str, *, is_traced: bool, other: str = ""
) -> Iterator[tuple[str, str]]:
    """The errors that differ between methods, and when. The comment of the client describes the others."""
    status = _with_status(operation, retry)
    if operation["pagination"]:
        yield "RequestError", "At once: an argument is wrong."
        yield "ApiError", f"On iteration: the service refused{status}."
        yield (
            "PaginationError",
            "On iteration: the service contradicts itself about the next page.",
        )
        return
    yield "ApiError", f"The service refused{status}{other}."
    if is_traced:
        then = ": `client.reconcile(error)` looks for it"
    elif retry == "idempotent":
        then = "; it can safely be sent again"
    else:
        then = ", and `client.reconcile` cannot tell; check before you repeat it"
    if retry != "safe":
        yield "OutcomeUnknownError", f"It may have been executed{then}."


def _with_status(operation: Json, retry: str) -> str:
    """The statuses of a refusal. From 500 on none refuses a change: the change may have been made."""
    is_safe = retry == "safe"
    named = [str(each) for each in operation["statuses"] if 400 <= each < (600 if is_safe else 500)]
    ranges = {"4XX": "any 4xx", "5XX": "any 5xx" if is_safe else "", "default": "any other"}
    named += [ranges[each] for each in operation["status_ranges"] if ranges[each]]
    *most, last = named or [""]
    listed = f"{', '.join(most)} or {last}" if most else last
    return f", with status {listed}" if listed else ""


def _method_doc(
    method: Json, details: str, place: str, returns: str, thrown: Iterable[tuple[str, str]]
) -> str:
    origin = method["section"] or NOT_DOCUMENTED[method["source"]]
    tags = [
        TAG if method["deprecated"] else "",
        f"@returns {escaped(returns)}" if returns else "",
        *(f"@throws {{@link {name}}} {text}" for name, text in thrown),
    ]
    return _blocks(
        escaped(method["summary"]),
        DEPRECATED if method["deprecated"] else "",
        escaped(details),
        f"{escaped(place)}. {origin}.",
        "\n".join(filter(None, tags)),
    )


def _line(text: str) -> str:
    return " ".join(text.split())


def _blocks(*blocks: str) -> str:
    return "\n\n".join(filter(None, blocks))


def _escaped_blocks(*blocks: str) -> str:
    return escaped(_blocks(*blocks))
