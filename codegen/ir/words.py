"""The words of the spec, declared once each, on the member of the IR that it becomes: `field(metadata=word(...))`.

The rules refuse another form, and advise where a word stands; the table of spec/README.md, where the docstring of the
member says what it means, and the words of the fuzz of the spec are made of the same declarations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
from attrs import frozen

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


def words(*classes: type[Any]) -> Iterator[tuple[str, Word]]:
    """The words that the members of some classes of the IR become, each behind the name of its member."""
    for class_ in classes:
        for member in attrs.fields(class_):
            if "word" in member.metadata and not member.inherited:
                yield member.name, member.metadata["word"]
