"""Cases of `encode/`: the request that a call makes, or that it makes none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from conformance.cases import Case
from conformance.checks.asking import Ask, error_difference
from conformance.compare import ABSENT, Difference, differ, difference, exact_difference
from conformance.values import Value, exact_json


def encoded(case: Case, ask: Ask) -> Difference | None:
    """A call makes this request, or is refused."""
    answer = ask("encode", **case.given)
    if "error" in case.expect:
        return error_difference(case.expect["error"], answer)
    if answer.kind != "result" or not isinstance(answer.value, dict):
        return differ("", case.expect["result"], answer.value)
    return request_difference(case.expect["result"], answer.value)


def explained(case: Case, ask: Ask) -> Difference | None:
    """`explain` shows what would be signed and sent."""
    answer = ask("explain", **case.given)
    if "error" in case.expect:
        return error_difference(case.expect["error"], answer)
    if answer.kind != "result" or not isinstance(answer.value, dict):
        return differ("", case.expect["result"], answer.value)
    expected = dict(case.expect["result"])
    found = body_difference(expected.pop("body"), answer.value.get("body"))
    told = {name: value for name, value in answer.value.items() if name in expected}
    return found or difference(expected, told)


def request_difference(
    expected: Mapping[str, Any], got: Value, path: str = ""
) -> Difference | None:
    """The first difference between a request and what is expected of it."""
    if not isinstance(got, Mapping):
        return differ(path, "a request", got)
    dot = f"{path}." if path else ""
    if "method" in expected and got.get("method") != expected["method"]:
        return differ(f"{dot}method", expected["method"], got.get("method"))
    if "path" in expected and (found := _of_urls(expected, got.get("path"), dot)):
        return found
    if found := _of_headers(expected, got.get("headers"), dot):
        return found
    if "body" in expected:
        return body_difference(expected["body"], got.get("body"), f"{dot}body")
    if "body_has" in expected:
        return _of_parts(expected["body_has"], got.get("body"), f"{dot}body")
    return None


def body_difference(expected: Any, got: Value, path: str = "body") -> Difference | None:
    """The first difference between the text of a body and the JSON that it should be."""
    if expected is None or got is None:
        return None if expected is got else differ(path, expected, got)
    try:
        found = exact_json(got)
    except (ValueError, TypeError) as error:
        return differ(path, expected, f"{got!r}, which is no such JSON: {error}")
    return exact_difference(expected, found, path)


def _of_parts(expected: Any, got: Value, path: str) -> Difference | None:
    try:
        return difference(expected, exact_json(got), path=path, part=True)
    except (ValueError, TypeError) as error:
        return differ(path, expected, f"{got!r}, which is no such JSON: {error}")


def _of_urls(expected: Mapping[str, Any], got: Value, dot: str) -> Difference | None:
    if not isinstance(got, str) or not (got.isascii() and got.isprintable() and " " not in got):
        return differ(f"{dot}path", "a path and query in printable ASCII", got)
    path, mark, query = got.partition("?")
    if path != expected["path"]:
        return differ(f"{dot}path", expected["path"], path)
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True, errors="strict")
    except ValueError:
        pairs = []
    if mark and not pairs:
        return differ(f"{dot}query", expected.get("query", []), query)
    wanted = [(name, value) for name, value in expected.get("query", [])]
    if _by_name(pairs) != _by_name(wanted):
        return differ(f"{dot}query", wanted, pairs)
    return None


def _by_name(pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found


def _of_headers(expected: Mapping[str, Any], got: Value, dot: str) -> Difference | None:
    if not isinstance(got, Mapping):
        return differ(f"{dot}headers", "the headers", got)
    told = {name.lower(): value for name, value in got.items()}
    for name, value in expected.get("headers", {}).items():
        if told.get(name.lower()) != value:
            return differ(f"{dot}headers.{name}", value, told.get(name.lower(), ABSENT))
    for name in expected.get("without", ()):
        if name.lower() in told:
            return differ(f"{dot}headers.{name}", ABSENT, told[name.lower()])
    return None
