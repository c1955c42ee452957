"""From the schemas of a checked spec to the models of the IR, those of parameters among them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from attrs import evolve

from codegen import ir
from codegen.document import text
from codegen.field_types import field_type, is_secret, without_null
from codegen.load import Node
from codegen.parameters import parameter_field, parameter_name, parameters, params, query_name
from codegen.spec import (
    model_roles,
    own_fields,
    properties,
    section,
    source_of_endpoint,
    source_of_fields,
)


def models(root: Node, nodes: list[tuple[str, str, Node]]) -> Iterator[ir.Model]:
    """Every model that operations send or receive, in the order of the spec; then the queries."""
    found, _ = model_roles(root)
    whole = [model(name, root["components"]["schemas"][name], role) for name, role in found.items()]
    queries = [_query(node) for _, _, node in nodes if parameters(node)]
    # The fields of a body that has parameters beside it stand in the model of both.
    held = {
        each.schema_name for _, _, node in nodes if parameters(node) and (each := own_fields(node))
    }
    types = [field.type for each in [*whole, *queries] for field in each.fields]
    used = {part.name for type_ in types for part in type_.parts()}
    used |= {params(node) for _, _, node in nodes}
    yield from (each for each in whole if each.name in used or each.name not in held)
    yield from queries


def model(name: str, schema: Node, role: ir.Role) -> ir.Model:
    """The model of a component schema."""
    required = set(schema.get("required", []))
    source = source_of_fields(schema)
    return ir.Model(
        name=name,
        description=text(schema),
        role=role,
        section=section(schema),
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
            parameter_name(each),
            parameter_field(each),
            required=bool(each.get("required")),
            source=source,
        )
        for each in parameters(node)
    ]
    query = ir.Model(
        name=name,
        description=f"The query of `{node.get('x-group')}.{node.get('x-method')}`.",
        role="request",
        section=section(node),
        fields=tuple(fields),
    )
    if (own := own_fields(node)) is None:
        return query
    body = model(name, own, "request")
    return evolve(body, section=query.section, fields=(*body.fields, *query.fields))


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
        deprecated=bool(get("deprecated")),
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
