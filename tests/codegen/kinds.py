"""Every kind of change that the rules of codegen.changes can tell apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from codegen import ir
from codegen.changes import rule_kinds, rules

VERBS: Mapping[type[Any], tuple[str, ...]] = {
    rule_kinds.Value: ("changed",),
    rule_kinds.Maybe: ("added", "removed", "changed"),
    rule_kinds.Nested: ("added", "removed"),
    rule_kinds.Switch: ("on", "off"),
    rule_kinds.Bound: ("tightened", "loosened"),
    rule_kinds.TypeRule: ("widened", "changed"),
    rule_kinds.Words: ("added", "removed"),
}


def kinds() -> set[str]:
    """The ids, by the table of rules."""
    found = {*rules.METHOD_KINDS, *rules.CHOICE_KINDS, rules.TEXT_KIND}
    for class_, role, table in tables():
        for name, rule in table.items():
            if isinstance(rule, rule_kinds.Each):
                found |= set(_objects(name, rule, role))
            elif not isinstance(rule, rule_kinds.Ignored | rule_kinds.Text):
                last = rule.what if isinstance(rule, rule_kinds.Words) else name.replace("_", "-")
                start = f"{rules.label(class_, role)}-{last}"
                found |= {f"{start}-{verb}" for verb in VERBS[type(rule)]}
    return found


def tables() -> Iterator[tuple[type[Any], ir.Role | None, rules.Table]]:
    for class_, table in rules.TABLES.items():
        yield class_, None, table
    for class_, by_role in rules.BY_ROLE.items():
        for role, table in by_role.items():
            yield class_, role, table


def _objects(name: str, rule: rule_kinds.Each, role: ir.Role | None) -> Iterator[str]:
    what = name.removesuffix("s")
    labels = [f"{role}-{what}"] if role else [what]
    if what in ("model", "union"):
        labels = [f"request-{what}", f"response-{what}"]
    for label in labels:
        yield f"{label}-added"
        yield f"{label}-removed"
        if rule.added_required is not None:
            yield f"{label}-added-required"
