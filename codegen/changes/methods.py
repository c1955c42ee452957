"""The differences between the methods of two IRs: operations and batch actions, by the names that callers use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from codegen import ir
from codegen.changes.change import Change
from codegen.changes.shown import shown, was_deprecated

if TYPE_CHECKING:
    from codegen.changes.compare import Walk

Method: TypeAlias = ir.Operation | ir.Action


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
        found = {_name(each): each for each in new}
        for each in old:
            name = _name(each)
            if (other := found.get(renamed.get(name, name))) is not None:
                yield from _one_method(walk, name, each, other)


def _name(method: Method) -> str:
    return f"{method.group}.{method.method}"


def _by_name(api: ir.Api) -> dict[str, Method]:
    """The methods of the client. An operation hides the action of its name."""
    methods: tuple[Method, ...] = (*api.actions, *api.operations)
    return {_name(each): each for each in methods}


def _renamed(before: dict[str, Method], after: dict[str, Method]) -> dict[str, str]:
    """Old names -> new names of what is the same to the service."""
    new = {_identity(each): place for place, each in after.items() if place not in before}
    old = {place: _identity(each) for place, each in before.items() if place not in after}
    return {place: new[identity] for place, identity in old.items() if identity in new}


def _identity(method: Method) -> tuple[str, ...]:
    if isinstance(method, ir.Action):
        return ("action", method.type)
    return (method.http_method, method.path)


def _one_method(walk: Walk, name: str, before: Method, after: Method) -> Iterator[Change]:
    in_batch = isinstance(before, ir.Action) and before.standalone
    place = f"{name} in a batch" if in_batch else name
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
