"""Whom a change of each member of the IR breaks: one table, from which docs/spec-changes.md follows.

A row says what may become of a member (`added`, `on`, `tightened`), and whom that concerns: `callers! wire`
breaks callers and concerns what is sent. The words of a row say how two values are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

Row: TypeAlias = Mapping[str, str]
Rows: TypeAlias = Mapping[str, Row]

ITSELF = "itself"
"""The row of an object with a name as a whole: one is added or removed."""
TEXT: Row = {"text": ""}
"""Words for people, and where a fact comes from. They concern nobody's code."""
SILENT: Row = {}
"""Not compared: another member says it."""
NAMED: Row = {"named": ""}
"""Objects with names. The row `itself` of such an object says whom a new one concerns."""

_BREAKS = "callers! wire!"
_ALLOWS = "callers wire"
_SWITCH: Row = {"on": "callers", "off": "callers"}
_LIMIT: Row = {"added": _BREAKS, "removed": _ALLOWS, "changed": _BREAKS}
_BOUND: Row = {"tightened": _BREAKS, "loosened": _ALLOWS}
_IN_CODE: Row = {"changed": "callers!"}  # a name of code alone
_UNCHECKED: Row = {"changed": "answers"}  # the client does not check it in what it receives
_BEHAVIOUR: Row = {
    "changed": _ALLOWS
}  # it repeats or reconciles differently; no code stops working
_IN_PACKAGE: Row = {"added": "callers", "removed": "callers!"}
_ANY_ANSWER: Row = {"added": "answers!", "removed": "answers!", "changed": "answers!"}
_PAGE_SIZE: Row = {"added": "wire", "removed": "wire", "changed": "wire"}
_WHOLE: Row = {"added": _BREAKS, "removed": _BREAKS}

METHOD: Rows = {
    ITSELF: {
        "added": "callers wire",
        "removed": "callers!",
        "renamed": "callers!",
        "kind-changed": "callers wire!",
        "returns-changed": "callers! answers!",
        "parameter-moved": "wire!",
    },
    "group": SILENT,
    "method": SILENT,
    "summary": TEXT,
    "description": TEXT,
    "section": TEXT,
    "source": TEXT,
    "retry": _BEHAVIOUR,
    "key": {"added": "callers wire", "removed": _BREAKS, "changed": "callers wire!"},
    "trace": {"added": _ALLOWS, "removed": _ALLOWS, "changed": _ALLOWS},
    "echoes": _BEHAVIOUR,
    "new_id": _BEHAVIOUR,
    "deprecated": _SWITCH,  # it works as before, and warns
    "id": {"changed": "ports"},
    "http_method": {"changed": "wire!"},
    "path": {"changed": "wire!"},
    "statuses": {"each": "status", "added": "answers", "removed": "answers"},
    "status_ranges": {"each": "status-range", "added": "answers", "removed": "answers"},
    "errors": {"changed": "answers!"},
    "signing": {"added": _BREAKS, "removed": "wire!"},
    "params": SILENT,  # compared field by field: by `methods`
    "parameters": SILENT,  # with the fields that stand there: by `methods`
    "has_body": {"on": "wire!", "off": "wire!"},
    "result": {"added": "callers answers!", "removed": "callers! answers"},
    "outcome": {"added": "callers!", "removed": "callers!", "changed": "callers!"},
    "ignores_data": {"on": "answers", "off": "answers!"},
    "pagination": {"added": "callers! answers!", "removed": "callers! answers!"},
    "batch": _WHOLE,
    "countersigned": {**_WHOLE, "changed": _BREAKS},
    "type": {"changed": "wire!"},
    "model": SILENT,
    "standalone": {"on": "wire", "off": "wire!"},
}
"""Operations and batch actions."""

