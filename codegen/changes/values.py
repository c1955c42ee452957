"""How a single value changed: tighter or looser, on or off, added, removed, or something else."""

from __future__ import annotations

import json
from typing import Any

import attrs

from codegen import ir
from codegen.changes import rule_kinds, rules

_NOTHING = (None, (), "")


def verb_and_effect(rule: rule_kinds.Rule, before: Any, after: Any) -> tuple[str, str]:
    """What happened to a value, for the id of the change, and the effect by its rule."""
    if isinstance(rule, rule_kinds.Switch):
        return ("on", rule.on) if after else ("off", rule.off)
    if isinstance(rule, rule_kinds.Bound):
        tighter = _is_tighter(before, after, lower=rule.lower)
        return ("tightened", rule.tightened) if tighter else ("loosened", rule.loosened)
    if isinstance(rule, rule_kinds.TypeRule):
        wider = _is_wider(before, after)
        return ("widened", rule.widened) if wider else ("changed", rule.changed)
    if isinstance(rule, rule_kinds.Value):
        return "changed", rule.changed
    assert isinstance(rule, rule_kinds.Maybe | rule_kinds.Nested)
    if before in _NOTHING:
        return "added", rule.added
    if after in _NOTHING:
        return "removed", rule.removed
    assert isinstance(rule, rule_kinds.Maybe), (
        "a nested object on both sides is compared by its members"
    )
    return "changed", rule.changed


def _is_tighter(before: int | None, after: int | None, *, lower: bool) -> bool:
    if before is None or after is None:
        return before is None
    return after > before if lower else after < before


def _is_wider(before: ir.Type, after: ir.Type) -> bool:
    """Whether it takes all that it took. Null among items is more, too."""
    if before.nullable and not after.nullable:
        return False
    if before.bits and not after.bits:
        return _is_wider(attrs.evolve(before, bits=None), after)
    if before.items and after.items and before.kind == after.kind:
        items = before.items, after.items
        return is_wording(*items) or _is_wider(*items)
    return rules.WIDER.get(before.kind) == after.kind or is_wording(
        attrs.evolve(before, nullable=after.nullable), after
    )


def is_wording(before: Any, after: Any) -> bool:
    """Whether they are types that differ in words alone.

    Those are descriptions, unknown formats, and units on one side only.
    """
    return isinstance(before, ir.Type) and _plain(before, after) == _plain(after, before)


def _plain(type_: ir.Type, other: ir.Type) -> ir.Type:
    """A type without its texts, and without the units that another one has not."""
    return attrs.evolve(
        type_,
        description="",
        format=None,
        unit=type_.unit if other.unit else None,
        items=_plain(type_.items, other.items) if type_.items and other.items else type_.items,
        members=tuple(map(_plain, type_.members, other.members))
        if len(type_.members) == len(other.members)
        else type_.members,
    )


def was_deprecated(value: Any) -> str:
    """What is said of something that is gone."""
    return "; it was deprecated" if getattr(value, "deprecated", False) else ""


def shown(value: Any) -> str:
    """A value as a reader knows it from the spec."""
    if isinstance(value, ir.Type):
        return _type_shown(value)
    if isinstance(value, ir.Result):
        return _type_shown(attrs.evolve(value.type, nullable=value.nullable))
    if isinstance(value, ir.Signing):
        return json.dumps(value.type)
    if isinstance(value, dict | tuple) or attrs.has(type(value)):
        return _on_one_line(value) or "none"
    return "none" if value in _NOTHING else json.dumps(value, ensure_ascii=False)


def _on_one_line(value: Any) -> str:
    """An object or a list in the form that YAML has on one line. What says nothing is left out."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_on_one_line, value))}]" if value else ""
    if attrs.has(type(value)):
        value = {each.name: getattr(value, each.name) for each in attrs.fields(type(value))}
    if not isinstance(value, dict):
        return "" if value is None else str(value)
    parts = {name: _on_one_line(each) for name, each in value.items()}
    told = ", ".join(f"{name}: {text}" for name, text in parts.items() if text)
    return f"{{{told}}}" if told else ""


def _type_shown(type_: ir.Type) -> str:
    held = [type_.items] if type_.items else type_.members
    text = type_.name or type_.kind
    text += (" of 32 bits" if type_.bits else "") + (" as text" if type_.as_text else "")
    if held:
        text += f" of {', '.join(map(_type_shown, held))}"
    return (
        text + (f" ({type_.unit})" if type_.unit else "") + (" or null" if type_.nullable else "")
    )
