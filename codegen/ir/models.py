"""The part of the IR that says what is sent and received: models, their fields, enums."""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from codegen.ir import words
from codegen.ir.changes import (
    BOUND,
    BY_NAME,
    FILLED_IN,
    FOR_PEOPLE,
    IN_CODE,
    LIMIT,
    SWITCH,
    UNCOMPARED,
    change,
)
from codegen.ir.words import CHECKED, Form, keyword, word

Scalar = Literal["string", "integer", "boolean", "decimal", "uuid", "date_time", "json"]
Source = Literal["documented", "observed", "assumed"]
Role = Literal["request", "response"]
Json = str | int | float | bool | None

OF_A_TEXT, OF_AN_INTEGER, OF_A_LIST = map(CHECKED.format, ("a text", "an integer", "a list"))
"""What to write instead of a limit that is not checked."""


@frozen(kw_only=True)
class Type:
    """A scalar, an enum or a model by its name, or a list, a map or a tuple, which hold types themselves."""

    kind: Literal[Scalar, "enum", "integer_enum", "model", "union", "list", "map", "tuple"]
    """What it is. A decimal, a uuid and a date_time (RFC 3339) are sent and received as a text, an
    integer as a number unless `as_text` is set, json as it is."""
    name: str | None = None
    """Of the enum, model or union. None for anything else."""
    bits: Literal[32] | None = None
    """Of an integer of 32 bits. None for one of 64 bits, and for anything else."""
    as_text: bool = False
    """Whether an integer stands in JSON as a text."""
    format: str | None = field(
        default=None,
        metadata=keyword({"format": "write it beside the type of a single value"}),
    )
    """A format of the spec that the generator does not know: the value is of the kind without it."""
    items: Type | None = field(
        default=None,
        metadata=keyword(
            {
                "additionalProperties": "a map has no properties, and unknown fields are always ignored;"
                " leave it out"
            }
        ),
    )
    """The type of each item of a list, or of each value of a map, whose keys are strings."""
    members: tuple[Type, ...] = ()
    """The types of a tuple: a list of at least so many values, each with a type of its own."""
    nullable: bool = False
    """Whether null may stand for an item, a value or a member. Fields and results say it themselves."""
    unit: str | None = None
    """The unit of an item, a value or a member, if it has one of its own."""
    description: str = ""
    """What a member of a tuple means."""

    @property
    def held(self) -> tuple[Type, ...]:
        """What a list, a map or a tuple holds. Empty for another type."""
        return (self.items,) if self.items else self.members

    def parts(self) -> list[Type]:
        """The type itself, and the types in it at any depth."""
        return [self, *(part for each in self.held for part in each.parts())]


