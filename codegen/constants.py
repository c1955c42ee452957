"""The values that operations share, as constants of the generated module."""

from __future__ import annotations

from typing import TypeAlias

import attrs

from codegen import ir
from codegen.python import constant

Value: TypeAlias = ir.Pagination | ir.Trace | ir.Target


def pages(api: ir.Api) -> dict[str, str]:
    """A constant for each distinct pagination, by its text: PAGES, PAGES_2, PAGES_3."""
    distinct = dict.fromkeys(
        instance(each.pagination) for each in api.operations if each.pagination
    )
    # No operation has such a constant, for no method is a number.
    return {text: "PAGES" if not n else f"PAGES_{n + 1}" for n, text in enumerate(distinct)}


def traces(api: ir.Api) -> dict[str, str]:
    """A constant for each distinct trace, by its text, named after the first method that has it."""
    names: dict[str, str] = {}
    for each in (*api.operations, *api.actions):
        if each.trace:
            # No operation has such a constant, for no group begins with an underscore.
            name = f"_{constant(each.group, each.method)}_TRACE"
            names.setdefault(instance(each.trace), name)
    return names


def instance(value: Value) -> str:
    """A value of the IR as a call of the runtime's class of that name; defaults are left out."""
    given = {
        each.name: getattr(value, each.name)
        for each in attrs.fields(type(value))
        if getattr(value, each.name) not in (None, {}, ())
    }
    texts = [
        f"{name}={instance(part) if isinstance(part, ir.Target) else repr(part)}"
        for name, part in given.items()
    ]
    return f"{type(value).__name__}({', '.join(texts)})"
