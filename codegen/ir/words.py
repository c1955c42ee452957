"""The words of the spec, declared once each, on the member of the IR that it becomes: `field(metadata=word(...))`.

The rules refuse another form, and advise where a word stands; the table of spec/words.md, where the docstring of the
member says what it means, and the words of the fuzz of the spec are made of the same declarations. Words of JSON Schema
and OpenAPI are declared there, too: `field(metadata=keyword(...))` says what to write where they have no effect.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs
from attrs import frozen

SAY_IT = "leave it out, or say it in the description"
CHECKED = f"the SDK checks it of a field that it sends and that is {{}}, and of nothing else, also of no item; {SAY_IT}"
CHOICE = "a choice of required fields belongs on a model of a request; what may be null is oneOf of it and null, once"
MESSAGE = "an operation, or the schema of an action that only batches offer"

Form = dict[str, Any]
"""A JSON Schema. Its titles say what must be written."""

TEXT: Form = {"type": "string", "minLength": 1, "title": "a text"}
FIELD: Form = {"type": "string", "title": "the name of a field"}
IDENTIFIER: Form = {"type": "string", "pattern": r"^[^\W\d]\w*\Z", "title": "an identifier"}
SNAKE_CASE: Form = {
    "type": "string",
    "pattern": r"^[a-z][a-z0-9_]*\Z",
    "title": "a name in snake_case",
}
FIELDS: Form = {
    "type": "array",
    "items": {"type": "string", "title": "a name"},
    "minItems": 1,
    "title": "a list of names",
}
PAIRS: Form = {
    "type": "object",
    "minProperties": 1,
    "additionalProperties": FIELD,
    "title": "a mapping of fields to fields",
}
SOURCE: Form = {
    "enum": ["documented", "observed", "assumed"],
    "title": "one of documented, observed, assumed",
}
SOURCES: Form = {
    "if": {"type": "object"},
    "then": {"minProperties": 1, "additionalProperties": SOURCE},
    "else": SOURCE,
}


def keys(required: Form, optional: Form | None = None) -> Form:
    """The form of a mapping with these keys and no others."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": [*required],
        "additionalProperties": False,
        "title": f"a mapping with the keys {', '.join(required)}",
    }


def key(form: Form) -> dict[str, Form]:
    """The metadata of a member that a key of the value of a word becomes."""
    return {"key": form}


def form_of(class_: type[Any]) -> Form:
    """The form of a mapping whose keys are the members of a class. Those without a default are required."""
    forms = {each.name: each.metadata["key"] for each in attrs.fields(class_)}
    needed = [each.name for each in attrs.fields(class_) if each.default is attrs.NOTHING]
    optional = {name: form for name, form in forms.items() if name not in needed}
    return keys({name: forms[name] for name in needed}, optional)


@frozen
class Word:
    """An x- word of the spec."""

    name: str
    on: str
    """Where it stands, as its refusal elsewhere says."""
    value: str
    """What it must be, as its refusal says."""
    form: Form
    """Of its value."""
    samples: tuple[Any, ...]
    """Values, for the fuzz of the spec."""


def word(
    name: str, *, on: str, value: str = "", form: Form, samples: tuple[Any, ...]
) -> dict[str, Word]:
    """The metadata of a member that the word becomes. The value is what the form says, unless it is given."""
    return {"word": Word(name, on, value or form["title"], form, samples)}


@frozen
class Keyword:
    """A word of JSON Schema or OpenAPI."""

    name: str
    advice: str
    """What to write instead, where it has no effect."""
    of: tuple[str, ...] = ()
    """The types of field of which it acts in a request. Empty if the type does not decide it."""


def keyword(advice: Mapping[str, str], of: tuple[str, ...] = ()) -> dict[str, tuple[Keyword, ...]]:
    """The metadata of a member that some words become, each with its advice."""
    return {"keywords": tuple(Keyword(name, text, of) for name, text in advice.items())}


def keywords(*classes: type[Any]) -> Iterator[Keyword]:
    """The words of JSON Schema and OpenAPI that the members of some classes of the IR become."""
    for class_ in classes:
        for member in attrs.fields(class_):
            yield from member.metadata.get("keywords", ())


def words(*classes: type[Any]) -> Iterator[tuple[str, Word]]:
    """The words that the members of some classes of the IR become, each behind the name of its member."""
    for class_ in classes:
        for member in attrs.fields(class_):
            if "word" in member.metadata and not member.inherited:
                yield member.name, member.metadata["word"]