@frozen(kw_only=True)
class Field:
    """A field of a model. The limits are None where the spec sets none."""

    name: str = field(metadata=UNCOMPARED)
    """As on the wire."""
    type: Type = field(
        metadata=change(
            widened="callers wire",
            changed="callers! wire!",
            received={"changed": "callers! answers!"},
        )
    )
    """Of its value, if it is not null."""
    required: bool = field(
        metadata=change(
            on="callers! wire!",
            off="callers wire",
            received={"on": "answers!", "off": "callers! answers"},
        )
    )
    """Whether it must be there."""
    nullable: bool = field(
        metadata=change(
            on="callers wire",
            off="callers! wire!",
            received={"on": "callers! answers", "off": "answers!"},
        )
    )
    """Whether it may be null. Of a field with `auto: uuid`, null keeps the id from being
    made."""
    description: str = field(metadata=FOR_PEOPLE)
    """For people. It may be empty."""
    unit: str | None = field(
        default=None,
        metadata=change(
            added="",
            removed="",
            changed="callers! wire!",
            received={"added": "", "removed": "", "changed": "callers! answers!"},
        )
        | word(
            "x-unit",
            on="an integer or a decimal (which needs it), or on a list of them",
            form=words.TEXT,
            samples=("ms", "EUR"),
        ),
    )
    """Of a number: `ms` (a moment), `duration in ms`, `quote per token`, `token`, `percent`, `USDC`, ... None where
    there is none. Of a `percent` below 0.1 that a caller gives, the log warns: it may be meant as a fraction."""
    source: Source = field(
        default="documented",
        metadata=FOR_PEOPLE
        | word(
            "x-source",
            on="what comes from there: an operation, a parameter, a schema or a field",
            value="`documented`, `observed`, `assumed`; or a mapping of words beside it to their sources",
            form=words.SOURCES,
            samples=("documented", "observed", "assumed"),
        ),
    )
    """Where it comes from: the interface document states it; two or more places show it; one place shows it,
    places contradict each other, or we chose it. Default: documented; of a field, that of its schema. See
    *Provenance* in spec/README.md."""
    sources: dict[str, Source] = field(factory=dict, metadata=FOR_PEOPLE)
    """Words of the spec about the field that come from elsewhere than the field itself, like `x-unit`.

    `required` and `null` say whether it may be absent or null.
    """
    x_name: str | None = field(
        default=None,
        metadata=IN_CODE
        | word(
            "x-name",
            on="a field or a parameter",
            form=words.SNAKE_CASE,
            samples=("another", "title"),
        ),
    )
    """Its name in code, where the spec gives it another one than in JSON (*Names* in spec/README.md)."""
    deprecated: bool = field(
        default=False,
        metadata=SWITCH
        | keyword(
            {
                "deprecated": "write it on an operation, a parameter or a field; of values of an enum list those"
                " in x-enum-deprecated"
            }
        ),
    )
    """Whether callers should neither send it nor read it."""
    default: Json = field(
        default=None,
        metadata=FILLED_IN
        | keyword(
            {"default": "write it on a field that is sent, and that holds a single value"},
            of=(
                *("string", "integer", "integer as text", "boolean"),
                *("decimal", "date_time", "enum", "integer_enum"),
            ),
        ),
    )
    """What the service takes if the field is absent. It is never sent for that reason."""
    auto: Literal["uuid", "account"] | None = field(
        default=None,
        metadata=FILLED_IN
        | word(
            "x-auto",
            on="a field or parameter that is sent: for uuid a text of format: uuid, not null; for account a plain text",
            value="`uuid` or `account`",
            form={"enum": ["uuid", "account"]},
            samples=("uuid", "account"),
        ),
    )
    """What the client fills in unless it is given: a new random UUID, or its own account."""
    cursor: bool = field(default=False, metadata=UNCOMPARED)
    """Whether it is the cursor where a list starts. Absent, the list starts at its beginning. Null is
    refused: it is the next cursor of a last page, and would read everything again."""
    not_before: str | None = field(
        default=None,
        metadata=LIMIT
        | word(
            "x-not-before",
            on="a parameter that is a moment in ms",
            value="the name of another moment of the same operation",
            form=words.FIELD,
            samples=("limit", "cursor"),
        ),
    )
    """Another moment of the same request, before which this one may not be: the two are a range, and a reversed
    one, which has no records, is refused before anything is sent."""
    secret: bool = field(default=False, metadata=SWITCH)
    """Whether the model hides it where it is printed or logged."""
    pattern: str | None = field(
        default=None, metadata=LIMIT | keyword({"pattern": OF_A_TEXT}, of=("string",))
    )
    """Of a text, wholly: a regular expression of ASCII characters, classes, groups and counts,
    which ECMAScript and Python read alike."""
    minimum: int | None = field(
        default=None, metadata=BOUND | keyword({"minimum": OF_AN_INTEGER}, of=("integer",))
    )
    """Least value."""
    maximum: int | None = field(
        default=None, metadata=BOUND | keyword({"maximum": OF_AN_INTEGER}, of=("integer",))
    )
    """Greatest value."""
    min_length: int | None = field(
        default=None, metadata=BOUND | keyword({"minLength": OF_A_TEXT}, of=("string",))
    )
    """Least number of characters."""
    max_length: int | None = field(
        default=None, metadata=BOUND | keyword({"maxLength": OF_A_TEXT}, of=("string",))
    )
    """Greatest number of characters."""
    min_items: int | None = field(
        default=None, metadata=BOUND | keyword({"minItems": OF_A_LIST}, of=("list",))
    )
    """Least number of items."""
    max_items: int | None = field(
        default=None, metadata=BOUND | keyword({"maxItems": OF_A_LIST}, of=("list",))
    )
    """Greatest number of items."""


