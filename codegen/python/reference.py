"""What METHODS.md says, the page beside the generated modules that lists every method: cells of a Markdown table."""

from __future__ import annotations

import re

from codegen import ir

Offered = ir.Operation | ir.Action


def offered(api: ir.Api) -> list[Offered]:
    """What has a method of its own on the client, group by group."""
    groups: dict[str, list[Offered]] = {group.name: [] for group in api.groups}
    every: tuple[Offered, ...] = (*api.operations, *api.actions)
    for each in every:
        if isinstance(each, ir.Operation) or not each.standalone:
            groups[each.group].append(each)
    return [each for group in groups.values() for each in group]


def endpoint(method: Offered) -> str:
    """Where a method sends."""
    if isinstance(method, ir.Operation):
        return code(f"{method.http_method} {method.path}")
    return f"batch action {code(method.type)}"


def signed_as(method: Offered) -> str:
    """The signing type and its source, if that is not the document."""
    if method.signing is None:
        return "each action" if isinstance(method, ir.Operation) and method.batch else "not signed"
    source = method.signing.source
    return code(method.signing.type) + ("" if source == "documented" else f" ({source})")


def cell(text: str) -> str:
    """A cell that shows the text and no markup, whatever the spec says."""
    line = " ".join(text.split())
    line = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in line)
    return re.sub(r"([\\`*_\[\]<>&|~])", r"\\\1", line)


def code(name: str) -> str:
    """A cell that shows a name as code; the type of a batch action may be any text."""
    return f"`{name}`" if re.fullmatch(r"[\w ./{}-]+", name) else cell(name)
