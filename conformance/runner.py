"""Runs cases against programs, each of them started again after trouble."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Literal

from attrs import define, evolve, field, frozen

from conformance.cases import Case, matches
from conformance.checks import CHECKS
from conformance.checks.asking import Skipped
from conformance.exchange import Exchange
from conformance.features import unseen
from conformance.leaks import leaked
from conformance.program import PortAnswer, Program, Trouble
from conformance.values import Value, tagged

Outcome = Literal["passed", "failed", "skipped"]


@frozen
class Result:
    """What became of a case."""

    case: Case
    outcome: Outcome
    why: str = ""
    """The first difference, the trouble, or the feature that is missing."""

    seconds: float = field(default=0.0, eq=False)
    known: bool = False
    """Whether it is one of the known failures, and fails."""

    asked: str = field(default="", eq=False)
    """The command that was asked last, as JSON."""


def run(
    cases: Sequence[Case],
    command: Sequence[str],
    *,
    timeout: float,
    jobs: int = 1,
    known: Sequence[str] = (),
    fail_fast: bool = False,
) -> tuple[list[Result], Mapping[str, Value]]:
    """The results of cases, in their order, and what the program says of itself.

    Args:
        fail_fast: Whether to run no further case after one has failed, so that later ones have no result.

    Raises:
        Trouble: the program does not say hello.
    """
    first = Program(command, timeout)
    first.start()
    todo: queue.SimpleQueue[tuple[int, Case]] = queue.SimpleQueue()
    for numbered in enumerate(cases):
        todo.put(numbered)
    results: dict[int, Result] = {}
    others = range(min(jobs, len(cases)) - 1)
    programs = [first, *(Program(command, timeout, first.hello) for _ in others)]
    stop = threading.Event() if fail_fast else None
    workers = [_Worker(program, todo, results, known, stop) for program in programs]
    threads = [threading.Thread(target=worker.run, daemon=True) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert fail_fast or len(results) == len(cases), "a case was lost"
    return [results[index] for index in sorted(results)], first.hello


class _Worker:
    """Takes one case after another, with a program of its own."""

    def __init__(
        self,
        program: Program,
        todo: queue.SimpleQueue[tuple[int, Case]],
        results: dict[int, Result],
        known: Sequence[str],
        stop: threading.Event | None,
    ) -> None:
        self._program, self._todo, self._results = program, todo, results
        self._known, self._stop = known, stop
        self._latest: int | None = None
        self._exchange = Exchange()

    def run(self) -> None:
        """Run cases until none is left, then let the program end."""
        while not (self._stop and self._stop.is_set()):
            try:
                index, case = self._todo.get_nowait()
            except queue.Empty:
                break
            self._blame(self._program.surplus())
            began = time.monotonic()
            asking = _Asking(self._program, self._exchange, case)
            outcome, why = self._result(asking)
            seconds = time.monotonic() - began
            self._put(index, Result(case, outcome, why, seconds, asked=asking.latest))
        self._blame(self._program.surplus() or self._program.end())
        self._program.kill()
        self._exchange.close()

    def _put(self, index: int, result: Result) -> None:
        self._latest = index
        self._results[index] = with_known(result, self._known)
        if self._stop and result.outcome == "failed" and not self._results[index].known:
            self._stop.set()

    def _blame(self, trouble: str | None) -> None:
        """What a program did after its answer fails the case of that answer."""
        if trouble is not None and self._latest is not None:
            before = self._results[self._latest]
            self._put(self._latest, evolve(before, outcome="failed", why=f"the program {trouble}"))

    def _result(self, asking: _Asking) -> tuple[Outcome, str]:
        case = asking.case
        try:
            self._program.start()
            if feature := unseen(case.features, self._program.hello["skips"]):
                raise Skipped(feature)
            found = CHECKS[case.kind](case, asking)
        except Skipped as missing:
            reason = self._program.hello.get("skips", {}).get(str(missing))
            return "skipped", f"{missing}: {reason}"
        except Trouble as trouble:
            return "failed", f"the program: {trouble}"
        except Exception as error:
            # Of a shape that no check expects. A case must not get lost for that.
            return "failed", f"its answer cannot be compared: {error!r}"
        return ("failed", str(found)) if found else ("passed", "")


_UNKNOWN = "unknown command"
"""How a program answers a command that it does not know."""


@define
class _Asking:
    """Asks a program for one case."""

    program: Program
    exchange: Exchange
    case: Case
    latest: str = ""
    """The command that was asked last, as JSON."""

    def __call__(self, do: str, **members: Value) -> PortAnswer:
        """Answer a command: see `Ask`."""
        self.latest = json.dumps(tagged({"do": do, **members}))
        answer = self.program.ask(do, members)
        declared = self.program.hello.get("skips", {})
        missing = next((name for name in self.case.features if name in declared), None)
        if missing and answer.kind == "error" and answer.value.get("text") == _UNKNOWN:
            hint = json.dumps({"skipped": missing})
            raise Trouble(f"hello declared {missing} as missing, so {do} is answered {hint}")
        if answer.kind == "skipped":
            if answer.value not in declared or answer.value not in self.case.features:
                raise Trouble(
                    f"skipped {answer.value!r}, which hello did not declare or this case does not need"
                )
            raise Skipped(answer.value)
        if secret := leaked(do, members, answer.value):
            raise Trouble(f"its answer shows the {secret}")
        return answer


def with_known(result: Result, known: Sequence[str]) -> Result:
    """A result in the light of the known failures: one that passes is a failure."""
    if not matches(result.case.name, known):
        return result
    if result.outcome == "passed":
        return evolve(
            result, outcome="failed", why="it is a known failure, and passes", known=False
        )
    return evolve(result, known=result.outcome == "failed")
