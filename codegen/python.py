"""The one place that turns names and types of the IR into names, types and text of Python."""

from __future__ import annotations

import ast
import re
import textwrap

from attrs import frozen

from codegen import ir

WIDTH = 100
STANDARD = {
    "collections.abc": ("Mapping", "Sequence"),
    "decimal": ("Decimal",),
    "functools": ("cached_property",),
    "typing": ("Any", "Literal", "TypeAlias"),
    "uuid": ("UUID", "uuid4"),
    "attrs": ("field", "frozen"),
    "attrs.validators": ("ge", "le", "matches_re", "max_len", "min_len", "optional"),
}
RUNTIME = {
    "batch": ("BatchResult",),
    "client": ("BaseClient", "Group"),
    "convert": (
        *("DecimalLike", "OpenEnum", "UNSET", "UUIDLike", "Unset"),
        *("at_least_one", "exactly_one", "located", "to_member", "to_minted_uuid", "to_model"),
        *(
            f"to_{variant}{kind}"
            for kind in ("boolean", "decimal", "integer", "text", "texts", "uuid")
            for variant in ("", "optional_", "nullable_")
        ),
    ),
    "errors": (
        *("ApiError", "AuthenticationError", "BadRequestError", "BatchError", "ConflictError"),
        *("DecodeError", "InternalServerError", "NoResponseError", "NotFoundError"),
        *("NotSentError", "OutcomeUnknownError", "PaginationError", "PermissionDeniedError"),
        *("RateLimitError", "RequestError", "SigningError", "TradingError"),
        "UnprocessableEntityError",
    ),
    "keys": ("Keypair", "Signer"),
    "operation": (
        *("Action", "Api", "Batch", "BatchOperation", "ListOperation", "Operation", "Pagination"),
    ),
    "pagination": ("Page", "Paginator"),
    "signing": ("SignedRequest",),
    "transport": ("RequestsTransport", "Transport"),
}
SCALARS = {
    "string": "str",
    "integer": "int",
    "boolean": "bool",
    "decimal": "Decimal",
    "uuid": "UUID",
    "json": "Any",
}
ARGUMENTS = {**SCALARS, "decimal": "DecimalLike", "uuid": "UUIDLike"}
CONVERTERS = {
    "string": "text",
    "integer": "integer",
    "boolean": "boolean",
    "decimal": "decimal",
    "uuid": "uuid",
}


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


def runtime_names() -> list[str]:
    """The names of the runtime that users import from the generated package."""
    shown = ("batch", "errors", "keys", "pagination", "signing", "transport")
    names = [name for module in shown for name in RUNTIME[module]]
    return sorted([*names, "DecimalLike", "UNSET", "UUIDLike", "Unset"])


# -- types ------------------------------------------------------------------------------------


def result_type(type_: ir.Type) -> str:
    """The type of what a call returns."""
    one = type_.name or SCALARS[type_.kind]
    return f"Sequence[{one}]" if type_.many else one


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
        return f"{field.name}: {type_} | None | Unset = UNSET"
    if field.required:
        return f"{field.name}: {type_}" + (" | None" if field.nullable else "")
    return f"{field.name}: {type_} | None = None"


def argument(field: ir.Field) -> str:
    """A parameter as it is passed on to the model."""
    if field.auto == "account":
        return f"{field.name}=self._client.own_account({field.name})"
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


def attribute(field: ir.Field, role: str) -> Attribute:
    """A field of an attrs class."""
    unset = role == "request" and _is_nullable(field)
    base = field.type.name or SCALARS[field.type.kind]
    return Attribute(
        annotation=f"{base} | None | Unset" if unset else None,
        default=_checked(field) if role == "request" else _received(field),
        docstring=docstring(_described(field), indent=4),
    )


def _is_nullable(field: ir.Field) -> bool:
    """Whether null says something that leaving the field out does not."""
    return field.nullable and not field.required and field.auto is None


def _received(field: ir.Field) -> str:
    if field.type.many and not field.required:
        return " = ()"
    return " = None" if field.nullable or not field.required else ""


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
    return f" = field({', '.join(parts)})"


def converter(field: ir.Field) -> str:
    """The name of the function that a field of a request passes through."""
    variant = "nullable_" if _is_nullable(field) else "" if field.required else "optional_"
    if field.auto == "uuid":
        variant = "minted_"
    if field.type.name:
        return f"_to_{variant}{snake(field.type.name)}"
    return f"to_{variant}{CONVERTERS[field.type.kind]}{'s' if field.type.many else ''}"


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


