"""The JSON Schema of the IR, made from its classes: `python -m codegen ir --schema`."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import attrs

from codegen import ir

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SCALARS: dict[Any, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    NoneType: "null",
}


def schema() -> dict[str, Any]:
    """The schema of what `python -m codegen ir` prints. Every member is there, null where it is unset."""
    found: dict[str, Any] = {}
    _class(ir.Api, found)
    api = found.pop(ir.Api.__name__)
    return {"$schema": DIALECT, "title": "IR of a trading service", **api, "$defs": found}


def _class(class_: type[Any], found: dict[str, Any]) -> dict[str, Any]:
    """A reference to the definition of a class, which is added if it is not there."""
    if class_.__name__ not in found:
        found[class_.__name__] = {}  # classes may hold each other
        hints, texts = get_type_hints(class_), docstrings(class_)
        names = [each.name for each in attrs.fields(class_)]
        found[class_.__name__] = {
            "description": _line(class_.__doc__ or ""),
            "type": "object",
            "properties": {name: _described(hints[name], texts.get(name), found) for name in names},
            "required": names,
            "additionalProperties": False,
        }
    return {"$ref": f"#/$defs/{class_.__name__}"}


def _described(hint: Any, text: str | None, found: dict[str, Any]) -> dict[str, Any]:
    return {**({"description": text} if text else {}), **_type(hint, found)}


def _type(hint: Any, found: dict[str, Any]) -> dict[str, Any]:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": _values(arguments)}
    if origin in (Union, UnionType):
        return _union(arguments, found)
    if origin is tuple:
        return {"type": "array", "items": _type(arguments[0], found)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _type(arguments[1], found)}
    if attrs.has(hint):
        return _class(hint, found)
    return {"type": _SCALARS[hint]}


def _union(members: tuple[Any, ...], found: dict[str, Any]) -> dict[str, Any]:
    if all(member in _SCALARS for member in members):
        return {"type": [_SCALARS[member] for member in members]}
    return {"anyOf": [_type(member, found) for member in members]}


def _values(arguments: tuple[Any, ...]) -> list[Any]:
    """The values of a literal; one literal may stand within another."""
    nested = (
        _values(get_args(each)) if get_origin(each) is Literal else [each] for each in arguments
    )
    return [value for values in nested for value in values]


def docstrings(class_: type[Any]) -> dict[str, str]:
    """The text below each member, in a class and in those that it extends."""
    found: dict[str, str] = {}
    for each in reversed(class_.__mro__):
        if attrs.has(each):
            body = _classes(each.__module__)[each.__name__].body
            for member, below in pairwise(body):
                match member, below:
                    case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(
                        value=ast.Constant(value=str(text))
                    ):
                        found[name] = _line(text)
    return found


@cache
def _classes(module: str) -> Mapping[str, ast.ClassDef]:
    """The classes of a module, as they are written."""
    written = ast.parse(inspect.getsource(sys.modules[module])).body
    return {each.name: each for each in written if isinstance(each, ast.ClassDef)}


def _line(text: str) -> str:
    return " ".join(text.split())
