"""What the generator makes of a mutation: it is refused, or has an effect. Anything else is a failure."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Literal, NamedTuple

import attrs

from codegen.ir import Api
from codegen.load import Problem
from codegen.rules import RULES
from tests.codegen import specs
from tests.fuzz.quick_render import quickly
from tests.spec_fuzz.mutate import Mutation, applied, plain

Outcome = Literal["refused", "effect", "said again", "note", "failure"]

NOTES = (
    r"/description",
    r"/externalDocs/url",
    r"#/info/summary",
    r"/responses/[^/]+/x-source",
    r"#/info/x-source",
    r"/(actions|Results)/x-source",
    r"/(SignedRequest|\w*Envelope|\w*Error)/properties/\w+/x-source",
)
"""What people read in the spec: the ends of the pointers of words without an effect on the code."""

SAME: dict[str, tuple[Any, ...]] = {
    "openapi": ("3.1.1",),
    "required": (False, []),
    "format": ("int64",),
    "x-source": ("documented",),
}
"""Values that say what holds without them."""


class Verdict(NamedTuple):
    outcome: Outcome
    why: str = ""


@cache
def _plain(base: str) -> tuple[dict[str, Any], dict[str, str]]:
    """What the unchanged spec says and makes."""
    api = specs.built(plain(base))
    return attrs.asdict(api), quickly(api)


def judged(mutation: Mutation) -> Verdict:
    """What becomes of one mutation."""
    spec = applied(mutation)
    if spec == plain(mutation.base):
        return Verdict("said again")
    problems = specs.problems(spec, RULES)
    # OpenAPI's own rules take most of the time. They count where ours are content, or crash.
    if not problems or any("the generator failed" in each.message for each in problems):
        problems = specs.problems(spec, None)
    if problems:
        return _refused(problems)
    try:
        api = specs.built(spec)
        files = quickly(api)
        for path, text in files.items():
            compile(text, path, "exec", dont_inherit=True)
    except Exception as crash:
        return Verdict("failure", f"accepted, and then {crash!r}")
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
    plain, plain_files = _plain(mutation.base)
    if files != plain_files:
        return Verdict("effect")
    if attrs.asdict(api) != plain:
        return Verdict("effect", "in the IR alone")
    if mutation.value in SAME.get(mutation.word, ()):
        return Verdict("said again")
    return Verdict("failure", "accepted, but it changes nothing")
