"""Docstrings of the generated package: what they say, and their text as a literal."""

from __future__ import annotations

import re
import textwrap

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


# -- what they say ---------------------------------------------------------------------------


def described(field: ir.Field) -> str:
    """What a field means, its unit, limits and source included."""
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
    if field.source != "documented":
        notes.append(f"Not documented; {field.source}.")
    return " ".join([" ".join(field.description.split()), *notes])


def method_doc(operation: ir.Operation | ir.Action, fields: list[ir.Field], returns: str) -> str:
    """The docstring of a method: what, where, signed how, arguments, result, errors, section."""
    batch = operation.batch if isinstance(operation, ir.Operation) else None
    arguments = [f"    {field.name}: {described(field)}" for field in fields]
    if batch:
        names = ", ".join(batch.actions)
        most = f"{batch.min_items} to {batch.max_items} actions"
        arguments = [f"    {batch.field}: {most}, each one of {names}."]
    blocks = [
        operation.summary,
        operation.description,
        _place(operation),
        "\n".join(["Args:", *arguments]) if arguments else "",
        f"Returns:\n    {' '.join(returns.split())}" if returns else "",
        "\n".join(["Raises:", *_raises(operation)]),
    ]
    return "\n\n".join(block for block in blocks if block)


def _place(operation: ir.Operation | ir.Action) -> str:
    """Where a method sends what, how it is signed, and where the interface says so."""
    if isinstance(operation, ir.Action):
        place = f"Sent as a batch of one `{operation.type}` action"
    else:
        place = f"`{operation.http_method} {operation.path}`"
    if operation.signing:
        place += f", signed as `{operation.signing.type}`"
        if operation.signing.source != "documented":
            place += f" ({operation.signing.source})"
    return f"{place}. {operation.section}."


def _raises(operation: ir.Operation | ir.Action) -> list[str]:
    lines = ["    RequestError: An argument is wrong; nothing was sent."]
    statuses = operation.statuses if isinstance(operation, ir.Operation) else ()
    repeatable = operation.retry == "safe"
    if repeatable:
        lines.append("    NoResponseError: No usable answer came; ask again at will.")
        lines.append("    DecodeError: The answer cannot be used.")
    else:
        lines.append(
            "    OutcomeUnknownError: It may have been carried out; look before repeating."
        )
    lines.append("    NotSentError: It was certainly not sent.")
    refusals = [str(status) for status in statuses if 400 <= status < (600 if repeatable else 500)]
    said = f", with status {' or '.join(refusals)}" if refusals else ""
    return [*lines, f"    ApiError: The service refused{said}."]
