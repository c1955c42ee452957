"""One call in Python, in TypeScript and with curl, and its answer: all of them from the conformance vectors."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from attrs import frozen

from codegen import ir
from conformance.cases import Case

ANSWERS = "decode-operation"
"""The rule whose cases show the answer to each method."""
RULES = ("encode-operation", "encode-minted-id")
"""The rules whose cases show a whole request of each method."""
URL = "http://127.0.0.1:8787"
WIDTH = 80


@frozen
class Example:
    """One call of a method in three languages, and the answer."""

    python: str
    typescript: str
    curl: str
    answer: str


def examples(api: ir.Api, cases: Sequence[Case]) -> dict[str, Example]:
    """An example of each method, by `group.method`."""
    actions = {each.type: each.model for each in api.actions}
    answers = {
        case.given["operation"]: case.given["body"] for case in cases if case.rule == ANSWERS
    }
    found: dict[str, Example] = {}
    for case in cases:
        name = case.given.get("operation", "")
        if case.rule not in RULES or case.refused is not None or "result" not in case.expect:
            continue
        # The least that a call needs, where there is a case of it.
        if name in found and not case.name.endswith("-minimal"):
            continue
        arguments = case.given["arguments"]
        found[name] = Example(
            python=_python(name, arguments, actions),
            typescript=_typescript(name, arguments),
            curl=_curl(case.expect["result"]),
            answer=json.dumps(json.loads(answers[name]), indent=2),
        )
    return found


def _python(name: str, arguments: Mapping[str, Any], actions: Mapping[str, str]) -> str:
    """The call in Python; a batch is given as models."""
    if "actions" in arguments:
        made = [
            _call(actions[each["type"]], each["arguments"]).replace("\n", "\n        ")
            for each in arguments["actions"]
        ]
        listed = "".join(f"        {each},\n" for each in made)
        return f"client.{name}(\n    [\n{listed}    ]\n)"
    return _call(f"client.{name}", arguments)


def _call(name: str, arguments: Mapping[str, Any]) -> str:
    """A call with keywords, on one line if it fits."""
    given = [f"{key}={_literal(value)}" for key, value in arguments.items()]
    line = f"{name}({', '.join(given)})"
    if len(line) <= WIDTH:
        return line
    return f"{name}(\n{''.join(f'    {each},{chr(10)}' for each in given)})"


def _literal(value: Any) -> str:
    """JSON as a literal of Python."""
    if isinstance(value, Mapping):
        members = (f"{json.dumps(key)}: {_literal(each)}" for key, each in value.items())
        return f"{{{', '.join(members)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return json.dumps(value) if isinstance(value, str) else repr(value)


def _typescript(name: str, arguments: Mapping[str, Any]) -> str:
    """The call in TypeScript; a list of pages is iterated."""
    group, _, method = name.partition(".")
    call = f"client.{_camel(group)}.{_camel(method)}"
    if "actions" in arguments:
        actions = (
            f"  {{ type: {json.dumps(each['type'])}, data: {_object(each['arguments'])} }},\n"
            for each in arguments["actions"]
        )
        return f"await {call}([\n{''.join(actions)}]);"
    given = _object(arguments) if arguments else ""
    if method.endswith("history"):
        return f"for await (const record of {call}({given})) console.log(record);"
    line = f"await {call}({given});"
    if len(line) <= WIDTH:
        return line
    members = "".join(f"  {key}: {_value(each)},\n" for key, each in arguments.items())
    return f"await {call}({{\n{members}}});"


def _object(members: Mapping[str, Any]) -> str:
    return f"{{ {', '.join(f'{key}: {_value(each)}' for key, each in members.items())} }}"


def _value(value: Any) -> str:
    """JSON as a literal of TypeScript: an integer that a double does not hold is a bigint."""
    if isinstance(value, Mapping):
        return _object(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 2**53:
        return f"{value}n"
    return json.dumps(value)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(each.title() for each in rest)


def _curl(request: Mapping[str, Any]) -> str:
    """What is sent, with curl. The signature is that of the key of the vectors, and long expired."""
    query = urlencode([(name, value) for name, value in request.get("query") or []])
    url = f"{URL}{request['path']}{f'?{query}' if query else ''}"
    if request.get("body") is None:
        return f"curl '{url}'"
    body = json.dumps(request["body"], indent=2)
    return f"curl '{url}' \\\n  -H 'Content-Type: application/json' -d '{body}'"