@frozen(kw_only=True)
class Condition:
    """A field of a request that makes others required."""

    field: str
    """The field that decides."""
    needs: tuple[str, ...]
    """The fields that must be given, too."""
    equals: Json = None
    """The value that the field must have for it. None if it is enough that the field is given."""


ONE_IF = (
    "write one if and its then beside the properties of a model of a request; of several conditions"
    " write as dependentRequired those that compare no value, and say the rest in the description"
)


@frozen(kw_only=True)
class Model:
    """An object that is sent (`request`) or received (`response`)."""

    name: str = field(metadata=UNCOMPARED)
    """Its name, which no other model or enum has."""
    description: str = field(metadata=FOR_PEOPLE)
    """For people."""
    role: Role = field(metadata=change(changed="callers! wire! answers!"))
    """Whether it is sent or received."""
    section: str | None = field(metadata=FOR_PEOPLE)
    """Section of the interface document. None if the document does not have it."""
    fields: tuple[Field, ...] = field(
        metadata=BY_NAME
        | keyword(
            {"allOf": "only objects consist of parts; beside a $ref a description may stand alone"}
        )
    )
    """In the order of the spec. The order in which they are sent does not matter."""
    exactly_one: tuple[str, ...] = field(
        default=(), metadata=LIMIT | keyword({"oneOf": words.CHOICE})
    )
    """Names of fields of which exactly one is given. Empty if there is no such choice."""
    at_least_one: tuple[str, ...] = field(
        default=(), metadata=LIMIT | keyword({"anyOf": words.CHOICE})
    )
    """Names of fields of which one or more are given."""
    conditions: tuple[Condition, ...] = field(
        default=(),
        metadata=LIMIT
        | keyword({**dict.fromkeys(("if", "then"), ONE_IF), "dependentRequired": words.CONDITION}),
    )
    """Which fields are required where another one is given."""
    source: Source = field(default="documented", metadata=FOR_PEOPLE)
    """Where it comes from as a whole."""
    body: str | None = field(default=None, metadata=UNCOMPARED)
    """Of a request with parameters beside a body that another message has, too: the model of that body, by which
    errors call the fields. None for any other model, which they call by its own name."""


@frozen(kw_only=True)
class Variant:
    """One of the objects that a union may be."""

    name: str = field(metadata=UNCOMPARED)
    """The value of the discriminator that such an object has."""
    model: str = field(
        metadata=change(changed="callers! wire!", received={"changed": "callers! answers!"})
    )
    """Its model, by name. Several values may stand for one model."""


@frozen(kw_only=True)
class Union:
    """An object of one of several models, which one of its fields tells apart."""

    name: str = field(metadata=UNCOMPARED)
    """Its name, which no model or enum has."""
    description: str = field(metadata=FOR_PEOPLE)
    """For people."""
    role: Role = field(metadata=change(changed="callers! wire! answers!"))
    """Whether it is sent or received."""
    discriminator: str = field(
        metadata=change(changed="callers! wire!", received={"changed": "callers! answers!"})
        | keyword(
            {
                "discriminator": "a base object does not know what is made of it; write a component schema"
                " that is oneOf the objects, with the discriminator beside it, and refer to that one"
            }
        )
    )
    """Name of the field that every one of the models requires."""
    variants: tuple[Variant, ...] = field(metadata=BY_NAME)
    """What it may be. An object with another value is refused in a request; one that is received survives
    as it is."""

    @property
    def models(self) -> tuple[str, ...]:
        """The models of its variants, each once."""
        return tuple(dict.fromkeys(variant.model for variant in self.variants))


