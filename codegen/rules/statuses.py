"""Rules on the statuses of answers: the SDK knows what each of them means."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.load import Node, Problem
from codegen.rules.place import Place, operation_places, schema_of
from codegen.spec import known_content


def _statuses(root: Node) -> Iterator[Problem]:
    """The SDK knows what every documented status means."""
    for operation in operation_places(Place(root, "#")):
        answers = operation.named("responses")
        for status, response in answers.items():
            pointer = f"{operation.at('responses')}/{status}"
            if re.fullmatch("[13][0-9]{2}", status):
                yield Problem(pointer, "the SDK takes no such answer; leave it out")
            elif status == "204" and "content" in response.node:
                yield Problem(response.at("content"), "a 204 has no content; write 200")
            elif status in ("203", "205", "206", "207", "208", "226"):
                yield Problem(pointer, "such a success is not supported; write 200")


def _successes(root: Node) -> Iterator[Problem]:
    """All statuses of success have the same answer. One that has none is for calls without a result."""
    for operation in operation_places(Place(root, "#")):
        answers = operation.named("responses")
        found = [(each, schema_of(answers[each])) for each in answers if each[:1] == "2"]
        shapes = [schema.node.value for _, schema in found if schema]
        for status, schema in found if shapes else ():
            pointer = f"{operation.at('responses')}/{status}"
            if schema is not None and schema.node.value != shapes[0]:
                yield Problem(pointer, "differs from another success; give all the same schema")
            elif schema is None and (status != "204" or known_content(operation.node)):
                yield Problem(pointer, "lacks the result that another success has; leave it out")


RULES = (_statuses, _successes)
