"""Pages cases: a list to its end, and a service that contradicts itself about the next page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.interface import METHODS
from tests.spec.vector_cases_base import COUNTING, TIMESTAMP, Case
from tests.spec.vector_cases_encode import client
from tests.spec.vector_cases_play import HTML, HTML_TYPE
from tests.spec.vector_cases_records import TRADE

PATH = METHODS["trades.history"].path
LATER = "a+b/c=d &e"


def trade(number: int) -> dict[str, Any]:
    """A record that can be told from others."""
    return {**TRADE, "history_id": number}


def page(*numbers: int, cursor: str | None = None, more: bool | None = None) -> dict[str, Any]:
    """An answer with these records."""
    body = {"success": True, "data": [trade(each) for each in numbers], "next_cursor": cursor}
    return {
        "status": 200,
        "json": {**body, "has_more": cursor is not None if more is None else more},
    }


def asked(cursor: str | None = None, **more: str) -> dict[str, Any]:
    """The request of a page."""
    query = {"account": COUNTING.address, **more, **({"cursor": cursor} if cursor else {})}
    return {
        "method": "GET",
        "path": PATH,
        "query": [[*each] for each in query.items()],
        "body": None,
    }


def pages_case(
    name: str,
    rule: str,
    description: str,
    answers: Sequence[Mapping[str, Any]],
    numbers: Sequence[int],
    requests: Any,
    error: str | None = None,
    arguments: Mapping[str, Any] | None = None,
) -> Case:
    """A list that is read to its end, or to an error."""
    return {
        "name": f"pages-{name}",
        "kind": "pages",
        "description": description,
        "rule": rule,
        "given": {
            "client": client(),
            "now": TIMESTAMP,
            "jitter": {"$float": "0.5"},
            "answers": list(answers),
            "operation": "trades.history",
            "arguments": dict(arguments or {}),
        },
        "expect": {
            "items": [trade(each) for each in numbers],
            "error": None if error is None else {"class": error},
            "requests": requests,
        },
    }


_MORE = {"limit": 2, "start_time": TIMESTAMP, "symbol": TRADE["symbol"]}
_ASKED = {"limit": "2", "start_time": str(TIMESTAMP), "symbol": str(TRADE["symbol"])}
_SURPLUS = "pages-contradiction"
CASES: tuple[Case, ...] = (
    pages_case("one", "pages-end", "A page without a cursor is the last one.", [page(1, 2)], [1, 2], [asked()]),
    pages_case("none", "pages-end", "A list without records.", [page()], [], [asked()]),
    pages_case("three", "pages-cursor", "The cursor of each page is passed back as received.", [page(1, cursor=LATER), page(2, cursor="0"), page(3)], [1, 2, 3], [asked(), asked(LATER), asked("0")]),
    pages_case("arguments-kept", "pages-arguments", "Every page is asked for with the same arguments.", [page(1, cursor="x"), page(2)], [1, 2], [asked(**_ASKED), asked("x", **_ASKED)], arguments=_MORE),
    pages_case("from-a-cursor", "pages-resume", "A cursor that is given is where the first page begins.", [page(1, cursor="y"), page(2)], [1, 2], [asked("x"), asked("y")], arguments={"cursor": "x"}),
    pages_case("empty-leads-on", "pages-empty", "A page without records that leads on is no end.", [page(cursor="x"), page(cursor="y"), page(1)], [1], [asked(), asked("x"), asked("y")]),
    pages_case("repeated", "pages-repeated", "A cursor that comes a second time would never end.", [page(1, cursor="x"), page(2, cursor="x")], [1, 2], 2, "pagination"),
    pages_case("circle", "pages-repeated", "A circle of three pages.", [page(1, cursor="x"), page(2, cursor="y"), page(3, cursor="x")], [1, 2, 3], 3, "pagination"),
    pages_case("back-to-the-start", "pages-repeated", "The cursor that was given leads to itself.", [page(1, cursor="x")], [1], 1, "pagination", {"cursor": "x"}),
    pages_case("missing", _SURPLUS, "There is more, but not where.", [page(1, more=True)], [1], 1, "pagination"),
    pages_case("missing-empty", _SURPLUS, "An empty cursor is none.", [page(1, cursor="", more=True)], [1], 1, "pagination"),
    pages_case("surplus", _SURPLUS, "The last page, and a cursor: either may be wrong.", [page(1, cursor="x", more=False)], [1], 1, "pagination"),
    pages_case("surplus-empty", "pages-end", "An empty cursor beside the end is none.", [page(1, cursor="", more=False)], [1], 1),
    pages_case("surplus-later", _SURPLUS, "What came before an error is handed over.", [page(1, cursor="x"), page(2, cursor="y", more=False)], [1, 2], 2, "pagination"),
    pages_case("failing-page", "pages-error", "A page that fails ends the list; what came before is handed over.", [page(1, cursor="x"), {"status": 400, "json": {"error": "no", "code": 1}}], [1], 2, "api"),
    pages_case("unusable-page", "pages-error", "A page that cannot be used, too.", [page(1, cursor="x"), {"status": 200, "json": {"success": True, "data": {}}}], [1], 2, "decode"),
    pages_case("without-success", "pages-error", "So does one that does not say success: it is no end of the list.", [page(1, cursor="x"), {"status": 200, "json": {"data": [], "has_more": False}}], [1], 2, "decode"),
    pages_case("part", "pages-error", "A 206 is a part of a page, and attempted again.", [page(1, cursor="x"), {**page(), "status": 206}, page(2)], [1, 2], 3),
    pages_case("parts", "pages-error", "It is never the end of a list.", [page(1, cursor="x"), *[{**page(), "status": 206}] * 3], [1], 4, "decode"),
    pages_case("attempted-again", "pages-error", "Each page is a call of its own, and attempted again.", [page(1, cursor="x"), {"fault": "maybe_sent"}, {"status": 200, "headers": HTML_TYPE, "body": HTML}, page(2)], [1, 2], [asked(), asked("x"), asked("x"), asked("x")]),
    pages_case("echo-other-symbol", "pages-echo", "A record of another symbol than was asked for is another one's answer.", [{"status": 200, "json": {"success": True, "data": [{**TRADE, "symbol": "ELSE"}], "has_more": False}}], [], 1, "decode", {"symbol": TRADE["symbol"]}),
)  # fmt: skip
