"""The intermediate representation: what a spec says, free of any language.

`python -m codegen ir` prints it as JSON. A port to another language generates everything from this. It has three parts:
what is sent and received, what all messages and answers have in common, and what a client can do. Which words of
the spec its members become, `codegen/dialect.yaml` says.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal, TypeAlias

from attrs import field, frozen

# -- what is sent and received: models, their fields, enums -----------------------------------------

Scalar = Literal["string", "integer", "boolean", "decimal", "uuid", "json"]
Source = Literal["documented", "observed", "assumed"]
Role = Literal["request", "response"]
Json = str | int | float | bool | None


@frozen(kw_only=True)
class Type:
    """A scalar, an enum or a model by its name, or a list or a tuple, which hold types themselves."""

    kind: Literal[Scalar, "enum", "model", "list", "tuple"]
    """What it is. A decimal and a uuid are sent and received as a text, an integer as a number of 64 bits, json as
    it is."""
    name: str | None = None
    """Of the enum or model. None for anything else."""
    format: str | None = None
    """A format of the spec that the generator does not know: the value is of the kind without it."""
    items: Type | None = None
    """The type of each item of a list."""
    members: tuple[Type, ...] = ()
    """The types of a tuple: a list of at least so many values, each with a type of its own."""
    nullable: bool = False
    """Whether null may stand for an item or a member. Fields and results say it themselves."""
    unit: str | None = None
    """The unit of an item or a member, if it has one of its own."""
    description: str = ""
    """What a member of a tuple means."""

    @property
    def held(self) -> tuple[Type, ...]:
        """What a list or a tuple holds. Empty for another type."""
        return (self.items,) if self.items else self.members

    def parts(self) -> list[Type]:
        """The type itself, and the types in it at any depth."""
        return [self, *(part for each in self.held for part in each.parts())]


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
    """Of a number: `ms` (a moment), `duration in ms`, `quote per token`, `token`, `percent`, `USDC`, ... None where
    there is none. Of a `percent` below 0.1 that a caller gives, the log warns: it may be meant as a fraction."""
    source: Source = "documented"
    """Where it comes from: the interface document states it; two or more places show it; one place shows it,
    places contradict each other, or we chose it. Default: documented; of a field, that of its schema. See
    *Provenance* in spec/README.md."""
    sources: dict[str, Source] = field(factory=dict)
    """Words of the spec about the field that come from elsewhere than the field itself, like `x-unit`.

    `required` and `null` say whether it may be absent or null.
    """
    x_name: str | None = None
    """Its name in code, where the spec gives it another one than in JSON (*Names* in spec/README.md)."""
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
    """Another moment of the same request, before which this one may not be: the two are a range, and a reversed
    one, which has no records, is refused before anything is sent."""
    secret: bool = False
    """Whether the model hides it where it is printed or logged."""
    pattern: str | None = None
    """Of a text, wholly: a regular expression of ASCII characters, classes, groups and counts,
    which ECMAScript and Python read alike."""
    minimum: int | None = None
    """Least value."""
    maximum: int | None = None
    """Greatest value."""
    min_length: int | None = None
    """Least number of characters."""
    max_length: int | None = None
    """Greatest number of characters."""
    min_items: int | None = None
    """Least number of items."""
    max_items: int | None = None
    """Greatest number of items."""


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
    source: Source = "documented"
    """Where it comes from as a whole."""
    body: str | None = None
    """Of a request with parameters beside a body that another message has, too: the model of that body, by which
    errors call the fields. None for any other model, which they call by its own name."""


@frozen(kw_only=True)
class Enum:
    """A set of strings: closed in requests, open in responses."""

    name: str
    """Its name."""
    description: str
    """For people."""
    values: tuple[str, ...]
    """As on the wire. A value that is received and unknown survives as itself."""
    source: Source = "documented"
    """Where its values come from."""
    names: dict[str, str] = field(factory=dict)
    """Value -> its name in code, for those that the spec names (*Names* in spec/README.md)."""
    deprecated: tuple[str, ...] = ()
    """Those of its values that callers should not send any more (*Values* in spec/README.md)."""


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


# -- what all messages and answers have in common ---------------------------------------------------


# Only the members of the signed body come from the spec. The rest is the same for every spec that the generator takes,
# because a spec that says otherwise is refused (`codegen.rules.wire`).


@frozen(kw_only=True)
class SignedBody:
    """What is sent beside the own fields of a signed request: one flat object holds both, in any order."""

    members: tuple[Field, ...] = ()
    """As `SignedRequest` of the spec has them, with their defaults."""
    sent: tuple[str, ...] = ("account", "signature", "timestamp", "expiry_window")
    """The members that are always sent, also where their value is the default."""
    sent_by_agents: tuple[str, ...] = ("agent_wallet",)
    """The members that are sent if an agent wallet signs, with its address, and else left out."""
    reserved: tuple[str, ...] = ("account", "signature", "timestamp", "expiry_window")
    """Names that no own field may have. One of `sent_by_agents` may be the name of an own field, which
    the account's own key must then sign."""


