"""The methods of the groups of a client: one for each operation, and for each action that only batches offer."""

from __future__ import annotations

from attrs import frozen

from codegen import ir
from codegen.ir.names import attribute_name
from codegen.python import docstrings, syntax
from codegen.python.operations import actions_of, item, kind
from codegen.python.syntax import batch_name, constant

CALLS = {
    "Operation": ("call", "{}"),
    "ListOperation": ("paginate", "Paginator[{}]"),
    "BatchOperation": ("batch", "BatchResult[{}]"),
    "CountersignedOperation": ("countersigned", "{}"),
}
"""The method of the runtime that makes a call, and what it returns of items, by the class of the operation."""


@frozen(kw_only=True)
class Method:
    """A method of a group, in texts of Python."""

    origin: ir.Method
    """The operation or the action."""

    parameters: str
    returns: str

    result: str
    """What it returns, as an expression."""

    doc: str

    mapping: str = ""
    """The type of the mappings that a batch takes as actions. Empty for any other method."""


def methods(api: ir.Api) -> dict[str, list[Method]]:
    """The methods of each group: those of its operations, then those of its actions."""
    found: dict[str, list[Method]] = {group.name: [] for group in api.groups}
    for each in api.operations:
        found[each.group].append(_of_operation(api, each))
    for batch in api.operations:
        for action in actions_of(api, batch):
            if not action.standalone:
                found[action.group].append(_of_action(api, action, batch))
    return found


def _of_operation(api: ir.Api, operation: ir.Operation) -> Method:
    fields = syntax.by_need(api.fields_of(operation.params))
    parameters, passed = _given(operation, fields)
    call, returns = CALLS[kind(operation)]
    name = constant(operation)
    result = f"self._caller.{call}({', '.join([name, *passed])})"
    if operation.outcome:
        result = f"as_outcome({operation.outcome}, {result})"
    return Method(
        origin=operation,
        parameters=parameters,
        returns=operation.outcome or returns.format(item(operation)),
        result=result,
        mapping=batch_name(operation) if operation.batch else "",
        doc=docstrings.operation_doc(api, operation, actions_of(api, operation)),
    )


def _given(operation: ir.Operation, fields: list[ir.Field]) -> tuple[str, list[str]]:
    """The parameters of a method, and what it passes on of them."""
    if batch := operation.batch:
        types = " | ".join([*batch.actions, batch_name(operation)])
        return f"self, {batch.field}: Sequence[{types}]", [batch.field]
    if scheme := operation.countersigned:
        name = attribute_name(scheme.other.address)
        return f"self, *, {name}: Signer", [name]
    return _parameters(fields), [_made(operation.params, fields)] if operation.params else []


def _of_action(api: ir.Api, action: ir.Action, batch: ir.Operation) -> Method:
    fields = syntax.by_need(api.fields_of(action.model))
    name = constant(batch)
    return Method(
        origin=action,
        parameters=_parameters(fields),
        returns=item(batch),
        result=f"self._caller.act({name}, {_made(action.model, fields)})",
        doc=docstrings.action_doc(api, action, batch),
    )


def _parameters(fields: list[ir.Field]) -> str:
    return ", ".join(["self", *(["*"] if fields else []), *map(_parameter, fields)])


def _parameter(field: ir.Field) -> str:
    type_, default = syntax.taken(field)
    return f"{syntax.name_of(field)}: {type_}" + (f" = {default}" if default else "")


def _made(model: str, fields: list[ir.Field]) -> str:
    """The model that a method makes of its arguments."""
    return f"{model}({', '.join(map(_argument, fields))})"


def _argument(field: ir.Field) -> str:
    name = syntax.name_of(field)
    return (
        f"{name}=self._caller.own_account({name})" if field.auto == "account" else f"{name}={name}"
    )
