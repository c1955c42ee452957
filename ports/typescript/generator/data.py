"""What the runtime must know of models and operations, as data. What is empty is left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ports.typescript.generator.syntax import Name, camel
from ports.typescript.generator.types import Json, is_time, type_of

LIMITS = (
    *("pattern", "minimum", "maximum"),
    *("min_length", "max_length", "min_items", "max_items"),
)
"""What is checked of a value that a caller gives."""


def schema(api: Json) -> Json:
    """Every model by its name, and the enums of which the runtime compares values."""
    compared = _compared(api)
    names = [enum["name"] for enum in api["enums"] if enum["name"] in compared]
    return {
        "enums": {name: Name(f"models.{name}") for name in names},
        "models": {model["name"]: _model(model) for model in api["models"]},
        "reasons": Name("REASONS"),
        "refusals": api["conventions"]["refusals"],
    }


def _compared(api: Json) -> set[str]:
    """The enums that callers give, and those of the states that a message leads to. Others are read as they come."""
    traces = [each["trace"] for each in [*api["operations"], *api["actions"]] if each["trace"]]
    states = {name for trace in traces for name in (trace["target"] or {"becomes": ()})["becomes"]}
    fields = [
        field
        for model in api["models"]
        for field in model["fields"]
        if model["role"] == "request" or field["name"] in states
    ]
    return {name for field in fields for name in _enums_in(field["type"])}


def _enums_in(type_: Json) -> Iterator[str]:
    if type_["kind"] == "enum":
        yield type_["name"]
    for part in (*type_["members"], *([type_["items"]] if type_["items"] else ())):
        yield from _enums_in(part)


def reasons(api: Json) -> Json:
    """What shows each reason for a refusal, by its name."""
    shown = ("texts", "codes", "statuses", "operations", "as_status")
    return {each["name"]: _plain({name: each[name] for name in shown}) for each in api["reasons"]}


def _model(model: Json) -> Json:
    return _given(
        body=model["body"],
        fields=[_field(each, model["role"]) for each in model["fields"]],
        **_picked(model, "exactly_one", "at_least_one"),
    )


def _field(field: Json, role: str) -> Json:
    limits = LIMITS if role == "request" else ()
    return _given(
        name=field["name"],
        type=_type(type_of(field), role),
        **_picked(field, "required", "nullable", "auto", "cursor", "secret", "not_before", *limits),
    )


def _type(type_: Json, role: str = "response") -> Json:
    """A type. An instant is one only where callers give it."""
    return _given(
        **_picked(type_, "kind", "name", "nullable"),
        time=role == "request" and is_time(type_),
        items=_type(type_["items"], role) if type_["items"] else None,
        members=[_type(each, role) for each in type_["members"]],
    )


# -- operations -------------------------------------------------------------------------------


def actions_of(api: Json, operation: Json) -> list[Json]:
    """The actions of a batch. Any other operation has none."""
    models = operation["batch"]["actions"] if operation["batch"] else ()
    return [each for each in api["actions"] if each["model"] in models] if models else []


def operation(each: Json, fields: list[Json], actions: list[Json]) -> Json:
    """An operation, with the fields of its request, or with the actions of its batch."""
    outside = [one["name"] for one in each["parameters"]]
    accounts = (one["name"] for one in fields if one["auto"] == "account")
    successes = [one for one in each["statuses"] if 200 <= one < 300]
    return _given(
        name=f"{each['group']}.{each['method']}",
        method=each["http_method"],
        path=each["path"],
        params=each["params"],
        hasBody=each["has_body"],
        inUrl=outside if each["has_body"] else [],
        result=_result(each["result"]) if each["result"] else None,
        ignoresData=each["ignores_data"],
        successes=successes if successes != [200] else None,
        outcome=each["outcome"] is not None,
        account=next(accounts, None),
        pagination=_plain(each["pagination"]),
        countersigned=_plain(each["countersigned"]),
        **_method(each),
        batch=_batch(each["batch"], actions) if each["batch"] else None,
    )


def _result(result: Json) -> Json:
    return _given(type=_type(result["type"]), **_picked(result, "key", "nullable", "secret"))


def _batch(batch: Json, actions: list[Json]) -> Json:
    return {
        "field": batch["field"],
        "maxItems": batch["max_items"],
        "actions": {action["type"]: _action(action) for action in actions},
    }


def _action(action: Json) -> Json:
    name = f"{action['group']}.{action['method']}"
    return _given(name=name, type=action["type"], params=action["model"], **_method(action))


def _method(method: Json) -> Json:
    """What operations and actions have in common."""
    return {
        "signing": _plain(method["signing"]),
        "retry": method["retry"],
        "key": method["key"],
        "trace": _trace(method["trace"]) if method["trace"] else None,
    }


def _trace(trace: Json) -> Json:
    target = trace["target"]
    # What the record becomes is there even if it becomes nothing.
    changed = target and {**_plain(target), "becomes": target["becomes"]}
    return _given(**_picked(trace, "lists", "made_at", "id", "agrees", "at_most"), target=changed)


def _plain(value: Json | None) -> Json:
    """An object of the IR: its own members in camelCase. What they hold are names and values of the service."""
    return _given(**_picked(value, *value)) if value else {}


def _picked(value: Json, *names: str) -> Json:
    """Some members of an object of the IR, in camelCase."""
    return {camel(name): value[name] for name in names}


def _given(**members: Any) -> Json:
    return {
        name: value
        for name, value in members.items()
        if value is not None and value is not False and value not in ([], {}, "")
    }
