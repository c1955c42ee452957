"""The part of the IR that says what a client can do: operations, batch actions, how lists show them."""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from codegen.ir.models import Source, Type

RetryClass = Literal["safe", "idempotent", "by-key", "never"]
HttpMethod = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]


@frozen(kw_only=True)
class Signing:
    """The signing type, which is the `type` of the signed header, and its source."""

    type: str
    """The `type` of the signed header."""
    source: Source
    """Where it comes from."""


@frozen(kw_only=True)
class Countersigner:
    """One of the two keys that sign a message: where its address and its signature are sent."""

    address: str
    """Field of the body with its address."""
    signature: str
    """Field of the body with its signature."""
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
    """The other key, which signs first."""
    own: Countersigner
    """The client's own key, which signs the signature of the other one."""


@frozen(kw_only=True)
class Pagination:
    """The names of the fields that a list uses for its pages: of the answer as paths, like `data.items`."""

    items: str
    """Field of a response with the records."""
    cursor: str
    """Query parameter with the cursor."""
    next_cursor: str | None = None
    """None if the cursor is an offset: it counts the records before the page."""
    has_more: str | None = None
    """None if a next cursor alone says that there is more, or if the cursor is an offset: then the page
    after the last one is empty."""
    says_success: bool = False
    """Whether every page says `success`: then an answer without it is no page."""
    integers: bool = False
    """Whether cursors are integers on the wire. Callers hand them on as text."""
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
    """Where it stands on the client."""
    method: str
    """Its name there."""
    summary: str
    """One sentence."""
    description: str
    """What else people must know. It may be empty."""
    section: str | None
    """None if the interface document has no such endpoint."""
    source: Source = "documented"
    """Where the endpoint comes from."""
    retry: RetryClass
    """Its retry class: what a second execution would do."""
    key: str | None
    """Path of the idempotency key among the fields. None unless `retry` is `by-key`."""
    trace: Trace | None = None
    """How the lists show that a call was executed. None if the spec does not say."""
    echoes: dict[str, str] = field(factory=dict)
    """Result field -> message field that it repeats. Of a list, each record repeats it."""
    new_id: str | None = None
    """Result field with an id that no other message was given."""
    deprecated: bool = False
    """Whether callers should use something else. Of an action that is also an operation, the operation says it."""


@frozen(kw_only=True)
class Action(Method):
    """A kind of batch action."""

    type: str
    """The `type` that names it in the body of a batch."""
    signing: Signing
    """How it is signed, alone or in a batch."""
    model: str
    """Model of its `data`, without the signed envelope."""
    standalone: bool
    """Whether the service also offers it as an operation."""


@frozen(kw_only=True)
class Batch:
    """The list of actions in the body of a batch operation; `actions` are models by their names."""

    field: str
    """Field of the body with the list of actions."""
    min_items: int
    """Least number of actions."""
    max_items: int
    """Greatest number of actions."""
    actions: tuple[str, ...]
    """Their models, by name."""
    type: str = "type"
    """Member of each action with its `type`. It is not signed."""
    data: str = "data"
    """Member of each action with its complete signed body."""
    success: str = "success"
    """Member of each result, which says whether its action was executed. There is one result for each
    action, in their order; the result of the operation is the list of them."""
    error: str = "error"
    """Member of each result with the text of a refusal, else null."""


@frozen(kw_only=True)
class Result:
    """What a response holds. `key` is the property that holds it, None if it is the whole response."""

    type: Type
    """What it is."""
    description: str
    """For people."""
    key: str | None = None
    """The property of the data that holds it. None if it is the whole."""
    secret: bool = False
    """Whether it is JSON that may hold secrets, and is hidden where it is printed or logged."""
    nullable: bool = False
    """Whether it may be null instead."""
    at: tuple[str, ...] = ()
    """Where the operation documents it: the members of the answer that lead to it, from the outside.
    Empty if it is the answer itself. The envelope may be there or missing nevertheless."""


@frozen(kw_only=True)
class ErrorBody:
    """Where the answer to a refused request holds its text and its code.

    Each is a path: names of members, joined by dots. The first that leads to a value counts.
    """

    text: tuple[str, ...] = ("error",)
    """Paths to a text."""
    code: tuple[str, ...] = ("code",)
    """Paths to an integer or a text that names the error. Codes are compared, and nothing else."""
    members: tuple[str, ...] = ()
    """The documented members beside those of the envelope, at any depth. In an answer with a status of
    failure they do not show that the request was executed, as members of the result do."""


@frozen(kw_only=True)
class Parameter:
    """A field of a request that stands outside of its body. It is not signed."""

    field: str
    """Its name among the fields of `params`."""
    place: Literal["path", "query", "header"]
    """Where it stands. In a query a list stands as its name with each of its values."""
    name: str
    """Its name in the path, in the query, or of the header."""


@frozen(kw_only=True)
class Operation(Method):
    """One endpoint."""

    id: str
    """operationId of the spec."""
    http_method: HttpMethod
    """The method of HTTP."""
    path: str
    """With the prefix of the version, without the server."""
    statuses: tuple[int, ...]
    """The documented statuses. Others occur."""
    status_ranges: tuple[str, ...] = ()
    """`4XX`, `5XX` and `default`, for statuses that are not named one by one."""
    errors: ErrorBody = field(factory=ErrorBody)
    """Where refusals hold their text and their code."""
    signing: Signing | None = None
    """None if the request is not signed, or if each action of it is signed on its own. What is not
    signed never expires."""
    params: str | None = None
    """Model of all that a caller gives: the own fields of the body, and the parameters."""
    parameters: tuple[Parameter, ...] = ()
    """The fields of `params` that stand in the path, the query and the headers."""
    has_body: bool = False
    """Whether the request has a JSON body: the fields of `params` that are no parameters, or these
    signed, or a batch."""
    result: Result | None = None
    """None if the response reports success and nothing else, or nothing else is handed over."""
    outcome: str | None = None
    """Model that the method returns instead of the result: with `success: true`, and what the result has.
    It is what the method returned while only batches offered it. None if it returns the result."""
    ignores_data: bool = False
    """Whether the response may hold anything, of which nothing is handed over (`x-result: none`)."""
    pagination: Pagination | None = None
    """None if it is no list of pages."""
    batch: Batch | None = None
    """None if it is no batch."""
    countersigned: Countersigned | None = None
    """How a message is signed by two keys. None if one signs it."""
