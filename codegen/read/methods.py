"""From the operations and the actions of a checked spec to the methods of the IR."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from codegen import ir
from codegen.read.load import Node
from codegen.read.operations import (
    action_of,
    batch_list,
    content_path,
    json_schema,
    known_content,
    operations,
    outside_of_body,
    own_fields,
    parameters,
    params,
    path_of,
    section,
    source_of,
    source_of_endpoint,
    standalone_actions,
    success,
    text,
    wrappers,
)
from codegen.read.schemas import required

RETURNS = "x-returns"
SCHEME = "x-signing-scheme"


def method_names(root: Node) -> dict[str, str]:
    """The names of all methods, like `orders.history`, by their operationId."""
    return {
        each.get("operationId"): f"{each.get('x-group')}.{each.get('x-method')}"
        for _, _, each in operations(root)
    }


def operation(
    root: Node, names: Mapping[str, str], path: str, method: str, node: Node
) -> ir.Operation:
    """One endpoint. `names` has the names of all methods by their operationId."""
    answers = {status: text(response) for status, response in node["responses"].items()}
    return ir.Operation(
        **_message(names, node),
        id=node.get("operationId"),
        http_method=cast(ir.HttpMethod, method.upper()),
        path=path_of(path, node),
        summary=node.get("summary").strip(),
        description=text(node),
        deprecated=bool(node.get("deprecated")),
        statuses=tuple(sorted(int(each) for each in answers if each.isdigit())),
        status_ranges=tuple(sorted(each for each in answers if not each.isdigit())),
        signing=_signing(node.get("x-signing-type"), node),
        params=params(node),
        parameters=tuple(outside_of_body(node)),
        has_body="requestBody" in node,
        result=_result(node),
        outcome=_outcome(root, node),
        ignores_data=node.get("x-result") is not None,
        pagination=pagination(node),
        batch=_batch(node),
        countersigned=countersigned(node),
    )


def _message(names: Mapping[str, str], node: Node) -> dict[str, Any]:
    """What is said alike of an operation and of an action that only batches offer."""
    retry, key = _retry(node)
    return {
        "group": node.get("x-group"),
        "method": node.get("x-method"),
        "section": section(node),
        "source": source_of_endpoint(node),
        "retry": retry,
        "key": key,
        "trace": trace(names, node),
    }


def _outcome(root: Node, node: Node) -> str | None:
    found = outcome(root, node) if node.get(RETURNS) else None
    return found.schema_name if found else None


def _signing(type_: str | None, node: Node) -> ir.Signing | None:
    if type_ is None:
        return None
    return ir.Signing(type=type_, source=source_of(node, "x-signing-type"))


def _retry(node: Node) -> tuple[ir.RetryClass, str | None]:
    retry = node.get("x-retry")
    return ("by-key", retry["by-key"]) if isinstance(retry, dict) else (retry, None)


def _result(node: Node) -> ir.Result | None:
    found = known_content(node)
    if found is None:
        return None
    if found.type.kind == "json" and found.is_secret:
        found.schema.get("format")
    response = success(node)
    assert response is not None, "it has content"
    description = text(response)
    if "x-pagination" in node:
        description = "The records. Iterating over them fetches page after page."
    elif found.key is None:
        description = text(found.schema) or description
    return ir.Result(
        type=found.type,
        description=description,
        key=found.key,
        nullable=found.nullable,
        secret=found.is_secret,
        at=content_path(node, found),
    )


# -- batches ----------------------------------------------------------------------------------


def _batch(node: Node) -> ir.Batch | None:
    body = json_schema(node.child("requestBody"))
    found = batch_list(body) if body else None
    if found is None:
        return None
    name, field = found
    return ir.Batch(
        field=name,
        min_items=field.get("minItems", 1),
        max_items=field.get("maxItems"),
        actions=tuple(_action_model(wrapper) for wrapper in wrappers(node)),
    )


def _action_model(wrapper: Node) -> str:
    base = action_of(wrapper)
    assert base is not None and base.schema_name is not None, "the checks demand it"
    return base.schema_name


def actions(
    root: Node, names: Mapping[str, str], nodes: list[tuple[str, str, Node]]
) -> Iterator[ir.Action]:
    """The batch actions. One that is also an operation has that operation's place on the client."""
    operation_of = standalone_actions(root)
    summaries = dict(_summaries(nodes))
    for name, schema in root["components"]["schemas"].items():
        if "x-batch-action" not in schema:
            continue
        given = schema.get("x-batch-action")
        place = operation_of.get(schema.pointer, schema)
        yield ir.Action(
            **_message(names, place),
            type=given["type"],
            signing=ir.Signing(
                type=given["signing-type"],
                source=source_of(place, "x-batch-action" if place is schema else "x-signing-type"),
            ),
            model=name,
            summary=summaries[name],
            description=text(schema),
            deprecated=place is schema and bool(schema.get("deprecated")),
            standalone=place is not schema,
        )


def _summaries(nodes: list[tuple[str, str, Node]]) -> Iterator[tuple[str, str]]:
    """The summary of each action: the description of its wrapper in a batch."""
    for _, _, node in nodes:
        for wrapper in wrappers(node):
            yield _action_model(wrapper), text(wrapper)


def countersigned(node: Node) -> ir.Countersigned | None:
    """How two keys sign the body of an operation. The node must have passed the checks."""
    if SCHEME not in node:
        return None
    given = node.get(SCHEME)["countersigned"]
    other = dict(given["other"])
    return ir.Countersigned(
        other_type=other.pop("type"),
        other=ir.Countersigner(**other),
        own=ir.Countersigner(**given["own"]),
    )


# -- how lists show a call ----------------------------------------------------------------------


def trace(names: Mapping[str, str], node: Node) -> ir.Trace | None:
    """How the lists show that a call was executed, or None if the spec does not say.

    `names` has the names of all methods, like `orders.history`, by their operationId.
    """
    given = node.get("x-reconcile")
    if given is None:
        return None
    target = dict(given.get("target", {}))
    if "inherits" in target:
        target["inherits"] = tuple(target["inherits"])
    return ir.Trace(
        lists=tuple(names[name] for name in given["lists"]),
        made_at=given["made_at"],
        id=given.get("id"),
        agrees=given.get("agrees", {}),
        at_most=given.get("at_most", {}),
        target=ir.Target(**target) if target else None,
    )


# -- pages --------------------------------------------------------------------------------------


def pagination(node: Node) -> ir.Pagination | None:
    """How the pages of a list follow each other, or None if it has none."""
    pages = node.get("x-pagination")
    if pages is None:
        return None
    schema = json_schema(success(node))
    says_success = schema is not None and "success" in required(schema)
    if "offset" in pages:
        return ir.Pagination(
            items=pages["items"], cursor=pages["offset"], says_success=says_success
        )
    limits = [each["schema"] for each in parameters(node) if each.get("name") == pages.get("limit")]
    return ir.Pagination(
        **pages,
        says_success=says_success,
        max_limit=limits[0].get("maximum") if limits else None,
    )


# -- what an action returned --------------------------------------------------------------------


def outcome(root: Node, operation: Node) -> Node | None:
    """The schema of what an operation returned as an action of a batch, or None if no batch has it."""
    own = own_fields(operation)
    for _, _, batch in operations(root):
        found = known_content(batch) if own is not None else None
        if own is None or found is None or "items" not in found.schema:
            continue
        if own.pointer in [base.pointer for base in map(action_of, wrappers(batch)) if base]:
            return found.schema["items"]
    return None
