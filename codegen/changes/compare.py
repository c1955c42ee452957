"""The differences between two IRs: a walk through both, whose steps `table` judges. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import attrs
from attrs import frozen

from codegen import ir
from codegen.changes.table import (
    EFFECTS,
    NO_BODY,
    TABLE,
    TEXT_CHANGED,
    Audience,
    Change,
    Effect,
    start,
)
from codegen.ir.changes import Row

Method: TypeAlias = ir.Operation | ir.Action
NOTHING = (None, (), "")


def compare(old: ir.Api, new: ir.Api) -> tuple[Change, ...]:
    """All differences: of methods, then of enums, models and what belongs to neither."""
    walk = Walk(old, new)
    return (*compare_methods(walk), *walk.changes("", old, new))


@frozen
class Walk:
    """Compares objects of two specs, which tell who sends and who receives an enum."""

    old: ir.Api
    new: ir.Api

    def changes(
        self, place: str, before: Any, after: Any, role: ir.Role | None = None
    ) -> Iterator[Change]:
        """The differences of two objects of one class. `role` is that of the model of a field."""
        role = getattr(before, "role", role)
        label = _label(before, role)
        choice = _choice(before, after) if label == "request-model" else ""
        if choice:
            yield _chosen(choice, place, after)
        for each in attrs.fields(type(after)):
            values = _values(before, after, each.name)
            if values[0] != values[1] and not (choice and each.name in _CHOICES):
                yield from self._member(label, each.name, place, *values, role)

    def _member(
        self, label: str, member: str, place: str, before: Any, after: Any, role: ir.Role | None
    ) -> Iterator[Change]:
        row = {"text": ""} if is_wording(before, after) else TABLE[label][member]
        id_ = start(label, member)
        if not row:
            return
        if "named" in row:
            yield from self.named(place, before, after, role)
        elif "each" in row:
            yield from self._words(id_, row["each"], place, before, after)
        elif "text" in row:
            yield Change.of(TEXT_CHANGED, place, f"other {_to_people(id_)}")
        elif "changed" not in row and attrs.has(type(before)) and attrs.has(type(after)):
            yield from self.changes(place, before, after, role)
        else:
            text = f"{_to_people(id_)}: {shown(before)} -> {shown(after)}"
            yield Change.of(f"{id_}-{_verb(member, row, before, after)}", place, text)

    def named(
        self, place: str, before: Sequence[Any], after: Sequence[Any], role: ir.Role | None
    ) -> Iterator[Change]:
        """Objects with names: what is gone, what both have, and what is new."""
        old = {each.name: each for each in before}
        new = {each.name: each for each in after}
        for name, each in old.items():
            inner = f"{place}.{name}" if place else name
            if name in new:
                yield from self.changes(inner, each, new[name], role)
            else:
                label = _label(each, role)
                text = f"the {_kind_to_people(label)} is gone{was_deprecated(each)}"
                yield Change.of(f"{label}-removed", inner, text)
        for name, each in new.items():
            if name not in old:
                yield _added(_label(each, role), f"{place}.{name}" if place else name, each)

    def _words(
        self, id_: str, noun: str, place: str, before: Sequence[Any], after: Sequence[Any]
    ) -> Iterator[Change]:
        """A set of words: names, numbers, values of an enum."""
        is_value = id_ == "enum-value"
        unused = self._unused(place) if is_value else ()
        changed = [("removed", word) for word in before if word not in after]
        changed += [("added", word) for word in after if word not in before]
        for verb, word in changed:
            meaning = (
                NO_BODY if word == 204 and id_ == "method-status" else EFFECTS[f"{id_}-{verb}"]
            )
            effect = Effect.of(meaning)
            for audience in unused:
                effect = effect.without(audience)
            text = f"{noun.replace('-', ' ')} {verb}: {word}"
            if is_value and word in self._deprecated(place):
                text += "; it was deprecated"
            yield Change(id=f"{id_}-{verb}", place=place, text=text, effect=effect)

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


def _label(value: Any, role: ir.Role | None) -> str:
    """How the ids of an object begin. What is sent means something else than what is received."""
    name = "method" if isinstance(value, ir.Method) else type(value).__name__.lower()
    role = getattr(value, "role", role)
    return f"{role}-{name}" if f"{role}-{name}" in TABLE else name


def _added(label: str, place: str, value: Any) -> Change:
    text = f"a new {_kind_to_people(label)}"
    if getattr(value, "required", False):
        return Change.of(f"{label}-added-required", place, f"{text}, which is required")
    return Change.of(f"{label}-added", place, text)


def _values(before: Any, after: Any, name: str) -> tuple[Any, Any]:
    """A member on both sides, without what comes and goes with another member."""
    old, new = getattr(before, name), getattr(after, name)
    if isinstance(after, ir.Api) and name == "servers":
        # Callers write the URL of the others themselves.
        return _only(old, new, lambda server: server.name)
    if isinstance(after, ir.Model) and name == "conditions":
        # Nobody gives a new field yet, so what it needs breaks nobody.
        fields = {each.name for each in before.fields} & {each.name for each in after.fields}
        return _only(old, new, lambda condition: condition.field in fields)
    if isinstance(after, ir.Enum) and name == "deprecated":
        return _only(old, new, lambda value: value in before.values and value in after.values)
    if isinstance(after, ir.Enum) and name == "names":
        both = {str(each) for each in {*before.values} & {*after.values}}
        names = _only(old.items(), new.items(), lambda item: item[0] in both)
        return dict(names[0]), dict(names[1])
    return old, new


def _only(
    old: Iterable[Any], new: Iterable[Any], is_kept: Callable[[Any], object]
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    return tuple(filter(is_kept, old)), tuple(filter(is_kept, new))


# -- what became of a value -------------------------------------------------------------------


def _verb(member: str, row: Row, before: Any, after: Any) -> str:
    """What happened to a value, by the words of its row."""
    if "on" in row:
        return "on" if after else "off"
    if "tightened" in row:
        is_lower = member.startswith("min")
        return "tightened" if _is_tighter(before, after, lower=is_lower) else "loosened"
    if "widened" in row and _is_wider(before, after):
        return "widened"
    if "added" in row and before in NOTHING:
        return "added"
    return "removed" if "removed" in row and after in NOTHING else "changed"


def _is_tighter(before: int | None, after: int | None, *, lower: bool) -> bool:
    if before is None or after is None:
        return before is None
    return after > before if lower else after < before


_WIDER = {"enum": "string", "integer_enum": "integer"}
"""Kind of a request field -> a kind that takes all that it took, and sends it as before."""


def _is_wider(before: ir.Type, after: ir.Type) -> bool:
    """Whether it takes all that it took. Null among items is more, too."""
    if before.nullable and not after.nullable:
        return False
    if before.bits and not after.bits:
        return _is_wider(attrs.evolve(before, bits=None), after)
    if before.items and after.items and before.kind == after.kind:
        items = before.items, after.items
        return is_wording(*items) or _is_wider(*items)
    return _WIDER.get(before.kind) == after.kind or is_wording(
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


_CHOICES = ("exactly_one", "at_least_one")


def _choice(before: ir.Model, after: ir.Model) -> str:
    """Whether one of some fields became any of them, or the reverse; nothing if neither."""
    old, new = ([set(getattr(each, name)) for name in _CHOICES] for each in (before, after))
    # The two members change places, and one of them is empty on either side.
    if old != new[::-1] or all(old) or not any(old):
        return ""
    return "widened" if old[0] else "narrowed"


def _chosen(verb: str, place: str, after: ir.Model) -> Change:
    first, then = ("exactly", "at least") if verb == "widened" else ("at least", "exactly")
    names = ", ".join(after.exactly_one or after.at_least_one)
    text = f"{first} one of {names} was given, {then} one is now"
    return Change.of(f"request-model-choice-{verb}", place, text)


# -- words for people -------------------------------------------------------------------------

_WORDS = {"retry": "x-retry", "trace": "x-reconcile"}
"""Words of the spec that the IR calls otherwise."""


def _to_people(id_: str) -> str:
    """What the start of an id calls a member to people: its place says whose it is."""
    owner = r"^(method|api|group|enum|(request|response)-(model|field))-"
    name = re.sub(owner, "", id_).replace("-", " ")
    return _WORDS.get(name, name)


def _kind_to_people(label: str) -> str:
    """What people call an object: a `response-field` is a field of an answer."""
    role, dash, what = label.partition("-")
    return f"{what} of {'a request' if role == 'request' else 'an answer'}" if dash else label


# -- methods, by the names that callers use -----------------------------------------------------


def compare_methods(walk: Walk) -> Iterator[Change]:
    """All differences of methods, in the order of the spec."""
    before, after = _by_name(walk.old), _by_name(walk.new)
    renamed = _renamed(before, after)
    for place, method in before.items():
        other = after.get(renamed.get(place, place))
        if other is None:
            yield _whole("removed", place, f"the method is gone{was_deprecated(method)}")
        elif place in renamed:
            yield _whole("renamed", place, f"it is `{renamed[place]}` now")
        if other is not None and type(other) is not type(method):
            yield from _other_kind(walk, place, method, other)
    for place, method in after.items():
        if place not in before and place not in renamed.values():
            yield _whole("added", place, f"new: {method.summary}")
    # An operation and an action may share a name: `orders.create`, alone and in a batch.
    pairs = (
        (walk.old.operations, walk.new.operations),
        (walk.old.actions, walk.new.actions),
    )
    for old, new in pairs:
        found = {each.name: each for each in new}
        for each in old:
            other = found.get(renamed.get(each.name, each.name))
            if other is not None:
                yield from _one_method(walk, each, other)


def _by_name(api: ir.Api) -> dict[str, Method]:
    """The methods of the client. An operation hides the action of its name."""
    methods: tuple[Method, ...] = (*api.actions, *api.operations)
    return {each.name: each for each in methods}


def _renamed(before: dict[str, Method], after: dict[str, Method]) -> dict[str, str]:
    """Old names -> new names of what is the same to the service."""
    new = {_identity(each): place for place, each in after.items() if place not in before}
    old = {place: _identity(each) for place, each in before.items() if place not in after}
    return {place: new[identity] for place, identity in old.items() if identity in new}


def _identity(method: Method) -> tuple[str, ...]:
    if isinstance(method, ir.Action):
        return ("action", method.type)
    return (method.http_method, method.path)


def _one_method(walk: Walk, before: Method, after: Method) -> Iterator[Change]:
    in_batch = isinstance(before, ir.Action) and before.standalone
    place = f"{before.name} in a batch" if in_batch else before.name
    yield from walk.changes(place, before, after)
    names = _parameters(before), _parameters(after)
    fields = walk.old.fields_of(names[0]), walk.new.fields_of(names[1])
    if names[0] != names[1]:
        # Models are compared by their names; these are the arguments of a method.
        yield from walk.named(place, *fields, "request")
    if isinstance(before, ir.Operation) and isinstance(after, ir.Operation):
        kept = [each.name for each in fields[0] if each.name in [f.name for f in fields[1]]]
        yield from _moved(place, kept, before, after)


def _moved(
    place: str, names: list[str], before: ir.Operation, after: ir.Operation
) -> Iterator[Change]:
    """Fields that stand elsewhere than before: in the body, the path, the query or a header."""
    old, new = ({each.field: each for each in side.parameters} for side in (before, after))
    for name in names:
        if old.get(name) != new.get(name):
            text = f"{_where(old.get(name))} -> {_where(new.get(name))}"
            yield _whole("parameter-moved", f"{place}.{name}", text)


def _where(parameter: ir.Parameter | None) -> str:
    return "in the body" if parameter is None else f"{parameter.name} in the {parameter.place}"


def _other_kind(walk: Walk, place: str, before: Method, after: Method) -> Iterator[Change]:
    """A batch action that became an operation of its own, or the reverse."""
    kind = "an operation of its own" if isinstance(after, ir.Operation) else "a batch action"
    yield _whole("kind-changed", place, f"it is {kind} now")
    types = _result(walk.old, before), _result(walk.new, after)
    if types[0] != types[1]:
        yield _whole(
            "returns-changed", place, f"it returns: {shown(types[0])} -> {shown(types[1])}"
        )


def _whole(verb: str, place: str, text: str) -> Change:
    return Change.of(f"method-{verb}", place, text)


def _parameters(method: Method) -> str | None:
    return method.model if isinstance(method, ir.Action) else method.params


def _result(api: ir.Api, method: Method) -> ir.Type | None:
    """What a call returns; of an action, one result of its batch."""
    if isinstance(method, ir.Operation) and method.outcome:
        return ir.Type(kind="model", name=method.outcome)
    if isinstance(method, ir.Operation):
        return method.result.type if method.result else None
    batches = (each for each in api.operations if each.batch and method.model in each.batch.actions)
    type_ = next((each.result.type for each in batches if each.result), None)
    return type_.items if type_ else None


# -- values, as a reader knows them from the spec -----------------------------------------------


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
    return "none" if value in NOTHING else json.dumps(value, ensure_ascii=False)


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
    text = type_.name or type_.kind
    text += (" of 32 bits" if type_.bits else "") + (" as text" if type_.as_text else "")
    if type_.held:
        text += f" of {', '.join(map(_type_shown, type_.held))}"
    return (
        text + (f" ({type_.unit})" if type_.unit else "") + (" or null" if type_.nullable else "")
    )
