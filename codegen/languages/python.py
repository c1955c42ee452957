"""The one place that turns names and types of the IR into names, types and text of Python."""

from __future__ import annotations

import ast
import re

from attrs import frozen

from codegen import ir
from codegen.docstrings import described, docstring

STANDARD = {
    "collections.abc": ("Mapping", "Sequence"),
    "decimal": ("Decimal",),
    "functools": ("cached_property",),
    "typing": ("Any", "Literal", "TypeAlias"),
    "uuid": ("UUID", "uuid4"),
    "attrs": ("field", "frozen"),
    "attrs.validators": ("ge", "le", "matches_re", "max_len", "min_len", "optional"),
}
RUNTIME = (
    # What the generated modules use.
    *("BaseClient", "Group", "OpenEnum", "at_least_one", "exactly_one", "located"),
    *("Action", "Api", "Batch", "BatchOperation", "ListOperation", "Operation", "Pagination"),
    *("Target", "Trace"),
)
CONVERTER_NAMES = (
    *("to_member", "to_minted_uuid", "to_model"),
    *("to_boolean", "to_optional_boolean", "to_nullable_boolean"),
    *("to_decimal", "to_optional_decimal", "to_integer", "to_optional_integer"),
    *("to_text", "to_optional_text", "to_texts", "to_uuid", "to_optional_uuid"),
)
EXPORTED = (
    # What users import from the generated package.
    *("BatchResult", "DecimalLike", "Keypair", "Page", "Paginator", "RateBudget"),
    *("RequestsTransport", "Retry", "Settlement", "SignedRequest", "Signer", "UNSET", "UUIDLike"),
    *("Unset", "ApiError", "AuthenticationError", "BadRequestError", "BatchError"),
    *("ConflictError", "DecodeError", "InternalServerError", "JournalError", "NoResponseError"),
    *("NotFoundError", "NotSentError", "OutcomeUnknownError", "PaginationError"),
    *("PermissionDeniedError", "RateLimitError", "RequestError", "SigningError", "TradingError"),
    "UnprocessableEntityError",
)
SCALARS = {
    "string": "str",
    "integer": "int",
    "boolean": "bool",
    "decimal": "Decimal",
    "uuid": "UUID",
    "json": "Any",
}
ARGUMENTS = {**SCALARS, "decimal": "DecimalLike", "uuid": "UUIDLike"}
CONVERTERS = {**{kind: kind for kind in SCALARS}, "string": "text"}
BUILTINS = ("bool", "int", "str")


# -- names ------------------------------------------------------------------------------------


def snake(name: str) -> str:
    """`TimeInForce` -> `time_in_force`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def pascal(name: str) -> str:
    """`api_keys` -> `ApiKeys`."""
    return "".join(part.capitalize() for part in name.split("_"))


def constant(group: str, method: str) -> str:
    """`orders`, `create` -> `ORDERS_CREATE`."""
    return f"{group}_{method}".upper()


def taken_names() -> set[str]:
    """The names of everything that the generated modules may use or define, beside the spec's."""
    own = ("API", "PAGES", "Client")
    modules = [own, BUILTINS, *STANDARD.values(), RUNTIME, CONVERTER_NAMES, EXPORTED]
    return {name for names in modules for name in names}


# -- types ------------------------------------------------------------------------------------


def result_type(type_: ir.Type) -> str:
    """The type of what a call returns."""
    one = type_.name or SCALARS[type_.kind]
    return f"Sequence[{one}]" if type_.many else one


def call_of(operation: ir.Operation) -> dict[str, str]:
    """The kind of an operation, its item, the method that calls it, and what that returns."""
    item = result_type(operation.result.type) if operation.result else "None"
    if operation.pagination:
        kind, call, returns = "ListOperation", "paginate", f"Paginator[{item}]"
    elif operation.batch and operation.result and operation.result.type.name:
        item = operation.result.type.name
        kind, call, returns = "BatchOperation", "batch", f"BatchResult[{item}]"
    else:
        kind, call, returns = "Operation", "call", item
    return {"kind": kind, "item": item, "call": call, "returns": returns}


def argument_type(field: ir.Field) -> str:
    """The type of what a caller may pass for a field."""
    kind, name = field.type.kind, field.type.name
    if kind == "enum":
        one = f"{name}Like"
    elif kind == "model":
        one = f"{name} | Mapping[str, Any]"
    else:
        one = ARGUMENTS[kind]
    return f"Sequence[{one}]" if field.type.many else one


