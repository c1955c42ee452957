"""The intermediate representation: what a spec says, free of any language.

`python -m codegen ir` prints it as JSON. A port to another language generates everything from this.
"""

from __future__ import annotations

from functools import cached_property

from attrs import field, frozen

from codegen.ir import words
from codegen.ir.changes import BY_NAME, FOR_PEOPLE, UNCOMPARED, change
from codegen.ir.conventions import STATUSES, Conventions, Refusals, SignedBody
from codegen.ir.methods import (
    Action,
    Batch,
    Countersigned,
    Countersigner,
    ErrorBody,
    HttpMethod,
    Method,
    Operation,
    Pagination,
    Parameter,
    Result,
    RetryClass,
    Signing,
    Target,
    Trace,
)
from codegen.ir.models import (
    REASONS,
    Condition,
    Enum,
    Field,
    Json,
    Model,
    Reason,
    Role,
    Source,
    Type,
    Union,
    Variant,
)
from codegen.ir.words import keyword, word

__all__ = [
    "KEYWORDS",
    "STATUSES",
    "VERSION",
    "WORDED",
    "WORDS",
    "Action",
    "Api",
    "Batch",
    "Condition",
    "Conventions",
    "Countersigned",
    "Countersigner",
    "Enum",
    "ErrorBody",
    "Field",
    "Group",
    "HttpMethod",
    "Json",
    "Method",
    "Model",
    "Operation",
    "Pagination",
    "Parameter",
    "RateHeaders",
    "Reason",
    "Refusals",
    "Result",
    "RetryClass",
    "Role",
    "Server",
    "SignedBody",
    "Signing",
    "Source",
    "Target",
    "Trace",
    "Type",
    "Union",
    "Variant",
]

HEADER: words.Form = {
    "type": "string",
    "pattern": r"^[A-Za-z0-9-]+\Z",
    "title": "the name of a header",
}
VERSION = 2
"""Raised when a member is renamed, removed, or means something else. A new member does not raise it."""


@frozen(kw_only=True)
class Server:
    """Where the service is. Users give its name, or a URL of their own."""

    name: str | None = field(
        default=None,
        metadata=UNCOMPARED
        | word(
            "x-name",
            on="one of several servers",
            form=words.SNAKE_CASE,
            samples=("testnet",),
        ),
    )
    """By which users choose it. None for the only server, if it has no name."""
    url: str = field(metadata=change(changed="callers wire"))
    """Its path is a prefix of the paths of all operations. It has no slash at its end."""
    description: str = field(metadata=FOR_PEOPLE)
    """For people."""


@frozen(kw_only=True)
class Group:
    """Operations under one name on the client, like `client.orders`."""

    name: str = field(metadata=UNCOMPARED)
    """The name of the group on the client."""
    title: str = field(metadata=FOR_PEOPLE)
    """The tag of the spec."""
    description: str = field(metadata=FOR_PEOPLE)
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

    ir_version: int = field(default=VERSION, metadata=UNCOMPARED)
    """Of this format."""
    title: str = field(metadata=FOR_PEOPLE)
    """Of the service."""
    version: str = field(metadata=FOR_PEOPLE)
    """Of the service's interface, not of a package."""
    spec_sha256: str = field(metadata=UNCOMPARED)
    """Of the spec; with overlays, of the lines that hold the SHA-256 of the spec and of each overlay."""
    overlays: tuple[str, ...] = field(default=(), metadata=FOR_PEOPLE)
    """The names of the files of the overlays, in their order."""
    api_key_header: str | None = field(
        metadata=change(added="callers wire", removed="callers! wire!", changed="wire!")
        | keyword({"security": "write it once, at the root of the document"})
    )
    """Header that carries an API config key. None if the service has none."""
    rate_scale: int = field(
        metadata=change(changed="answers!")
        | word(
            "x-rate-scale",
            on="the root of the document",
            value="an integer of 1 or more",
            form={"type": "integer", "minimum": 1},
            samples=(1, 100),
        )
    )
    """The number that means one credit in the headers of the rate limit. Default: 1."""
    rate_headers: RateHeaders = field(
        default=RateHeaders(),
        metadata=change(changed="answers!")
        | word(
            "x-rate-headers",
            on="the root of the document",
            value="a mapping of budget, policy, or both, to the names of headers",
            form={**words.keys({}, {"budget": HEADER, "policy": HEADER}), "minProperties": 1},
            samples=({"budget": "X-Budget"}, {"budget": "X-Budget", "policy": "X-Policy"}),
        ),
    )
    """The headers that tell the rate limit, as the IETF's draft writes them: what is left and until when, and the
    quota with its window. Default: `{ budget: ratelimit, policy: ratelimit-policy }`."""
    servers: tuple[Server, ...] = field(
        default=(),
        metadata=BY_NAME
        | keyword(
            {
                "servers": "all operations have the servers of the document; write those of another host"
                " into a spec of their own, with a client of its own"
            }
        ),
    )
    """Where the service is, as the spec names it. Users may also give a URL of their own."""
    conventions: Conventions = field(factory=Conventions, metadata=UNCOMPARED)
    """What all messages and answers have in common."""
    groups: tuple[Group, ...] = field(metadata=BY_NAME)
    """In the order of the spec."""
    enums: tuple[Enum, ...] = field(metadata=BY_NAME)
    """All enums."""
    models: tuple[Model, ...] = field(metadata=BY_NAME)
    """All models, sent and received."""
    unions: tuple[Union, ...] = field(default=(), metadata=BY_NAME)
    """All unions of models, sent and received."""
    reasons: tuple[Reason, ...] = field(
        default=(),
        metadata=BY_NAME
        | word(
            "x-reasons",
            on="one enum of strings",
            value="a mapping of values to how each is recognised",
            form=REASONS,
            samples=(
                {"novel": {"description": "Too long.", "texts": ["Too long"]}},
                {
                    "bid": {"description": "No.", "statuses": [409]},
                    "ask": {"description": "No.", "texts": ["Ask"]},
                },
            ),
        ),
    )
    """Why the service refuses, each with what shows it: the enum is what `ApiError.reason` may be. A value has a
    `description`; `texts`, `codes`, `statuses`, or some of them; `operations`, `as-status`, `x-source`. See
    *Reasons* in spec/README.md. Empty if the spec has no table of them."""
    operations: tuple[Operation, ...] = field(metadata=UNCOMPARED)
    """All endpoints."""
    actions: tuple[Action, ...] = field(metadata=UNCOMPARED)
    """All actions of batches."""

    @cached_property
    def types(self) -> dict[str, Enum | Model | Union]:
        """Every enum, model and union, by its name."""
        types: tuple[Enum | Model | Union, ...] = (*self.enums, *self.models, *self.unions)
        return {each.name: each for each in types}

    def fields_of(self, model: str | None) -> tuple[Field, ...]:
        """The fields of a model. Empty without one."""
        found = self.types.get(model or "")
        return found.fields if isinstance(found, Model) else ()


WORDED = (Method, Operation, Action, Field, Enum, Server, Api)
"""The classes that have members which x- words become."""
WORDS = tuple(word for _, word in words.words(*WORDED))
"""The x- words of the spec. One may stand at two places."""
KEYWORDS = tuple(words.keywords(Operation, Type, Field, Model, Union, Api))
"""The words of JSON Schema and OpenAPI that become something, beside those that are the frame of a document."""
