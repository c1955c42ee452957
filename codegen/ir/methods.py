"""The part of the IR that says what a client can do: operations, batch actions, how lists show them."""

from __future__ import annotations

from typing import Literal

import attrs
from attrs import field, frozen

from codegen.ir import words
from codegen.ir.changes import (
    ANSWER,
    BEHAVIOUR,
    BOUND,
    FOR_PEOPLE,
    MESSAGE,
    PAGE_SIZE,
    PROOF,
    SWITCH,
    UNCOMPARED,
    change,
)
from codegen.ir.models import Source, Type
from codegen.ir.words import Form, keyword, word

RetryClass = Literal["safe", "idempotent", "by-key", "never"]
HttpMethod = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]


@frozen(kw_only=True)
class Signing:
    """The signing type, which is the `type` of the signed header, and its source."""

    type: str = field(metadata=MESSAGE)
    """The `type` of the signed header."""
    source: Source = field(metadata=FOR_PEOPLE)
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

    items: str = field(metadata=change(changed="answers!"))
    """Field of a response with the records."""
    cursor: str = field(metadata=change(changed="callers! wire!"))
    """Query parameter with the cursor."""
    next_cursor: str | None = field(default=None, metadata=ANSWER)
    """None if the cursor is an offset: it counts the records before the page."""
    has_more: str | None = field(default=None, metadata=ANSWER)
    """None if a next cursor alone says that there is more, or if the cursor is an offset: then the page
    after the last one is empty."""
    says_success: bool = field(default=False, metadata=change(on="answers!", off="answers"))
    """Whether every page says `success`: then an answer without it is no page."""
    integers: bool = field(default=False, metadata=change(on="answers!", off="answers!"))
    """Whether cursors are integers on the wire. Callers hand them on as text."""
    limit: str | None = field(default=None, metadata=PAGE_SIZE)
    """The parameter with the number of records on a page."""
    max_limit: int | None = field(default=None, metadata=PAGE_SIZE)
    """The most records that may be asked for. None where the spec sets no maximum."""


@frozen(kw_only=True)
class Target:
    """The record that a message changes, and how the record shows it."""

    names: dict[str, str] = field(metadata=words.key(words.PAIRS))
    """Record field -> message field: fields that identify the record, which has those of them that the message
    gives."""
    becomes: dict[str, str | int | bool] = field(
        metadata=words.key(
            {"type": "object", "minProperties": 1, "title": "a mapping of fields to values"}
        )
    )
    """Record field -> its value after the message was executed."""
    changed_at: str = field(metadata=words.key(words.FIELD))
    """Record field with the time of its last change, in ms."""
    inherits: tuple[str, ...] = field(default=(), metadata=words.key(words.FIELDS))
    """Record fields that are the same in the record that replaces it. Empty if nothing replaces it."""


@frozen(kw_only=True)
class Trace:
    """How the lists of the service show that a message was executed."""

    lists: tuple[str, ...] = field(metadata=words.key(words.FIELDS))
    """The lists to search: operations with pages by cursor, which need no argument but the account. The spec has
    their operationIds, the IR `GROUP.METHOD`."""
    made_at: str = field(metadata=words.key(words.FIELD))
    """Record field with the time of its creation, in ms."""
    id: str | None = field(default=None, metadata=words.key(words.FIELD))
    """Record field, a uuid, that holds the idempotency key of the message, which `by-key` of `x-retry` names.
    Not beside `target`."""
    agrees: dict[str, str] = field(factory=dict, metadata=words.key(words.PAIRS))
    """Record field -> message field: fields that are equal in the message and the record that it made."""
    at_most: dict[str, str] = field(factory=dict, metadata=words.key(words.PAIRS))
    """Record field -> message field. Both are amounts; the record's, without its sign, is not greater."""
    target: Target | None = field(default=None, metadata=words.key(words.form_of(Target)))
    """The record that the message changes. None if it makes a record of its own."""


