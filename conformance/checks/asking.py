"""How a check asks, and how it compares errors, which all kinds of cases have in common."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol

from conformance.compare import Difference, differ, difference
from conformance.exchange import Exchange
from conformance.program import PortAnswer
from conformance.values import Value


class Skipped(Exception):
    """The program lacks a feature that the case needs; its text is the feature."""


class Ask(Protocol):
    """Asks the program that is tested."""

    @property
    def exchange(self) -> Exchange:
        """The sandbox of its scenarios."""
        ...

    def __call__(self, do: str, **members: Value) -> PortAnswer:
        """Answer a command.

        Raises:
            Skipped: the program lacks a feature.
            Trouble: there is no answer.
        """
        ...


def compare(
    expect: Mapping[str, Any], answer: PortAnswer, *, path: str = "", part: bool = False
) -> Difference | None:
    """Compare an answer with an expected `result` or `error`."""
    if "error" in expect:
        return error_difference(expect["error"], answer, path)
    if answer.kind != "result":
        return differ(path, {"result": expect["result"]}, {"error": answer.value})
    return difference(expect["result"], answer.value, path=path, part=part)


def error_difference(
    expected: Mapping[str, Any], answer: PortAnswer, path: str = ""
) -> Difference | None:
    """The first difference between an expected error and what was answered."""
    if answer.kind != "error":
        return differ(path, {"error": expected}, {"result": answer.value})
    return _of_errors(expected, answer.value, path)


def _of_errors(expected: Mapping[str, Any], got: Value, path: str) -> Difference | None:
    if not isinstance(got, Mapping) or got.get("class") != expected["class"]:
        return differ(f"{path or 'error'}.class", expected["class"], got)
    if not isinstance(got.get("text"), str):
        return differ(f"{path or 'error'}.text", "the words of the error", got.get("text"))
    if got["class"] == "outcome_unknown" and not _is_written_down(got.get("json")):
        return differ(f"{path or 'error'}.json", "the JSON of the error", got.get("json"))
    for name, value in expected.items():
        found = _of_members(name, value, got, f"{path or 'error'}.{name}")
        if found:
            return found
    return None


def _of_members(name: str, value: Any, got: Mapping[str, Value], at: str) -> Difference | None:
    told = got.get(name)
    if name == "cause" and isinstance(value, dict):
        return _of_errors(value, told, at)
    if name == "json" and isinstance(told, str):
        return difference(value, json.loads(told), path=at)
    if name == "message_or_body":
        told = got.get("message")
        return None if told in (None, "", value) else differ(at, value, told)
    return difference(value, told, path=at)


def _is_written_down(text: Value) -> bool:
    """Whether a text has the form that every SDK reads an error of again."""
    try:
        found = json.loads(text)
        return (
            isinstance(found["reason"], str)
            and found["intent"]["version"] == 1
            and len(found["intent"]["messages"]) > 0
        )
    except (TypeError, ValueError, KeyError):
        return False
