"""The house rules: what a spec may say, beyond what OpenAPI itself demands.

The build and the templates rely on every rule. `check` applies them all and reports every problem
with its JSON pointer. The modules say what the rules are about: the document as a whole, names, operations, parameters,
batches, schemas, what is sent, signed and answered, what shows that a message was executed (`reconcile`), what the
runtime does by itself (`wire`), and words without an effect (`words`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from codegen.crash import problems_of
from codegen.read.load import Node, Problem, SpecError
from codegen.rules import (
    batches,
    document,
    forms,
    names,
    operations,
    parameters,
    reconcile,
    requests,
    responses,
    schemas,
    signing,
    wire,
    words,
)

Rule = Callable[[Node], Iterator[Problem]]

RULES: tuple[Rule, ...] = (
    *document.RULES,
    *forms.RULES,
    *names.RULES,
    *operations.RULES,
    *parameters.RULES,
    *batches.RULES,
    *reconcile.RULES,
    *responses.RULES,
    *schemas.RULES,
    *requests.RULES,
    *signing.RULES,
    *wire.RULES,
    *words.RULES,
)
CONSEQUENCES: tuple[Rule, ...] = (*wire.CONSEQUENCES, words.unused)
"""Rules that are broken because another one is, more often than not. They are asked last."""


def check(root: Node, rules: Sequence[Rule] | None = None) -> None:
    """Check a whole spec, by OpenAPI's rules and all house rules unless some are given.

    Raises:
        SpecError: The spec breaks a rule. The error holds every problem.
    """
    problems = [*document.references(root), *document.frame(root)] or [*document.circles(root)]
    if not problems:
        problems += _broken(root, rules or (document.openapi, *RULES))
        problems = problems or _broken(root, CONSEQUENCES)
    if problems:
        raise SpecError(sorted(_once(problems), key=lambda each: (each.pointer, each.message)))


def _once(problems: Sequence[Problem]) -> set[Problem]:
    """The problems without those that another one of the same place says, too."""
    return {
        each
        for each in problems
        if not any(
            each.pointer == other.pointer and each != other and each.message in other.message
            for other in problems
        )
    }


def _broken(root: Node, rules: Sequence[Rule]) -> list[Problem]:
    """The problems that the rules find.

    A rule may crash on a spec that another rule refuses. Its crash is reported only if no rule found
    a problem, because then it is a mistake of the rule.
    """
    problems: list[Problem] = []
    crashes: list[Problem] = []
    for rule in rules:
        try:
            problems.extend(rule(root))
        except Exception as crash:
            crashes += problems_of(crash)
    return problems or crashes
