"""The house rules: what a spec may say, beyond what OpenAPI itself demands.

The build and the templates rely on every rule. `check` applies them all and reports every problem
with its JSON pointer. The modules say what the rules are about: `openapi` itself, the document as a whole, names, operations, parameters,
batches, schemas, what is sent, signed and answered, what shows that a message was executed (`reconcile`), what the
runtime does by itself (`wire`), and words without an effect (`words`).
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence

from codegen import ir
from codegen.read.load import Node, Problem, SpecError, escaped, walk
from codegen.rules import (
    batches,
    document,
    forms,
    names,
    openapi,
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
    *openapi.RULES,
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


def check(root: Node) -> None:
    """Check a whole spec, by all rules.

    Raises:
        SpecError: The spec breaks a rule. The error holds every problem.
    """
    problems = [*document.references(root), *document.frame(root)] or [*document.circles(root)]
    if not problems:
        problems += broken(root, RULES)
        problems += _unread(root, problems)
        problems = problems or broken(root, CONSEQUENCES)
    if problems:
        raise SpecError(sorted(_once(problems), key=lambda each: (each.pointer, each.message)))


def _unread(root: Node, problems: Sequence[Problem]) -> list[Problem]:
    """The words without an effect, but those of what another problem is about, which may be the reason."""
    wrong = _reached(root, {each.pointer for each in problems})
    try:
        return [each for each in words.unread(root) if wrong.isdisjoint(_holders(each.pointer))]
    except Exception as crash:
        return [] if problems else problems_of(crash)


def _reached(root: Node, pointers: set[str]) -> set[str]:
    """Some parts of a spec, and all that they refer to."""
    refers = {
        each.pointer: each.value["$ref"]
        for each in walk(root)
        if isinstance(each.value, dict) and isinstance(each.value.get("$ref"), str)
    }
    reached, waiting = set[str](), [*pointers]
    while waiting:
        here = waiting.pop()
        if here not in reached:
            reached.add(here)
            waiting += [to for at, to in refers.items() if at == here or at.startswith(f"{here}/")]
    return reached


def _holders(pointer: str) -> set[str]:
    """A pointer, and those of all that holds it."""
    steps = pointer.split("/")
    return {"/".join(steps[:end]) for end in range(2, len(steps) + 1)}


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


def broken(root: Node, rules: Sequence[Rule]) -> list[Problem]:
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


# -- a failure of the generator itself, as a problem of the spec that it failed on ------------------


def problems_of(crash: Exception) -> list[Problem]:
    """What to report instead of a traceback: what a SpecError holds, or where the generator failed."""
    if isinstance(crash, SpecError):
        return crash.problems
    last = traceback.extract_tb(crash.__traceback__)[-1]
    reason = f"{type(crash).__name__}: {crash}".partition("\n")[0][:200]
    advice = "write it in another way, and report this, for it is a defect of the generator"
    place = f"{last.filename.rpartition('/')[2]}:{last.lineno}"
    return [Problem(_pointer(crash), f"the generator failed ({reason}, {place}); {advice}")]


def _pointer(crash: Exception) -> str:
    """The pointer to what the generator was busy with: the innermost part of the spec in its frames."""
    frames = [frame for frame, _ in traceback.walk_tb(crash.__traceback__)]
    found = [list(_places(frame.f_locals.values())) for frame in reversed(frames)]
    return max(next(filter(None, found), ["#"]), key=lambda pointer: pointer.count("/"))


def _places(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        if isinstance(value, Node):
            yield value.pointer
        elif isinstance(value, ir.Operation):
            yield f"#/paths/{escaped(value.path)}/{value.http_method.lower()}"
        elif isinstance(value, ir.Model | ir.Enum):
            yield f"#/components/schemas/{escaped(value.name)}"