@frozen(kw_only=True)
class Method:
    """What operations and batch actions have in common: `client.GROUP.METHOD` and its docs."""

    group: str = field(
        metadata=UNCOMPARED
        | word(
            "x-group",
            on=words.MESSAGE,
            form=words.SNAKE_CASE,
            samples=("books", "loans", "orders"),
        )
    )
    """Where it stands on the client: `client.GROUP.METHOD`."""
    method: str = field(
        metadata=UNCOMPARED
        | word(
            "x-method",
            on=words.MESSAGE,
            form=words.SNAKE_CASE,
            samples=("another",),
        )
    )
    """Its name in the group."""
    summary: str = field(metadata=FOR_PEOPLE)
    """One sentence."""
    description: str = field(metadata=FOR_PEOPLE)
    """What else people must know. It may be empty."""
    section: str | None = field(metadata=FOR_PEOPLE)
    """None if the interface document has no such endpoint."""
    source: Source = field(default="documented", metadata=FOR_PEOPLE)
    """Where the endpoint comes from."""
    retry: RetryClass = field(
        metadata=BEHAVIOUR
        | word(
            "x-retry",
            on=words.MESSAGE,
            value="`safe`, `idempotent`, `never`, or `by-key: FIELD`",
            form={
                "if": {"type": "object"},
                "then": words.keys({"by-key": words.FIELD}),
                "else": {"enum": ["safe", "idempotent", "never"]},
            },
            samples=("safe", "idempotent", "never", {"by-key": "book_id"}),
        )
    )
    """Its retry class: what a second execution would do, which decides when it may be sent again
    (`docs/recovery.md`). `by-key` names the uuid field with the client order id or idempotency key.
    `client.resend` takes an operation whose `x-reconcile`, beside `by-key`, has neither `id` nor `target`."""
    key: str | None = field(
        metadata=change(added="callers wire", removed="callers! wire!", changed="callers wire!")
    )
    """Path of the idempotency key among the fields. None unless `retry` is `by-key`."""
    trace: Trace | None = field(
        default=None,
        metadata=PROOF
        | word(
            "x-reconcile",
            on=f"a signed message that may not be repeated at will: {words.MESSAGE}",
            value="a mapping of `lists`, `made_at`, `id`, `agrees`, `at_most`, `target`",
            form=words.form_of(Trace),
            samples=(
                {"lists": ["getLoans"], "made_at": "at", "agrees": {"genre": "genre"}},
                {
                    "lists": ["getOrders"],
                    "made_at": "created_at",
                    "agrees": {"symbol": "symbol"},
                },
            ),
        ),
    )
    """How the lists show that a call was executed (spec/README.md). None if the spec does not say."""
    echoes: dict[str, str] = field(
        factory=dict,
        metadata=BEHAVIOUR
        | word(
            "x-echo",
            on=words.MESSAGE,
            value="a mapping of fields of the result to fields sent",
            form=words.PAIRS,
            samples=({"book_id": "book_id"}, {"order_id": "order_id"}),
        ),
    )
    """Result field -> message field that it repeats. Of a list, each record repeats it. Another value shows
    the answer to another message. The two have the same type."""
    new_id: str | None = field(
        default=None,
        metadata=PROOF
        | word(
            "x-new-id",
            on=f"a message that may not be repeated at will: {words.MESSAGE}",
            value="the name of a field of the result",
            form=words.FIELD,
            samples=("book_id", "order_id"),
        ),
    )
    """Result field with an id that no other message was given: an integer from 1 on, a uuid or a string, in a
    field of that name. If another message was, this is the answer to that one. An action of a batch has it
    in its own result."""
    deprecated: bool = field(default=False, metadata=SWITCH)
    """Whether callers should use something else. Of an action that is also an operation, the operation says it."""

    @property
    def name(self) -> str:
        """As callers say it: `orders.create`."""
        return f"{self.group}.{self.method}"


@frozen(kw_only=True)
class Action(Method):
    """A kind of batch action."""

    type: str = field(
        metadata=MESSAGE
        | word(
            "x-batch-action",
            on="the schema of the own fields of an action",
            value="a mapping with the keys `type` and `signing-type`",
            form=words.keys({"type": words.TEXT, "signing-type": words.IDENTIFIER}),
            samples=({"type": "Add", "signing-type": "add_book"},),
        )
    )
    """The `type` that names it in the body of a batch. `signing-type` is that of its signed header."""
    signing: Signing = field(metadata=change(added="callers! wire!", removed="wire!"))
    """How it is signed, alone or in a batch."""
    model: str = field(metadata=UNCOMPARED)
    """Model of its `data`, without the signed envelope."""
    standalone: bool = field(metadata=change(on="wire", off="wire!"))
    """Whether the service also offers it as an operation."""


