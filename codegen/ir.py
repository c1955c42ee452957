"""The intermediate representation: what a spec says, free of any language.

`python -m codegen ir` prints it as JSON. A port to another language generates its models with its
own schema generator, and everything else from this.
"""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

Scalar = Literal["string", "integer", "boolean", "decimal", "uuid", "json"]
Source = Literal["documented", "observed", "assumed"]
RetryClass = Literal["safe", "idempotent", "by-key", "never"]
Role = Literal["request", "response"]
Json = str | int | float | bool | None


@frozen(kw_only=True)
class Type:
    """A type: a scalar, or an enum or a model by its name; `many` makes it a list of them."""

    kind: Literal[Scalar, "enum", "model"]
    name: str | None = None
    many: bool = False


@frozen(kw_only=True)
class Field:
    """A field of a model. The limits are None where the spec sets none."""

    name: str
    type: Type
    required: bool
    nullable: bool
    description: str
    unit: str | None = None
    source: Source = "documented"
    default: Json = None
    auto: Literal["uuid", "account"] | None = None
    secret: bool = False
    """Whether it must not show where the model is printed or logged."""
    pattern: str | None = None
    minimum: int | None = None
    maximum: int | None = None
    min_length: int | None = None
    min_items: int | None = None
    max_items: int | None = None


@frozen(kw_only=True)
class Model:
    """An object that is sent (`request`) or received (`response`)."""

    name: str
    description: str
    role: Role
    section: str | None
    fields: tuple[Field, ...]
    exactly_one: tuple[str, ...] = ()
    at_least_one: tuple[str, ...] = ()


@frozen(kw_only=True)
class Enum:
    """A closed set of strings. It is open where it is received."""

    name: str
    description: str
    values: tuple[str, ...]


@frozen(kw_only=True)
class Signing:
    """The operation type in the signed header, and how sure it is."""

    type: str
    source: Source


@frozen(kw_only=True)
class Pagination:
    """The names that a list uses for its pages."""

    items: str
    cursor: str
    next_cursor: str
    has_more: str


@frozen(kw_only=True)
class Target:
    """The record that a message changes, and what it looks like afterwards."""

    names: dict[str, str]
    """Field of a record -> field of the message; whichever is given names the record."""
    becomes: dict[str, str | int | bool]
    """Field of the record -> its value once the message was carried out."""
    changed_at: str
    """Field of the record that says when it last changed, in ms."""
    inherits: tuple[str, ...] = ()
    """Fields that the record which replaces it takes over; none where nothing replaces it."""


@frozen(kw_only=True)
class Trace:
    """Where it shows that a message was carried out."""

    lists: tuple[str, ...]
    """The list operations to look in, as `GROUP.METHOD`."""
    made_at: str
    """Field of a record that says when it was made, in ms."""
    id: str | None = None
    """Field of a record that holds the id that `key` names."""
    agrees: dict[str, str] = field(factory=dict)
    """Field of a record -> field of the message that must say the same."""
    at_most: dict[str, str] = field(factory=dict)
    """Field of a record -> field of the message, an amount that it must not exceed, whatever its sign."""
    target: Target | None = None
    """What the message changes; None where it makes a record of its own."""


@frozen(kw_only=True)
class Method:
    """What every method of the client says of itself, `client.GROUP.METHOD`."""

    group: str
    method: str
    summary: str
    description: str
    section: str
    retry: RetryClass
    key: str | None
    """Path of the field that identifies one logical call; None where `retry` is not `by-key`."""
    trace: Trace | None = None
    """Where it shows that a call was carried out; None where nothing shows it."""


@frozen(kw_only=True)
class Action(Method):
    """A kind of batch action."""

    type: str
    signing: Signing
    model: str
    standalone: bool
    """Whether the service offers it as an operation of its own, too."""


@frozen(kw_only=True)
class Batch:
    """The list of actions in the body of a batch operation; `actions` are models by their names."""

    field: str
    min_items: int
    max_items: int
    actions: tuple[str, ...]


@frozen(kw_only=True)
class Result:
    """What an answer holds: `key` is the property that holds it, None where it is the whole."""

    type: Type
    description: str
    key: str | None = None


@frozen(kw_only=True)
class Operation(Method):
    """One endpoint."""

    id: str
    http_method: Literal["GET", "POST"]
    path: str
    statuses: tuple[int, ...]
    signing: Signing | None = None
    params: str | None = None
    """Model of the body's own fields (POST) or of the query (GET)."""
    result: Result | None = None
    """None where the answer says no more than success."""
    pagination: Pagination | None = None
    batch: Batch | None = None


@frozen(kw_only=True)
class Group:
    """Operations that stand together on the client."""

    name: str
    title: str
    description: str


@frozen(kw_only=True)
class Api:
    """The whole service."""

    title: str
    version: str
    spec_sha256: str
    api_key_header: str | None
    rate_scale: int
    """What one credit is in the headers that tell the rate budget."""
    groups: tuple[Group, ...]
    enums: tuple[Enum, ...]
    models: tuple[Model, ...]
    operations: tuple[Operation, ...]
    actions: tuple[Action, ...]

    @property
    def type_names(self) -> list[str]:
        """The names of all enums and models."""
        return [enum.name for enum in self.enums] + [model.name for model in self.models]
