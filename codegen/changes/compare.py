"""The differences between two IRs: objects by their names, and then member by member. Pure.

What was removed or changed breaks a program, a port, or a service of the other spec. What was added does not; but a
field that a request needs now, and a limit that it has now, are changes of that request.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import attrs
from attrs import evolve, frozen

from codegen import ir
from codegen.ir.names import member_name

Kind = Literal["added", "changed", "removed", "reworded"]
Method: TypeAlias = ir.Operation | ir.Action

WORDING = {
    *("title", "version", "summary", "description", "section", "source", "sources", "deprecated"),
    *("overlays", "format"),
}
"""Members for people. They change nobody's code."""

APART: Mapping[type[Any], set[str]] = {
    ir.Api: {"ir_version", "spec_sha256", "conventions", "operations", "actions"},
    ir.Operation: {"group", "method", "params"},
    ir.Action: {"group", "method", "model"},
    ir.Model: {"body"},
    ir.Field: {"cursor"},
    ir.Result: {"at"},
    ir.Enum: {"names"},
    ir.Reason: {"enum"},
}
"""Members that are the same for every spec, that another member says, or that are compared in another way."""

OPTIONAL = {"unit", "trace", "api_key_header", "limit"}
"""Members that may be added without a change of what is sent, read or called."""

WORDS = {"values", "statuses", "status_ranges", "texts", "actions"}
"""Members that list words, of which one is added or removed."""


@frozen(kw_only=True)
class Change:
    """A difference between two specs."""

    kind: Kind
    place: str
    """Where a user meets it, like `orders.create` or `CreateOrder.price`; `api` for the service as a whole."""
    text: str

    @property
    def is_breaking(self) -> bool:
        """Whether somebody must change something."""
        return self.kind in ("changed", "removed")


def compare(old: ir.Api, new: ir.Api) -> tuple[Change, ...]:
    """All differences: of the names of classes, of methods, then of enums, models and what belongs to neither."""
    renamed = _renamed_classes(old, new)
    told = [
        Change(kind="changed", place=name, text=f"its class is {other} now")
        for name, other in renamed.items()
    ]
    old = _with_names(old, renamed)
    return (*told, *_methods(old, new), *_members("", old, new))


def _members(place: str, before: Any, after: Any, holder: str = "") -> Iterator[Change]:
    """The differences of two objects of one class. `holder` is the member that holds them."""
    apart = APART.get(type(after), set())
    for each in attrs.fields(type(after)):
        old, new = getattr(before, each.name), getattr(after, each.name)
        if old != new and each.name not in apart:
            label = f"{holder} {each.name}".strip().replace("_", " ")
            yield from _member(place, each.name, label, old, new, is_sent=_is_sent(after))
    if isinstance(after, ir.Enum):
        yield from _names(place, before, after)


def _names(place: str, before: ir.Enum, after: ir.Enum) -> Iterator[Change]:
    """The names in code of the values that both have."""
    for value in before.values:
        old, new = (each.names.get(value, member_name(value)) for each in (before, after))
        if old != new and value in after.values:
            yield Change(kind="changed", place=place, text=f"name of {value}: {old} -> {new}")


def _member(
    place: str, name: str, told: str, before: Any, after: Any, *, is_sent: bool
) -> Iterator[Change]:
    if name in WORDING or _is_wording(before, after):
        yield Change(kind="reworded", place=place or "api", text=told)
    elif name in WORDS:
        removed, added = _without(before, after), _without(after, before)
        if removed:
            yield Change(kind="removed", place=place, text=f"{told}: {', '.join(removed)}")
        if added:
            yield Change(kind="added", place=place, text=f"{told}: {', '.join(added)}")
    elif isinstance(before, tuple) and any(attrs.has(type(each)) for each in (*before, *after)):
        yield from _named(place, before, after, is_sent=is_sent)
    elif not isinstance(before, ir.Type) and attrs.has(type(before)) and attrs.has(type(after)):
        yield from _members(place, before, after, told)
    else:
        kind: Kind = "added" if not before and name in OPTIONAL else "changed"
        text = f"{told}: {shown(before)} -> {shown(after)}"
        yield Change(kind=kind, place=place or "api", text=text)


def _named(
    place: str, before: Sequence[Any], after: Sequence[Any], *, is_sent: bool
) -> Iterator[Change]:
    """Objects with names: what is gone, what both have, and what is new."""
    # Of a server without a name users write the URL themselves.
    old, new = ({each.name: each for each in side if each.name} for side in (before, after))
    for name in [*old, *_without([*new], [*old])]:
        inner = f"{place}.{name}" if place else str(name)
        if name in old and name in new:
            yield from _members(inner, old[name], new[name])
        elif isinstance((old | new)[name], ir.Parameter):
            continue  # It comes and goes with its field.
        elif name in old:
            yield Change(kind="removed", place=inner, text=f"the {_noun(old[name])} is gone")
        else:
            is_needed = is_sent and new[name].required
            told = f"a new {_noun(new[name])}" + ", which is required" * is_needed
            yield Change(kind="changed" if is_needed else "added", place=inner, text=told)


def _is_sent(value: Any) -> bool:
    """Whether the fields of an object are sent."""
    return isinstance(value, ir.Model) and value.role == "request"


def _without(words: Sequence[Any], others: Sequence[Any]) -> list[str]:
    return [str(word) for word in words if word not in others]


def _noun(value: Any) -> str:
    return type(value).__name__.lower()


