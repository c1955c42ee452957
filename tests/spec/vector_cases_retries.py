"""Outcome cases of several attempts: ids, signatures, waits, the quota, the deadline, the service's clock."""

from __future__ import annotations

from email.utils import formatdate
from typing import Any

from tests.interface import METHODS
from tests.spec.vector_cases_base import TIMESTAMP, WINDOW, Case
from tests.spec.vector_cases_encode import LIMIT, client, signed_data
from tests.spec.vector_cases_play import (
    CLASSES,
    CREATE,
    DONE,
    HTML,
    HTML_TYPE,
    ID,
    READ,
    SETTINGS,
    SETTINGS_READ,
    error,
    placed,
    play_case,
    unknown,
)

NOT_SENT, MAYBE = {"fault": "not_sent"}, {"fault": "maybe_sent"}
POLICY: dict[str, Any] = {
    "max_attempts": 3,
    "base_delay": {"$float": "0.05"},
    "max_delay": {"$float": "2"},
    "max_retry_after": {"$float": "5"},
    "quota": 10,
}
_WITH_ID = {**LIMIT, "client_order_id": ID}


def _policy(**more: Any) -> dict[str, Any]:
    return {"client": client(retry={**POLICY, **more})}


def _http_date(ms: int) -> str:
    return formatdate(ms // 1000, usegmt=True)


def _signed_at(now: int) -> dict[str, Any]:
    return {"method": "POST", "body": signed_data(METHODS["orders.create"], _WITH_ID, now=now)}


ATTEMPTS = (
    play_case(
        "same-id-new-signature",
        "outcome-attempts-signed",
        "Each attempt has the same id, and is signed anew at its own time.",
        [{**NOT_SENT, "takes": 40}, {**NOT_SENT, "takes": 7}, placed(1)],
        [CREATE],
        [{"result": {"order_id": 1}}],
        "not-sent",
        requests=[
            _signed_at(TIMESTAMP),
            _signed_at(TIMESTAMP + 40 + 25),
            _signed_at(TIMESTAMP + 65 + 7 + 50),
        ],
        slept=["0.025", "0.05"],
    ),
    play_case(
        "delays",
        "outcome-delay",
        "The bound of a delay doubles, up to the longest one.",
        [MAYBE] * 5,
        [READ],
        [error("no_response")],
        given=_policy(max_attempts=5, max_delay={"$float": "0.15"}),
        requests=5,
        slept=["0.025", "0.05", "0.075", "0.075"],
    ),
    play_case(
        "read-succeeds-later",
        "outcome-attempts",
        "A read that is attempted again has the result of the attempt that succeeds.",
        [MAYBE, {"status": 503, "json": {}}, SETTINGS],
        [READ],
        [SETTINGS_READ],
        requests=3,
    ),
    play_case(
        "change-then-success",
        "outcome-attempts",
        "An idempotent change is attempted again after a 429.",
        [{"status": 429, "json": {}}, DONE],
        [CLASSES["idempotent"]],
        [{"result": None}],
        requests=2,
    ),
)


def _asked(
    name: str, words: str, headers: dict[str, str], slept: str | None, status: int = 429
) -> Case:
    """What an answer asks to wait; None: the call ends at once."""
    answer = {"status": status, "headers": headers, "json": {"error": "later", "code": status}}
    end = error("api", status=status) if slept is None else SETTINGS_READ
    return play_case(
        f"asked-wait-{name}",
        "outcome-retry-after",
        words,
        [answer, SETTINGS],
        [READ],
        [end],
        requests=1 if slept is None else 2,
        slept=[] if slept is None else [slept],
    )


_DATED = {"Date": _http_date(TIMESTAMP + 100_000)}
_IN_TWO = _http_date(TIMESTAMP + 102_000)
WAITS = (
    _asked("seconds", "Seconds, on top of the delay.", {"Retry-After": "2"}, "2.025"),
    _asked("fraction", "Seconds with a fraction.", {"Retry-After": "0.5"}, "0.525"),
    _asked("longest", "As long as max_retry_after.", {"Retry-After": "5"}, "5.025"),
    _asked("too-long", "Longer than max_retry_after.", {"Retry-After": "6"}, None),
    _asked("endless", "A number that overflows.", {"Retry-After": "1e999"}, None),
    _asked("negative", "A negative number asks for nothing.", {"Retry-After": "-1"}, "0.025"),
    _asked("nan", "NaN asks for nothing.", {"Retry-After": "NaN"}, "0.025"),
    _asked("words", "Words ask for nothing.", {"Retry-After": "soon"}, "0.025"),
    _asked("date", "A date counts from the Date of the answer.", {**_DATED, "Retry-After": _IN_TWO}, "2.025"),
    _asked("date-past", "A date that is past.", {**_DATED, "Retry-After": _http_date(TIMESTAMP)}, "0.025"),
    _asked("header-case", "Names of headers have no case.", {"retry-after": "1"}, "1.025"),
    _asked("budget", "Under a 429 the t of the budget counts.", {"ratelimit": '"credits";r=0;t=3'}, "3.025"),
    _asked("both", "Retry-After comes before the budget.", {"Retry-After": "1", "ratelimit": '"credits";r=0;t=3'}, "1.025"),
    _asked("budget-503", "Under another status it does not.", {"ratelimit": '"credits";r=0;t=3'}, "0.025", 503),
    _asked("seconds-503", "Retry-After counts under a 503, too.", {"Retry-After": "2"}, "2.025", 503),
    _asked("budget-too-long", "A budget that is far away ends the call.", {"ratelimit": '"credits";r=0;t=32'}, None),
)  # fmt: skip

QUOTAS = (
    play_case(
        "quota-shared",
        "outcome-quota",
        "All calls of a client share its retry quota.",
        [MAYBE, SETTINGS, MAYBE, SETTINGS],
        [READ, READ],
        [SETTINGS_READ, error("no_response")],
        given=_policy(quota=1),
        requests=3,
    ),
    play_case(
        "quota-restored",
        "outcome-quota",
        "Ten calls that succeed earn one retry back.",
        [MAYBE, *[SETTINGS] * 10, MAYBE, SETTINGS],
        [READ] * 11,
        [SETTINGS_READ] * 11,
        given=_policy(quota=1),
        requests=13,
    ),
    play_case(
        "quota-not-restored",
        "outcome-quota",
        "Nine do not.",
        [MAYBE, *[SETTINGS] * 9, MAYBE, SETTINGS],
        [READ] * 10,
        [*[SETTINGS_READ] * 9, error("no_response")],
        given=_policy(quota=1),
        requests=11,
    ),
)

_SLOW = {**SETTINGS, "takes": 2_000}
_ONE_SECOND = {"client": client(timeout={"$float": "1"})}
DEADLINES = (
    play_case(
        "deadline-of-a-read",
        "outcome-deadline",
        "An answer after the deadline is none, and no time is left for another attempt.",
        [_SLOW, SETTINGS],
        [READ],
        [error("no_response")],
        given=_ONE_SECOND,
        requests=1,
    ),
    play_case(
        "deadline-of-a-change",
        "outcome-deadline",
        "Of a change the outcome is unknown.",
        [{**placed(1), "takes": 2_000}],
        [CREATE],
        [unknown(None, None, [ID])],
        given=_ONE_SECOND,
        requests=1,
    ),
    play_case(
        "deadline-of-the-whole-call",
        "outcome-deadline",
        "One deadline bounds all attempts: the second one has what the first one left.",
        [{**MAYBE, "takes": 900}, {**SETTINGS, "takes": 100}, SETTINGS],
        [READ],
        [error("no_response")],
        given=_ONE_SECOND,
        requests=2,
    ),
    play_case(
        "deadline-of-each-call",
        "outcome-deadline",
        "Each call has a deadline of its own.",
        [{**SETTINGS, "takes": 900}, {**SETTINGS, "takes": 900}],
        [READ, READ],
        [SETTINGS_READ, SETTINGS_READ],
        given=_ONE_SECOND,
        requests=2,
    ),
)

_BUDGET = {"ratelimit": '"credits";r=1205;t=32', "ratelimit-policy": '"credits";q=12500;w=60'}
_TOLD: dict[str, Any] = {"remaining": "120.5", "resets_in": 32, "quota": "1250", "window": 60}


def _state(
    name: str, rule: str, feature: str, words: str, headers: list[dict[str, str]], **expect: Any
) -> Case:
    answers = [{**SETTINGS, "headers": each, "takes": 20} for each in headers]
    calls, ends = [READ] * len(headers), [SETTINGS_READ] * len(headers)
    return play_case(name, rule, words, answers, calls, ends, feature, **expect)


STATE = (
    _state("rate-budget", "outcome-rate-budget", "rate-budget", "Credits, a tenth of what the headers count.", [_BUDGET], rate_budget=_TOLD),
    _state("rate-budget-kept", "outcome-rate-budget", "rate-budget", "An answer without the headers changes nothing.", [_BUDGET, {}], rate_budget=_TOLD),
    _state("rate-budget-none", "outcome-rate-budget", "rate-budget", "No answer told it.", [{}], rate_budget=None),
    _state("rate-budget-unreadable", "outcome-rate-budget", "rate-budget", "Headers that cannot be read tell nothing.", [{"ratelimit": "credits"}], rate_budget=None),
    _state("skew-none", "outcome-clock-skew", "clock-skew", "Without a Date nothing is known of the service's clock.", [{}], clock_skew=None),
    _state("skew-unreadable", "outcome-clock-skew", "clock-skew", "Nor with a Date that is none.", [{"Date": "yesterday"}], clock_skew=None),
    # Sent at .456, received at .476, written between the second of the Date and two seconds later.
    _state("skew-ahead", "outcome-clock-skew", "clock-skew", "The middle of what the Date allows: between sending and receiving, up to two seconds stale.", [{"Date": _http_date(TIMESTAMP + 60_000)}], clock_skew={"$between": [60_000 - 476 + 760, 60_000 - 476 + 1240]}),
    _state("skew-behind", "outcome-clock-skew", "clock-skew", "A service whose clock is behind.", [{"Date": _http_date(TIMESTAMP - 60_000)}], clock_skew={"$between": [-60_000 - 476 + 760, -60_000 - 476 + 1240]}),
)  # fmt: skip

_MINUTE_AHEAD = {"Date": _http_date(TIMESTAMP + 60_000)}
_HTML_AHEAD = {"headers": {**HTML_TYPE, **_MINUTE_AHEAD}, "body": HTML}
_JSON_AHEAD = {"headers": _MINUTE_AHEAD, "json": {"error": "no", "code": 1}}


def _skew_after(
    name: str, words: str, status: int, answer: dict[str, Any], skew: Any, attempts: int = 1
) -> Case:
    """What the `Date` of a failure tells of the service's clock."""
    return play_case(
        f"skew-{name}",
        "outcome-clock-skew",
        words,
        [{**answer, "status": status, "takes": 20}] * attempts,
        [READ],
        [error("decode" if status == 200 else "api", status=status)],
        "clock-skew",
        requests=attempts,
        clock_skew=skew,
    )


GATEWAYS = (
    _skew_after("gateway", "A gateway's page of HTML has the gateway's Date.", 403, _HTML_AHEAD, None),
    _skew_after("gateway-503", "So has a 503, whatever its body is.", 503, _JSON_AHEAD, None, 3),
    _skew_after("html-200", "And HTML under a 200.", 200, _HTML_AHEAD, None, 3),
    _skew_after("refusal", "A refusal in the service's JSON has the service's.", 400, _JSON_AHEAD, {"$between": [60_000 - 476 + 760, 60_000 - 476 + 1240]}),
)  # fmt: skip

_AHEAD = {**SETTINGS, "headers": {"Date": _http_date(TIMESTAMP + 3_600_000)}}
_SET = CLASSES["idempotent"]
_SERVER = {"client": client(clock="server")}
SERVER_CLOCK = (
    play_case(
        "server-clock",
        "outcome-server-clock",
        "It reads the service's time before it signs for the first time, and signs that.",
        [_AHEAD, DONE],
        [_SET],
        [{"result": None}],
        "server-clock",
        given=_SERVER,
        requests=[
            {"method": "GET"},
            {
                "method": "POST",
                "body_has": {
                    "timestamp": {"$between": [TIMESTAMP + 3_598_000, TIMESTAMP + 3_602_000]},
                    "expiry_window": WINDOW,
                },
            },
        ],
    ),
    play_case(
        "server-clock-once",
        "outcome-server-clock",
        "It reads it once.",
        [_AHEAD, DONE, DONE],
        [_SET, _SET],
        [{"result": None}, {"result": None}],
        "server-clock",
        given=_SERVER,
        requests=3,
    ),
    play_case(
        "server-clock-reads",
        "outcome-server-clock",
        "A read is not signed, and needs no time.",
        [SETTINGS],
        [READ],
        [SETTINGS_READ],
        "server-clock",
        given=_SERVER,
        requests=1,
    ),
    play_case(
        "server-clock-untold",
        "outcome-server-clock",
        "Where the service tells no time, nothing is signed.",
        [SETTINGS],
        [_SET],
        [error("not_sent")],
        "server-clock",
        given=_SERVER,
        requests=1,
    ),
    play_case(
        "local-clock",
        "outcome-server-clock",
        "Otherwise this machine's time is signed, whatever the service's is.",
        [_AHEAD, DONE],
        [READ, _SET],
        [SETTINGS_READ, {"result": None}],
        requests=[{"method": "GET"}, {"method": "POST", "body_has": {"timestamp": TIMESTAMP}}],
    ),
)

CASES: tuple[Case, ...] = (
    *ATTEMPTS,
    *WAITS,
    *QUOTAS,
    *DEADLINES,
    *STATE,
    *GATEWAYS,
    *SERVER_CLOCK,
)
