"""The module of the operations: every operation and batch action as data, in the classes of the runtime."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from codegen import ir
from codegen.python import syntax
from codegen.python.syntax import Name, call, constant, literal


def operations(api: ir.Api) -> dict[str, str]:
    """Every operation, by its constant with its type."""
    pages = _pages(api)
    return {
        f"{constant(each)}: {kind(each)}[{item(each)}]": call(
            kind(each), _operation(api, each, pages)
        )
        for each in api.operations
    }


def shared(api: ir.Api) -> dict[str, str]:
    """What operations and actions share, by its constant: each distinct pagination, and each trace."""
    # An action that is called like an operation has the trace of it.
    traces = {_trace(each): each.trace for each in (*api.operations, *api.actions) if each.trace}
    pages = {name: value for value, name in _pages(api).items()}
    return {name: literal(value) for name, value in {**pages, **traces}.items()}


def service(api: ir.Api) -> str:
    """The whole service."""
    rate_headers = api.rate_headers
    members = {
        "title": api.title,
        "version": api.version,
        "operations": tuple(Name(constant(each)) for each in api.operations),
        "api_key_header": Name(repr(api.api_key_header)),
        "rate_scale": None if api.rate_scale == 1 else api.rate_scale,
        "rate_headers": None if rate_headers == ir.RateHeaders() else attrs.astuple(rate_headers),
        "servers": {each.name: each.url for each in api.servers if each.name},
    }
    return call("Api", members)


def reasons(api: ir.Api) -> dict[str, str]:
    """What shows each reason for a refusal, by its member of the enum."""
    shown = ("texts", "codes", "statuses", "operations", "as_status")
    enums = {enum.name: enum for enum in api.enums}
    return {
        f"{each.enum}.{syntax.member_of(enums[each.enum], each.name)}": call(
            "Recognition", {name: getattr(each, name) for name in shown}
        )
        for each in api.reasons
    }


def kind(operation: ir.Operation) -> str:
    """The runtime's class of an operation."""
    if operation.pagination:
        return "ListOperation"
    if operation.batch:
        return "BatchOperation"
    return "CountersignedOperation" if operation.countersigned else "Operation"


def item(operation: ir.Operation) -> str:
    """The type of a result; of a list, of one of its records; of a batch, of the result of one action."""
    result = operation.result
    if result is None:
        return "None"
    if operation.batch and result.type.items:
        return str(result.type.items.name)
    is_nullable = result.nullable or result.type.nullable
    return syntax.annotation(result.type, "response") + (" | None" if is_nullable else "")


def actions_of(api: ir.Api, operation: ir.Operation) -> list[ir.Action]:
    """The actions that a batch takes. Any other operation has none."""
    models = operation.batch.actions if operation.batch else ()
    return [each for each in api.actions if each.model in models] if models else []


# -- the members of an operation --------------------------------------------------------------


def _operation(
    api: ir.Api, each: ir.Operation, pages: Mapping[ir.Pagination, str]
) -> dict[str, object]:
    result, signing = each.result, each.signing
    accounts = (field.name for field in api.fields_of(each.params) if field.auto == "account")
    return {
        "name": each.name,
        "method": each.http_method,
        "path": each.path,
        "statuses": Name(each.statuses),
        "params": each.params and Name(each.params),
        "has_body": None if each.has_body or each.http_method == "GET" else Name(False),
        "in_url": each.has_body and tuple(one.name for one in each.parameters),
        "result": result and Name("HiddenJson" if result.secret else item(each)),
        "result_key": result and not each.pagination and result.key,
        "ignores_data": each.ignores_data,
        "reasons": Name("REASONS"),
        "signing_type": signing and signing.type,
        "signing_source": signing and signing.source != "documented" and signing.source,
        **_method(each),
        "scheme": each.countersigned,
        "pagination": each.pagination and Name(pages[each.pagination]),
        "account": next(accounts, None),
        "batch": each.batch and _batch(each.batch, actions_of(api, each)),
    }


def _method(method: ir.Method) -> dict[str, object]:
    """What an answer means, or that there is none."""
    return {
        "retry": method.retry,
        "key": method.key,
        "trace": method.trace and Name(_trace(method)),
    }


def _batch(batch: ir.Batch, actions: list[ir.Action]) -> Name:
    taken = {Name(each.model): _action(each) for each in actions}
    return call("Batch", {"field": batch.field, "max_items": batch.max_items, "actions": taken})


def _action(action: ir.Action) -> Name:
    """An action, whole also where an operation says the same, because others have no operation to look in."""
    members = {
        "name": action.name,
        "type": action.type,
        "signing_type": action.signing.type,
        "signing_source": action.signing.source,
        "params": Name(action.model),
        **_method(action),
    }
    return call("Action", members)


# -- constants --------------------------------------------------------------------------------


def _pages(api: ir.Api) -> dict[ir.Pagination, str]:
    """The constant of each distinct pagination, by the name of the first list that has it."""
    names: dict[ir.Pagination, str] = {}
    for each in api.operations:
        if each.pagination:
            names.setdefault(each.pagination, f"_{constant(each)}_PAGES")
    return names


def _trace(method: ir.Method) -> str:
    """The constant of a trace. No operation has it, for no group begins with an underscore."""
    return f"_{constant(method)}_TRACE"
