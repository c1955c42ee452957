"""Rules on the statuses of answers: the SDK knows what each of them means."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.read.load import Node, Problem
from codegen.read.operations import json_schema, known_content, operations

PARTIAL = ("203", "205", "206", "207", "208", "226")
"""Successes that are none of the whole call, or of another one."""


def _statuses(root: Node) -> Iterator[Problem]:
    """The SDK knows what every documented status means."""
    for _, _, operation in operations(root):
        answers = operation.named("responses")
        for status, response in answers.items():
            pointer = f"{operation.at('responses')}/{status}"
            if re.fullmatch("1[0-9]{2}", status):
                yield Problem(pointer, "the SDK takes no such answer; leave it out")
            elif status == "304":
                told = (
                    "the SDK sends no conditional request, which alone is answered so; leave it out"
                )
                yield Problem(pointer, told)
            elif re.fullmatch("3[0-9]{2}", status):
                told = "the SDK follows no redirect; write the path and the server that it leads to"
                yield Problem(pointer, told)
            elif status == "204" and "content" in response:
                yield Problem(response.at("content"), "a 204 has no content; write 200")
            elif status in PARTIAL:
                told = "to the SDK a success is a whole one, with JSON: 200, 201, 202 or 204"
                advice = (
                    "write 200 only if the service answers so; otherwise leave the operation out"
                )
                yield Problem(pointer, f"{told}; {advice}")


def _successes(root: Node) -> Iterator[Problem]:
    """All statuses of success have the same answer. One that has none is for calls without a result."""
    for _, _, operation in operations(root):
        answers = operation.named("responses")
        known = [each for each in answers if each[:1] == "2" and each not in PARTIAL]
        found = [(each, json_schema(answers[each])) for each in known]
        shapes = [schema.value for _, schema in found if schema]
        for status, schema in found if shapes else ():
            pointer = f"{operation.at('responses')}/{status}"
            if schema is not None and schema.value != shapes[0]:
                yield Problem(pointer, "differs from another success; give all the same schema")
            elif schema is None and (status != "204" or known_content(operation)):
                yield Problem(pointer, "lacks the result that another success has; leave it out")


RULES = (_statuses, _successes)
