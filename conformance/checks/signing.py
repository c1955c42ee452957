"""Cases of `signing/` and `batch/`: what is signed, and what must not be."""

from __future__ import annotations

from typing import Any

from conformance.cases import Case
from conformance.checks.asking import Ask, error_difference
from conformance.checks.requests import body_difference
from conformance.compare import Difference, differ
from conformance.values import Value


def signed(case: Case, ask: Ask) -> Difference | None:
    """A message is signed exactly so."""
    answer = ask("sign", **special(case.given))
    if answer.kind != "result" or not isinstance(answer.value, dict):
        return differ("", "a signature", answer.value)
    for name in ("address", "canonical", "signature"):
        if answer.value.get(name) != case.expect[name]:
            return differ(name, case.expect[name], answer.value.get(name))
    return body_difference(case.expect["body"], answer.value.get("body"))


def refused(case: Case, ask: Ask) -> Difference | None:
    """A key or a message is refused, and an error that names a path names the right one."""
    assert case.refused is not None
    answer = ask("sign", **special(case.given))
    found = error_difference({"class": "signing"}, answer)
    if found or "path" not in case.refused:
        return found
    path = answer.value.get("path")
    wanted = case.refused["path"]
    named = path is None or (isinstance(path, str) and path.startswith(wanted))
    return None if named else differ("error.path", wanted, path)


def batch(case: Case, ask: Ask) -> Difference | None:
    """Several actions are signed and wrapped, or refused before one of them is signed."""
    answer = ask("batch", **special(case.given))
    if case.refused is None:
        if answer.kind != "result" or not isinstance(answer.value, dict):
            return differ("", "the body of a batch", answer.value)
        return body_difference(case.expect["body"], answer.value.get("body"))
    counts = case.refused["reason"] in ("too-many-actions", "no-actions")
    if answer.kind == "error" and not counts and answer.value["class"] in ("signing", "request"):
        return None
    return error_difference({"class": "request"}, answer)


def special(value: Any) -> Value:
    """A part of a case with the floating-point number in the place of `{"$special": ...}`."""
    if isinstance(value, list):
        return [special(each) for each in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"$special"}:
        return float(value["$special"].removeprefix("float:"))
    return {name: special(each) for name, each in value.items()}
