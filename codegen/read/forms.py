"""What does not fit a form, which is a JSON Schema whose titles say what must be written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator, validators

from codegen.ir.words import Form
from codegen.read.load import Problem, escaped

_INTEGERS = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, each: type(each) is int)
"""1.0 is an integer to JSON Schema, and none to YAML and Python."""
_Validator: Any = validators.extend(Draft202012Validator, type_checker=_INTEGERS)  # type: ignore[no-untyped-call]


def validator(form: Form) -> Any:
    """What checks a value by a form."""
    return _Validator(form)


def told(error: Any, pointer: str, name: str, value: str) -> Iterator[Problem]:
    """What to write instead. `name` is what has the form, `value` what it must be as a whole."""
    at = pointer + "".join(f"/{escaped(step)}" for step in error.absolute_path)
    if error.validator == "required":
        for key in error.validator_value:
            if key not in error.instance:
                yield Problem(at, f"must have the key {key}")
    elif error.validator == "additionalProperties":
        known = error.schema["properties"]
        advice = f"is not a key of {name}; write {', '.join(known)}, or leave it out"
        for key in (key for key in error.instance if key not in known):
            yield Problem(f"{at}/{escaped(key)}", advice)
    else:
        needed = error.schema["title"] if error.absolute_path else value
        is_plain = not isinstance(error.instance, dict | list)
        yield Problem(at, f"must be {needed}" + f", not {error.instance!r}" * is_plain)
