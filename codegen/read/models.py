"""From the schemas of a checked spec to the models of the IR, those of parameters among them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from attrs import evolve

from codegen import ir
from codegen.dialect import ACTING
from codegen.read import classes
from codegen.read.load import Node
from codegen.read.operations import (
    batch_actions,
    operations,
    own_fields,
    parameter_field,
    parameter_name,
    parameters,
    params,
    query_name,
    section,
    source_of_endpoint,
    source_of_fields,
    text,
)
from codegen.read.schemas import (
    has_unit,
    is_secret,
    known_type,
    own_properties,
    parts,
    properties,
    required,
    without_null,
)

FILLED = {"uuid": "uuid", "account": "string"}
"""The type of field that the client can fill in, by the value of x-auto."""


def models(root: Node, nodes: list[tuple[str, str, Node]]) -> Iterator[ir.Model]:
    """Every model that operations send or receive, in the order of the spec; then the queries."""
    found = classes.models(root)
    whole = [model(name, each.node, each.role) for name, each in found.items()]
    queries = [_query(node) for _, _, node in nodes if parameters(node)]
    # The fields of a body that has parameters beside it stand in the model of both.
    held = {
        each.schema_name for _, _, node in nodes if parameters(node) and (each := own_fields(node))
    }
    types = [field.type for each in [*whole, *queries] for field in each.fields]
    used = {part.name for type_ in types for part in type_.parts()}
    used |= {params(node) for _, _, node in nodes}
    used |= {each.schema_name for each in batch_actions(root)}
    used -= {each.name for each in queries}
    yield from (each for each in whole if each.name in used or each.name not in held)
    yield from queries


Schemas = Mapping[str, Mapping[str, Any]]
"""The schema of each class, by its name."""


def schemas(root: Node) -> Schemas:
    """The schema of every enum and model, made of the nodes of the spec as they stand, as far as they decide types.

    An object has all its fields, also those of its parts; a query has those of its parameters.
    """
    found: dict[str, Mapping[str, Any]] = {
        name: {word: node.value[word] for word in ("type", "enum")}
        for name, node in classes.enums(root).items()
    }
    for name, each in classes.models(root).items():
        found[name] = _object(properties(each.node.quiet), required(each.node.quiet))
    for _, _, node in operations(root):
        if (query := query_name(node)) is not None:
            given = [each.quiet for each in parameters(node)]
            own = own_fields(node)
            fields = {**properties(own.quiet)} if own else {}
            fields |= {parameter_name(each): parameter_field(each) for each in given}
            needed = required(own.quiet) if own else set()
            needed |= {parameter_name(each) for each in given if each.get("required")}
            found[query] = _object(fields, needed)
    return found


def _object(fields: Mapping[str, Node], needed: set[str]) -> dict[str, Any]:
    given = {name: _as_it_stands(field) for name, field in fields.items()}
    return {
        "type": "object",
        "properties": given,
        "required": [name for name in given if name in needed],
    }


DECIDES = ("type", "format", "enum", "items", "prefixItems", "oneOf", "anyOf")
"""The words of a schema that decide a type. Others are not handed on: `$id` would have files read."""


def _as_it_stands(schema: Node) -> Any:
    """The schema of a field. A reference stays one if it leads to a class; any other is followed."""
    type_ = known_type(schema)
    if type_ and type_.name and type_.name == schema.schema_name:
        return {"$ref": schema.pointer}
    value = {word: schema.value[word] for word in DECIDES if word in schema.value}
    if type_ and type_.format:
        del value["format"]  # it says no other type
    if "items" in value:
        value["items"] = _as_it_stands(schema["items"])
    for word in ("prefixItems", "oneOf", "anyOf"):
        if word in value:
            value[word] = [_as_it_stands(each) for each in schema.each(word)]
    if "prefixItems" in value:  # a tuple, for datamodel-code-generator, has exactly so many items
        value["minItems"] = value["maxItems"] = len(value["prefixItems"])
    return value


def model(name: str, schema: Node, role: ir.Role) -> ir.Model:
    """The model of an object schema."""
    sent = schema if role == "request" else schema.quiet  # only requests are checked for these
    always = required(schema)
    sources: dict[str, ir.Source] = {
        key: source_of_fields(part) for part in parts(schema) for key in own_properties(part)
    }
    return ir.Model(
        name=name,
        description=text(schema),
        role=role,
        section=section(schema),
        fields=tuple(
            _field(key, field, required=key in always, source=sources[key], role=role)
            for key, field in properties(schema).items()
        ),
        exactly_one=_choice(sent, "oneOf"),
        at_least_one=_choice(sent, "anyOf"),
        source=source_of_fields(schema),
    )


def _choice(schema: Node, keyword: str) -> tuple[str, ...]:
    """The names in `oneOf: [{required: [a]}, {required: [b]}]`."""
    choices = [choice for part in parts(schema) for choice in part.get(keyword, [])]
    return tuple(name for choice in choices for name in choice.get("required", []))


def _query(node: Node) -> ir.Model:
    name = query_name(node)
    assert name is not None, "the operation has parameters"
    source, cursor = source_of_endpoint(node), node.get("x-pagination", {}).get("cursor")
    fields = [
        _field(
            parameter_name(each),
            parameter_field(each),
            required=bool(each.get("required")),
            source=source,
            role="request",
            cursor=each.get("name") == cursor,
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
    shared = own.schema_name if own.schema_name != name else None
    both = (*body.fields, *query.fields)
    return evolve(body, section=query.section, fields=both, body=shared)


def _field(
    name: str,
    schema: Node,
    *,
    required: bool,
    source: ir.Source,
    role: ir.Role,
    cursor: bool = False,
) -> ir.Field:
    inner, nullable = without_null(schema)
    # The rules have refused a type that is not known. The other words of its schema are read nevertheless.
    type_ = known_type(schema) or ir.Type(kind="json")
    own = [_own_words(each, type_) for each in (schema, inner)]
    acting = {"x-name", "deprecated", *(_sent(type_) if role == "request" else ())}
    auto = next((each.value["x-auto"] for each in own if "x-auto" in each), "")
    if FILLED.get(auto) == type_.kind and not (auto == "uuid" and nullable):
        acting |= {"x-auto"} if role == "request" else set()
    acting |= {"x-unit"} if has_unit(type_) else set()
    acting |= {"x-not-before"} & schema.beside.keys()

    def get(word: str) -> Any:
        """A word of the field. One that has no effect on such a field is only looked at."""
        asked = own if word in acting else [each.quiet for each in own]
        return next((found for each in asked if (found := each.get(word)) is not None), None)

    given = schema.get("x-source", inner.get("x-source"))
    sources = given if isinstance(given, dict) else {}
    return ir.Field(
        name=name,
        type=type_,
        required=required,
        # Null is JSON, too. In an answer it is what its type allows anyhow.
        nullable=nullable or (type_.kind == "json" and role == "request"),
        description=text(schema) or text(inner),
        unit=get("x-unit"),
        source=source if sources else cast(ir.Source, given or source),
        sources=sources,
        x_name=get("x-name"),
        deprecated=bool(get("deprecated")),
        default=get("default"),
        auto=get("x-auto"),
        cursor=cursor,
        not_before=get("x-not-before"),
        secret=is_secret(inner),
        pattern=get("pattern"),
        minimum=get("minimum"),
        maximum=get("maximum"),
        min_length=get("minLength"),
        max_length=get("maxLength"),
        min_items=get("minItems"),
        max_items=get("maxItems"),
    )


def _sent(type_: ir.Type) -> Iterator[str]:
    """What the SDK checks of a field of a request before it sends it, or the docs say of it."""
    return (word for word, kinds in ACTING.items() if type_.kind in kinds)


def _own_words(schema: Node, type_: ir.Type) -> Node:
    """What a field says itself. What an enum or a model says that it refers to is said of the class."""
    if type_.name is None or not schema.references:
        return schema
    own = {word: schema.value[word] for word in schema.beside if word in schema.value}
    return evolve(schema, value=own, pointer=schema.references[0])
