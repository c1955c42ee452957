"""Values of the IR as a reader knows them from the spec."""

from __future__ import annotations

import json
from typing import Any

import attrs

from codegen import ir

NOTHING = (None, (), "")


def was_deprecated(value: Any) -> str:
    """What is said of something that is gone."""
    return "; it was deprecated" if getattr(value, "deprecated", False) else ""


def shown(value: Any) -> str:
    """A value as a reader knows it from the spec."""
    if isinstance(value, ir.Type):
        return _type_shown(value)
    if isinstance(value, ir.Result):
        return _type_shown(attrs.evolve(value.type, nullable=value.nullable))
    if isinstance(value, ir.Signing):
        return json.dumps(value.type)
    if isinstance(value, dict | tuple) or attrs.has(type(value)):
        return _on_one_line(value) or "none"
    return "none" if value in NOTHING else json.dumps(value, ensure_ascii=False)


def _on_one_line(value: Any) -> str:
    """An object or a list in the form that YAML has on one line. What says nothing is left out."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_on_one_line, value))}]" if value else ""
    if attrs.has(type(value)):
        value = {each.name: getattr(value, each.name) for each in attrs.fields(type(value))}
    if not isinstance(value, dict):
        return "" if value is None else str(value)
    parts = {name: _on_one_line(each) for name, each in value.items()}
    told = ", ".join(f"{name}: {text}" for name, text in parts.items() if text)
    return f"{{{told}}}" if told else ""


def _type_shown(type_: ir.Type) -> str:
    text = type_.name or type_.kind
    text += (" of 32 bits" if type_.bits else "") + (" as text" if type_.as_text else "")
    if type_.held:
        text += f" of {', '.join(map(_type_shown, type_.held))}"
    return (
        text + (f" ({type_.unit})" if type_.unit else "") + (" or null" if type_.nullable else "")
    )