@frozen(kw_only=True)
class SignedText:
    """The text that is signed: JSON of one object, the header and the own fields together."""

    header: tuple[str, ...] = ("type", "timestamp", "expiry_window")
    """Its members beside the own fields: the signing type, and two that are sent as they are signed."""
    data: str = "data"
    """Its member with the object of the own fields, which is {} where there are none."""
    key_order: Literal["bytes"] = "bytes"
    """The keys of every object, at every depth, are sorted by their bytes. Lists keep their order."""
    white_space: Literal["none"] = "none"
    """There is none: the separators are `,` and `:`."""
    encoding: Literal["UTF-8"] = "UTF-8"
    """Of the text, as bytes."""
    algorithm: Literal["Ed25519"] = "Ed25519"
    """It signs these bytes."""
    notation: Literal["Base58"] = "Base58"
    """How the bytes of signatures and of addresses, which are public keys, are written; with the
    alphabet of Bitcoin."""


@frozen(kw_only=True)
class Envelope:
    """What may stand around a result: any answer may have it or do without, whatever is documented."""

    success: str = "success"
    """Member that is false if the request was refused, also under a status of success. An operation
    without a result answers with this member alone, which is then true."""
    data: str = "data"
    """Member with the result. The answer has no envelope if it lacks this member."""
    error: str = "error"
    """Member with the text of a refusal, else null."""
    code: str = "code"
    """Member with the code of a refusal, else null."""


@frozen(kw_only=True)
class Refusals:
    """Which members of a refusal say nothing of execution, and which do, whatever the result."""

    words: tuple[str, ...] = ("success", "data", "error", "code", "message")
    """What refusals and envelopes consist of: a value in these members says nothing of execution."""
    states: tuple[str, ...] = ("state", "status")
    """Members that may say that a message was taken, like `"state": "sent"`."""


@frozen(kw_only=True)
class Values:
    """How the values of fields are sent and read."""

    sends_defaults: Literal[False] = False
    """Whether a field that was not given is sent with its `default`."""
    null_suppresses_auto: Literal[True] = True
    """Whether null, given for a field with `auto: uuid`, keeps the id from being made. The field is
    then left out."""
    patterns: Literal["ECMA-262"] = "ECMA-262"
    """The dialect of `pattern`. Only ASCII characters, sets, groups, alternatives and counts occur, which
    most languages read alike; a pattern holds for the whole text."""
    unknown_members: Literal["ignored"] = "ignored"
    """What becomes of members of an answer that no model has."""
    unknown_enum_values: Literal["kept"] = "kept"
    """What becomes of a value in an answer that its enum does not have: it is handed over as received."""


Fault: TypeAlias = Literal["maybe_sent", "rate_limited", "duplicate", "refused", "unusable"]
"""What a status shows of whether the request was executed; docs/recovery.md explains each of them."""

STATUSES: dict[str, Fault] = {
    "3XX": "unusable",
    # Gateways answer so when they stop waiting for a request that may have gone through.
    "408": "maybe_sent",
    "460": "maybe_sent",
    "499": "maybe_sent",
    "409": "duplicate",
    "429": "rate_limited",
    "4XX": "refused",
    # The service does not implement the operation, so nothing was executed.
    "501": "refused",
}


@frozen(kw_only=True)
class Conventions:
    """What all messages and answers have in common."""

    signed_body: SignedBody = field(factory=SignedBody)
    """What a signed request sends beside its own fields."""
    signed_text: SignedText = field(factory=SignedText)
    """What is signed, and how."""
    envelope: Envelope = field(factory=Envelope)
    """What may stand around a result. That of a page is the same, with the members that `pagination`
    of the operation names in the place of `data`."""
    refusals: Refusals = field(factory=Refusals)
    """Which members of a refusal say nothing of execution, and which do."""
    values: Values = field(factory=Values)
    """How the values of fields are sent and read."""
    statuses: dict[str, Fault] = field(factory=STATUSES.copy)
    """Status, or all of a hundred like `4XX`, -> the fault that it shows; a status itself comes first. A 2xx
    shows none by its status, and any other that is not here shows `maybe_sent`."""


