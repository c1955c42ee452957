"""The types of the generated models, which datamodel-code-generator reads in the spec, beside those of the IR."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from codegen import ir
from codegen.python import models, syntax
from codegen.read.models import Schemas
from tests.codegen.specs import SECOND, SMALL, observed, read, shipped, tree

SPECS: dict[str, Callable[[], tuple[ir.Api, Schemas]]] = {"shipped": shipped, "observed": observed}
SPECS |= {path.parent.name: partial(read, tree(path)) for path in (SMALL, SECOND)}


def attributes(class_: str) -> Iterator[tuple[str, str]]:
    """The attributes of a class with their types, in the order in which they stand."""
    for each in ast.walk(ast.parse(class_)):
        if isinstance(each, ast.AnnAssign):
            yield ast.unparse(each.target), ast.unparse(each.annotation)


def expected(field: ir.Field, role: ir.Role) -> str:
    """The type of a field by the IR, which the generators of other languages read."""
    type_ = syntax.annotation(field.type, role)
    if field.cursor:
        return f"{type_} | Unset"
    if role == "request" and field.nullable and not field.required and not field.auto:
        return f"{type_} | Unset | None"
    is_there = field.required or (role == "response" and field.type.kind == "list")
    return type_ + (" | None" if field.nullable or not is_there else "")


@pytest.mark.parametrize("name", SPECS)
def test_the_schemas_and_the_ir_say_the_same_types(name: str) -> None:
    api, handed = SPECS[name]()
    made = models.classes(api, handed)

    assert made.keys() == api.types.keys()
    for model in api.models:
        types = {syntax.name_of(field): expected(field, model.role) for field in model.fields}
        assert dict(attributes(made[model.name])) == types, model.name
