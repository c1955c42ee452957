"""Unions, as aliases of types that hold what tells their objects apart."""

from __future__ import annotations

from codegen import ir
from codegen.ir.names import mapping_name
from codegen.python import docstrings


def aliases(api: ir.Api) -> str:
    """The alias of each union. They come behind all classes, because they are made of them."""
    return "".join(f"\n\n{_alias(union)}" for union in api.unions)


def mapping(union: ir.Union) -> str:
    """The class of each value of the discriminator, as a dict."""
    pairs = (f"{variant.name!r}: {variant.model}" for variant in union.variants)
    return f"{{{', '.join(pairs)}}}"


def _alias(union: ir.Union) -> str:
    models = list(dict.fromkeys(variant.model for variant in union.variants))
    told = f"Told apart by `{union.discriminator}`."
    if union.role == "request":
        type_ = " | ".join(models)
    else:
        told = f"{told[:-1]}; an object with another value of it is an `UnknownObject`."
        either = " | ".join([*models, "UnknownObject"])
        type_ = f"Annotated[{either}, Discriminator({union.discriminator!r}, {mapping(union)})]"
    doc = docstrings.docstring(f"{' '.join(union.description.split())}\n\n{told}", indent=0)
    return f"{union.name}: TypeAlias = {type_}\n{doc}\n{_like(union, models)}"


def _like(union: ir.Union, models: list[str]) -> str:
    """The alias of what callers may give for it."""
    if union.role == "response":
        return ""
    given = " | ".join([union.name, *map(mapping_name, models)])
    return f"\n{union.name}Like: TypeAlias = {given}\n"
