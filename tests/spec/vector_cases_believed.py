"""Outcome cases: which refusals of a whole call are believed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.spec.vector_cases_base import Case
from tests.spec.vector_cases_play import (
    CREATE,
    ID,
    READ,
    SETTINGS,
    SETTINGS_READ,
    answered,
    error,
    play_case,
    unknown,
)

# -- the code of a refusal inside a 2xx ------------------------------------------------------------

_DOUBTFUL: tuple[tuple[str, str, Any], ...] = (
    ("600", "No status, but three digits.", 600),
    ("999", "Three digits.", 999),
    ("499-text", "A gateway's code, as a text.", "499"),
    ("0504", "With a zero in front.", "0504"),
    ("202", "A status that refuses nothing.", 202),
    ("302", "A redirect.", 302),
    ("100", "A status that says nothing yet.", 100),
    ("negative", "Codes of the service are not below zero.", -1),
    ("space", "A text with a space.", "503 "),
    ("letters", "A text that is no number.", "E_GATEWAY"),
    ("exponent", "A number of another form.", "5e2"),
    ("fraction-text", "A fraction, as a text.", "503.0"),
)
_ODD: tuple[tuple[str, str, str], ...] = (
    ("fraction", "A fraction.", "503.0"),
    ("list", "A list.", "[503]"),
    ("true", "A boolean.", "true"),
    ("object", "An object.", '{"code":503}'),
)
_PLAIN: tuple[tuple[str, str, Any], ...] = (
    ("0", "Zero.", 0),
    ("99", "Two digits.", 99),
    ("1000", "Four digits.", 1000),
    ("404", "A status that refuses.", 404),
    ("409", "Another one.", 409),
    ("501-text", "A service that cannot do it, as a text.", "501"),
    ("0400", "With a zero in front.", "0400"),
    ("long", "Thirty-one digits.", 10**30),
)


_SEVERAL: tuple[tuple[str, str, Mapping[str, Any]], ...] = (
    ("in-error", "A code inside of error.", {"error": {"message": "late", "code": 504}}),
    ("twice", "Two codes, of which one is a gateway's.", {"code": 400, "data": {"code": 504}}),
    ("two-forms", "Two codes that are not the same.", {"code": 400, "data": {"code": "400"}}),
)


def _code(name: str, words: str, answer: Mapping[str, Any], end: Any, *, read: int = 0) -> Case:
    """A refusal of an order; with `read`, of a read that is attempted so often."""
    call, suffix = (READ, "-read") if read else (CREATE, "")
    answers, rule = [answer] * max(read, 1), "outcome-code"
    return play_case(
        f"code-{name}{suffix}", rule, words, answers, [call], [end], requests=max(read, 1)
    )


def _refused(code: Any, status: int = 200, message: str = "no") -> dict[str, Any]:
    return error("api", status=status, code=code, message=message)


def _saying(code: str) -> dict[str, Any]:
    """A refusal with this code, as JSON."""
    return {"status": 200, "body": f'{{"success":false,"error":"no","code":{code}}}'}


_UNUSABLE = unknown({"class": "decode"}, 200, [ID])


def _by_code() -> Iterator[Case]:
    for name, words, code in _DOUBTFUL:
        answer, refusal = _saying(json.dumps(code)), _refused(code)
        yield _code(name, words, answer, unknown(refusal["error"], 200, [ID]))
        yield _code(name, f"{words} A read is attempted again.", answer, refusal, read=3)
    for name, words, written in _ODD:
        yield _code(name, words, _saying(written), _UNUSABLE)
        yield _code(
            name, f"{words} A read has nothing to lose.", _saying(written), _refused(None), read=1
        )
    for name, words, code in _PLAIN:
        yield _code(name, words, _saying(json.dumps(code)), _refused(code))
    for name, words, body in _SEVERAL:
        yield _code(name, words, answered(200, {"success": False, **body}), _UNUSABLE)
    for name, written in (
        ("null", "null"),
        ("false", "false"),
        ("text", '""'),
        ("list", "[]"),
        ("object", "{}"),
    ):
        yield _code(
            f"empty-{name}", "What says nothing is no code.", _saying(written), _refused(None)
        )
    for status in (400, 422):
        answer, words = (
            answered(status, {"error": "no", "code": 504}),
            "The status says what became of it, whatever the code.",
        )
        yield _code(f"504-under-{status}", words, answer, _refused(504, status))
    inside = {"success": True, "data": {"success": False, "error": "late", "code": 504}}
    late = unknown({"class": "api", "status": 200, "code": 504, "message": "late"}, 200, [ID])
    yield _code(
        "inside", "A refusal inside of an envelope of success.", answered(200, inside), late
    )
    same = {"success": False, "error": "no", "code": 400, "data": {"code": 400}}
    yield _code("repeated", "The same code twice.", answered(200, same), _refused(400))  # fmt: skip


# -- other statuses than 200 -----------------------------------------------------------------------

_REFUSAL = {"success": False, "error": "no", "code": 400}
_PARTS = (("result", {"success": True, "data": {"order_id": 1}}), ("refusal", _REFUSAL))


def _by_2xx() -> Iterator[Case]:
    rule = "outcome-other-2xx"
    for status in (201, 202, 203, 299):
        unsure = unknown({"class": "decode"}, status, [ID])
        name, answer = f"refused-under-{status}", [answered(status, _REFUSAL)]
        words = f"A refusal under a {status}, which says something else."
        yield play_case(name, rule, words, answer, [CREATE], [unsure], requests=1)
        words, end = f"A read that is refused under a {status}.", _refused(400, status)
        yield play_case(f"{name}-read", rule, words, answer, [READ], [end], requests=1)
    for name, body in _PARTS:
        unsure, words = (
            unknown({"class": "decode"}, 206, [ID]),
            f"A 206 with a {name}: the rest may say something else.",
        )
        yield play_case(
            f"part-with-{name}", rule, words, [answered(206, body)], [CREATE], [unsure], requests=1
        )
    answers, words = (
        [{**SETTINGS, "status": 206}, SETTINGS],
        "A read is attempted again, and may come whole.",
    )
    yield play_case("part-of-a-read", rule, words, answers, [READ], [SETTINGS_READ], requests=2)


CASES: tuple[Case, ...] = (*_by_code(), *_by_2xx())