def _described(field: ir.Field) -> str:
    notes = []
    if field.unit:
        notes.append(f"Unit: {field.unit}.")
    if field.default is not None:
        notes.append(f"Default: {field.default}.")
    if field.auto == "uuid":
        notes.append("A new one unless given; None for none at all.")
    if field.auto == "account":
        notes.append("The client's own unless given.")
    if field.pattern:
        notes.append(f"Pattern: `{field.pattern}`.")
    if field.maximum is not None:
        notes.append(f"At most {field.maximum}.")
    if field.source != "documented":
        notes.append(f"Not documented; {field.source}.")
    return " ".join([" ".join(field.description.split()), *notes])


# -- docstrings -------------------------------------------------------------------------------


def docstring(text: str, *, indent: int) -> str:
    """Text as a docstring literal. Whatever it holds, it changes the literal and nothing else."""
    width = WIDTH - indent
    blocks = [_wrapped(block, width) for block in re.split(r"\n\s*\n", text.strip())]
    lines = "\n\n".join(blocks).split("\n")
    pad = " " * indent
    escaped = [_escaped(line) for line in lines]
    if len(escaped) == 1 and len(escaped[0]) + 6 <= width:
        return f'"""{escaped[0]}"""'
    return "\n".join(
        [f'"""{escaped[0]}', *(f"{pad}{line}".rstrip() for line in escaped[1:]), f'{pad}"""']
    )


def _wrapped(block: str, width: int) -> str:
    """A paragraph to the width; the lines of an indented list stay lines."""
    first = width - 3
    if "\n    " in block or block.startswith("    "):
        return "\n".join(_filled(line, width, " " * 8) for line in block.split("\n"))
    return _filled(" ".join(block.split()), first)


def _filled(text: str, width: int, indent: str = "") -> str:
    return textwrap.fill(
        text,
        width,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _escaped(line: str) -> str:
    """A line inside a triple-quoted literal."""
    text = line.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return f'{text[:-1]}\\"' if text.endswith('"') else text


def method_doc(operation: ir.Operation | ir.Action, fields: list[ir.Field], returns: str) -> str:
    """The docstring of a method: what, where, signed how, arguments, result, errors, section."""
    batch = operation.batch if isinstance(operation, ir.Operation) else None
    arguments = [f"    {field.name}: {_described(field)}" for field in fields]
    if batch:
        names = ", ".join(batch.actions)
        most = f"{batch.min_items} to {batch.max_items} actions"
        arguments = [f"    {batch.field}: {most}, each one of {names}."]
    blocks = [
        operation.summary,
        operation.description,
        _place(operation),
        "\n".join(["Args:", *arguments]) if arguments else "",
        f"Returns:\n    {' '.join(returns.split())}" if returns else "",
        "\n".join(["Raises:", *_raises(operation)]),
    ]
    return "\n\n".join(block for block in blocks if block)


def _place(operation: ir.Operation | ir.Action) -> str:
    """Where a method sends what, how it is signed, and where the interface says so."""
    if isinstance(operation, ir.Action):
        place = f"Sent as a batch of one `{operation.type}` action"
    else:
        place = f"`{operation.http_method} {operation.path}`"
    if operation.signing:
        place += f", signed as `{operation.signing.type}`"
        if operation.signing.source != "documented":
            place += f" ({operation.signing.source})"
    return f"{place}. {operation.section}."


def _raises(operation: ir.Operation | ir.Action) -> list[str]:
    lines = ["    RequestError: An argument is wrong; nothing was sent."]
    statuses = operation.statuses if isinstance(operation, ir.Operation) else ()
    repeatable = operation.retry == "safe"
    if repeatable:
        lines.append("    NoResponseError: No usable answer came; ask again at will.")
        lines.append("    DecodeError: The answer cannot be used.")
    else:
        lines.append(
            "    OutcomeUnknownError: It may have been carried out; look before repeating."
        )
    lines.append("    NotSentError: It was certainly not sent.")
    refusals = [str(status) for status in statuses if 400 <= status < (600 if repeatable else 500)]
    said = f", with status {' or '.join(refusals)}" if refusals else ""
    return [*lines, f"    ApiError: The service refused{said}."]


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
        **{
            name: f"trading_runtime.{module}" for module, names in RUNTIME.items() for name in names
        },
        **local,
    }
    needed: dict[str, list[str]] = {}
    for name in sorted((used - bound) & modules.keys()):
        needed.setdefault(modules[name], []).append(name)
    return "\n".join(
        f"from {module} import {', '.join(names)}" for module, names in sorted(needed.items())
    )