def parameter(field: ir.Field) -> str:
    """A field as a parameter of a method, with its default."""
    type_ = argument_type(field)
    if field.auto == "account":
        return f"{field.name}: {type_} | None = None"
    if field.auto == "uuid" or (field.nullable and not field.required):
        return f"{field.name}: {type_} | Unset | None = UNSET"
    if field.required:
        return f"{field.name}: {type_}" + (" | None" if field.nullable else "")
    return f"{field.name}: {type_} | None = None"


def argument(field: ir.Field) -> str:
    """A parameter as it is passed on to the model."""
    if field.auto == "account":
        return f"{field.name}=self._caller.own_account({field.name})"
    return f"{field.name}={field.name}"


def by_need(fields: tuple[ir.Field, ...]) -> list[ir.Field]:
    """Fields in the order of a signature: what must be given first."""
    return sorted(fields, key=lambda field: not field.required or field.auto is not None)


# -- fields of models -------------------------------------------------------------------------


@frozen(kw_only=True)
class Attribute:
    """What a model's template needs to know of one field."""

    annotation: str | None
    """Replaces the type that datamodel-code-generator found; None where that one is right."""

    default: str
    """What follows the annotation."""

    docstring: str


def attribute(field: ir.Field, role: str, source: ir.Source) -> Attribute:
    """A field of an attrs class; `source` is the one that the class has given for all its fields."""
    unset = role == "request" and _is_nullable(field)
    base = field.type.name or SCALARS[field.type.kind]
    return Attribute(
        annotation=f"{base} | Unset | None" if unset else None,
        default=_checked(field) if role == "request" else _received(field),
        docstring=docstring(described(field, source), indent=4),
    )


def _is_nullable(field: ir.Field) -> bool:
    """Whether null says something that leaving the field out does not."""
    return field.nullable and not field.required and field.auto is None


def _received(field: ir.Field) -> str:
    default = "None" if field.nullable or not field.required else ""
    if field.type.many and not field.required:
        default = "()"
    if field.secret:
        parts = [f"default={default}"] if default else []
        return f" = field({', '.join([*parts, 'repr=False'])})"
    return f" = {default}" if default else ""


def _checked(field: ir.Field) -> str:
    optional = not field.required or field.nullable
    parts = []
    if field.auto == "uuid":
        parts.append("factory=uuid4")
    elif _is_nullable(field):
        parts.append("default=UNSET")
    elif optional:
        parts.append("default=None")
    parts.append(f"converter={converter(field)}")
    if validators := _validators(field):
        rules = ", ".join(validators)
        rule = validators[0] if len(validators) == 1 else f"[{rules}]"
        parts.append(f"validator=optional({rule})" if optional else f"validator={rule}")
    if field.secret:
        parts.append("repr=False")
    return f" = field({', '.join(parts)})"


def converter(field: ir.Field) -> str:
    """The name of the function that a field of a request passes through."""
    variant = "nullable_" if _is_nullable(field) else "" if field.required else "optional_"
    if field.auto == "uuid":
        variant = "minted_"
    if field.type.name:
        return f"_to_{variant}{snake(field.type.name)}"
    return f"to_{variant}{CONVERTERS[field.type.kind]}{'s' if field.type.many else ''}"


def can_be_sent(field: ir.Field) -> bool:
    """Whether there is a converter for a field of a request."""
    if field.required and field.nullable:
        return False
    if field.auto == "account":
        return field.type == ir.Type(kind="string")
    if field.type.name:
        return not (field.type.many or field.auto or _is_nullable(field))
    return converter(field) in CONVERTER_NAMES


def _validators(field: ir.Field) -> list[str]:
    """The limits of a field, as calls of attrs' validators."""
    limits = (
        ("matches_re", field.pattern),
        ("ge", field.minimum),
        ("le", field.maximum),
        ("min_len", field.min_length or field.min_items),
        ("max_len", field.max_items),
    )
    return [f"{name}({value!r})" for name, value in limits if value is not None]


# -- imports ----------------------------------------------------------------------------------


def imports(body: str, local: dict[str, str]) -> str:
    """The import statements that a module's body needs: exactly those, found by its names."""
    tree = ast.parse(body)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if "__all__" in used:
        used |= {str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    bound = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    modules = {
        **{name: module for module, names in STANDARD.items() for name in names},
        **dict.fromkeys((*RUNTIME, *CONVERTER_NAMES, *EXPORTED), "trading_runtime"),
        **local,
    }
    needed: dict[str, list[str]] = {}
    for name in sorted((used - bound) & modules.keys()):
        needed.setdefault(modules[name], []).append(name)
    return "\n".join(
        f"from {module} import {', '.join(names)}" for module, names in sorted(needed.items())
    )
