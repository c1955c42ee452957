"""TypeScript: the names and types that names and types of the IR become.

Fields keep the names that they have on the wire. Groups and methods are in camelCase.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from codegen import ir
from codegen.languages.python import is_time, taken_type

# -- names ------------------------------------------------------------------------------------

CLIENT_NAMES = {
    *(
        "account_address",
        "acknowledge",
        "clock_skew",
        "close",
        "constructor",
        "explain",
        "from_env",
    ),
    *("rate_budget", "reconcile", "resend", "unsettled", "with_options"),
}
"""The public names of the runtime's BaseClient, in snake_case: no group may have them."""

METHOD_NAMES = {"constructor"}
"""What no method of a class can be called."""

EXPORTED = (
    *("Keypair", "toDate", "toJson"),
    *("ApiError", "AuthenticationError", "BadRequestError", "BatchError", "ConflictError"),
    *("DecodeError", "InternalServerError", "JournalError", "NoResponseError", "NotFoundError"),
    *("NotSentError", "OutcomeUnknownError", "PaginationError", "PermissionDeniedError"),
    *("RateLimitError", "RequestError", "SigningError", "TradingError", "TransportError"),
    *("UnprocessableEntityError", "FetchTransport"),
)
"""The values of the runtime that users import from the package."""

EXPORTED_TYPES = (
    *("AttemptAnswered", "AttemptRetried", "AttemptSent", "BatchResult", "CallOptions"),
    *("CallSettled", "ChangedOptions", "ClientEvent", "ClientOptions", "ClockSkewed", "Decimal"),
    *("DecimalInput", "IntegerInput", "Intent", "Json", "JsonInput", "OnEvent", "Open"),
    *("OutcomeUnknown", "Page", "Paginator", "RateBudget", "RetryOptions", "Settlement"),
    *("SignedRequest", "Signer", "TimeInput", "Transport", "TransportRequest"),
    *("TransportResponse", "UnknownObject"),
)
"""The types of the runtime that users import from the package."""

GLOBALS = {
    *(
        "Array",
        "BigInt",
        "Boolean",
        "Date",
        "Error",
        "Map",
        "Number",
        "Object",
        "Promise",
        "Readonly",
    ),
    *("Record", "Set", "String", "Symbol", "TypeError", "Uint8Array"),
    *(
        "API",
        "BaseClient",
        "Client",
        "Group",
        "SCHEMA",
        "Operation",
        "ListOperation",
        "BatchOperation",
    ),
}
"""Names that the generated modules use, beside those of the runtime."""


def taken_names() -> set[str]:
    """The names that no model or enum can have."""
    return {*GLOBALS, *EXPORTED, *EXPORTED_TYPES}


WORD = re.compile("[A-Za-z_$][A-Za-z0-9_$]*")


def camel(name: str) -> str:
    """`create_stop` -> `createStop`. What follows no underscore stays: no two names become one."""
    return re.sub("_([a-z])", lambda found: found[1].upper(), name)


def property_name(name: str) -> str:
    """A name on the wire, as the key of an object: quoted unless it is an identifier."""
    return name if re.fullmatch("[A-Za-z_$][A-Za-z0-9_$]*", name) else json.dumps(name)


# -- types ------------------------------------------------------------------------------------

RECEIVED = {
    "string": "string",
    "integer": "bigint",
    "boolean": "boolean",
    "decimal": "Decimal",
    "uuid": "string",
    "date_time": "Date",
    "json": "Json",
}
GIVEN = {
    **RECEIVED,
    "integer": "IntegerInput",
    "decimal": "DecimalInput",
    "json": "JsonInput",
}


def type_text(type_: ir.Type, role: ir.Role) -> str:
    """The type of what a caller gives, or of what a model holds that was received."""
    if type_.kind in ("enum", "integer_enum") and role == "response":
        return f"Open<{type_.name}>"
    if type_.bits and role == "response" and not type_.as_text:
        return "number"
    if role == "request" and is_time(type_):
        return "TimeInput"
    scalars = GIVEN if role == "request" else RECEIVED
    held = _holder(type_, lambda part: type_text(part, role))
    return held or type_.name or scalars[type_.kind]


def _holder(type_: ir.Type, text: Callable[[ir.Type], str]) -> str:
    """A list, a map or a tuple. Empty for another type."""
    held = [type_.items] if type_.items else type_.members
    parts = [f"{text(part)} | null" if part.nullable else text(part) for part in held]
    if type_.kind == "list":
        return f"readonly {parts[0]}[]" if parts[0].isidentifier() else f"ReadonlyArray<{parts[0]}>"
    forms = {"map": "Readonly<Record<string, {}>>", "tuple": "readonly [{}]"}
    return forms[type_.kind].format(", ".join(parts)) if parts else ""


def field_text(field: ir.Field, role: ir.Role) -> str:
    """A field of an interface: its name and its type."""
    type_ = type_text(taken_type(field), role)
    name = property_name(field.name)
    if role == "response":
        is_empty_list = field.type.kind == "list" and not field.required
        is_there = field.required or is_empty_list
        return f"readonly {name}: {type_}{'' if is_there and not field.nullable else ' | null'};"
    if field.required and field.auto is None:
        return f"readonly {name}: {type_}{' | null' if field.nullable else ''};"
    or_null = "" if field.cursor else " | null"
    return f"readonly {name}?: {type_}{or_null} | undefined;"


def result_type(operation: ir.Operation) -> str:
    """What a call returns; of a list, one record; of a batch, one result."""
    result = operation.result
    if operation.outcome:
        return operation.outcome
    if result is None:
        return "void"
    type_ = result.type
    if operation.batch and type_.items and type_.items.name:
        return type_.items.name
    text = type_text(type_, "response")
    return f"{text} | null" if result.nullable or type_.nullable else text
