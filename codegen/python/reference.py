"""The rows of METHODS.md, the page beside the generated modules that lists every method."""

from __future__ import annotations

import re

from codegen import ir

Row = tuple[str, str, str, str, str, str]
"""Method, what it does, endpoint, signing type, retry class, section: cells of a Markdown table."""


def rows(api: ir.Api) -> list[Row]:
    """A row for each method of the client, group by group."""
    groups: dict[str, list[Row]] = {group.name: [] for group in api.groups}
    offered: list[ir.Operation | ir.Action] = [*api.operations]
    offered += [action for action in api.actions if not action.standalone]
    for each in offered:
        groups[each.group].append(_row(each))
    return [row for rows in groups.values() for row in rows]


def _row(method: ir.Operation | ir.Action) -> Row:
    if isinstance(method, ir.Operation):
        endpoint = _code(f"{method.http_method} {method.path}")
    else:
        endpoint = f"batch action {_code(method.type)}"
    return (
        _code(f"{method.group}.{method.method}") + (" (deprecated)" if method.deprecated else ""),
        _text(method.summary.removesuffix(".")),
        endpoint,
        _signed_as(method),
        method.retry,
        _text(method.section or f"({method.source})"),
    )


def _signed_as(method: ir.Operation | ir.Action) -> str:
    """The signing type and its source, if that is not the document."""
    if method.signing is None:
        return "each action" if isinstance(method, ir.Operation) and method.batch else "not signed"
    source = method.signing.source
    return _code(method.signing.type) + ("" if source == "documented" else f" ({source})")


def _text(text: str) -> str:
    """A cell that shows the text and no markup, whatever the spec says."""
    line = " ".join(text.split())
    line = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in line)
    return re.sub(r"([\\`*_\[\]<>&|~])", r"\\\1", line)


def _code(name: str) -> str:
    """A cell that shows a name as code; the type of a batch action may be any text."""
    return f"`{name}`" if re.fullmatch(r"[\w ./{}-]+", name) else _text(name)
