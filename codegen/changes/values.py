"""How a single value changed: tighter or looser, on or off, added, removed, or something else."""

from __future__ import annotations

import json
from typing import Any

import attrs

from codegen import ir
from codegen.changes import rules

_NOTHING = (None, (), "")


def verb_and_effect(rule: rules.Rule, before: Any, after: Any) -> tuple[str, str]:
    """What happened to a value, for the id of the change, and the effect by its rule."""
    if isinstance(rule, rules.Switch):
        return ("on", rule.on) if after else ("off", rule.off)
    if isinstance(rule, rules.Bound):
        tighter = _is_tighter(before, after, lower=rule.lower)
        return ("tightened", rule.tightened) if tighter else ("loosened", rule.loosened)
    if isinstance(rule, rules.TypeRule):
        wider = _is_wider(before, after)
        return ("widened", rule.widened) if wider else ("changed", rule.changed)
    if isinstance(rule, rules.Value):
        return "changed", rule.changed
    assert isinstance(rule, rules.Maybe | rules.Nested)
    if before in _NOTHING:
        return "added", rule.added
    if after in _NOTHING:
        return "removed", rule.removed
    assert isinstance(rule, rules.Maybe), "a nested object on both sides is compared by its members"
    return "changed", rule.changed


def _is_tighter(before: int | None, after: int | None, *, lower: bool) -> bool:
    if before is None or after is None:
        return before is None
    return after > before if lower else after < before


def _is_wider(before: ir.Type, after: ir.Type) -> bool:
    return before.many == after.many and rules.WIDER.get(before.kind) == after.kind


def shown(value: Any) -> str:
    """A value as a reader knows it from the spec."""
    if isinstance(value, ir.Type):
        name = value.name or value.kind
        return f"list of {name}" if value.many else name
    if attrs.has(type(value)):
        value = {name: each for name, each in attrs.asdict(value).items() if each}
    return "none" if value in _NOTHING else json.dumps(value, ensure_ascii=False)