# -- what a client can do: operations, batch actions, how lists show them ---------------------------


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
    """The names of the fields that a list uses for its pages."""

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
    limit: str | None = None
    """The parameter with the number of records on a page."""
    max_limit: int | None = None
    """The most records that may be asked for. None where the spec sets no maximum."""


@frozen(kw_only=True)
class Target:
    """The record that a message changes, and how the record shows it."""

    names: dict[str, str]
    """Record field -> message field: fields that identify the record, which has those of them that the message
    gives."""
    becomes: dict[str, str | int | bool]
    """Record field -> its value after the message was executed."""
    changed_at: str
    """Record field with the time of its last change, in ms."""
    inherits: tuple[str, ...] = ()
    """Record fields that are the same in the record that replaces it. Empty if nothing replaces it."""
    parent: dict[str, str] = field(factory=dict)
    """Record field -> record field: by which a record that came of it names it. Empty if nothing comes of it."""


@frozen(kw_only=True)
class Trace:
    """How the lists of the service show that a message was executed."""

    lists: tuple[str, ...]
    """The lists to search: operations with pages by cursor, which need no argument but the account. The spec has
    their operationIds, the IR `GROUP.METHOD`."""
    made_at: str
    """Record field with the time of its creation, in ms."""
    id: str | None = None
    """Record field, a uuid, that holds the idempotency key of the message, which `by-key` of `x-retry` names.
    Not beside `target`."""
    agrees: dict[str, str] = field(factory=dict)
    """Record field -> message field: fields that are equal in the message and the record that it made."""
    at_most: dict[str, str] = field(factory=dict)
    """Record field -> message field. Both are amounts; the record's, without its sign, is not greater."""
    target: Target | None = None
    """The record that the message changes. None if it makes a record of its own."""


@frozen(kw_only=True)
class Method:
    """What operations and batch actions have in common: `client.GROUP.METHOD` and its docs."""

    group: str
    """Where it stands on the client: `client.GROUP.METHOD`."""
    method: str
    """Its name in the group."""
    summary: str
    """One sentence."""
    description: str
    """What else people must know. It may be empty."""
    section: str | None
    """None if the interface document has no such endpoint."""
    source: Source = "documented"
    """Where the endpoint comes from."""
    retry: RetryClass
    """Its retry class: what a second execution would do, which decides when it may be sent again
    (`docs/recovery.md`). `by-key` names the uuid field with the client order id or idempotency key.
    `client.resend` takes an operation whose `x-reconcile`, beside `by-key`, has neither `id` nor `target`."""
    key: str | None
    """Path of the idempotency key among the fields. None unless `retry` is `by-key`."""
    trace: Trace | None = None
    """How the lists show that a call was executed (spec/words.md). None if the spec does not say."""
    deprecated: bool = False
    """Whether callers should use something else. Of an action that is also an operation, the operation says it."""

    @property
    def name(self) -> str:
        """As callers say it: `orders.create`."""
        return f"{self.group}.{self.method}"


