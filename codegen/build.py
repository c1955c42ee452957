"""From the checked tree of a spec to the intermediate representation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from codegen import document, ir
from codegen.document import text
from codegen.error_bodies import error_body
from codegen.field_types import field_type, is_secret, without_null
from codegen.load import Node
from codegen.signing_schemes import countersigned
from codegen.spec import (
    SIGNED,
    content,
    content_path,
    is_batch_list,
    json_schema,
    model_roles,
    operations,
    own_fields,
    parameter_field,
    parameters,
    properties,
    query_name,
    signed_base,
    source_of,
    source_of_endpoint,
    source_of_fields,
    success,
    wrappers,
)
from codegen.traces import trace


def build(root: Node, sha256: str, overlays: tuple[str, ...] = ()) -> ir.Api:
    """The whole service as one value. The tree must have passed `rules.check`."""
    nodes = [(path, method, node) for path, method, node in operations(root)]
    built = tuple(_operation(root, path, method, node) for path, method, node in nodes)
    return ir.Api(
        title=root["info"]["title"].value,
        version=root["info"]["version"].value,
        spec_sha256=sha256,
        overlays=overlays,
        api_key_header=document.api_key_header(root),
        rate_scale=root.get("x-rate-scale", 1),
        servers=tuple(document.servers(root)),
        conventions=_conventions(root),
        groups=tuple(document.groups(root, nodes)),
        enums=tuple(document.enums(root)),
        models=tuple(_models(root, nodes)),
        operations=built,
        actions=tuple(_actions(root, nodes)),
    )


def _conventions(root: Node) -> ir.Conventions:
    signed = _model(SIGNED, root["components"]["schemas"][SIGNED], "request")
    return ir.Conventions(signed_body=ir.SignedBody(members=signed.fields))


# -- operations -------------------------------------------------------------------------------


def _operation(root: Node, path: str, method: str, node: Node) -> ir.Operation:
    retry, key = _retry(node)
    return ir.Operation(
        id=node.get("operationId"),
        group=node.get("x-group"),
        method=node.get("x-method"),
        http_method="GET" if method == "get" else "POST",
        path=path,
        summary=node.get("summary").strip(),
        description=text(node),
        section=_section(node),
        source=source_of_endpoint(node),
        retry=retry,
        key=key,
        trace=trace(root, node),
        echoes=node.get("x-echo", {}),
        new_id=node.get("x-new-id"),
        statuses=tuple(sorted(int(status) for status in node["responses"].value)),
        errors=error_body(node),
        signing=_signing(node.get("x-signing-type"), node),
        params=_params(node),
        result=_result(node),
        ignores_data="x-result" in node,
        pagination=_pagination(node),
        batch=_batch(node),
        countersigned=countersigned(node),
    )


def _pagination(node: Node) -> ir.Pagination | None:
    pages = node.get("x-pagination")
    if pages is None:
        return None
    if "offset" in pages:
        return ir.Pagination(items=pages["items"], cursor=pages["offset"])
    limits = [each["schema"] for each in parameters(node) if each.get("name") == pages.get("limit")]
    return ir.Pagination(**pages, max_limit=limits[0].get("maximum") if limits else None)


def _params(node: Node) -> str | None:
    fields = own_fields(node)
    return fields.schema_name if fields else query_name(node)


def _signing(type_: str | None, node: Node) -> ir.Signing | None:
    if type_ is None:
        return None
    return ir.Signing(type=type_, source=source_of(node, "x-signing-type"))


def _retry(node: Node) -> tuple[ir.RetryClass, str | None]:
    retry = node.get("x-retry")
    return ("by-key", retry["by-key"]) if isinstance(retry, dict) else (retry, None)


def _section(node: Node) -> str | None:
    return str(node["externalDocs"]["description"].value) if "externalDocs" in node else None


def _result(node: Node) -> ir.Result | None:
    found = content(node)
    if found is None:
        return None
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
    for name, field in properties(body).items() if body else ():
        if is_batch_list(field):
            return ir.Batch(
                field=name,
                min_items=field.get("minItems", 1),
                max_items=field.get("maxItems"),
                actions=tuple(_action_model(wrapper) for wrapper in wrappers(node)),
            )
    return None


def _action_model(wrapper: Node) -> str:
    base = signed_base(wrapper["properties"]["data"])
    assert base is not None and base.schema_name is not None, "the checks demand it"
    return base.schema_name


def _actions(root: Node, nodes: list[tuple[str, str, Node]]) -> Iterator[ir.Action]:
    """The batch actions. One that is also an operation has that operation's place on the client."""
    operation_of = {_params(node): node for _, _, node in nodes}
    summaries = dict(_summaries(nodes))
    for name, schema in root["components"]["schemas"].items():
        given = schema.get("x-batch-action")
        if given is None:
            continue
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
            section=_section(place),
            source=source_of_endpoint(place),
            retry=retry,
            key=key,
            trace=trace(root, place),
            echoes=place.get("x-echo", {}),
            new_id=place.get("x-new-id"),
            standalone=name in operation_of,
        )


