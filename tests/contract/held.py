"""Holds one exchange against a spec: the request and its answer, by jsonschema and none of our packages' readers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from jsonschema import Draft202012Validator

from tests.spec.description import JSON, Tree, target


class Exchange(NamedTuple):
    """A request and its answer, as they were on the wire."""

    method: str
    path: str
    query: str
    body: bytes
    status: int
    answer: bytes


def violations(spec: Tree, exchange: Exchange) -> Iterator[str]:
    """What of an exchange the spec does not allow: the place, and in which way."""
    for template, item in spec["paths"].items():
        found = re.fullmatch(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template), exchange.path)
        if found and exchange.method.lower() in item:
            operation = item[exchange.method.lower()]
            yield from _of_parameters(spec, operation, exchange, found.groupdict())
            yield from _of_body(spec, operation, exchange)
            yield from _of_answer(spec, operation, exchange)
            return
    yield f"no operation: {exchange.method} {exchange.path}"


def _of_parameters(
    spec: Tree, operation: Tree, exchange: Exchange, in_path: Mapping[str, str]
) -> Iterator[str]:
    asked = parse_qs(exchange.query, keep_blank_values=True)
    for parameter in (target(spec, each) for each in operation.get("parameters", ())):
        name, schema = parameter["name"], target(spec, parameter["schema"])
        texts = [in_path[name]] if name in in_path else asked.get(name, [])
        if not texts and parameter.get("required"):
            yield f"request.query: {name} is missing"
        items = target(spec, schema.get("items", schema))
        values = [_plain(text) if items.get("type") != "string" else text for text in texts]
        if texts:
            value = values if schema.get("type") == "array" else values[0]
            yield from _wrong(spec, schema, value, f"request.query.{name}")


def _plain(text: str) -> Any:
    """The number or boolean that a text in a URL stands for."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _of_body(spec: Tree, operation: Tree, exchange: Exchange) -> Iterator[str]:
    if "requestBody" in operation:
        schema = operation["requestBody"]["content"][JSON]["schema"]
        yield from _wrong_json(spec, schema, exchange.body, "request.body")
    elif exchange.body:
        yield "request.body: there is one"


def _of_answer(spec: Tree, operation: Tree, exchange: Exchange) -> Iterator[str]:
    responses = operation["responses"]
    if str(exchange.status) not in responses:
        yield f"response: the status {exchange.status} is not documented"
        return
    content = target(spec, responses[str(exchange.status)]).get("content")
    if content:
        yield from _wrong_json(spec, content[JSON]["schema"], exchange.answer, "response.body")


def _wrong_json(spec: Tree, schema: Tree, text: bytes, at: str) -> Iterator[str]:
    try:
        value = json.loads(text)
    except ValueError:
        yield f"{at}: {text!r} is no JSON"
    else:
        yield from _wrong(spec, schema, value, at)


def _wrong(spec: Tree, schema: Tree, value: Any, at: str) -> Iterator[str]:
    whole = {**schema, "components": spec["components"]}
    formats = Draft202012Validator.FORMAT_CHECKER
    for error in Draft202012Validator(whole, format_checker=formats).iter_errors(value):
        yield f"{'.'.join([at, *map(str, error.absolute_path)])}: {error.message}"
