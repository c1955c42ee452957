"""The runtime of a generated SDK: everything that no template should repeat.

The names below are the public ones (`A as A` says so to type checkers). Generated code, the sandbox and whoever
writes a signer or a transport import them from here; how they are cut into modules may change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from trading_runtime.call.events import (
    AttemptAnswered as AttemptAnswered,
    AttemptRetried as AttemptRetried,
    AttemptSent as AttemptSent,
    CallEnded as CallEnded,
    Event as Event,
)
from trading_runtime.call.retry import (
    Retry as Retry,
)
from trading_runtime.checks import (
    is_number as is_number,
)
from trading_runtime.client.client import (
    BaseClient as BaseClient,
    Group as Group,
)
from trading_runtime.client.config import (
    ClientOptions as ClientOptions,
)
from trading_runtime.clock import (
    now_ms as now_ms,
)
from trading_runtime.codec.batch import (
    BatchResult as BatchResult,
    as_outcome as as_outcome,
)
from trading_runtime.codec.fields import (
    UNSET as UNSET,
    DecimalLike as DecimalLike,
    IntegerLike as IntegerLike,
    Unset as Unset,
    UUIDLike as UUIDLike,
    at_least_one as at_least_one,
    exactly_one as exactly_one,
    if_given as if_given,
    located as located,
    not_before as not_before,
    to_boolean as to_boolean,
    to_decimal as to_decimal,
    to_integer as to_integer,
    to_json as to_json,
    to_list as to_list,
    to_member as to_member,
    to_minted_uuid as to_minted_uuid,
    to_nullable_boolean as to_nullable_boolean,
    to_optional_boolean as to_optional_boolean,
    to_optional_decimal as to_optional_decimal,
    to_optional_integer as to_optional_integer,
    to_optional_text as to_optional_text,
    to_optional_uuid as to_optional_uuid,
    to_text as to_text,
    to_texts as to_texts,
    to_uuid as to_uuid,
    warn_of_fraction as warn_of_fraction,
)
from trading_runtime.codec.json_types import (
    HiddenJson as HiddenJson,
    to_dict as to_dict,
)
from trading_runtime.codec.models import (
    BaseModel as BaseModel,
    OpenEnum as OpenEnum,
)
from trading_runtime.codec.pages import (
    Page as Page,
    PageReader as PageReader,
    Paginator as Paginator,
    to_cursor_text as to_cursor_text,
)
from trading_runtime.codec.requests import (
    to_model as to_model,
    unstructure as unstructure,
)
from trading_runtime.codec.times import (
    TimeLike as TimeLike,
    to_datetime as to_datetime,
    to_optional_time as to_optional_time,
    to_time as to_time,
)
from trading_runtime.errors import (
    ApiError as ApiError,
    AuthenticationError as AuthenticationError,
    BadRequestError as BadRequestError,
    BatchError as BatchError,
    ConflictError as ConflictError,
    DecodeError as DecodeError,
    InternalServerError as InternalServerError,
    JournalError as JournalError,
    NoResponseError as NoResponseError,
    NotFoundError as NotFoundError,
    NotSentError as NotSentError,
    OutcomeUnknownError as OutcomeUnknownError,
    PaginationError as PaginationError,
    PermissionDeniedError as PermissionDeniedError,
    RateLimitError as RateLimitError,
    RequestError as RequestError,
    SigningError as SigningError,
    TradingError as TradingError,
    UnprocessableEntityError as UnprocessableEntityError,
)
from trading_runtime.http.deadline import (
    DeadlineAdapter as DeadlineAdapter,
    new_session as new_session,
)
from trading_runtime.http.fault import (
    Fault as Fault,
    TransportError as TransportError,
)
from trading_runtime.http.transport import (
    Request as Request,
    Response as Response,
    Transport as Transport,
)
from trading_runtime.intent import (
    Intent as Intent,
    Message as Message,
)
from trading_runtime.operation import (
    Action as Action,
    Api as Api,
    Batch as Batch,
    BatchOperation as BatchOperation,
    Countersigned as Countersigned,
    CountersignedOperation as CountersignedOperation,
    Countersigner as Countersigner,
    ListOperation as ListOperation,
    Operation as Operation,
    Pagination as Pagination,
    Recognition as Recognition,
    Target as Target,
    Trace as Trace,
)
from trading_runtime.rate_limit import (
    RateBudget as RateBudget,
)
from trading_runtime.recovery.settlement import (
    Settlement as Settlement,
)
from trading_runtime.removed import (
    no_such_name as no_such_name,
)
from trading_runtime.signing.canonical import (
    canonical_text as canonical_text,
)
from trading_runtime.signing.keys import (
    Keypair as Keypair,
    Signer as Signer,
    decode_base58 as decode_base58,
    verify as verify,
)
from trading_runtime.signing.request import (
    RESERVED_FIELDS as RESERVED_FIELDS,
    SIGNATURE_BYTES as SIGNATURE_BYTES,
    SignedRequest as SignedRequest,
    sign_request as sign_request,
)

__version__ = "0.3.0"

if not TYPE_CHECKING:  # pragma: no branch

    def __getattr__(name: str) -> NoReturn:
        raise no_such_name(__name__, name)
