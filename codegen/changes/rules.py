"""What a change of each member of the IR means: a table, which must name every member.

The texts of a rule are effects: `callers! wire` breaks callers and concerns what is sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from codegen import ir
from codegen.changes.rule_kinds import (
    Bound,
    Each,
    Ignored,
    Maybe,
    Nested,
    Rule,
    Switch,
    Text,
    TypeRule,
    Value,
    Words,
)

Table: TypeAlias = Mapping[str, Rule]

TEXT = Text()
_NEW, _GONE = "callers", "callers!"
_LIMIT = Maybe("callers! wire!", removed="callers wire", changed="callers! wire!")
REQUEST_FIELDS = Each("callers wire", removed="callers! wire!", added_required="callers! wire!")
_IN_CODE = Value("callers!")  # a name of code alone
_DEPRECATED = Switch(on="callers", off="callers")  # it works as before, and warns
_BEHAVIOUR = "callers wire"  # it repeats or reconciles differently; nobody's code stops working

_METHOD: Table = {
    "group": Ignored(),
    "method": Ignored(),
    "summary": TEXT,
    "description": TEXT,
    "section": TEXT,
    "source": TEXT,
    "retry": Value(_BEHAVIOUR),
    "key": Maybe(added="callers wire", removed="callers! wire!", changed="callers wire!"),
    "trace": Maybe(_BEHAVIOUR, _BEHAVIOUR, _BEHAVIOUR),
    "echoes": Value(_BEHAVIOUR),
    "new_id": Value(_BEHAVIOUR),
    "deprecated": _DEPRECATED,
}

REQUEST_FIELD: Table = {
    "name": Ignored(),
    "type": TypeRule(widened="callers wire", changed="callers! wire!"),
    "required": Switch(on="callers! wire!", off="callers wire"),
    "nullable": Switch(on="callers wire", off="callers! wire!"),
    "description": TEXT,
    "unit": Maybe("", "", changed="callers! wire!"),
    "source": TEXT,
    "sources": TEXT,
    "x_name": _IN_CODE,
    "deprecated": _DEPRECATED,
    # The same call does something else then, though nothing else is sent.
    "default": Maybe("callers wire", removed="callers! wire!", changed="callers! wire!"),
    "auto": Maybe("callers wire", removed="callers! wire!", changed="callers! wire!"),
    "cursor": Ignored(),
    "not_before": _LIMIT,
    "secret": Switch(on="callers", off="callers"),
    "pattern": _LIMIT,
    "minimum": Bound("callers! wire!", "callers wire", lower=True),
    "maximum": Bound("callers! wire!", "callers wire"),
    "exclusive_minimum": Bound("callers! wire!", "callers wire", lower=True),
    "exclusive_maximum": Bound("callers! wire!", "callers wire"),
    "multiple_of": _LIMIT,
    "min_length": Bound("callers! wire!", "callers wire", lower=True),
    "max_length": Bound("callers! wire!", "callers wire"),
    "min_items": Bound("callers! wire!", "callers wire", lower=True),
    "max_items": Bound("callers! wire!", "callers wire"),
}

_UNCHECKED = Value("answers")  # the client does not check it in what it receives

RESPONSE_FIELD: Table = {
    "name": Ignored(),
    "type": Value("callers! answers!"),
    "required": Switch(on="answers!", off="callers! answers"),
    "nullable": Switch(on="callers! answers", off="answers!"),
    "description": TEXT,
    "unit": Maybe("", "", changed="callers! answers!"),
    "source": TEXT,
    "sources": TEXT,
    "x_name": _IN_CODE,
    "deprecated": _DEPRECATED,
    "default": _UNCHECKED,
    "auto": _UNCHECKED,
    "cursor": Ignored(),
    "not_before": _UNCHECKED,
    "secret": Switch(on="callers", off="callers"),
    **dict.fromkeys(("pattern", "minimum", "maximum"), _UNCHECKED),
    **dict.fromkeys(("exclusive_minimum", "exclusive_maximum", "multiple_of"), _UNCHECKED),
    **dict.fromkeys(("min_length", "max_length", "min_items", "max_items"), _UNCHECKED),
}

REQUEST_MODEL: Table = {
    "name": Ignored(),
    "description": TEXT,
    "role": Value("callers! wire! answers!"),
    "section": TEXT,
    "fields": REQUEST_FIELDS,
    "exactly_one": _LIMIT,
    "at_least_one": _LIMIT,
    "conditions": _LIMIT,
    "source": TEXT,
}

RESPONSE_MODEL: Table = {
    **REQUEST_MODEL,
    "fields": Each(
        added="callers answers", removed="callers! answers", added_required="callers answers!"
    ),
    "exactly_one": _UNCHECKED,
    "at_least_one": _UNCHECKED,
    "conditions": _UNCHECKED,
}

TABLES: Mapping[type[Any], Table] = {
    ir.Api: {
        "ir_version": Ignored(),  # of the generator, not of the spec
        "title": TEXT,
        "version": TEXT,
        "spec_sha256": Ignored(),
        "overlays": TEXT,
        "api_key_header": Maybe("callers wire", "callers! wire!", "wire!"),
        "rate_scale": Value("answers!"),
        "servers": Each(added="callers", removed="callers!"),  # those with a name
        "conventions": Ignored(),  # the same for every spec that the rules let through
        "groups": Each(added=_NEW, removed=_GONE),
        "enums": Each(added=_NEW, removed=_GONE),
        "models": Each(added=_NEW, removed=_GONE),
        "unions": Each(added=_NEW, removed=_GONE),
        "reasons": Each(added="callers", removed="callers!"),
        "operations": Ignored(),  # together with the actions, by the names that callers use
        "actions": Ignored(),
    },
    ir.Server: {"name": Ignored(), "url": Value("callers wire"), "description": TEXT},
    ir.Enum: {
        "name": Ignored(),
        "description": TEXT,
        # Of an enum that is only sent, or only received, the other half does not count. An unknown
        # value survives, but code that compares with one that is gone waits for ever.
        "values": Words("value", added="callers wire answers", removed="callers! wire! answers!"),
        "source": TEXT,
        "names": _IN_CODE,  # of the values that both have
        "deprecated": Words("deprecated-value", added="callers", removed="callers"),
    },
    ir.Reason: {
        "name": Ignored(),
        "enum": Ignored(),  # which is compared for itself
        "description": TEXT,
        "texts": Words("text", added="callers answers", removed="callers answers"),
        "codes": Value("callers answers"),
        "statuses": Words("status", added="callers answers", removed="callers answers"),
        "operations": Value("callers answers"),
        "as_status": Maybe("callers!", "callers!", "callers!"),
    },
    ir.Group: {"name": Ignored(), "title": TEXT, "description": TEXT},
    ir.Operation: {
        **_METHOD,
        "id": Value("ports"),
        "http_method": Value("wire!"),
        "path": Value("wire!"),
        "statuses": Words("status", added="answers", removed="answers", special={204: "answers!"}),
        "status_ranges": Words("status-range", added="answers", removed="answers"),
        "errors": Value("answers!"),
        "signing": Nested(added="callers! wire!", removed="wire!"),
        "params": Ignored(),  # compared field by field: by `compare`
        "parameters": Ignored(),  # with the fields that stand there: by `compare_methods`
        "has_body": Switch(on="wire!", off="wire!"),
        "result": Nested(added="callers answers!", removed="callers! answers"),
        "outcome": Maybe("callers!", "callers!", "callers!"),
        "ignores_data": Switch(on="answers", off="answers!"),
        "pagination": Nested(added="callers! answers!", removed="callers! answers!"),
        "batch": Nested(added="callers! wire!", removed="callers! wire!"),
        "countersigned": Maybe("callers! wire!", "callers! wire!", "callers! wire!"),
    },
    ir.Action: {
        **_METHOD,
        "type": Value("wire!"),
        "signing": Nested(added="callers! wire!", removed="wire!"),
        "model": Ignored(),
        "standalone": Switch(on="wire", off="wire!"),
    },
    ir.Signing: {"type": Value("wire!"), "source": TEXT},
    ir.Result: {
        "type": Value("callers! answers!"),
        "description": TEXT,
        "key": Maybe("answers!", "answers!", "answers!"),
        "secret": Switch(on="callers", off="callers"),
        "nullable": Switch(on="callers! answers", off="answers!"),
        "at": Ignored(),  # answers come bare or in the envelope, whatever is documented
    },
    ir.Pagination: {
        "items": Value("answers!"),
        "cursor": Value("callers! wire!"),
        **dict.fromkeys(("next_cursor", "has_more"), Maybe("answers!", "answers!", "answers!")),
        "says_success": Switch(on="answers!", off="answers"),
        "integers": Switch(on="answers!", off="answers!"),
        **dict.fromkeys(("limit", "max_limit"), Maybe("wire", "wire", "wire")),
    },
    ir.Batch: {
        "field": Value("wire!"),
        "min_items": Bound("callers! wire!", "callers wire", lower=True),
        "max_items": Bound("callers! wire!", "callers wire"),
        "actions": Words("action", added="callers wire", removed="callers! wire!"),
        **dict.fromkeys(("type", "data", "success", "error"), Ignored()),  # always the same
    },
}
"""The rules of each class of the IR, but of models and fields, whose meaning depends on their role."""

REQUEST_UNION: Table = {
    "name": Ignored(),
    "description": TEXT,
    "role": Value("callers! wire! answers!"),
    "discriminator": Value("callers! wire!"),
    "variants": Each(added="callers wire", removed="callers! wire!"),
}

RESPONSE_UNION: Table = {
    **REQUEST_UNION,
    "discriminator": Value("callers! answers!"),
    # What is not known survives, as an unknown value of an enum does.
    "variants": Each(added="callers answers", removed="callers! answers"),
}

BY_ROLE: Mapping[type[Any], Mapping[ir.Role, Table]] = {
    ir.Union: {"request": REQUEST_UNION, "response": RESPONSE_UNION},
    ir.Variant: {
        "request": {"name": Ignored(), "model": Value("callers! wire!")},
        "response": {"name": Ignored(), "model": Value("callers! answers!")},
    },
    ir.Model: {"request": REQUEST_MODEL, "response": RESPONSE_MODEL},
    ir.Field: {"request": REQUEST_FIELD, "response": RESPONSE_FIELD},
}

WIDER = {"enum": "string", "integer_enum": "integer"}
"""Kind of a request field -> a kind that takes all that it took, and sends it as before."""

METHOD_KINDS: Mapping[str, str] = {
    "method-added": "callers wire",
    "method-removed": "callers!",
    "method-renamed": "callers!",
    "method-kind-changed": "callers wire!",
    "method-returns-changed": "callers! answers!",
    "method-parameter-moved": "wire!",
}
"""Changes of a method as a whole: what is no member of the IR."""

CHOICE_KINDS: Mapping[str, str] = {
    "request-model-choice-widened": "callers wire",
    "request-model-choice-narrowed": "callers! wire!",
}
"""Exactly one of some fields became at least one of them, or the reverse: one change of two members."""

TEXT_KIND = "text-changed"


def table(class_: type[Any], role: ir.Role | None) -> Table:
    """The rules of a class of the IR, in a role if its meaning depends on that."""
    if class_ in BY_ROLE:
        assert role is not None
        return BY_ROLE[class_][role]
    return TABLES[class_]


def label(class_: type[Any], role: ir.Role | None) -> str:
    """The first words of the ids of a class."""
    if class_ in BY_ROLE:
        return f"{role}-{class_.__name__.lower()}"
    return "method" if issubclass(class_, ir.Method) else class_.__name__.lower()
