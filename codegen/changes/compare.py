"""The differences between two IRs, member by member, by the table of `rules`. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from codegen import ir
from codegen.changes import rule_kinds, rules
from codegen.changes.change import Audience, Change, Effect
from codegen.changes.methods import compare_methods
from codegen.changes.values import is_wording, shown, verb_and_effect, was_deprecated


def compare(old: ir.Api, new: ir.Api) -> tuple[Change, ...]:
    """All differences: of methods, then of enums, models and what belongs to neither."""
    objects = Objects(old, new)
    return (*compare_methods(objects), *objects.changes("", old, new))


@frozen
class Objects:
    """Compares objects of two specs, which tell who sends and who receives an enum."""

    old: ir.Api
    new: ir.Api

    def changes(
        self, place: str, before: Any, after: Any, role: ir.Role | None = None
    ) -> Iterator[Change]:
        """The differences of two objects of one class. `role` is that of the model of a field."""
        role = before.role if isinstance(before, ir.Model | ir.Union) else role
        choice = ""
        if role == "request" and isinstance(before, ir.Model) and isinstance(after, ir.Model):
            choice = _choice(before, after)
        if choice:
            yield _chosen(choice, place, after)
        for name, rule in rules.table(type(after), role).items():
            values = _values(before, after, name)
            if values[0] != values[1] and not (choice and name in _CHOICES):
                words = rule.what if isinstance(rule, rule_kinds.Words) else ""
                member = words or name.replace("_", "-")
                start = f"{rules.label(type(after), role)}-{member}"
                yield from self._member(start, rule, place, *values, role)

    def _member(
        self,
        start: str,
        rule: rule_kinds.Rule,
        place: str,
        before: Any,
        after: Any,
        role: ir.Role | None,
    ) -> Iterator[Change]:
        if is_wording(before, after):
            rule = rules.TEXT
        if isinstance(rule, rule_kinds.Each):
            yield from self.named(rule, place, before, after, role)
        elif isinstance(rule, rule_kinds.Words):
            yield from self._words(rule, start, place, before, after)
        elif isinstance(rule, rule_kinds.Nested) and before is not None and after is not None:
            yield from self.changes(place, before, after, role)
        elif isinstance(rule, rule_kinds.Text):
            text = f"other {_member_name(start)}"
            yield Change(id=rules.TEXT_KIND, place=place, text=text, effect=Effect())
        elif not isinstance(rule, rule_kinds.Ignored):
            verb, effect = verb_and_effect(rule, before, after)
            text = f"{_member_name(start)}: {shown(before)} -> {shown(after)}"
            yield Change(id=f"{start}-{verb}", place=place, text=text, effect=Effect.of(effect))

    def named(
        self,
        rule: rule_kinds.Each,
        place: str,
        before: Sequence[Any],
        after: Sequence[Any],
        role: ir.Role | None,
    ) -> Iterator[Change]:
        """Objects with names: what is gone, what both have, and what is new."""
        old = {each.name: each for each in before}
        new = {each.name: each for each in after}
        for name, each in old.items():
            if name in new:
                yield from self.changes(_place(place, name), each, new[name], role)
            else:
                yield _removed(rule, _place(place, name), each, role)
        for name, each in new.items():
            if name not in old:
                yield _added(rule, _place(place, name), each, role)

    def _words(
        self,
        rule: rule_kinds.Words,
        start: str,
        place: str,
        before: Sequence[Any],
        after: Sequence[Any],
    ) -> Iterator[Change]:
        unused = self._unused(place) if start == "enum-value" else ()
        words = [("removed", rule.removed, word) for word in before if word not in after]
        words += [("added", rule.added, word) for word in after if word not in before]
        for verb, meaning, word in words:
            effect = Effect.of(rule.special.get(word, meaning))
            for audience in unused:
                effect = effect.without(audience)
            text = f"{rule.what.replace('-', ' ')} {verb}: {word}"
            if start == "enum-value" and word in self._deprecated(place):
                text += "; it was deprecated"
            yield Change(id=f"{start}-{verb}", place=place, text=text, effect=effect)

    def _deprecated(self, enum: str) -> tuple[str | int, ...]:
        """The values of an enum that were deprecated."""
        return next(each.deprecated for each in self.old.enums if each.name == enum)

    def _unused(self, enum: str) -> list[Audience]:
        """Who does not meet an enum: what is sent, or what comes back."""
        roles = {
            model.role
            for api in (self.old, self.new)
            for model in api.models
            if any(part.name == enum for each in model.fields for part in each.type.parts())
        }
        meets: dict[Audience, ir.Role] = {"wire": "request", "answers": "response"}
        return [audience for audience, role in meets.items() if role not in roles]


def _values(before: Any, after: Any, name: str) -> tuple[Any, Any]:
    """A member on both sides. What is said of a value of an enum comes and goes with the value."""
    values = getattr(before, name), getattr(after, name)
    if isinstance(after, ir.Api) and name == "servers":
        # Callers write the URL of the others themselves.
        named = (tuple(each for each in side if each.name) for side in values)
        return next(named), next(named)
    if not isinstance(after, ir.Enum) or name not in ("names", "deprecated"):
        return values
    both = {*before.values} & {*after.values}
    if name == "deprecated":
        old, new = (tuple(value for value in each if value in both) for each in values)
        return old, new
    told = {str(value) for value in both}
    names, others = ({value: each[value] for value in each if value in told} for each in values)
    return names, others


_CHOICES = ("exactly_one", "at_least_one")


def _choice(before: ir.Model, after: ir.Model) -> str:
    """Whether one of some fields became any of them, or the reverse; nothing if neither."""
    old, new = ([set(getattr(each, name)) for name in _CHOICES] for each in (before, after))
    # The two members change places, and one of them is empty on either side.
    if old != new[::-1] or all(old) or not any(old):
        return ""
    return "widened" if old[0] else "narrowed"


def _chosen(verb: str, place: str, after: ir.Model) -> Change:
    id_ = f"request-model-choice-{verb}"
    first, then = ("exactly", "at least") if verb == "widened" else ("at least", "exactly")
    names = ", ".join(after.exactly_one or after.at_least_one)
    text = f"{first} one of {names} was given, {then} one is now"
    return Change(id=id_, place=place, text=text, effect=Effect.of(rules.CHOICE_KINDS[id_]))


_WORDS = {"retry": "x-retry", "trace": "x-reconcile", "echoes": "x-echo", "new id": "x-new-id"}
"""Words of the spec that the IR calls otherwise."""


def _member_name(start: str) -> str:
    """What the start of an id calls a member to people: its place says whose it is."""
    owner = r"^(method|api|group|enum|(request|response)-(model|field))-"
    name = re.sub(owner, "", start).replace("-", " ")
    return _WORDS.get(name, name)


def _to_people(label: str) -> str:
    """What people call an object: a `response-field` is a field of an answer."""
    role, dash, what = label.partition("-")
    return f"{what} of {'a request' if role == 'request' else 'an answer'}" if dash else label


def _place(outer: str, name: str) -> str:
    return f"{outer}.{name}" if outer else name


def _removed(rule: rule_kinds.Each, place: str, value: Any, role: ir.Role | None) -> Change:
    label = rules.label(type(value), getattr(value, "role", role))
    effect, text = (
        Effect.of(rule.removed),
        f"the {_to_people(label)} is gone{was_deprecated(value)}",
    )
    return Change(id=f"{label}-removed", place=place, text=text, effect=effect)


def _added(rule: rule_kinds.Each, place: str, value: Any, role: ir.Role | None) -> Change:
    label = rules.label(type(value), getattr(value, "role", role))
    verb, effect, text = "added", rule.added, f"a new {_to_people(label)}"
    if rule.added_required is not None and value.required:
        verb, effect, text = "added-required", rule.added_required, f"{text}, which is required"
    return Change(id=f"{label}-{verb}", place=place, text=text, effect=Effect.of(effect))