def _is_wording(before: Any, after: Any) -> bool:
    """Whether they are types that differ in words for people, or in a unit that only one of them says."""
    return isinstance(before, ir.Type) and _plain(before, after) == _plain(after, before)


def _plain(type_: ir.Type, other: ir.Type) -> ir.Type:
    return evolve(
        type_,
        description="",
        format=None,
        unit=type_.unit if other.unit else None,
        items=_plain(type_.items, other.items) if type_.items and other.items else type_.items,
        members=tuple(map(_plain, type_.members, other.members))
        if len(type_.members) == len(other.members)
        else type_.members,
    )


# -- classes that only their name tells apart -----------------------------------------------------


def _renamed_classes(old: ir.Api, new: ir.Api) -> dict[str, str]:
    """The names of the classes that are gone, each with the one new class that says the same."""
    gone = {name: each for name, each in old.types.items() if name not in new.types}
    come = {name: each for name, each in new.types.items() if name not in old.types}
    found: dict[str, str] = {}
    for name, each in gone.items():
        same = [other for other in come if come[other] == evolve(each, name=other)]
        if len(same) == 1:
            found[name] = same[0]
    return found


def _with_names(value: Any, names: Mapping[str, str]) -> Any:
    """The same with other names of classes, wherever they stand."""
    if isinstance(value, tuple):
        return tuple(_with_names(each, names) for each in value)
    if isinstance(value, str):
        return names.get(value, value)
    if not attrs.has(type(value)) or not names:
        return value
    members = {each.name: getattr(value, each.name) for each in attrs.fields(type(value))}
    return evolve(value, **{name: _with_names(each, names) for name, each in members.items()})


# -- methods, by the names that callers use -----------------------------------------------------


def _methods(old: ir.Api, new: ir.Api) -> Iterator[Change]:
    """All differences of methods, in the order of the spec."""
    before, after = _by_name(old), _by_name(new)
    renamed = _renamed_methods(before, after)
    for name, method in before.items():
        if name not in after and name not in renamed:
            yield Change(kind="removed", place=name, text="the method is gone")
        elif name in renamed:
            yield Change(kind="changed", place=name, text=f"it is `{renamed[name]}` now")
        elif type(after[name]) is not type(method):
            text = f"it is {_kind(after[name])} now: {_returned(old, method)} -> {_returned(new, after[name])}"
            yield Change(kind="changed", place=name, text=text)
    for name, method in after.items():
        if name not in before and name not in renamed.values():
            yield Change(kind="added", place=name, text=f"new: {method.summary}")
    # An operation and an action may share a name: `orders.create`, alone and in a batch.
    for listed, others in ((old.operations, new.operations), (old.actions, new.actions)):
        found = {each.name: each for each in others}
        for each in listed:
            if other := found.get(renamed.get(each.name, each.name)):
                yield from _one_method(old, new, each, other)


def _one_method(old: ir.Api, new: ir.Api, before: Method, after: Method) -> Iterator[Change]:
    in_batch = isinstance(before, ir.Action) and before.standalone
    place = f"{before.name} in a batch" if in_batch else before.name
    yield from _members(place, before, after)
    if _sent(before) != _sent(after):
        # Models are compared by their names; these are the arguments of a method.
        fields = old.fields_of(_sent(before)), new.fields_of(_sent(after))
        yield from _named(place, *fields, is_sent=True)


def _by_name(api: ir.Api) -> dict[str, Method]:
    """The methods of the client. An operation hides the action of its name."""
    methods: tuple[Method, ...] = (*api.actions, *api.operations)
    return {each.name: each for each in methods}


def _renamed_methods(before: Mapping[str, Method], after: Mapping[str, Method]) -> dict[str, str]:
    """Old names -> new names of what is the same to the service."""
    new = {_identity(each): name for name, each in after.items() if name not in before}
    old = {name: _identity(each) for name, each in before.items() if name not in after}
    return {name: new[identity] for name, identity in old.items() if identity in new}


def _identity(method: Method) -> tuple[str, ...]:
    if isinstance(method, ir.Action):
        return ("action", method.type)
    return (method.http_method, method.path)


def _kind(method: Method) -> str:
    return "an operation of its own" if isinstance(method, ir.Operation) else "a batch action"


def _sent(method: Method) -> str | None:
    return method.model if isinstance(method, ir.Action) else method.params


def _returned(api: ir.Api, method: Method) -> str:
    """What a call returns; of an action, one result of its batch."""
    if isinstance(method, ir.Operation):
        return method.outcome or shown(method.result and method.result.type)
    batches = (each for each in api.operations if each.batch and method.model in each.batch.actions)
    type_ = next((each.result.type for each in batches if each.result), None)
    return shown(type_ and type_.items)


# -- values, as a reader knows them from the spec -----------------------------------------------


def shown(value: Any) -> str:
    """A value as a reader knows it from the spec. What says nothing is left out."""
    if isinstance(value, ir.Type):
        held = f" of {', '.join(map(shown, value.held))}" if value.held else ""
        unit = f" ({value.unit})" if value.unit else ""
        return f"{value.name or value.kind}{held}{unit}{' or null' * value.nullable}"
    if isinstance(value, ir.Result):
        return shown(evolve(value.type, nullable=value.nullable))
    if attrs.has(type(value)):
        value = attrs.asdict(value, filter=lambda _, each: each not in (None, (), {}))
    if value is None or value in ((), {}):
        return "none"
    return json.dumps(value, ensure_ascii=False)
