"""The intermediate representation: what a spec says, free of any language.

`python -m codegen ir` prints it as JSON. A port to another language generates everything from this.
"""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

VERSION = 1
"""Raised when a member is renamed, removed, or means something else. A new member does not raise it."""

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
    """Where the field as a whole comes from."""
    sources: dict[str, Source] = field(factory=dict)
    """Words of the spec about the field that come from elsewhere than the field itself, like `x-unit`.

    `required` and `null` say whether it may be absent or null.
    """
    default: Json = None
    auto: Literal["uuid", "account"] | None = None
    secret: bool = False
    """Whether the model hides it where it is printed or logged."""
    pattern: str | None = None
    minimum: int | None = None
    maximum: int | None = None
    exclusive_minimum: int | None = None
    exclusive_maximum: int | None = None
    multiple_of: int | None = None
    min_length: int | None = None
    max_length: int | None = None
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
    source: Source = "documented"


@frozen(kw_only=True)
class Enum:
    """A set of strings: closed in requests, open in responses."""

    name: str
    description: str
    values: tuple[str, ...]
    source: Source = "documented"


@frozen(kw_only=True)
class Signing:
    """The signing type, which is the `type` of the signed header, and its source."""

    type: str
    source: Source


@frozen(kw_only=True)
class Countersigner:
    """One of the two keys that sign a message: where its address and its signature are sent."""

    address: str
    signature: str
    signs: str
    """The only field of the data that it signs."""


@frozen(kw_only=True)
class Countersigned:
    """How two keys sign one message (`x-signing-scheme`).

    The other key signs the client's own address, and the client's own key signs that signature.
    """

    other_type: str
    """Signing type of the other key. That of the client's own is the operation's."""
    other: Countersigner
    own: Countersigner


@frozen(kw_only=True)
class Pagination:
    """The names of the fields that a list uses for its pages."""

    items: str
    cursor: str
    next_cursor: str | None = None
    """None if the cursor is an offset: it counts the records before the page."""
    has_more: str | None = None
    """None if the cursor is an offset. The page after the last one is empty."""
    limit: str | None = None
    """The parameter with the number of records on a page."""
    max_limit: int | None = None
    """The most records that may be asked for. None where the spec sets no maximum."""


@frozen(kw_only=True)
class Target:
    """The record that a message changes, and how the record shows it."""

    names: dict[str, str]
    """Record field -> message field. Those that the message gives identify the record."""
    becomes: dict[str, str | int | bool]
    """Record field -> its value after the message was executed."""
    changed_at: str
    """Record field with the time of its last change, in ms."""
    inherits: tuple[str, ...] = ()
    """Fields that are the same in the record that replaces it. Empty if nothing replaces it."""


@frozen(kw_only=True)
class Trace:
    """How the lists of the service show that a message was executed."""

    lists: tuple[str, ...]
    """The list operations to search, as `GROUP.METHOD`."""
    made_at: str
    """Record field with the time of its creation, in ms."""
    id: str | None = None
    """Record field that holds the idempotency key of the message."""
    agrees: dict[str, str] = field(factory=dict)
    """Record field -> message field with the same value."""
    at_most: dict[str, str] = field(factory=dict)
    """Record field -> message field. Both are amounts; the record's, without its sign, is not greater."""
    target: Target | None = None
    """The record that the message changes. None if it makes a record of its own."""


@frozen(kw_only=True)
class Method:
    """What operations and batch actions have in common: `client.GROUP.METHOD` and its docs."""

    group: str
    method: str
    summary: str
    description: str
    section: str | None
    """None if the interface document has no such endpoint."""
    source: Source = "documented"
    """Where the endpoint comes from."""
    retry: RetryClass
    key: str | None
    """Path of the idempotency key among the fields. None unless `retry` is `by-key`."""
    trace: Trace | None = None
    """How the lists show that a call was executed. None if the spec does not say."""
    echoes: dict[str, str] = field(factory=dict)
    """Result field -> message field that it repeats. Of a list, each record repeats it."""
    new_id: str | None = None
    """Result field with an id that no other message was given."""


@frozen(kw_only=True)
class Action(Method):
    """A kind of batch action."""

    type: str
    signing: Signing
    model: str
    standalone: bool
    """Whether the service also offers it as an operation."""


@frozen(kw_only=True)
class Batch:
    """The list of actions in the body of a batch operation; `actions` are models by their names."""

    field: str
    min_items: int
    max_items: int
    actions: tuple[str, ...]


@frozen(kw_only=True)
class Result:
    """What a response holds. `key` is the property that holds it, None if it is the whole response."""

    type: Type
    description: str
    key: str | None = None
    secret: bool = False
    """Whether it is JSON that may hold secrets, and is hidden where it is printed or logged."""
    nullable: bool = False
    """Whether it may be null instead."""


@frozen(kw_only=True)
class Operation(Method):
    """One endpoint."""

    id: str
    http_method: Literal["GET", "POST"]
    path: str
    statuses: tuple[int, ...]
    signing: Signing | None = None
    params: str | None = None
    """Model of the body's own fields (POST), or of the parameters (GET). Those that the path names in
    braces stand there, the others in the query."""
    result: Result | None = None
    """None if the response reports success and nothing else, or nothing else is handed over."""
    ignores_data: bool = False
    """Whether the response may hold anything, of which nothing is handed over (`x-result: none`)."""
    pagination: Pagination | None = None
    batch: Batch | None = None
    countersigned: Countersigned | None = None


@frozen(kw_only=True)
class Server:
    """Where the service is. Users give its URL themselves."""

    url: str
    description: str


@frozen(kw_only=True)
class Group:
    """Operations under one name on the client, like `client.orders`."""

    name: str
    title: str
    description: str


@frozen(kw_only=True)
class Api:
    """The whole service."""

    ir_version: int = VERSION
    """Of this format."""
    title: str
    version: str
    spec_sha256: str
    """Of the spec; with overlays, of the lines that hold the SHA-256 of the spec and of each overlay."""
    overlays: tuple[str, ...] = ()
    """The names of the files of the overlays, in their order."""
    api_key_header: str | None
    rate_scale: int
    """The number that means one credit in the headers of the rate limit."""
    servers: tuple[Server, ...] = ()
    groups: tuple[Group, ...]
    enums: tuple[Enum, ...]
    models: tuple[Model, ...]
    operations: tuple[Operation, ...]
    actions: tuple[Action, ...]

    @property
    def type_names(self) -> list[str]:
        """The names of all enums and models."""
        return [enum.name for enum in self.enums] + [model.name for model in self.models]
