"""TypeScript: TSDoc comments, and what they say of models, fields and methods."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping

from codegen import docstrings, ir
from codegen.docstrings import DEPRECATED, NOT_DOCUMENTED
from codegen.languages.typescript_literals import WIDTH

TAG = "@deprecated Use something else."


def comment(text: str, *, indent: int = 0) -> str:
    """Text as a TSDoc comment. Whatever the text holds, it cannot end the comment."""
    width = WIDTH - indent - 3
    blocks = [_wrapped(block, width) for block in re.split(r"\n\s*\n", text.strip())]
    lines = "\n\n".join(blocks).split("\n")
    if len(lines) == 1 and len(lines[0]) + 4 <= width:
        return f"/** {lines[0]} */"
    pad = " " * indent
    return "\n".join(["/**", *(f"{pad} * {line}".rstrip() for line in lines), f"{pad} */"])


def _wrapped(block: str, width: int) -> str:
    """A paragraph. Each tag of it, and what follows, is a paragraph of its own."""
    parts = re.split(r"\n(?=@)", block)
    return "\n".join(_filled(part, width) for part in parts)


def _filled(text: str, width: int) -> str:
    indent = "  " if text.startswith("@") else ""
    plain = _safe(" ".join(text.split()))
    return textwrap.fill(
        plain, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _safe(text: str) -> str:
    text = text.replace("*/", "*\\/")
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def escaped(text: str) -> str:
    """Text of a spec: none of it is a tag of TSDoc."""
    return re.sub(r"(?<![\w`])@", r"\@", text)


# -- enums and models -------------------------------------------------------------------------


def enum_doc(enum: ir.Enum, told: Mapping[str, str]) -> str:
    """The comment of an enum. `told` describes its values, where the spec does."""
    values = [f"- `{value}`: {' '.join(text.split())}" for value, text in told.items()]
    return escaped("\n\n".join([docstrings.enum_doc(enum), *values]))


def model_doc(model: ir.Model) -> str:
    """The comment of an interface."""
    section = model.section and f"Interface: {model.section[0].lower()}{model.section[1:]}."
    conditions = [docstrings.condition(each) for each in model.conditions]
    exactly = (
        [f"Give exactly one of {' and '.join(model.exactly_one)}."] if model.exactly_one else []
    )
    least = [f"Give {' or '.join(model.at_least_one)}, or all."] if model.at_least_one else []
    blocks = [model.description, section or "", *exactly, *least, *conditions]
    return escaped("\n\n".join(block for block in blocks if block))


def union_doc(union: ir.Union) -> str:
    """The comment of a union."""
    told = f"Told apart by `{union.discriminator}`."
    if union.role == "response":
        told = f"{told[:-1]}; an object with another value of it is an `UnknownObject`."
    return escaped(f"{union.description}\n\n{told}")


def field_doc(field: ir.Field, source: ir.Source) -> str:
    """What a field means, its unit, its limits, and its source unless that is `source`."""
    text = escaped(" ".join([" ".join(field.description.split()), *_notes(field)]))
    other = "" if field.source == source else f" {NOT_DOCUMENTED[field.source].capitalize()}."
    return f"{text}{other}" + (f"\n\n{TAG}" if field.deprecated else "")


def _notes(field: ir.Field) -> Iterator[str]:
    if field.unit:
        origin = field.sources.get("x-unit", "documented")
        yield f"Unit: {field.unit}{'' if origin == 'documented' else f' ({origin})'}."
    yield from docstrings.form(field.type)
    yield from docstrings.members(field.type)
    if field.default is not None:
        yield f"Default: {field.default}."
    if field.auto == "uuid":
        yield "A new random one unless given; null sends none."
    if field.auto == "account":
        yield "The client's own unless given."
    if field.cursor:
        yield "null, the `nextCursor` of a last page, is refused: leave it out to start at the beginning."
    if field.pattern:
        yield f"Pattern: `{field.pattern}`."
    yield from docstrings.limits(field)


# -- methods ----------------------------------------------------------------------------------


def operation_doc(operation: ir.Operation, actions: list[ir.Action]) -> str:
    """The comment of an operation's method: what, where, how signed, result, errors."""
    is_traced = any(method.trace for method in (operation, *actions))
    place = f"`{operation.http_method} {operation.path}`"
    signed = f"{docstrings.signed(operation.signing)}{docstrings.by_two(operation.countersigned)}"
    errors = docstrings.errors(operation, operation.retry, is_traced=is_traced)
    return _method_doc(operation, place + signed, _returned(operation), errors)


def _returned(operation: ir.Operation) -> str:
    if operation.outcome:
        return docstrings.ACTION_RESULT
    return docstrings.result(operation.result) if operation.result else ""


def action_doc(action: ir.Action, batch: ir.Operation) -> str:
    """The comment of the method of an action that only batches offer."""
    place = f"`{batch.http_method} {batch.path}`, as a batch of one `{action.type}` action"
    errors = docstrings.errors(
        batch, action.retry, is_traced=action.trace is not None, other="the action failed"
    )
    place += docstrings.signed(action.signing)
    return _method_doc(action, place, docstrings.ACTION_RESULT, errors)


def _method_doc(
    method: ir.Operation | ir.Action, place: str, returns: str, errors: Iterator[str]
) -> str:
    details = method.description
    if isinstance(method, ir.Action):
        # The first sentence describes the model, as the summary describes the method.
        details = " ".join(re.split(r"(?<=[.!?])\s+", details, maxsplit=1)[1:])
    thrown = (re.match(r"\s*(\w+): (.*)", each, re.DOTALL) for each in errors)
    tags = [
        TAG if method.deprecated else "",
        f"@returns {escaped(returns)}" if returns else "",
        *(f"@throws {{@link {found[1]}}} {found[2]}" for found in thrown if found),
    ]
    blocks = [
        escaped(method.summary),
        DEPRECATED if method.deprecated else "",
        escaped(details),
        f"{escaped(place)}. {docstrings.origin(method)}.",
        "\n".join(tag for tag in tags if tag),
    ]
    return "\n\n".join(block for block in blocks if block)