def _summaries(nodes: list[tuple[str, str, Node]]) -> Iterator[tuple[str, str]]:
    """The summary of each action: the description of its wrapper in a batch."""
    for _, _, node in nodes:
        for wrapper in wrappers(node):
            yield _action_model(wrapper), text(wrapper)


# -- models -----------------------------------------------------------------------------------


def _models(root: Node, nodes: list[tuple[str, str, Node]]) -> Iterator[ir.Model]:
    """Every model that operations send or receive, in the order of the spec; then the queries."""
    found, _ = model_roles(root)
    for name, role in found.items():
        yield _model(name, root["components"]["schemas"][name], role)
    for _, _, node in nodes:
        if "parameters" in node:
            yield _query(node)


def _model(name: str, schema: Node, role: ir.Role) -> ir.Model:
    required = set(schema.get("required", []))
    source = source_of_fields(schema)
    return ir.Model(
        name=name,
        description=text(schema),
        role=role,
        section=_section(schema),
        fields=tuple(
            _field(key, field, required=key in required, source=source)
            for key, field in properties(schema).items()
        ),
        exactly_one=_choice(schema, "oneOf"),
        at_least_one=_choice(schema, "anyOf"),
        source=source,
    )


def _choice(schema: Node, keyword: str) -> tuple[str, ...]:
    """The names in `oneOf: [{required: [a]}, {required: [b]}]`."""
    return tuple(name for choice in schema.get(keyword, []) for name in choice.get("required", []))


def _query(node: Node) -> ir.Model:
    name = query_name(node)
    assert name is not None, "the operation has parameters"
    source = source_of_endpoint(node)
    fields = [
        _field(
            each.get("name"),
            parameter_field(each),
            required=bool(each.get("required")),
            source=source,
        )
        for each in parameters(node)
    ]
    return ir.Model(
        name=name,
        description=f"The query of `{node.get('x-group')}.{node.get('x-method')}`.",
        role="request",
        section=_section(node),
        fields=tuple(fields),
    )


def _field(
    name: str, schema: Node, *, required: bool, source: ir.Source = "documented"
) -> ir.Field:
    inner, nullable = without_null(schema)

    def get(keyword: str) -> Any:
        return schema.get(keyword, inner.get(keyword))

    given = get("x-source")
    words = given if isinstance(given, dict) else {}
    return ir.Field(
        name=name,
        type=field_type(schema),
        required=required,
        nullable=nullable,
        description=text(schema) or text(inner),
        unit=get("x-unit"),
        source=source if words else cast(ir.Source, given or source),
        sources=words,
        x_name=get("x-name"),
        default=get("default"),
        auto=get("x-auto"),
        secret=is_secret(inner),
        pattern=get("pattern"),
        minimum=get("minimum"),
        maximum=get("maximum"),
        exclusive_minimum=get("exclusiveMinimum"),
        exclusive_maximum=get("exclusiveMaximum"),
        multiple_of=get("multipleOf"),
        min_length=get("minLength"),
        max_length=get("maxLength"),
        min_items=get("minItems"),
        max_items=get("maxItems"),
    )
