"""The data that a generated package hands to the runtime: operations, batch actions, the API.

Nothing here knows a service. An `Operation` says where a request goes, how it is signed and what
comes back; the runtime treats all of them alike. Operations, actions and the API are compared by
identity: each is a singleton, and attrs then need not write a comparison at import.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from attrs import Factory, field, frozen

from trading_runtime.errors import Code
from trading_runtime.rate_limit import RATE_HEADERS

T = TypeVar("T")
Model: TypeAlias = type[Any]

Source = Literal["documented", "observed", "assumed"]
RetryClass = Literal["safe", "idempotent", "by-key", "never"]


@frozen(kw_only=True, eq=False)
class Pagination:
    """The names that a list operation uses for its pages (`x-pagination`).

    Those of an answer may be paths, like `data.items`.
    """

    items: str
    cursor: str
    next_cursor: str = ""
    """Empty where the cursor is an offset, the number of records before the page; the page after the
    last one is then empty."""

    has_more: str = ""
    """Empty where a next cursor alone says that there is more, or a page that is not empty."""

    says_success: bool = False
    """Whether every page says `success`, so that one without it is none."""

    limit: str | None = None
    """Parameter with the number of records on a page; None where there is none."""

    max_limit: int | None = None
    """The most records that may be asked for; None where that is not documented."""


@frozen(kw_only=True)
class Target:
    """The record that a message changes, and its fields afterwards."""

    names: Mapping[str, str]
    """Field of a record -> field of the message that identifies it; one of them is given."""

    becomes: Mapping[str, Any]
    """Field of the record -> its value once the message was executed."""

    changed_at: str
    """Field of the record with the time of its last change, in ms."""

    inherits: tuple[str, ...] = ()
    """Fields that a replacement record takes over; empty where nothing replaces the record."""

    parent: Mapping[str, str] = field(factory=dict)
    """Field of a record that came of this one, like a stop order that was triggered -> field of this record
    that it names; empty where nothing comes of it."""


@frozen(kw_only=True)
class Trace:
    """Which lists show that a message was executed, and how (`x-reconcile`)."""

    lists: tuple[str, ...]
    """Names of the list operations to look in."""

    made_at: str
    """Field of a record with the time of its creation, in ms."""

    id: str | None = None
    """Field of a record that holds the client's id of the message; None where no list shows it."""

    agrees: Mapping[str, str] = field(factory=dict)
    """Field of a record -> field of the message that must be equal."""

    at_most: Mapping[str, str] = field(factory=dict)
    """Field of a record -> field of the message: an amount whose absolute value it must not exceed."""

    target: Target | None = None
    """The record that it changes; None where it creates a record of its own."""


@frozen(kw_only=True, eq=False, init=False)
class Kind:
    """What is known of the messages of one kind: those of an operation, or of an action of a batch."""

    name: str
    """Its name, like `orders.create`."""

    params: Model | None
    """Model of what a caller gives: the own fields of the body, and the parameters; None where there
    are none."""

    signing_type: str | None
    """The signing type: `type` in the signed header; None where the request is not signed as a whole."""

    signing_source: Source
    """Whether the interface document states the signing type."""

    retry: RetryClass = "never"
    """The retry class (`x-retry`): what a second execution would do, which decides when it may be sent
    again."""

    key: str | None = None
    """Path of the field with the client order id or idempotency key, like `client_order_id`."""

    trace: Trace | None = None
    """How to find out whether it was executed; None where no list shows it."""

    @property
    def makes_record(self) -> bool:
        """Whether it makes a record: one of its own, or one that replaces another."""
        trace = self.trace
        return bool(trace and (trace.id or (trace.target and trace.target.inherits)))


@frozen(kw_only=True, eq=False)
class Action(Kind):
    """One kind of batch action (`x-batch-action`)."""

    type: str
    """Its `type` in a batch."""

    params: Model
    signing_type: str


@frozen(kw_only=True, eq=False)
class Batch:
    """How an operation wraps actions: the name of their list and how many it may hold."""

    field: str
    max_items: int
    actions: Mapping[Model, Action]
    """The action of each model that may be part of a batch."""


