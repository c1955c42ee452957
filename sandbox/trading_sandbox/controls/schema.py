"""The controls as JSON: arguments and results there and back, and the schema of all of them."""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Union, get_args, get_origin, get_type_hints
from uuid import UUID

import attrs
import cattrs

from trading_runtime import UNSET, Keypair
from trading_sandbox.controls.declared import CONTROLS
from trading_sandbox.controls.definition import Argument, Control
from trading_sandbox.faults import FRAMES, KINDS, REQUIRED, Fault, Kind, as_json

Schema = dict[str, Any]

_OUTCOMES = {
    "N": "the request was certainly not sent or not executed",
    "U": "a GET may be sent again; of anything else the outcome is unknown",
    "D": "the answer cannot be used; of what is no GET the outcome is unknown",
    "R": "the service refused the request",
    "success": "the answer is to be taken",
}
_PLAIN: Mapping[Any, Schema] = {
    type(None): {"type": "null"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    Decimal: {"type": "string", "format": "decimal"},
    Any: {},
    # Which options a fault has depends on its kind.
    Fault: {"type": "object", "required": ["operation", "kind", "times", "executed"]},
    Keypair: {
        "type": "object",
        "required": ["address", "private_key"],
        "properties": {"address": {"type": "string"}, "private_key": {"type": "string"}},
    },
}


def schema(operations: Iterable[str]) -> Schema:
    """Return what the controls take and return, and what each kind of fault does.

    Args:
        operations: The names of the operations that faults can be injected into.
    """
    controls = {name: _control(each) for name, each in CONTROLS.items()}
    inject = controls["faults.inject"]["arguments"]["properties"]
    inject["operation"]["enum"] = ["*", *operations]
    return {
        "controls": controls,
        "faults": {name: _fault(each) for name, each in {**KINDS, **FRAMES}.items()},
        "outcomes": _OUTCOMES,
    }


def _control(control: Control) -> Schema:
    return {
        "description": control.text,
        "group": control.group or "Sandbox",
        "arguments": {
            "type": "object",
            "properties": {each.name: _argument(each) for each in control.arguments},
            "required": [each.name for each in control.arguments if each.default is REQUIRED],
            "additionalProperties": False,
        },
        "result": _result(control.result),
    }


def _argument(argument: Argument) -> Schema:
    found: Schema = dict(argument.type.schema)
    if argument.nullable:
        found = {"anyOf": [found, {"type": "null"}]}
    return _described(found, argument, argument.default)


def _described(found: Schema, argument: Argument, default: Any) -> Schema:
    found["description"] = argument.text
    if default not in (REQUIRED, UNSET):
        found["default"] = to_json_value(default)
    return found


def _result(type_: Any) -> Schema:
    """Return the schema of the JSON that a value of a type is sent as."""
    if type_ in _PLAIN:
        return _PLAIN[type_]
    origin, inner = get_origin(type_), get_args(type_)
    if origin in (Union, types.UnionType):
        return {"anyOf": [_result(each) for each in inner]}
    if attrs.has(type_):
        fields = get_type_hints(type_)
        return {
            "type": "object",
            "required": list(fields),
            "properties": {name: _result(each) for name, each in fields.items()},
        }
    if issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _result(inner[1])}
    assert issubclass(origin, Sequence)
    return {"type": "array", "items": _result(inner[0])}


def _fault(kind: Kind) -> Schema:
    arguments = {each.name: each for each in CONTROLS["faults.inject"].arguments}
    return {
        "description": kind.meaning,
        "outcome": {"GET": kind.outcome, "POST": kind.outcome_of_post or kind.outcome},
        "executed": kind.executed,
        "applies_to": kind.meets,
        "needs": kind.needs,
        "options": {
            "type": "object",
            "properties": {name: _option(kind, arguments[name]) for name in kind.options},
            "required": [n for n, default in kind.options.items() if default is REQUIRED],
            "additionalProperties": False,
        },
    }


def _option(kind: Kind, argument: Argument) -> Schema:
    found: Schema = dict(argument.type.schema)
    if argument.name in kind.choices:
        found["enum"] = list(kind.choices[argument.name])
    if argument.name == "size":
        found["maximum"] = min(found["maximum"], kind.largest_size)
    default = kind.options[argument.name]
    return _described(found, argument, UNSET if default is None else default)


# -- values -----------------------------------------------------------------------------------------


def to_json_value(value: Any) -> Any:
    """Return an argument or a result of a control as JSON values; money is a string."""
    return _CONVERTER.unstructure(value)


def from_json_value(value: Any, type_: Any) -> Any:
    """Return the result of a control, of the type that it has in Python."""
    return value if type_ is type(None) else _CONVERTER.structure(value, type_)


def _key_pair(key: Keypair) -> dict[str, str]:
    return {"address": key.address, "private_key": key.export_base58()}


def _converter() -> cattrs.Converter:
    made = cattrs.Converter()
    made.register_unstructure_hook(Decimal, lambda number: format(number, "f"))
    made.register_unstructure_hook(UUID, str)
    made.register_unstructure_hook(bytes, bytes.decode)
    made.register_unstructure_hook(Keypair, _key_pair)
    made.register_unstructure_hook(Fault, as_json)
    made.register_structure_hook(Decimal, lambda text, _: Decimal(text))
    made.register_structure_hook(Keypair, lambda pair, _: Keypair.from_base58(pair["private_key"]))
    made.register_structure_hook(bytes, lambda text, _: text.encode())
    return made


_CONVERTER = _converter()