@frozen(kw_only=True)
class Enum:
    """A set of strings or of integers: closed in requests, open in responses."""

    name: str = field(metadata=UNCOMPARED)
    """Its name."""
    description: str = field(metadata=FOR_PEOPLE)
    """For people."""
    values: tuple[str | int, ...] = field(
        metadata=change(
            each="value", added="callers wire answers", removed="callers! wire! answers!"
        )
    )
    """As on the wire, all of one type. A value that is received and unknown survives as itself."""
    source: Source = field(default="documented", metadata=FOR_PEOPLE)
    """Where its values come from."""
    names: dict[str, str] = field(
        factory=dict,
        metadata=IN_CODE
        | word(
            "x-enum-names",
            on="an enum",
            value="a mapping of values to names in UPPER_CASE",
            form={
                "type": "object",
                "additionalProperties": {
                    "type": "string",
                    "pattern": r"^[A-Z][A-Z0-9_]*\Z",
                    "title": "a name in UPPER_CASE",
                },
            },
            samples=({"novel": "LONG_STORY"}, {"bid": "BUY"}),
        ),
    )
    """Value, as a text -> its name in code, for those that the spec names (*Names* in spec/README.md)."""
    deprecated: tuple[str | int, ...] = field(
        default=(),
        metadata=change(each="deprecated-value", added="callers", removed="callers")
        | word(
            "x-enum-deprecated",
            on="an enum",
            value="a list of values of the enum, each once",
            form={"type": "array", "minItems": 1, "uniqueItems": True},
            samples=(["novel"], ["bid"]),
        ),
    )
    """Those of its values that callers should not send any more (*Deprecated* in spec/README.md)."""


@frozen(kw_only=True)
class Reason:
    """Why the service refuses a request, and how the answer shows it (`x-reasons`).

    The text counts first, then the code, then the status. The begin of a text is compared without
    case; of several that fit, the longest counts. A text may name an action of a batch before it
    begins, as in `actions[1]: Invalid signature`.
    """

    name: str = field(metadata=UNCOMPARED)
    """The value of the enum that stands for it."""
    enum: str = field(metadata=UNCOMPARED)
    """Name of the enum of all reasons."""
    description: str = field(metadata=FOR_PEOPLE)
    """For people."""
    texts: tuple[str, ...] = field(
        default=(),
        metadata=change(each="text", added="callers answers", removed="callers answers"),
    )
    """How the error text begins."""
    codes: dict[str, int | str] = field(factory=dict, metadata=change(changed="callers answers"))
    """Name of an operation, like `orders.create` -> its code for this reason."""
    statuses: tuple[int, ...] = field(
        default=(),
        metadata=change(each="status", added="callers answers", removed="callers answers"),
    )
    """Statuses that mean this if neither text nor code is known."""
    operations: tuple[str, ...] = field(default=(), metadata=change(changed="callers answers"))
    """Names of the operations under which they do, like `spot.withdraw`; empty: under all."""
    as_status: int | None = field(
        default=None,
        metadata=change(added="callers!", removed="callers!", changed="callers!"),
    )
    """The status whose class of error this is, also under a 400 and under a 2xx."""


REASONS: Form = {
    "type": "object",
    "additionalProperties": words.keys(
        {"description": words.TEXT},
        {
            "texts": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "string",
                    "pattern": r"^\S(.*\S)?\Z",
                    "title": "the begin of an error text, without spaces around it",
                },
                "title": "a list of how error texts begin",
            },
            "codes": {
                "type": "object",
                "minProperties": 1,
                "additionalProperties": {"type": ["integer", "string"], "title": "a code"},
                "title": "a mapping of operationIds to codes",
            },
            "statuses": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "integer",
                    "minimum": 400,
                    "maximum": 599,
                    "title": "a status from 400 to 599",
                },
                "title": "a list of statuses from 400 to 599",
            },
            "operations": {**words.FIELDS, "title": "a list of operationIds, beside statuses"},
            "as-status": {
                "enum": [401, 403, 404, 409, 422, 429],
                "title": "one of 401, 403, 404, 409, 422, 429",
            },
            "x-source": words.SOURCES,
        },
    )
    | {
        "anyOf": [{"required": [each]} for each in ("texts", "codes", "statuses")],
        "title": "a mapping with a description, and one of texts, codes, statuses, by which it is recognised",
    },
}
"""The form of `x-reasons`. The statuses that a refusal may stand for have a class of error of their own."""