@frozen(kw_only=True)
class Batch:
    """The list of actions in the body of a batch operation; `actions` are models by their names."""

    field: str = attrs.field(metadata=MESSAGE)
    """Field of the body with the list of actions."""
    min_items: int = attrs.field(metadata=BOUND)
    """Least number of actions."""
    max_items: int = attrs.field(metadata=BOUND)
    """Greatest number of actions."""
    actions: tuple[str, ...] = attrs.field(
        metadata=change(each="action", added="callers wire", removed="callers! wire!")
    )
    """Their models, by name."""
    type: str = attrs.field(default="type", metadata=UNCOMPARED)
    """Member of each action with its `type`. It is not signed."""
    data: str = attrs.field(default="data", metadata=UNCOMPARED)
    """Member of each action with its complete signed body."""
    success: str = attrs.field(default="success", metadata=UNCOMPARED)
    """Member of each result, which says whether its action was executed. There is one result for each
    action, in their order; the result of the operation is the list of them."""
    error: str = attrs.field(default="error", metadata=UNCOMPARED)
    """Member of each result with the text of a refusal, else null."""


@frozen(kw_only=True)
class Result:
    """What a response holds. `key` is the property that holds it, None if it is the whole response."""

    type: Type = field(metadata=change(changed="callers! answers!"))
    """What it is."""
    description: str = field(metadata=FOR_PEOPLE)
    """For people."""
    key: str | None = field(default=None, metadata=ANSWER)
    """The property of the data that holds it. None if it is the whole."""
    secret: bool = field(default=False, metadata=SWITCH)
    """Whether it is JSON that may hold secrets, and is hidden where it is printed or logged."""
    nullable: bool = field(default=False, metadata=change(on="callers! answers", off="answers!"))
    """Whether it may be null instead."""
    at: tuple[str, ...] = field(default=(), metadata=UNCOMPARED)
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
    """The documented members beside those of every refusal, at any depth. In an answer with a status of
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


PAGES: Form = {
    "anyOf": [
        words.keys(
            dict.fromkeys(("items", "cursor", "next_cursor"), words.FIELD),
            dict.fromkeys(("has_more", "limit"), words.FIELD),
        ),
        words.keys(dict.fromkeys(("items", "offset"), words.FIELD)),
    ]
}
"""The form of `x-pagination`: by cursor, or by offset."""


TWO_KEYS: Form = words.keys(
    {
        "countersigned": words.keys(
            {
                "other": words.keys(
                    dict.fromkeys(("type", "address", "signature", "signs"), words.IDENTIFIER)
                ),
                "own": words.keys(
                    dict.fromkeys(("address", "signature", "signs"), words.IDENTIFIER)
                ),
            }
        )
    }
)
"""The form of `x-signing-scheme`."""


@frozen(kw_only=True)
class Operation(Method):
    """One endpoint."""

    id: str = field(metadata=change(changed="ports"))
    """operationId of the spec."""
    http_method: HttpMethod = field(metadata=MESSAGE)
    """The method of HTTP."""
    path: str = field(metadata=MESSAGE)
    """With the prefix of the version, without the server."""
    statuses: tuple[int, ...] = field(
        metadata=change(each="status", added="answers", removed="answers")
    )
    """The documented statuses. Others occur."""
    status_ranges: tuple[str, ...] = field(
        default=(),
        metadata=change(each="status-range", added="answers", removed="answers"),
    )
    """`4XX`, `5XX` and `default`, for statuses that are not named one by one."""
    errors: ErrorBody = field(
        factory=ErrorBody,
        metadata=change(changed="answers!")
        | word(
            "x-error",
            on="the schema of a refusal, the whole of it",
            value="a mapping with the keys `text` and `code`, or one of them: names of properties, joined by dots",
            form=words.keys({}, {"text": words.TEXT, "code": words.TEXT}),
            samples=({"text": "error.message", "code": "error.reason"}, {"text": "message"}),
        ),
    )
    """Where refusals hold their text and their code, as in `{ text: error.message, code: error.reason }`
    (*Refusals* in spec/README.md)."""
    signing: Signing | None = field(
        default=None,
        metadata=change(added="callers! wire!", removed="wire!")
        | word(
            "x-signing-type",
            on="an operation",
            value="an identifier, like `create_order`",
            form=words.IDENTIFIER,
            samples=("another_type",),
        ),
    )
    """The `type` of the signed header. None if the request is not signed, or if each action of it is signed on
    its own. What is not signed never expires."""
    params: str | None = field(default=None, metadata=UNCOMPARED)
    """Model of all that a caller gives: the own fields of the body, and the parameters."""
    parameters: tuple[Parameter, ...] = field(
        default=(),
        metadata=UNCOMPARED
        | keyword({"parameters": "write them in the operations and their paths"}),
    )
    """The fields of `params` that stand in the path, the query and the headers."""
    has_body: bool = field(default=False, metadata=change(on="wire!", off="wire!"))
    """Whether the request has a JSON body: the fields of `params` that are no parameters, or these
    signed, or a batch."""
    result: Result | None = field(
        default=None, metadata=change(added="callers answers!", removed="callers! answers")
    )
    """None if the response reports success and nothing else, or nothing else is handed over."""
    outcome: str | None = field(
        default=None,
        metadata=change(added="callers!", removed="callers!", changed="callers!")
        | word(
            "x-returns",
            on="an operation whose body is an action of a batch, too",
            value="`action`",
            form={"const": "action"},
            samples=("action",),
        ),
    )
    """Model that the method returns instead of the result: with `success: true`, and what the result has, which
    may only be fields of that model. It is what the method returned while only batches offered it. None if
    it returns the result."""
    ignores_data: bool = field(
        default=False,
        metadata=change(on="answers", off="answers!")
        | word(
            "x-result",
            on="an operation",
            value="`none`",
            form={"const": "none"},
            samples=("none",),
        ),
    )
    """Whether the call returns nothing: `data` may hold anything, and nothing of it is handed over."""
    pagination: Pagination | None = field(
        default=None,
        metadata=change(added="callers! answers!", removed="callers! answers!")
        | word(
            "x-pagination",
            on="an operation that is a GET",
            value=(
                "a mapping that names `items`, `cursor`, `next_cursor`, and perhaps `has_more` and `limit`; or `items`"
                " and `offset`"
            ),
            form=PAGES,
            samples=(
                {
                    "items": "data",
                    "cursor": "cursor",
                    "next_cursor": "next_cursor",
                    "has_more": "has_more",
                },
                {"items": "data", "offset": "offset"},
            ),
        ),
    )
    """The names of the fields that the list uses for its pages; those of the answer may be paths, like
    `data.items`. Without `has_more` a next cursor says that there is more. Integer cursors are text to
    callers. `limit` is the query parameter with the number of records on a page, whose `maximum` says how
    many may be asked for: a caller who asks for more is refused before anything is sent. Where there is no
    `maximum` the number is sent, and the service may answer with fewer; iterating goes on to the end.
    `offset` names the integer parameter with the number of records before the page: such a list ends with an
    empty page. None if it is no list of pages."""
    batch: Batch | None = field(
        default=None, metadata=change(added="callers! wire!", removed="callers! wire!")
    )
    """None if it is no batch."""
    countersigned: Countersigned | None = field(
        default=None,
        metadata=change(added="callers! wire!", removed="callers! wire!", changed="callers! wire!")
        | word(
            "x-signing-scheme",
            on="a signed operation",
            value="a mapping with the key `countersigned`, the only scheme",
            form=TWO_KEYS,
            samples=(
                {
                    "countersigned": {
                        "other": {
                            "type": "vouch",
                            "address": "reader",
                            "signature": "title",
                            "signs": "a",
                        },
                        "own": {"address": "account", "signature": "signature", "signs": "b"},
                    }
                },
            ),
        ),
    )
    """How a message is signed by two keys (spec/README.md). None if one signs it."""