REQUEST_FIELD: Rows = {
    ITSELF: {"added": _ALLOWS, "removed": _BREAKS, "added-required": _BREAKS},
    "name": SILENT,
    "type": {"widened": _ALLOWS, "changed": _BREAKS},
    "required": {"on": _BREAKS, "off": _ALLOWS},
    "nullable": {"on": _ALLOWS, "off": _BREAKS},
    "description": TEXT,
    "unit": {"added": "", "removed": "", "changed": _BREAKS},
    "source": TEXT,
    "sources": TEXT,
    "x_name": _IN_CODE,
    "deprecated": _SWITCH,
    # The same call does something else then, though nothing else is sent.
    "default": {"added": _ALLOWS, "removed": _BREAKS, "changed": _BREAKS},
    "auto": {"added": _ALLOWS, "removed": _BREAKS, "changed": _BREAKS},
    "cursor": SILENT,
    "not_before": _LIMIT,
    "secret": _SWITCH,
    **dict.fromkeys(("pattern", "multiple_of"), _LIMIT),
    **dict.fromkeys(("minimum", "maximum", "exclusive_minimum", "exclusive_maximum"), _BOUND),
    **dict.fromkeys(("min_length", "max_length", "min_items", "max_items"), _BOUND),
}

RESPONSE_FIELD: Rows = {
    **REQUEST_FIELD,
    ITSELF: {
        "added": "callers answers",
        "removed": "callers! answers",
        "added-required": "callers answers!",
    },
    "type": {"changed": "callers! answers!"},
    "required": {"on": "answers!", "off": "callers! answers"},
    "nullable": {"on": "callers! answers", "off": "answers!"},
    "unit": {"added": "", "removed": "", "changed": "callers! answers!"},
    **dict.fromkeys(("default", "auto", "not_before", "pattern", "multiple_of"), _UNCHECKED),
    **dict.fromkeys(("minimum", "maximum", "exclusive_minimum", "exclusive_maximum"), _UNCHECKED),
    **dict.fromkeys(("min_length", "max_length", "min_items", "max_items"), _UNCHECKED),
}

REQUEST_MODEL: Rows = {
    ITSELF: _IN_PACKAGE,
    "name": SILENT,
    "description": TEXT,
    "role": {"changed": "callers! wire! answers!"},
    "section": TEXT,
    "fields": NAMED,
    **dict.fromkeys(("exactly_one", "at_least_one"), _LIMIT),
    # Exactly one of some fields became at least one of them, or the reverse.
    "choice": {"widened": _ALLOWS, "narrowed": _BREAKS},
    "conditions": _LIMIT,
    "source": TEXT,
}

RESPONSE_MODEL: Rows = {
    **{name: row for name, row in REQUEST_MODEL.items() if name != "choice"},
    **dict.fromkeys(("exactly_one", "at_least_one", "conditions"), _UNCHECKED),
}

UNION: Rows = {
    ITSELF: _IN_PACKAGE,
    "name": SILENT,
    "description": TEXT,
    "role": {"changed": "callers! wire! answers!"},
    "variants": NAMED,
}

