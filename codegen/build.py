"""From the checked tree of a spec to the intermediate representation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from codegen import document, ir, outcomes
from codegen.document import text
from codegen.error_bodies import error_body
from codegen.load import Node
from codegen.models import model, models, unions
from codegen.pages import pagination
from codegen.parameters import (
    outside_of_body,
    params,
)
from codegen.reasons import reasons
from codegen.signing_schemes import countersigned
from codegen.spec import (
    SIGNED,
    batch_list,
    content,
    content_path,
    json_schema,
    operations,
    section,
    signed_base,
    source_of,
    source_of_endpoint,
    success,
    wrappers,
)
from codegen.traces import trace


def build(root: Node, sha256: str, overlays: tuple[str, ...] = ()) -> ir.Api:
    """The whole service as one value. The tree must have passed `rules.check`."""
    nodes = [(path, method, node) for path, method, node in operations(root)]
    names = _names(nodes)
    built = tuple(_operation(root, names, path, method, node) for path, method, node in nodes)
    return ir.Api(
        title=root["info"].get("title"),
        version=root["info"].get("version"),
        spec_sha256=sha256,
        overlays=overlays,
        api_key_header=document.api_key_header(root),
        rate_scale=root.get("x-rate-scale", 1),
        servers=tuple(document.servers(root)),
        conventions=_conventions(root),
        groups=tuple(document.groups(root, nodes)),
        enums=tuple(document.enums(root)),
        models=tuple(models(root, nodes)),
        unions=tuple(unions(root)),
        reasons=tuple(reasons(root)),
        operations=built,
        actions=tuple(_actions(root, names, nodes)),
    )


def _conventions(root: Node) -> ir.Conventions:
    signed = model(SIGNED, root["components"]["schemas"][SIGNED], "request")
    return ir.Conventions(signed_body=ir.SignedBody(members=signed.fields))


# -- operations -------------------------------------------------------------------------------


def _names(nodes: Iterable[tuple[str, str, Node]]) -> dict[str, str]:
    """The names of all methods, like `orders.history`, by their operationId."""
    return {
        each.get("operationId"): f"{each.get('x-group')}.{each.get('x-method')}"
        for _, _, each in nodes
    }


def _operation(
    root: Node, names: Mapping[str, str], path: str, method: str, node: Node
) -> ir.Operation:
    retry, key = _retry(node)
    answers = {status: text(response) for status, response in node["responses"].items()}
    return ir.Operation(
        id=node.get("operationId"),
        group=node.get("x-group"),
        method=node.get("x-method"),
        http_method=cast(ir.HttpMethod, method.upper()),
        path=path,
        summary=node.get("summary").strip(),
        description=text(node),
        section=section(node),
        source=source_of_endpoint(node),
        retry=retry,
        key=key,
        trace=trace(names, node),
        echoes=node.get("x-echo", {}),
        new_id=node.get("x-new-id"),
        deprecated=bool(node.get("deprecated")),
        statuses=tuple(sorted(int(each) for each in answers if each.isdigit())),
        status_ranges=tuple(sorted(each for each in answers if not each.isdigit())),
        errors=error_body(node),
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


def _outcome(root: Node, node: Node) -> str | None:
    found = outcomes.outcome(root, node) if node.get(outcomes.WORD) else None
    return found.schema_name if found else None


def _signing(type_: str | None, node: Node) -> ir.Signing | None:
    if type_ is None:
        return None
    return ir.Signing(type=type_, source=source_of(node, "x-signing-type"))


def _retry(node: Node) -> tuple[ir.RetryClass, str | None]:
    retry = node.get("x-retry")
    return ("by-key", retry["by-key"]) if isinstance(retry, dict) else (retry, None)


def _result(node: Node) -> ir.Result | None:
    found = content(node)
    if found is None:
        return None
    if found.type.kind == "json":
        found.schema.get("format")  # `password`, which makes it a secret
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
    base = signed_base(wrapper["properties"]["data"])
    assert base is not None and base.schema_name is not None, "the checks demand it"
    return base.schema_name


def _actions(
    root: Node, names: Mapping[str, str], nodes: list[tuple[str, str, Node]]
) -> Iterator[ir.Action]:
    """The batch actions. One that is also an operation has that operation's place on the client."""
    operation_of = {params(node): node for _, _, node in nodes}
    summaries = dict(_summaries(nodes))
    for name, schema in root["components"]["schemas"].items():
        if "x-batch-action" not in schema:
            continue
        given = schema.get("x-batch-action")
        place = operation_of.get(name, schema)
        retry, key = _retry(place)
        yield ir.Action(
            group=place.get("x-group"),
            method=place.get("x-method"),
            type=given["type"],
            signing=ir.Signing(
                type=given["signing-type"],
                source=source_of(place, "x-batch-action" if place is schema else "x-signing-type"),
            ),
            model=name,
            summary=summaries[name],
            description=text(schema),
            section=section(place),
            source=source_of_endpoint(place),
            retry=retry,
            key=key,
            trace=trace(names, place),
            echoes=place.get("x-echo", {}),
            new_id=place.get("x-new-id"),
            deprecated=bool(schema.get("deprecated")),
            standalone=name in operation_of,
        )


def _summaries(nodes: list[tuple[str, str, Node]]) -> Iterator[tuple[str, str]]:
    """The summary of each action: the description of its wrapper in a batch."""
    for _, _, node in nodes:
        for wrapper in wrappers(node):
            yield _action_model(wrapper), text(wrapper)
