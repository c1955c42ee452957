"""TypeScript: what the runtime must know of models and operations, as data. What is empty is left out."""

from __future__ import annotations

from typing import Any

from codegen import ir
from codegen.languages.python import is_time, taken_type
from codegen.languages.typescript import camel
from codegen.languages.typescript_literals import Name

LIMITS = (
    *("pattern", "minimum", "maximum", "exclusive_minimum", "exclusive_maximum", "multiple_of"),
    *("min_length", "max_length", "min_items", "max_items"),
)
"""What is checked of a value that a caller gives."""


def schema(api: ir.Api) -> dict[str, Any]:
    """Every model, union and enum, by its name."""
    return {
        "enums": {enum.name: Name(f"models.{enum.name}") for enum in api.enums},
        "models": {model.name: _model(model) for model in api.models},
        "unions": {union.name: _union(union) for union in api.unions},
        "reasons": Name("REASONS"),
    }


def reasons(api: ir.Api) -> dict[str, Any]:
    """What shows each reason for a refusal, by its name."""
    return {each.name: _reason(each) for each in api.reasons}


def _reason(reason: ir.Reason) -> dict[str, Any]:
    shown = {name: getattr(reason, name) for name in ("texts", "codes", "statuses", "operations")}
    return _given(**shown, asStatus=reason.as_status)


def _model(model: ir.Model) -> dict[str, Any]:
    return _given(
        name=model.name,
        fields=[_field(each, model.role) for each in model.fields],
        exactlyOne=model.exactly_one,
        atLeastOne=model.at_least_one,
        conditions=[_plain(each) for each in model.conditions],
    )


def _field(field: ir.Field, role: ir.Role) -> dict[str, Any]:
    limits = {camel(name): getattr(field, name) for name in LIMITS if role == "request"}
    return _given(
        name=field.name,
        type=type_data(taken_type(field), role),
        required=field.required,
        nullable=field.nullable,
        auto=field.auto,
        cursor=field.cursor,
        secret=field.secret,
        notBefore=field.not_before,
        **limits,
    )


def type_data(type_: ir.Type, role: ir.Role = "response") -> dict[str, Any]:
    """A type. An instant is one only where callers give it."""
    return _given(
        kind=type_.kind,
        name=type_.name,
        bits=type_.bits,
        asText=type_.as_text,
        nullable=type_.nullable,
        time=role == "request" and is_time(type_),
        items=type_data(type_.items, role) if type_.items else None,
        members=[type_data(each, role) for each in type_.members],
    )


def _union(union: ir.Union) -> dict[str, Any]:
    variants = {variant.name: variant.model for variant in union.variants}
    return {"name": union.name, "discriminator": union.discriminator, "variants": variants}


# -- operations -------------------------------------------------------------------------------


def operation(api: ir.Api, each: ir.Operation) -> dict[str, Any]:
    """An operation."""
    fields = next((model.fields for model in api.models if model.name == each.params), ())
    outside = [one.field for one in each.parameters if one.place != "header"]
    return _given(
        name=f"{each.group}.{each.method}",
        method=each.http_method,
        path=each.path,
        params=each.params,
        hasBody=each.has_body,
        inUrl=outside if each.has_body else (),
        headers={one.field: one.name for one in each.parameters if one.place == "header"},
        result=_result(each.result) if each.result else None,
        ignoresData=each.ignores_data,
        noContent=204 in each.statuses,
        outcome=each.outcome is not None,
        errors=_plain(each.errors) if each.errors != ir.ErrorBody() else None,
        account=next((field.name for field in fields if field.auto == "account"), None),
        pagination=_plain(each.pagination) if each.pagination else None,
        countersigned=_plain(each.countersigned) if each.countersigned else None,
        **_method(each),
        batch=_batch(api, each.batch) if each.batch else None,
    )


def _result(result: ir.Result) -> dict[str, Any]:
    return _given(
        type=type_data(result.type),
        key=result.key,
        nullable=result.nullable,
        secret=result.secret,
    )


def _batch(api: ir.Api, batch: ir.Batch) -> dict[str, Any]:
    actions = [action for action in api.actions if action.model in batch.actions]
    return {
        "field": batch.field,
        "maxItems": batch.max_items,
        "actions": {action.type: _action(action) for action in actions},
    }


def _action(action: ir.Action) -> dict[str, Any]:
    name = f"{action.group}.{action.method}"
    return _given(name=name, type=action.type, params=action.model, **_method(action))


def _method(method: ir.Operation | ir.Action) -> dict[str, Any]:
    """What operations and actions have in common."""
    return {
        "signing": _plain(method.signing) if method.signing else None,
        "retry": method.retry,
        "key": method.key,
        "trace": _trace(method.trace) if method.trace else None,
        "echoes": method.echoes,
        "newId": method.new_id,
    }


def _trace(trace: ir.Trace) -> dict[str, Any]:
    # Their keys and values are names of fields, and stay as they are.
    target = trace.target and {**_plain(trace.target), "becomes": trace.target.becomes}
    return _given(
        lists=trace.lists,
        madeAt=trace.made_at,
        id=trace.id,
        agrees=trace.agrees,
        atMost=trace.at_most,
        target=target,
    )


def _plain(value: Any) -> dict[str, Any]:
    """A value of the IR: its members in camelCase."""
    members = {each.name: getattr(value, each.name) for each in value.__attrs_attrs__}
    nested = {
        camel(name): _plain(each) if hasattr(each, "__attrs_attrs__") else each
        for name, each in members.items()
    }
    return _given(**nested)


def _given(**members: Any) -> dict[str, Any]:
    return {
        name: value
        for name, value in members.items()
        if value is not None and value is not False and value not in ((), [], {}, "")
    }
