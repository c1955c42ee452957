"""A failure of the generator itself, as a problem of the spec that it failed on."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator

from codegen import ir
from codegen.read.load import Node, Problem, SpecError, escaped


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
