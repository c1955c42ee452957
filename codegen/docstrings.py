"""Docstrings of the generated package: what they say, and their text as a literal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator

from codegen import ir

WIDTH = 100


def docstring(text: str, *, indent: int) -> str:
    """Text as a docstring literal. Whatever it holds, it changes the literal and nothing else."""
    width = WIDTH - indent
    blocks = [_wrapped(block, width) for block in re.split(r"\n\s*\n", text.strip())]
    lines = "\n\n".join(blocks).split("\n")
    pad = " " * indent
    escaped = [_escaped(line) for line in lines]
    if len(escaped) == 1 and len(escaped[0]) + 6 <= width:
        return f'"""{escaped[0]}"""'
    return "\n".join(
        [f'"""{escaped[0]}', *(f"{pad}{line}".rstrip() for line in escaped[1:]), f'{pad}"""']
    )


def _wrapped(block: str, width: int) -> str:
    """A paragraph to the width; the lines of an indented list stay lines."""
    first = width - 3
    if "\n    " in block or block.startswith("    "):
        return "\n".join(_filled(line, width, " " * 8) for line in block.split("\n"))
    return _filled(" ".join(block.split()), first)


def _filled(text: str, width: int, indent: str = "") -> str:
    return textwrap.fill(
        text,
        width,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _escaped(line: str) -> str:
    """A line inside a triple-quoted literal."""
    text = line.replace("\\", "\\\\")
    text = re.sub('"{3,}|"+$', lambda quotes: '\\"' * len(quotes[0]), text)
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


# -- models ----------------------------------------------------------------------------------


def model_doc(model: ir.Model) -> str:
    """The docstring of a model."""
    source = shared_source(model.fields)
    blocks = [model.description]
    if source != "documented":
        blocks.append(f"Its fields are not documented; {source}.")
    if model.section:
        blocks.append(f"Interface: {model.section[0].lower()}{model.section[1:]}.")
    return "\n\n".join(blocks)


# -- what they say ---------------------------------------------------------------------------


def shared_source(fields: Iterable[ir.Field]) -> ir.Source:
    """The source of all the fields together, `documented` where it differs or there is just one."""
    sources: list[ir.Source] = [field.source for field in fields]
    return sources[0] if len(sources) > 1 and len(set(sources)) == 1 else "documented"


def described(field: ir.Field, source: ir.Source = "documented") -> str:
    """What a field means, its unit, limits and source included, unless that source is said above."""
    notes = []
    if field.unit:
        notes.append(f"Unit: {field.unit}.")
    if field.default is not None:
        notes.append(f"Default: {field.default}.")
    if field.auto == "uuid":
        notes.append("A new one unless given; None for none at all.")
    if field.auto == "account":
        notes.append("The client's own unless given.")
    if field.pattern:
        notes.append(f"Pattern: `{field.pattern}`.")
    if field.maximum is not None:
        notes.append(f"At most {field.maximum}.")
    if field.source != source:
        notes.append(f"Not documented; {field.source}.")
    return " ".join([" ".join(field.description.split()), *notes])


def operation_doc(
    operation: ir.Operation, fields: list[ir.Field], returns: str, actions: list[ir.Action]
) -> str:
    """The docstring of an operation's method: what, where, signed how, arguments, result, errors."""
    traced = any(method.trace for method in (operation, *actions))
    arguments = _arguments(fields)
    if batch := operation.batch:
        names = ", ".join(batch.actions)
        most = f"{batch.min_items} to {batch.max_items} actions"
        arguments = ["Args:", f"    {batch.field}: {most}, each one of {names}."]
    place = f"`{operation.http_method} {operation.path}`"
    blocks = [
        operation.summary,
        operation.description,
        f"{place}{_signed(operation.signing)}. {operation.section}.",
        _undocumented(fields),
        "\n".join(arguments),
        f"Returns:\n    {' '.join(returns.split())}" if returns else "",
        "\n".join(["Raises:", *_raises(operation, fields, traced=traced), _refused(operation)]),
    ]
    return "\n\n".join(block for block in blocks if block)


def action_doc(action: ir.Action, batch: ir.Operation, fields: list[ir.Field]) -> str:
    """The docstring of the method of an action that is offered in batches only."""
    # Its first sentence says of the model what the summary says of the method.
    details = re.split(r"(?<=[.!?])\s+", action.description, maxsplit=1)[1:]
    place = f"`{batch.http_method} {batch.path}`, as a batch of one `{action.type}` action"
    errors = _raises(batch, fields, traced=action.trace is not None)
    blocks = [
        action.summary,
        *details,
        f"{place}{_signed(action.signing)}. {action.section}.",
        _undocumented(fields),
        "\n".join(_arguments(fields)),
        "Returns:\n    The action's result; a failed action is raised.",
        "\n".join(["Raises:", *errors, _refused(batch, "the action failed")]),
    ]
    return "\n\n".join(block for block in blocks if block)


def _arguments(fields: list[ir.Field]) -> list[str]:
    source = shared_source(fields)
    lines = [f"    {field.name}: {described(field, source)}" for field in fields]
    return ["Args:", *lines] if lines else []


def _undocumented(fields: list[ir.Field]) -> str:
    source = shared_source(fields)
    return "" if source == "documented" else f"Its arguments are not documented; {source}."


def _signed(signing: ir.Signing | None) -> str:
    if signing is None:
        return ""
    source = "" if signing.source == "documented" else f" ({signing.source})"
    return f", signed as `{signing.type}`{source}"


def _raises(operation: ir.Operation, fields: list[ir.Field], *, traced: bool) -> Iterator[str]:
    """The errors of what is sent; those of an action are those of its batch."""
    yield "    RequestError: An argument is wrong; nothing was sent."
    if fields or operation.batch:
        may_hold_money = operation.batch or {"decimal", "model"} & {f.type.kind for f in fields}
        example = ", like a float for money" if may_hold_money else ""
        yield f"    TypeError: An argument has the wrong type{example}; nothing was sent."
    if operation.signing or operation.batch:
        yield "    SigningError: A text is not ASCII, or the key fails; nothing was sent."
    if operation.retry == "safe":
        yield "    NoResponseError: No usable answer came; ask again at will."
        yield "    DecodeError: The answer cannot be used."
    else:
        then = ": `client.reconcile(error)` finds out" if traced else "; look before repeating"
        yield f"    OutcomeUnknownError: It may have been carried out{then}."
    if operation.pagination:
        yield "    PaginationError: The service contradicts itself about the next page."
    yield "    NotSentError: It was certainly not sent."


def _refused(operation: ir.Operation, otherwise: str = "") -> str:
    """The last error: the service's own. A failure is none where it leaves the outcome open."""
    end = 600 if operation.retry == "safe" else 500
    *most, last = [str(status) for status in operation.statuses if 400 <= status < end] or [""]
    listed = f"{', '.join(most)} or {last}" if most else last
    said = f", with status {listed}" if listed else ""
    return f"    ApiError: The service refused{said}{f', or {otherwise}' if otherwise else ''}."
