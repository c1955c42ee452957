"""The names that generated modules import or use, which no name of a spec may take."""

from __future__ import annotations

import ast

CONVERTERS = {
    "boolean": ("", "optional_", "nullable_"),
    "date_time": ("",),
    "decimal": ("", "optional_"),
    "int32": ("",),
    "int32_text": ("",),
    "integer": ("", "optional_"),
    "integer_text": ("",),
    "json": ("",),
    "text": ("", "optional_", "cursor_"),
    "texts": ("",),
    "time": ("", "optional_"),
    "time_text": ("",),
    "uuid": ("", "optional_", "minted_"),
}
"""The runtime's converters of scalars, like `to_optional_decimal`: each kind with its variants."""

EXPORTED = (
    *("UNSET", "BatchResult", "Keypair", "Page", "Paginator", "RateBudget", "RequestsTransport"),
    *("Retry", "SessionTransport", "Settlement", "SignedRequest", "Signer", "Unset"),
    *("DecimalLike", "IntegerLike", "TimeLike", "UUIDLike", "to_datetime", "to_dict"),
    *("ApiError", "AuthenticationError", "BadRequestError", "BatchError", "ConflictError"),
    *("DecodeError", "InternalServerError", "JournalError", "NoResponseError", "NotFoundError"),
    *("NotSentError", "OutcomeUnknownError", "PaginationError", "PermissionDeniedError"),
    *("RateLimitError", "RequestError", "SigningError", "TradingError", "UnprocessableEntityError"),
    "__version__",
)
"""The names of the runtime that users import from the generated package."""

MODULES = {
    "collections.abc": ("Mapping", "Sequence"),
    "datetime": ("datetime",),
    "decimal": ("Decimal",),
    "functools": ("cached_property",),
    "typing": ("TYPE_CHECKING", "Annotated", "Any", "Literal", "TypeAlias", "overload"),
    "uuid": ("UUID",),
    "attrs": ("field", "frozen"),
    "attrs.validators": ("ge", "gt", "le", "lt", "matches_re", "max_len", "min_len", "optional"),
    "typing_extensions": ("NotRequired", "TypedDict", "deprecated"),
    "trading_runtime": (
        *("Action", "Api", "Batch", "BatchOperation", "ListOperation", "Operation"),
        *("Countersigned", "CountersignedOperation", "Countersigner", "ErrorBody"),
        *("HiddenJson", "Pagination", "Recognition", "Target", "Trace"),
        *("IntegerText", "OpenIntEnum"),
        *("BaseClient", "BaseModel", "Group", "OpenEnum", "at_least_one", "exactly_one", "located"),
        *("as_outcome", "multiple_of", "needs", "not_before", "warn_of_fraction"),
        *("if_given", "to_list", "to_map", "to_member", "to_model", "to_tuple"),
        *("Discriminator", "UnknownObject", "to_union"),
        *("warn_if_given", "warned"),
        *(f"to_{variant}{kind}" for kind in CONVERTERS for variant in CONVERTERS[kind]),
        *EXPORTED,
    ),
}
"""The names that the generated modules may import, by the module that has them."""

BUILTINS = ("bool", "int", "str")
CLIENT_NAMES = {
    *("account_address", "acknowledge", "api", "cached_property", "clock_skew", "close"),
    *("explain", "from_env", "rate_budget", "reconcile", "resend", "send", "unsettled"),
    "with_options",
}
"""The public names of the runtime's BaseClient, and what the body of the client's class uses."""


def taken_names() -> set[str]:
    """The names that the generated modules may use or define beside those of the spec."""
    own = ("API", "PAGES", "REASONS", "Client")
    return {name for names in (own, BUILTINS, *MODULES.values()) for name in names}


def imports(body: str, local: dict[str, str]) -> str:
    """The import statements that a module's body needs: exactly those, found by its names."""
    tree = ast.parse(body)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if "__all__" in used:
        used |= {str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    bound = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.alias)}
    known = {name: module for module, names in MODULES.items() for name in names}
    modules = {**known, **local}
    needed: dict[str, list[str]] = {}
    for name in sorted((used - bound) & modules.keys()):
        needed.setdefault(modules[name], []).append(name)
    return "\n".join(
        f"from {module} import {', '.join(names)}" for module, names in sorted(needed.items())
    )
