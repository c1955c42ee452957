"""What a spec may say beside OpenAPI, as data: `dialect.yaml`, a JSON Schema with the advice beside each rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from attrs import frozen
from jsonschema import Draft202012Validator, validators

from codegen.read.load import Problem, escaped

Form = dict[str, Any]
"""A JSON Schema. Its titles say what must be written."""

DIALECT: Form = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
TEXTS: Mapping[str, str] = DIALECT["texts"]
"""What many pieces of advice end with, or name."""


@frozen
class Word:
    """An x- word of the spec."""

    name: str
    becomes: Mapping[str, str]
    """Members of the IR, like `Field.unit`, and where the word stands that becomes them."""
    form: Form
    """Of its value."""

    @property
    def on(self) -> str:
        """Where it stands, as its refusal elsewhere says."""
        return " or on ".join(self.becomes.values())


WORDS = {name: Word(name, form["x-becomes"], form) for name, form in DIALECT["words"].items()}


def advice(given: str, value: object = "") -> str:
    """A piece of advice, whole: with what stands there, and with the texts that several have."""
    for name, text in {**TEXTS, "value": repr(value), "text": str(value)}.items():
        given = given.replace(f"{{{name}}}", text)
    return given


_KEYWORDS: dict[str, Any] = DIALECT["keywords"]
ADVICE = {
    name: advice(rule if isinstance(rule, str) else rule["x-advice"])
    for name, rule in _KEYWORDS.items()
}
"""What to write instead of a word of JSON Schema or OpenAPI that has no effect."""
ACTING: dict[str, tuple[str, ...]] = {
    name: tuple(rule["of"]) for name, rule in _KEYWORDS.items() if not isinstance(rule, str)
}
"""The limits and the default, with the types of field that each acts on. Elsewhere nothing reads them."""

SAY_IT, LEARN = TEXTS["say-it"], TEXTS["learn"]


# -- what does not fit ------------------------------------------------------------------------------


_INTEGERS = Draft202012Validator.TYPE_CHECKER.redefine(
    "integer", lambda _, value: type(value) is int
)
"""1.0 is an integer to JSON Schema, and none to YAML and Python."""
_Validator: Any = validators.extend(Draft202012Validator, type_checker=_INTEGERS)  # type: ignore[no-untyped-call]


def validator(form: Form) -> Any:
    """What checks a value by a form."""
    return _Validator({**form, "$defs": DIALECT["$defs"], "words": DIALECT["words"]})


def misfit(error: Any, pointer: str, name: str, value: str) -> Iterator[Problem]:
    """What to write instead. `name` is what has the form, `value` what it must be as a whole."""
    at = pointer + "".join(f"/{escaped(step)}" for step in error.absolute_path)
    if error.validator == "required":
        for key in error.validator_value:
            if key not in error.instance:
                yield Problem(at, f"must have the key {key}")
    elif error.validator == "additionalProperties":
        known = error.schema["properties"]
        instead = f"is not a key of {name}; write {', '.join(known)}, or leave it out"
        for key in (key for key in error.instance if key not in known):
            yield Problem(f"{at}/{escaped(key)}", instead)
    else:
        needed = error.schema["title"] if error.absolute_path else value
        is_plain = not isinstance(error.instance, dict | list)
        yield Problem(at, f"must be {needed}" + f", not {error.instance!r}" * is_plain)