TABLE: Mapping[str, Rows] = {
    "method": METHOD,
    "signing": {"type": {"changed": "wire!"}, "source": TEXT},
    "result": {
        "type": {"changed": "callers! answers!"},
        "description": TEXT,
        "key": _ANY_ANSWER,
        "secret": _SWITCH,
        "nullable": {"on": "callers! answers", "off": "answers!"},
        "at": SILENT,  # answers come bare or in the envelope, whatever is documented
    },
    "pagination": {
        "items": {"changed": "answers!"},
        "cursor": {"changed": _BREAKS},
        **dict.fromkeys(("next_cursor", "has_more"), _ANY_ANSWER),
        "says_success": {"on": "answers!", "off": "answers"},
        "integers": {"on": "answers!", "off": "answers!"},
        **dict.fromkeys(("limit", "max_limit"), _PAGE_SIZE),
    },
    "batch": {
        "field": {"changed": "wire!"},
        **dict.fromkeys(("min_items", "max_items"), _BOUND),
        "actions": {"each": "action", "added": _ALLOWS, "removed": _BREAKS},
        **dict.fromkeys(("type", "data", "success", "error"), SILENT),  # always the same
    },
    "api": {
        "ir_version": SILENT,  # of the generator, not of the spec
        "title": TEXT,
        "version": TEXT,
        "spec_sha256": SILENT,
        "overlays": TEXT,
        "api_key_header": {"added": _ALLOWS, "removed": _BREAKS, "changed": "wire!"},
        "rate_scale": {"changed": "answers!"},
        "servers": NAMED,  # those with a name
        "conventions": SILENT,  # the same for every spec that the rules let through
        **dict.fromkeys(("groups", "enums", "models", "unions", "reasons"), NAMED),
        "operations": SILENT,  # together with the actions, by the names that callers use
        "actions": SILENT,
    },
    "server": {
        ITSELF: _IN_PACKAGE,
        "name": SILENT,
        "url": {"changed": _ALLOWS},
        "description": TEXT,
    },
    "group": {ITSELF: _IN_PACKAGE, "name": SILENT, "title": TEXT, "description": TEXT},
    "enum": {
        ITSELF: _IN_PACKAGE,
        "name": SILENT,
        "description": TEXT,
        # Of an enum that is only sent, or only received, the other half does not count. An unknown
        # value survives, but code that compares with one that is gone waits for ever.
        "values": {
            "each": "value",
            "added": "callers wire answers",
            "removed": "callers! wire! answers!",
        },
        "source": TEXT,
        "names": _IN_CODE,  # of the values that both have
        "deprecated": {"each": "deprecated-value", "added": "callers", "removed": "callers"},
    },
    "reason": {
        ITSELF: _IN_PACKAGE,
        "name": SILENT,
        "enum": SILENT,  # which is compared for itself
        "description": TEXT,
        "texts": {"each": "text", "added": "callers answers", "removed": "callers answers"},
        "codes": {"changed": "callers answers"},
        "operations": {"changed": "callers answers"},
        "statuses": {"each": "status", "added": "callers answers", "removed": "callers answers"},
        "as_status": {"added": "callers!", "removed": "callers!", "changed": "callers!"},
    },
    "request-union": {**UNION, "discriminator": {"changed": _BREAKS}},
    "response-union": {**UNION, "discriminator": {"changed": "callers! answers!"}},
    "request-variant": {
        ITSELF: {"added": _ALLOWS, "removed": _BREAKS},
        "name": SILENT,
        "model": {"changed": _BREAKS},
    },
    "response-variant": {
        # What is not known survives, as an unknown value of an enum does.
        ITSELF: {"added": "callers answers", "removed": "callers! answers"},
        "name": SILENT,
        "model": {"changed": "callers! answers!"},
    },
    "request-model": REQUEST_MODEL,
    "response-model": RESPONSE_MODEL,
    "request-field": REQUEST_FIELD,
    "response-field": RESPONSE_FIELD,
}
"""The rows of each object of the IR. Of some the meaning depends on whether they are sent or received."""

TEXT_CHANGED = "text-changed"
NO_BODY = "answers!"
"""Whom a 204 concerns, which is an answer without a body. Other statuses of success break nobody."""


def _effects() -> Iterator[tuple[str, str]]:
    yield TEXT_CHANGED, ""
    for label, rows in TABLE.items():
        for member, row in rows.items():
            if row in (TEXT, NAMED):
                continue
            for verb, effect in row.items():
                if verb != "each":
                    yield f"{start(label, member)}-{verb}", effect


def start(label: str, member: str) -> str:
    """How the id of a change of a member begins."""
    if member == ITSELF:
        return label
    return f"{label}-{TABLE[label][member].get('each') or member.replace('_', '-')}"


EFFECTS: Mapping[str, str] = dict(_effects())
"""The id of each kind of change -> whom it concerns, and whom it breaks."""