@frozen(kw_only=True)
class Action(Method):
    """A kind of batch action."""

    type: str
    """The `type` that names it in the body of a batch. `signing-type` is that of its signed header."""
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
class Parameter:
    """A field of a request that stands outside of its body. It is not signed."""

    name: str
    """Its name, in the path or the query, and among the fields of `params`."""
    place: Literal["path", "query"]
    """Where it stands. In a query a list stands as its name with each of its values."""


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
    signing: Signing | None = None
    """The `type` of the signed header. None if the request is not signed, or if each action of it is signed on
    its own. What is not signed never expires."""
    params: str | None = None
    """Model of all that a caller gives: the own fields of the body, and the parameters."""
    parameters: tuple[Parameter, ...] = ()
    """The fields of `params` that stand in the path and the query."""
    has_body: bool = False
    """Whether the request has a JSON body: the fields of `params` that are no parameters, or these
    signed, or a batch."""
    result: Result | None = None
    """None if the response reports success and nothing else, or nothing else is handed over."""
    outcome: str | None = None
    """Model that the method returns instead of the result: with `success: true`, and what the result has, which
    may only be fields of that model. It is what the method returned while only batches offered it. None if
    it returns the result."""
    ignores_data: bool = False
    """Whether the call returns nothing: `data` may hold anything, and nothing of it is handed over."""
    pagination: Pagination | None = None
    """The names of the fields that the list uses for its pages. Without `has_more` a next cursor says that there is
    more. `limit` is the query parameter with the number of records on a page, whose `maximum` says how
    many may be asked for: a caller who asks for more is refused before anything is sent. Where there is no
    `maximum` the number is sent, and the service may answer with fewer; iterating goes on to the end.
    `offset` names the integer parameter with the number of records before the page: such a list ends with an
    empty page. None if it is no list of pages."""
    batch: Batch | None = None
    """None if it is no batch."""
    countersigned: Countersigned | None = None
    """How a message is signed by two keys (spec/words.md). None if one signs it."""


# -- the service as a whole -------------------------------------------------------------------------


VERSION = 3
"""Raised when a member is renamed, removed, or means something else. A new member does not raise it."""
READ = (2, 3)
"""The versions that `diff` reads: what the second has beside the third, no shipped spec ever used."""


@frozen(kw_only=True)
class Server:
    """Where the service is. Users give its name, or a URL of their own."""

    name: str | None = None
    """By which users choose it. None for the only server, if it has no name."""
    url: str
    """Its path is a prefix of the paths of all operations. It has no slash at its end."""
    description: str
    """For people."""


@frozen(kw_only=True)
class Group:
    """Operations under one name on the client, like `client.orders`."""

    name: str
    """The name of the group on the client."""
    title: str
    """The tag of the spec."""
    description: str
    """For people."""


@frozen(kw_only=True)
class RateHeaders:
    """The headers in which an answer tells the rate limit, as the IETF's draft "RateLimit header fields" writes it."""

    budget: str = "ratelimit"
    """Such as `"credits";r=1200;t=32`: what is left, and the seconds until it is whole again."""
    policy: str = "ratelimit-policy"
    """Such as `"credits";q=1250;w=60`: the quota, and its window in seconds."""


@frozen(kw_only=True)
class Api:
    """The whole service."""

    ir_version: int = VERSION
    """Of this format."""
    title: str
    """Of the service."""
    version: str
    """Of the service's interface, not of a package."""
    spec_sha256: str
    """Of the spec; with overlays, of the lines that hold the SHA-256 of the spec and of each overlay."""
    overlays: tuple[str, ...] = ()
    """The names of the files of the overlays, in their order."""
    api_key_header: str | None
    """Header that carries an API config key. None if the service has none."""
    rate_scale: int
    """The number that means one credit in the headers of the rate limit. Default: 1."""
    rate_headers: RateHeaders = RateHeaders()
    """The headers that tell the rate limit, as the IETF's draft writes them: what is left and until when, and the
    quota with its window. Default: `{ budget: ratelimit, policy: ratelimit-policy }`."""
    servers: tuple[Server, ...] = ()
    """Where the service is, as the spec names it. Users may also give a URL of their own."""
    conventions: Conventions = field(factory=Conventions)
    """What all messages and answers have in common."""
    groups: tuple[Group, ...]
    """In the order of the spec."""
    enums: tuple[Enum, ...]
    """All enums."""
    models: tuple[Model, ...]
    """All models, sent and received."""
    reasons: tuple[Reason, ...] = ()
    """Why the service refuses, each with what shows it: the enum is what `ApiError.reason` may be. A value has a
    `description`; `texts`, `codes`, `statuses`, or some of them; `operations`, `as-status`, `x-source`. See
    *Answers* in spec/README.md. Empty if the spec has no table of them."""
    operations: tuple[Operation, ...]
    """All endpoints."""
    actions: tuple[Action, ...]
    """All actions of batches."""

    @cached_property
    def types(self) -> dict[str, Enum | Model]:
        """Every enum and model, by its name."""
        types: tuple[Enum | Model, ...] = (*self.enums, *self.models)
        return {each.name: each for each in types}

    def fields_of(self, model: str | None) -> tuple[Field, ...]:
        """The fields of a model. Empty without one."""
        found = self.types.get(model or "")
        return found.fields if isinstance(found, Model) else ()
