"""Rules on parameters: where they stand, how they are written there, and what values they have."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.dialect import LEARN
from codegen.read.load import Node, Problem
from codegen.read.operations import (
    operations,
    own_fields,
    parameter_field,
    parameter_name,
    parameters,
    wrappers,
)
from codegen.read.schemas import is_secret, known_type, properties, without_null
from codegen.rules import names
from codegen.rules.requests import sent
from codegen.rules.schemas import problems_of_field

TWICE = (
    "two fields of one name are one argument; leave one of them out if the service does, else leave the operation out,"
    f" {LEARN}"
)
IN_PATH = "give the parameter in the path an x-name"

NO_TEXT = {"list", "tuple", "model", "json"}
"""The types whose values are no single text, which a URL could hold."""


def _parameters(root: Node) -> Iterator[Problem]:
    """Every parameter has a place, a name and a value of its own, and is written in the default style."""
    taken = names.taken_by_fields(root)
    for _, _, node in operations(root):
        own = own_fields(node)
        held = {**(properties(own) if own else {})}
        for parameter in parameters(node):
            if (name := parameter_name(parameter)) in held:
                both = held[name].get("in"), parameter.get("in")
                advice = IN_PATH if "path" in both else TWICE
                yield Problem(parameter.pointer, f"the operation has {name!r} twice; {advice}")
            held[name] = parameter
            yield from names.field(parameter.pointer, name, parameter.get("x-name"), taken)
            if isinstance(parameter.get("schema"), dict):
                yield from _value(name, parameter)
        yield from names.fields(held)
        if parameters(node) and wrappers(node):
            told = (
                "a batch has no parameters, which no action of it would have signed; write fields of its actions"
                " instead, or let a transport add a header that every request has"
            )
            yield Problem(node.pointer, told)
        yield from _order(node)


def _order(node: Node) -> Iterator[Problem]:
    """A moment that may not be before another one names it."""
    given = parameters(node)
    times = [parameter_name(each) for each in given if _is_moment(each.get("schema"))]
    for parameter in given:
        earlier, own = parameter.get("x-not-before"), parameter_name(parameter)
        is_range = own in times and earlier in times and own != earlier
        if "x-not-before" in parameter and not is_range:
            told = "must stand on a moment in ms, and name another one of the same operation"
            yield Problem(f"{parameter.pointer}/x-not-before", told)


def _is_moment(schema: object) -> bool:
    moment = {"type": "integer", "x-unit": "ms"}
    return isinstance(schema, dict) and moment.items() <= schema.items()


def _value(name: str, parameter: Node) -> Iterator[Problem]:
    """A parameter is a value that can be converted and checked; in a query also a list."""
    field = parameter_field(parameter)
    if parameter.get("in") != "header" and is_secret(parameter["schema"]):
        advice = "a secret in a URL is logged wherever the request passes, whatever its format; send it in a body, or"
        yield Problem(f"{parameter.pointer}/schema", f"{advice} leave the operation out")
    yield from problems_of_field(name, field, parameter.pointer)
    yield from sent(field, parameter.pointer, required=bool(parameter.get("required")))
    type_, is_nullable = known_type(field), without_null(field)[1]
    one = type_.items if type_ and type_.items and type_.kind == "list" else type_
    if one and (one.kind in NO_TEXT or one.nullable or is_nullable):
        advice = "a parameter is a single value or a list of them, and no null"
        yield Problem(parameter.pointer, advice)
    elif one is not type_ and parameter.get("in") != "query":
        yield Problem(parameter.pointer, "only a query has lists")


RULES = (_parameters,)
