"""The part of the IR that says what is sent and received: models, their fields, enums."""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

Scalar = Literal["string", "integer", "boolean", "decimal", "uuid", "date_time", "json"]
Source = Literal["documented", "observed", "assumed"]
Role = Literal["request", "response"]
Json = str | int | float | bool | None


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
    format: str | None = None
    """A format of the spec that the generator does not know: the value is of the kind without it."""
    items: Type | None = None
    """The type of each item of a list, or of each value of a map, whose keys are strings."""
    members: tuple[Type, ...] = ()
    """The types of a tuple: a list of at least so many values, each with a type of its own."""
    nullable: bool = False
    """Whether null may stand for an item, a value or a member. Fields and results say it themselves."""
    unit: str | None = None
    """The unit of an item, a value or a member, if it has one of its own."""
    description: str = ""
    """What a member of a tuple means."""

    def parts(self) -> list[Type]:
        """The type itself, and the types in it at any depth."""
        held = [self.items] if self.items else self.members
        return [self, *(part for each in held for part in each.parts())]


@frozen(kw_only=True)
class Field:
    """A field of a model. The limits are None where the spec sets none."""

    name: str
    """As on the wire."""
    type: Type
    """Of its value, if it is not null."""
    required: bool
    """Whether it must be there."""
    nullable: bool
    """Whether it may be null. Of a field with `auto: uuid`, null keeps the id from being
    made."""
    description: str
    """For people. It may be empty."""
    unit: str | None = None
    """Of a number: ms (a moment), duration in ms, quote per token, token, percent, USDC. None where there is none."""
    source: Source = "documented"
    """Where the field as a whole comes from."""
    sources: dict[str, Source] = field(factory=dict)
    """Words of the spec about the field that come from elsewhere than the field itself, like `x-unit`.

    `required` and `null` say whether it may be absent or null.
    """
    x_name: str | None = None
    """Its name in code, where the spec gives it another one than in JSON (`x-name`)."""
    deprecated: bool = False
    """Whether callers should neither send it nor read it."""
    default: Json = None
    """What the service takes if the field is absent. It is never sent for that reason."""
    auto: Literal["uuid", "account"] | None = None
    """What the client fills in unless it is given: a new random UUID, or its own account."""
    cursor: bool = False
    """Whether it is the cursor where a list starts. Absent, the list starts at its beginning. Null is
    refused: it is the next cursor of a last page, and would read everything again."""
    not_before: str | None = None
    """Another moment of the same request, before which this one may not be."""
    secret: bool = False
    """Whether the model hides it where it is printed or logged."""
    pattern: str | None = None
    """Of a text, wholly: a regular expression of ASCII characters, classes, groups and counts,
    which ECMAScript and Python read alike."""
    minimum: int | None = None
    """Least value."""
    maximum: int | None = None
    """Greatest value."""
    exclusive_minimum: int | None = None
    """The value is greater than this."""
    exclusive_maximum: int | None = None
    """The value is less than this."""
    multiple_of: int | None = None
    """The value is a multiple of this."""
    min_length: int | None = None
    """Least number of characters."""
    max_length: int | None = None
    """Greatest number of characters."""
    min_items: int | None = None
    """Least number of items."""
    max_items: int | None = None
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


@frozen(kw_only=True)
class Model:
    """An object that is sent (`request`) or received (`response`)."""

    name: str
    """Its name, which no other model or enum has."""
    description: str
    """For people."""
    role: Role
    """Whether it is sent or received."""
    section: str | None
    """Section of the interface document. None if the document does not have it."""
    fields: tuple[Field, ...]
    """In the order of the spec. The order in which they are sent does not matter."""
    exactly_one: tuple[str, ...] = ()
    """Names of fields of which exactly one is given. Empty if there is no such choice."""
    at_least_one: tuple[str, ...] = ()
    """Names of fields of which one or more are given."""
    conditions: tuple[Condition, ...] = ()
    """Which fields are required where another one is given."""
    source: Source = "documented"
    """Where it comes from as a whole."""


@frozen(kw_only=True)
class Variant:
    """One of the objects that a union may be."""

    name: str
    """The value of the discriminator that such an object has."""
    model: str
    """Its model, by name. Several values may stand for one model."""


@frozen(kw_only=True)
class Union:
    """An object of one of several models, which one of its fields tells apart."""

    name: str
    """Its name, which no model or enum has."""
    description: str
    """For people."""
    role: Role
    """Whether it is sent or received."""
    discriminator: str
    """Name of the field that every one of the models requires."""
    variants: tuple[Variant, ...]
    """What it may be. An object with another value is refused in a request; one that is received survives
    as it is."""


@frozen(kw_only=True)
class Enum:
    """A set of strings or of integers: closed in requests, open in responses."""

    name: str
    """Its name."""
    description: str
    """For people."""
    values: tuple[str | int, ...]
    """As on the wire, all of one type. A value that is received and unknown survives as itself."""
    source: Source = "documented"
    """Where its values come from."""
    names: dict[str, str] = field(factory=dict)
    """Value, as a text -> its name in code, for those that the spec names (`x-enum-names`)."""
    deprecated: tuple[str | int, ...] = ()
    """Those of its values that callers should not send any more (`x-enum-deprecated`)."""


@frozen(kw_only=True)
class Reason:
    """Why the service refuses a request, and how the answer shows it (`x-reasons`).

    The text counts first, then the code, then the status. The begin of a text is compared without
    case; of several that fit, the longest counts. A text may name an action of a batch before it
    begins, as in `actions[1]: Invalid signature`.
    """

    name: str
    """The value of the enum that stands for it."""
    enum: str
    """Name of the enum of all reasons."""
    description: str
    """For people."""
    texts: tuple[str, ...] = ()
    """How the error text begins."""
    codes: dict[str, int | str] = field(factory=dict)
    """Name of an operation, like `orders.create` -> its code for this reason."""
    statuses: tuple[int, ...] = ()
    """Statuses that mean this if neither text nor code is known."""
    operations: tuple[str, ...] = ()
    """Names of the operations under which they do, like `spot.withdraw`; empty: under all."""
    as_status: int | None = None
    """The status whose class of error this is, also under a 400 and under a 2xx."""
