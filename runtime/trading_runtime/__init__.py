"""The runtime of a generated SDK: everything that no template should repeat.

The names below are the public ones. Generated code, the sandbox and whoever writes a signer or a
transport import them from here; how they are cut into modules may change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trading_runtime.call.retry import Retry
from trading_runtime.checks import is_number
from trading_runtime.client.client import BaseClient, Group
from trading_runtime.client.config import Options as ClientOptions
from trading_runtime.clock import now_ms
from trading_runtime.codec.batch import BatchResult, as_outcome
from trading_runtime.codec.fields import (
    UNSET,
    DecimalLike,
    IntegerLike,
    Unset,
    UUIDLike,
    at_least_one,
    exactly_one,
    if_given,
    located,
    not_before,
    to_boolean,
    to_decimal,
    to_integer,
    to_json,
    to_list,
    to_member,
    to_minted_uuid,
    to_nullable_boolean,
    to_optional_boolean,
    to_optional_decimal,
    to_optional_integer,
    to_optional_text,
    to_optional_uuid,
    to_text,
    to_texts,
    to_uuid,
    warn_of_fraction,
)
from trading_runtime.codec.json_types import HiddenJson, to_dict
from trading_runtime.codec.models import BaseModel, OpenEnum
from trading_runtime.codec.pages import Page, PageReader, Paginator, to_cursor_text
from trading_runtime.codec.requests import to_model, unstructure
from trading_runtime.codec.times import (
    TimeLike,
    to_datetime,
    to_optional_time,
    to_time,
)
from trading_runtime.errors import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    BatchError,
    ConflictError,
    DecodeError,
    InternalServerError,
    JournalError,
    NoResponseError,
    NotFoundError,
    NotSentError,
    OutcomeUnknownError,
    PaginationError,
    PermissionDeniedError,
    RateLimitError,
    RequestError,
    SigningError,
    TradingError,
    UnprocessableEntityError,
)
from trading_runtime.http.deadline import DeadlineAdapter, new_session
from trading_runtime.http.fault import Fault, TransportError
from trading_runtime.http.transport import Request, Response, Transport
from trading_runtime.intent import Intent, Message
from trading_runtime.operation import (
    Action,
    Api,
    Batch,
    BatchOperation,
    Countersigned,
    CountersignedOperation,
    Countersigner,
    ListOperation,
    Operation,
    Pagination,
    Recognition,
    Target,
    Trace,
)
from trading_runtime.rate_limit import RateBudget
from trading_runtime.recovery.settlement import Settlement
from trading_runtime.signing.canonical import canonical_text
from trading_runtime.signing.keys import Keypair, Signer, decode_base58, verify
from trading_runtime.signing.request import (
    RESERVED_FIELDS,
    SIGNATURE_BYTES,
    SignedRequest,
    sign_request,
)

if TYPE_CHECKING:
    from trading_runtime.call.events import (
        AttemptAnswered,
        AttemptRetried,
        AttemptSent,
        CallEnded,
        CallSettled,
        ClockSkewed,
        Event,
        OutcomeUnknown,
    )

__version__ = "0.3.0.dev0"

__all__ = [
    "RESERVED_FIELDS",
    "SIGNATURE_BYTES",
    "UNSET",
    "Action",
    "Api",
    "ApiError",
    "AttemptAnswered",
    "AttemptRetried",
    "AttemptSent",
    "AuthenticationError",
    "BadRequestError",
    "BaseClient",
    "BaseModel",
    "Batch",
    "BatchError",
    "BatchOperation",
    "BatchResult",
    "CallEnded",
    "CallSettled",
    "ClientOptions",
    "ClockSkewed",
    "ConflictError",
    "Countersigned",
    "CountersignedOperation",
    "Countersigner",
    "DeadlineAdapter",
    "DecimalLike",
    "DecodeError",
    "Event",
    "Fault",
    "Group",
    "HiddenJson",
    "IntegerLike",
    "Intent",
    "InternalServerError",
    "JournalError",
    "Keypair",
    "ListOperation",
    "Message",
    "NoResponseError",
    "NotFoundError",
    "NotSentError",
    "OpenEnum",
    "Operation",
    "OutcomeUnknown",
    "OutcomeUnknownError",
    "Page",
    "PageReader",
    "Pagination",
    "PaginationError",
    "Paginator",
    "PermissionDeniedError",
    "RateBudget",
    "RateLimitError",
    "Recognition",
    "Request",
    "RequestError",
    "Response",
    "Retry",
    "Settlement",
    "SignedRequest",
    "Signer",
    "SigningError",
    "Target",
    "TimeLike",
    "Trace",
    "TradingError",
    "Transport",
    "TransportError",
    "UUIDLike",
    "UnprocessableEntityError",
    "Unset",
    "__version__",
    "as_outcome",
    "at_least_one",
    "canonical_text",
    "decode_base58",
    "exactly_one",
    "if_given",
    "is_number",
    "located",
    "new_session",
    "not_before",
    "now_ms",
    "sign_request",
    "to_boolean",
    "to_cursor_text",
    "to_datetime",
    "to_decimal",
    "to_dict",
    "to_integer",
    "to_json",
    "to_list",
    "to_member",
    "to_minted_uuid",
    "to_model",
    "to_nullable_boolean",
    "to_optional_boolean",
    "to_optional_decimal",
    "to_optional_integer",
    "to_optional_text",
    "to_optional_time",
    "to_optional_uuid",
    "to_text",
    "to_texts",
    "to_time",
    "to_uuid",
    "unstructure",
    "verify",
    "warn_of_fraction",
]


def __getattr__(name: str) -> Any:
    """The events are loaded when they are asked for, for they take long."""
    if name in __all__:
        from trading_runtime.call import events

        return getattr(events, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
