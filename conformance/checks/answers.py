"""Cases of `decode/` and `json/`: what an answer means."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

from conformance.cases import Case
from conformance.checks.asking import Ask, error_difference
from conformance.compare import Difference, differ, difference

JSON = {"Content-Type": "application/json"}


def decoded(case: Case, ask: Ask) -> Difference | None:
    """An answer is this value, or this error."""
    given, expect = case.given, case.expect
    more = {"spec": given["spec"]} if "spec" in given else {}
    if "actions" in given or given["operation"] == "orders.batch":
        more["actions"] = _actions(given)
    answer = ask(
        "decode",
        operation=given["operation"],
        status=given["status"],
        headers=given.get("headers", JSON),
        body=body_base64(given),
        **more,
    )
    if "error" in expect:
        return error_difference(_error(given, expect), answer)
    if answer.kind != "result":
        return differ("", expect["value"], answer.value)
    return difference(expect["value"], answer.value)


def body_base64(given: Mapping[str, Any]) -> str:
    """The bytes of an answer, which a case has as text, as Base64, or as the JSON that they hold."""
    if "body_base64" in given:
        return str(given["body_base64"])
    text = json.dumps(given["json"]) if "json" in given else given.get("body", "")
    return base64.b64encode(text.encode()).decode("ascii")


def _error(given: Mapping[str, Any], expect: Mapping[str, Any]) -> dict[str, Any]:
    wanted = {"class": expect["error"], "status": expect["status"]}
    if expect["error"] == "api":
        wanted |= {name: expect[name] for name in ("code", "reason") if name in expect}
        if expect["message"] is None:
            wanted["message_or_body"] = given.get("body", "")
        else:
            wanted["message"] = expect["message"]
    return wanted


def _actions(given: Mapping[str, Any]) -> list[str]:
    """The types of the actions that a batch was sent with; as many cancels as there are results."""
    if "actions" in given:
        return list(given["actions"])
    try:
        payload = json.loads(given["body"])
        return ["Cancel"] * len(payload.get("data", payload)["results"])
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        return ["Cancel"]
