"""Cases under a script: several calls, a list to its end, and what became of a message."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from conformance.cases import Case
from conformance.checks.answers import body_base64
from conformance.checks.asking import Ask, compare
from conformance.checks.requests import request_difference
from conformance.compare import Difference, differ, difference
from conformance.program import PortAnswer
from conformance.values import Value


def played(case: Case, ask: Ask) -> Difference | None:
    """Several calls of one client end so, and make these requests."""
    answer = ask("play", **_scripted(case.given))
    told, expect = answer.value, case.expect
    outcomes = told.get("outcomes") if isinstance(told, dict) else None
    if answer.kind != "result" or not isinstance(outcomes, list):
        return differ("", "outcomes, requests and slept", told)
    if len(outcomes) != len(expect["outcomes"]):
        return differ("outcomes.length", len(expect["outcomes"]), len(outcomes))
    for index, (wanted, got) in enumerate(zip(expect["outcomes"], outcomes, strict=True)):
        found = _of_outcomes(wanted, got, f"outcomes[{index}]")
        if found:
            return found
    return _of_requests(expect, told) or _of_rest(expect, told)


def paged(case: Case, ask: Ask) -> Difference | None:
    """A list hands over these items, and ends so."""
    answer = ask("pages", **_scripted(case.given))
    told, expect = answer.value, case.expect
    if answer.kind != "result" or not isinstance(told, dict):
        return differ("", "items, requests and error", told)
    found = difference(expect["items"], told.get("items"), path="items")
    if found is None and expect["error"] is None:
        found = difference(None, told.get("error"), path="error")
    elif found is None:
        found = compare({"error": expect["error"]}, PortAnswer("error", told.get("error")))
    return found or _of_requests(expect, told)


def settled(case: Case, ask: Ask) -> Difference | None:
    """`reconcile` says this of each message, after this time."""
    given = dict(_scripted(case.given))
    given["error"] = (
        json.dumps(given["error"]) if isinstance(given["error"], dict) else given["error"]
    )
    answer = ask("settle", **given)
    told, expect = answer.value, case.expect
    if "error" in expect:
        if not isinstance(told, dict) or answer.kind != "result":
            return compare(expect, answer)
        return compare(expect, PortAnswer("error", told.get("error"))) or _of_requests(expect, told)
    if answer.kind != "result" or not isinstance(told, dict):
        return differ("", "settlements, slept and requests", told)
    found = settlements_difference(expect["settlements"], told.get("settlements"))
    if found is None and "waited" in expect:
        slept = told.get("slept")
        total = sum(slept) if isinstance(slept, list) else slept
        found = difference({"$between": expect["waited"]}, total, path="slept in all")
    return found or _of_requests(expect, told)


def settlements_difference(expected: list[Any], got: Value) -> Difference | None:
    """The first difference between settlements; `text` and `reason` are for people."""
    if isinstance(got, list):
        plain = [_without_words(each) for each in got]
        return difference(expected, plain, path="settlements", part=True)
    return differ("settlements", expected, got)


def _without_words(settlement: Value) -> Value:
    if not isinstance(settlement, dict):
        return settlement
    return {name: each for name, each in settlement.items() if name not in ("text", "reason")}


def _scripted(given: Mapping[str, Any]) -> dict[str, Any]:
    """A case's script, its answers in the form of the protocol."""
    if "answers" not in given:
        return dict(given)
    return {**given, "answers": [_answer(each) for each in given["answers"]]}


def _answer(given: Mapping[str, Any]) -> dict[str, Any]:
    if "fault" in given:
        return dict(given)
    takes = {"takes": given["takes"]} if "takes" in given else {}
    headers = given.get("headers", {"Content-Type": "application/json"})
    return {"status": given["status"], "headers": headers, "body": body_base64(given), **takes}


def _of_outcomes(wanted: Mapping[str, Any], got: Value, path: str) -> Difference | None:
    kinds = [kind for kind in ("result", "error") if isinstance(got, dict) and kind in got]
    if len(kinds) != 1:
        return differ(path, "a result or an error", got)
    value = got[kinds[0]]
    if kinds == ["error"] and not (isinstance(value, dict) and "class" in value):
        return differ(path, "an error with a class", value)
    return compare(wanted, PortAnswer(kinds[0], value), path=path)


def _of_requests(expect: Mapping[str, Any], told: Mapping[str, Value]) -> Difference | None:
    if "requests" not in expect:
        return None
    wanted, made = expect["requests"], told.get("requests")
    if not isinstance(made, list):
        return differ("requests", wanted, made)
    count = wanted if isinstance(wanted, int) else len(wanted)
    if len(made) != count:
        return differ("requests.length", count, len(made))
    for index, each in enumerate([] if isinstance(wanted, int) else wanted):
        found = request_difference(each, made[index], f"requests[{index}]")
        if found:
            return found
    return None


def _of_rest(expect: Mapping[str, Any], told: Mapping[str, Value]) -> Difference | None:
    for name in ("slept", "rate_budget", "clock_skew"):
        if name in expect:
            found = difference(_seconds(expect[name]), told.get(name), path=name)
            if found:
                return found
    return None


def _seconds(expected: Any) -> Any:
    """Seconds of a case, which stand there as text."""
    if isinstance(expected, list):
        return [float(each) for each in expected]
    return expected
