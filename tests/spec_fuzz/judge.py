"""What the generator makes of a mutation: it is refused, or has an effect. Anything else is a failure.

What is accepted is called at a socket, too (`wire`): the operations that it touches.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Literal, NamedTuple

import attrs

from codegen.ir import Api
from codegen.python.render import Contents, unformatted
from codegen.read.load import Problem
from tests.codegen import specs
from tests.spec_fuzz.keywords import KEYWORDS
from tests.spec_fuzz.mutate import Mutation, applied, plain
from tests.spec_fuzz.wire import PACKAGE, failures
from tests.spec_fuzz.wire_spec import touched

Outcome = Literal["refused", "effect", "said again", "note", "failure"]

NOTES = (
    r"/description",
    r"/externalDocs/url",
    r"/title",
    r"#/info/summary",
    r"/responses/[^/]+/x-source",
    r"#/x-source",
    r"#/info/x-source",
    r"/(actions|Results|responses/2../content/application~1json/schema)/x-source",
    # Of an action that is also an operation, the operation says where its signing type comes from.
    r"/(AddBook|CancelStopOrder|CreateOrder|EditOrder)/x-source",
    # The rules admit some types of a refusal's error and code; the runtime reads all of them, whichever is said.
    r"/\w*(Envelope|Error)/properties/(error|code)/type",
    # An allOf or a $ref makes it an object, so "object" says it again; other types are refused.
    r"/responses/2../content/application~1json/schema/type",
    r"/(SignedRequest|\w*Envelope|\w*Page|\w*Error)/properties/\w+/x-source",
    # A message that two keys sign has no fields of its own; a unit there is not asked for, nor refused.
    r"(~1twins/post/requestBody/.*/schema|/Twins(/properties/\w+)?)/(x-source|x-unit)",
)
"""What people read in the spec: the ends of the pointers of words without an effect on the code."""

SAME: dict[str, tuple[Any, ...]] = {
    "openapi": ("3.1.1",),
    "required": (False, []),
    "format": ("int64",),
    "x-source": ("documented",),
    # Of a parameter, and the only values that are not refused there.
    "style": ("form", "simple"),
    "explode": (True, False),
}
"""Values that say what holds without them."""


class Verdict(NamedTuple):
    outcome: Outcome
    why: str = ""


@cache
def _plain(base: str) -> tuple[dict[str, Any], dict[str, str]]:
    """What the unchanged spec says and makes."""
    api, schemas = specs.read(plain(base))
    return attrs.asdict(api), unformatted(Contents(api, schemas, PACKAGE))


def judged(mutation: Mutation) -> Verdict:
    """What becomes of one mutation."""
    spec = applied(mutation)
    if spec == plain(mutation.base):
        return Verdict("said again")
    if problems := specs.problems(spec):
        return _refused(problems)
    try:
        api, schemas = specs.read(spec)
        files = unformatted(Contents(api, schemas, PACKAGE))
        for path, text in files.items():
            compile(text, path, "exec", dont_inherit=True)
    except Exception as crash:
        return Verdict("failure", f"accepted, and then {crash!r}")
    for failure in failures(spec, api, files, touched(spec, mutation.at)):
        return Verdict("failure", failure)
    return _effect(mutation, api, files)


def _refused(problems: list[Problem]) -> Verdict:
    for problem in problems:
        if "the generator failed" in problem.message or not problem.pointer.startswith("#"):
            return Verdict("failure", str(problem))
    return Verdict("refused", str(problems[0]))


def _effect(mutation: Mutation, api: Api, files: dict[str, str]) -> Verdict:
    """An accepted mutation can be seen in what is generated, or in the IR that ports read."""
    if any(re.search(f"{note}$", mutation.at) for note in NOTES):
        return Verdict("note")
    if seen := _seen(mutation.base, api, files):
        return Verdict("effect", seen)
    if mutation.value in SAME.get(mutation.word, ()) or _another_is_seen(mutation):
        return Verdict("said again")
    return Verdict("failure", "accepted, but it changes nothing")


def _seen(base: str, api: Api, files: dict[str, str]) -> str:
    """Where something differs from the unchanged spec; nothing if nothing does."""
    plain, plain_files = _plain(base)
    if files != plain_files:
        return "in the package"
    return "in the IR alone" if attrs.asdict(api) != plain else ""


def _another_is_seen(mutation: Mutation) -> bool:
    """Whether another value of the word has an effect there: then this one says what holds anyway."""
    for other in KEYWORDS.get(mutation.word, ()):
        spec = applied(mutation._replace(value=other))
        if specs.problems(spec):
            continue
        api, schemas = specs.read(spec)
        if _seen(mutation.base, api, unformatted(Contents(api, schemas, PACKAGE))):
            return True
    return False