@frozen(kw_only=True, eq=False)
class Recognition:
    """What shows one reason for a refusal (`x-reasons`): its text, else its code, else its status."""

    texts: tuple[str, ...] = ()
    """How the error text begins, in any case. The longest that fits counts."""

    codes: Mapping[str, Code] = field(factory=dict)
    """Name of an operation -> its code."""

    statuses: tuple[int, ...] = ()

    operations: tuple[str, ...] = ()
    """Names of the operations under which the statuses show it; empty: under all."""

    as_status: int | None = None
    """The status whose class of error this is, also under a 400 and under a 2xx."""


@frozen(kw_only=True, eq=False)
class Operation(Kind, Generic[T]):
    """One endpoint. `T` is what a call returns."""

    params: Model | None = None
    signing_type: str | None = None
    signing_source: Source = "documented"

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]

    path: str
    """Its path; `{name}` stands for a parameter."""

    statuses: tuple[int, ...] = ()
    """The documented statuses of its answers. Others occur."""

    in_url: tuple[str, ...] = ()
    """Fields beside a body that stand in the path or the query. Without a body all of them do."""

    has_body: bool = field(
        default=Factory(lambda operation: operation.method != "GET", takes_self=True)
    )
    """Whether a request has a JSON body; what is no GET has one unless it says otherwise."""

    result: Any = None
    """Type of the result; None where the answer holds nothing but success."""

    ignores_data: bool = False
    """Whether the data of an answer may be anything, because nothing of it is handed over
    (`x-result: none`)."""

    result_key: str | None = None
    """Property of the answer that holds the result; None where the whole answer is the result."""

    reasons: Mapping[str, Recognition] = field(factory=dict)
    """Why the service refuses requests -> what shows it; the same table for every operation."""

    account: str | None = None
    """Parameter that names the account that is read; None where there is none. The client fills in
    its own account."""


@frozen(kw_only=True, eq=False)
class ListOperation(Operation[T]):
    """An endpoint that lists records page by page. `T` is one record."""

    pagination: Pagination


@frozen(kw_only=True, eq=False)
class Countersigner:
    """One of the two keys that sign a message: where its address and its signature are sent."""

    address: str
    signature: str
    signs: str
    """The only field of the data that it signs."""


@frozen(kw_only=True, eq=False)
class Countersigned:
    """How two keys sign a message: the other one the client's own address, the own one that signature."""

    other_type: str
    """Signing type of the other key; that of the own one is the operation's."""

    other: Countersigner
    own: Countersigner

    def addresses(self, own: str, other: str) -> dict[str, str]:
        """Both addresses, as they are sent."""
        return {self.own.address: own, self.other.address: other}


@frozen(kw_only=True, eq=False)
class CountersignedOperation(Operation[T]):
    """An endpoint whose message is signed by two keys (`x-signing-scheme`)."""

    scheme: Countersigned


@frozen(kw_only=True, eq=False)
class BatchOperation(Operation[T]):
    """An endpoint that carries out several actions, each signed on its own. `T` is one result."""

    batch: Batch


def _by_name(operations: Iterable[Operation[Any]]) -> Mapping[str, Operation[Any]]:
    return {operation.name: operation for operation in operations}


@frozen(kw_only=True, eq=False)
class Api:
    """A whole service, as the generated package describes it."""

    title: str
    version: str
    operations: Mapping[str, Operation[Any]] = field(repr=False, converter=_by_name)
    """Every operation, by its name."""

    api_key_header: str | None
    """Name of the header that carries an API key."""

    rate_scale: int = 1
    """Value of one credit in the headers of the rate limit (`x-rate-scale`)."""

    rate_headers: tuple[str, str] = RATE_HEADERS
    """Names of the headers of the rate limit (`x-rate-headers`)."""

    servers: Mapping[str, str] = field(factory=dict)
    """Name of a server -> its URL. A client takes either."""

    @property
    def actions(self) -> Mapping[str, Action]:
        """Every batch action, by its name; some are operations of their own, too."""
        batches = [op.batch for op in self.operations.values() if isinstance(op, BatchOperation)]
        return {action.name: action for batch in batches for action in batch.actions.values()}

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """Every operation and batch action, by its name; the operation where there are both."""
        return {**self.actions, **self.operations}
