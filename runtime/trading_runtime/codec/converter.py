"""Models to what is sent, and mappings that programs give to models: one converter of cattrs.

Importing cattrs takes a quarter of the time that importing requests takes, so only the first call does it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Any, cast, get_type_hints
from uuid import UUID

import attrs
import cattrs
from cattrs.gen import make_dict_unstructure_fn, override

from trading_runtime.checks import did_you_mean
from trading_runtime.codec.fields import UNSET, Unset, decimal_text, json_name
from trading_runtime.codec.models import OpenEnum
from trading_runtime.errors import RequestError

_converter = cattrs.Converter(
    forbid_extra_keys=True,
    prefer_attrib_converters=True,
    unstruct_collection_overrides={Sequence: list, tuple: list},
)


# -- models to what is sent -------------------------------------------------------------------


@cache
def writer(model: Any) -> Callable[[Any], dict[str, Any]]:
    """What writes the fields of a model as they are sent. Fields that were not given are left out."""
    fields = attrs.fields(model)
    names: Any = {field.name: override(rename=json_name(field)) for field in fields}
    write = make_dict_unstructure_fn(model, _converter, **names)
    # None stands for "not given", UNSET where null has a meaning. A field that must be given is never left out.
    absent = {json_name(f): UNSET if f.default in (UNSET, attrs.NOTHING) else None for f in fields}

    def sent(value: Any) -> dict[str, Any]:
        return {name: given for name, given in write(value).items() if given is not absent[name]}

    return sent


for _type, _write in (
    (Decimal, decimal_text),
    (UUID, str),
    (OpenEnum, str.__str__),
    (Unset, lambda value: value),
):
    _converter.register_unstructure_hook(_type, cast(Any, _write))
_converter.register_unstructure_hook_factory(attrs.has, writer)


# -- what programs give -----------------------------------------------------------------------


def structured(model: type[Any], given: Mapping[str, Any]) -> Any:
    """A model from a mapping with its keys.

    Raises:
        RequestError, TypeError: a key is unknown or missing, or a value does not fit.
    """
    try:
        return _converter.get_structure_hook(model)(given, model)
    except cattrs.BaseValidationError as group:
        error = _first(group)
    if isinstance(error, cattrs.ForbiddenExtraKeysError):
        names = [json_name(field) for field in attrs.fields(model)]
        key = min(error.extra_fields, key=list(given).index)
        raise RequestError(
            f"unknown key {key!r}; a {model.__name__} has {', '.join(names)}{did_you_mean(key, names)}"
        )
    if isinstance(error, KeyError):
        name = error.args[0]
        raise RequestError(
            f"{name!r} is missing; a {model.__name__} needs it{_choice(model, name)}"
        )
    raise error


def _first(error: Exception) -> Exception:
    """The first error that a group of errors holds; an unknown key comes first, for it may be a missing one."""
    while isinstance(error, cattrs.BaseValidationError):
        held = error.exceptions
        error = next((e for e in held if isinstance(e, cattrs.ForbiddenExtraKeysError)), held[0])
    error.__context__ = error.__cause__ = None
    return error.with_traceback(None)


def _choice(model: type[Any], name: str) -> str:
    """The values that a field of an enum may have; empty for any other field."""
    attribute = next(field.name for field in attrs.fields(model) if json_name(field) == name)
    enum = get_type_hints(model)[attribute]
    if not (isinstance(enum, type) and issubclass(enum, Enum)):
        return ""
    return f": one of {', '.join(repr(member.value) for member in enum)}"


def _reader(model: Any) -> Any:
    names: Any = {field.name: override(rename=json_name(field)) for field in attrs.fields(model)}
    return cattrs.gen.make_dict_structure_fn(
        model, _converter, _cattrs_forbid_extra_keys=True, **names
    )


_converter.register_structure_hook_factory(attrs.has, _reader)
