"""From the checked tree of a spec to the intermediate representation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from codegen import ir
from codegen.field_types import field_type, without_null
from codegen.load import Node
from codegen.spec import (
    content,
    is_batch_list,
    json_schema,
    model_roles,
    operations,
    own_fields,
    parameter_field,
    properties,
    query_name,
    signed_base,
    wrappers,
)


def build(root: Node, sha256: str) -> ir.Api:
    """The whole service as one value. The tree must have passed the checks."""
    nodes = [(path, method, node) for path, method, node in operations(root)]
    built = tuple(_operation(root, path, method, node) for path, method, node in nodes)
    return ir.Api(
        title=root["info"]["title"].value,
        version=root["info"]["version"].value,
        spec_sha256=sha256,
        api_key_header=_api_key_header(root),
        rate_scale=root.get("x-rate-scale", 1),
        groups=tuple(_groups(root, nodes)),
        enums=tuple(_enums(root)),
        models=tuple(_models(root, nodes)),
        operations=built,
        actions=tuple(_actions(root, nodes)),
    )


def _api_key_header(root: Node) -> str | None:
    schemes = root["components"].child("securitySchemes")
    names = [scheme.get("name") for _, scheme in schemes.items()] if schemes else []
    return names[0] if names else None


def _groups(root: Node, nodes: list[tuple[str, str, Node]]) -> Iterator[ir.Group]:
    tags = {tag["name"]: tag for tag in root["tags"].value}
    titles = {node.get("x-group"): node.get("tags")[0] for _, _, node in nodes}
    for name, title in titles.items():
        description = tags[title].get("description", title)
        yield ir.Group(name=name, title=title, description=description.strip())


def _enums(root: Node) -> Iterator[ir.Enum]:
    for name, schema in root["components"]["schemas"].items():
        if "enum" in schema:
            yield ir.Enum(
                name=name,
                description=_text(schema),
                values=tuple(schema.get("enum")),
            )


# -- operations -------------------------------------------------------------------------------


def _operation(root: Node, path: str, method: str, node: Node) -> ir.Operation:
    pages = node.get("x-pagination")
    retry, key = _retry(node)
    return ir.Operation(
        id=node.get("operationId"),
        group=node.get("x-group"),
        method=node.get("x-method"),
        http_method="GET" if method == "get" else "POST",
        path=path,
        summary=node.get("summary").strip(),
        description=_text(node),
        section=_section(node),
        retry=retry,
        key=key,
        trace=_trace(root, node),
        statuses=tuple(sorted(int(status) for status in node["responses"].value)),
        signing=_signing(node.get("x-signing-type"), node),
        params=_params(node),
        result=_result(node),
        pagination=ir.Pagination(**pages) if pages else None,
        batch=_batch(node),
    )


def _params(node: Node) -> str | None:
    fields = own_fields(node)
    if fields is not None:
        return fields.schema_name
    return query_name(node)


def _signing(type_: str | None, node: Node) -> ir.Signing | None:
    return None if type_ is None else ir.Signing(type=type_, source=node.get("x-source"))


def _retry(node: Node) -> tuple[ir.RetryClass, str | None]:
    retry = node.get("x-retry")
    return ("by-key", retry["by-key"]) if isinstance(retry, dict) else (retry, None)


def _trace(root: Node, node: Node) -> ir.Trace | None:
    word = node.get("x-reconcile")
    if word is None:
        return None
    places = {
        each.get("operationId"): f"{each.get('x-group')}.{each.get('x-method')}"
        for _, _, each in operations(root)
    }
    return ir.Trace(
        lists=tuple(places[name] for name in word["lists"]),
        made_at=word["made_at"],
        id=word.get("id"),
        agrees=word.get("agrees", {}),
        at_most=word.get("at_most", {}),
        target=_target(word["target"]) if "target" in word else None,
    )


def _target(word: dict[str, Any]) -> ir.Target:
    return ir.Target(**{**word, "inherits": tuple(word.get("inherits", ()))})


def _section(node: Node) -> str:
    return str(node["externalDocs"]["description"].value)


def _result(node: Node) -> ir.Result | None:
    found = content(node)
    if found is None:
        return None
    said = _text(node["responses"]["200"])
    if "x-pagination" in node:
        said = "The records. Iterating over them fetches page after page."
    elif found.key is None:
        said = _text(found.schema) or said
    return ir.Result(type=found.type, description=said, key=found.key)


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
    """The batch actions; one that is an operation of its own, too, stands where that one does."""
    alone = {_params(node): node for _, _, node in nodes}
    summaries = dict(_summaries(nodes))
    for name, schema in root["components"]["schemas"].items():
        word = schema.get("x-batch-action")
        if word is None:
            continue
        place = alone.get(name, schema)
        retry, key = _retry(place)
        yield ir.Action(
            group=place.get("x-group"),
            method=place.get("x-method"),
            type=word["type"],
            signing=ir.Signing(
                type=word["signing-type"], source=place.get("x-source", "documented")
            ),
            model=name,
            summary=summaries[name],
            description=_text(schema),
            section=_section(place),
            retry=retry,
            key=key,
            trace=_trace(root, place),
            standalone=name in alone,
        )


def _summaries(nodes: list[tuple[str, str, Node]]) -> Iterator[tuple[str, str]]:
    """What each action does, in the words of its wrapper in a batch."""
    for _, _, node in nodes:
        for wrapper in wrappers(node):
            yield _action_model(wrapper), _text(wrapper)


# -- models -----------------------------------------------------------------------------------


def _models(root: Node, nodes: list[tuple[str, str, Node]]) -> Iterator[ir.Model]:
    """Every model that the operations reach, in the order of the spec; then the queries."""
    found, _ = model_roles(root)
    for name, role in found.items():
        yield _model(name, root["components"]["schemas"][name], role)
    for _, _, node in nodes:
        if "parameters" in node:
            yield _query(node)


def _model(name: str, schema: Node, role: ir.Role) -> ir.Model:
    required = set(schema.get("required", []))
    return ir.Model(
        name=name,
        description=_text(schema),
        role=role,
        section=_section(schema) if "externalDocs" in schema else None,
        fields=tuple(
            _field(key, field, required=key in required)
            for key, field in properties(schema).items()
        ),
        exactly_one=_choice(schema, "oneOf"),
        at_least_one=_choice(schema, "anyOf"),
    )


def _choice(schema: Node, word: str) -> tuple[str, ...]:
    """The names of `oneOf: [{required: [a]}, {required: [b]}]`."""
    return tuple(name for choice in schema.get(word, []) for name in choice.get("required", []))


def _query(node: Node) -> ir.Model:
    name = query_name(node)
    assert name is not None, "the operation has parameters"
    fields = []
    for parameter in node["parameters"].elements():
        required = bool(parameter.get("required"))
        field = parameter_field(parameter)
        fields.append(_field(parameter.get("name"), field, required=required))
    return ir.Model(
        name=name,
        description=f"The query of `{node.get('x-group')}.{node.get('x-method')}`.",
        role="request",
        section=_section(node),
        fields=tuple(fields),
    )


def _field(name: str, schema: Node, *, required: bool) -> ir.Field:
    inner, nullable = without_null(schema)

    def say(word: str) -> Any:
        return schema.get(word, inner.get(word))

    return ir.Field(
        name=name,
        type=field_type(schema),
        required=required,
        nullable=nullable,
        description=_text(schema) or _text(inner),
        unit=say("x-unit"),
        source=say("x-source") or "documented",
        default=say("default"),
        auto=say("x-auto"),
        secret="password" in (inner.get("format"), inner.get("items", {}).get("format")),
        pattern=say("pattern"),
        minimum=say("minimum"),
        maximum=say("maximum"),
        min_length=say("minLength"),
        min_items=say("minItems"),
        max_items=say("maxItems"),
    )


def _text(node: Node) -> str:
    return str(node.get("description") or "").strip()
