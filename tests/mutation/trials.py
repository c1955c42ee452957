"""Run tests against changed functions, each change in a fork of one process that has all tests."""

from __future__ import annotations

import ast
import gc
import json
import os
import resource
import select
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType

import pytest
from attrs import frozen

_PROBE = "_reached_by_a_test"
_FIRST = 40
_MEMORY = 6 * 2**30


@frozen
class Trial:
    """A module as it would read with one change."""

    file: Path
    source: str


def try_all(tests: Sequence[str], trials: Sequence[Trial], most: int) -> list[str]:
    """For each trial the first test that failed, or an empty text; `most` tests are tried on one."""
    plugin = _Trials(trials, most)
    arguments = ("-q", "-p", "no:cacheprovider", "-p", "no:randomly", "--no-header")
    code = pytest.main([*arguments, *tests], plugins=[plugin])
    if len(plugin.found) != len(trials):
        raise RuntimeError(f"the tests could not be collected: pytest ended with {code}")
    return plugin.found


def _module(file: Path) -> str:
    """The name by which a file is imported."""
    folders = [Path(each).resolve() for each in sys.path if each]
    folder = max(
        (each for each in folders if each in file.parents), key=lambda each: len(each.parts)
    )
    parts = file.relative_to(folder).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _key(code: CodeType) -> tuple[str, int]:
    return code.co_name, code.co_firstlineno


def _by_key(module: CodeType) -> dict[tuple[str, int], CodeType]:
    """Its functions; without those of which two stand in one line, as lambdas may."""
    every = [*_codes(module)]
    counts = Counter(map(_key, every))
    return {_key(code): code for code in every if counts[_key(code)] == 1}


def _change(file: Path, module: CodeType) -> None:
    """Give every function of the module that is alive the code that it has in `module`."""
    codes = _by_key(module)
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename == str(file):
            new = codes.get(_key(thing.__code__))
            if new is not None and new != thing.__code__:
                thing.__code__ = new


def _with_probes(trials: Sequence[Trial]) -> None:
    """Make each function that a trial changes tell that it was called."""
    by_file: dict[Path, list[int]] = {}
    for index, trial in enumerate(trials):
        by_file.setdefault(trial.file, []).append(index)
    for file, indices in by_file.items():
        text = file.read_text("utf-8")
        old = _by_key(compile(text, str(file), "exec"))
        tree = ast.parse(text)
        for index in indices:
            changed = _by_key(compile(trials[index].source, str(file), "exec"))
            names = {key for key, code in changed.items() if code != old[key]}
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef) and (node.name, _start(node)) in names:
                    call = ast.parse(f"__builtins__['{_PROBE}']({index})").body[0]
                    for part in ast.walk(call):
                        ast.copy_location(part, node.body[0])
                    node.body.insert(0, call)
        _change(file, compile(tree, str(file), "exec"))


def _start(node: ast.FunctionDef) -> int:
    return min(node.lineno, *(each.lineno for each in node.decorator_list), node.lineno)


@frozen
class _Reach:
    tests: list[list[int]]
    seconds: list[float]


class _Trials:
    """A plugin of pytest that runs its tests once for each trial."""

    def __init__(self, trials: Sequence[Trial], most: int) -> None:
        self._trials = trials
        self._most = most
        self._failed = ""
        self.found: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self._failed:
            self._failed = report.nodeid

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for trial in self._trials:
            # What is imported late has no functions yet that could be changed.
            import_module(_module(trial.file))
        found = _in_fork(lambda: self._probe(session), 3600)
        if not found.startswith("{"):
            raise RuntimeError(f"the tests could not be run without a change: {found}")
        reach = _Reach(**json.loads(found))
        print(f"{len(session.items)} tests, {sum(reach.seconds):.0f} s", flush=True)
        for index in range(len(self._trials)):
            order = self._order(reach, index)
            seconds = 30 + 20 * sum(reach.seconds[test] for test in order)
            items = [session.items[test] for test in order]
            begun = time.monotonic()
            found = _in_fork(partial(self._try, index, items), seconds)
            self.found.append(found)
            took = time.monotonic() - begun
            print(f"{index} {len(items)} tests {took:.1f} s {found or 'LIVES'}", flush=True)
        return True

    def _order(self, reach: _Reach, index: int) -> list[int]:
        """The quick tests first, then those that reach least else, in the order that they have."""
        others = Counter(test for tests in reach.tests for test in tests)
        tests = sorted(reach.tests[index], key=lambda test: reach.seconds[test])
        special = sorted(tests[_FIRST:], key=lambda test: others[test])
        return tests[:_FIRST] + sorted(special[: self._most - _FIRST])

    def _probe(self, session: pytest.Session) -> str:
        reached: set[int] = set()
        import builtins

        setattr(builtins, _PROBE, reached.add)
        _with_probes(self._trials)
        tests: list[list[int]] = [[] for _ in self._trials]
        seconds = []
        for number, item in enumerate(session.items):
            reached.clear()
            begun = time.perf_counter()
            self._run(session.items, number)
            seconds.append(round(time.perf_counter() - begun, 4))
            # A test that fails without a change shows nothing.
            if not self._failed:
                for index in tuple(reached):
                    tests[index].append(number)
            else:
                print("fails by itself:", item.nodeid, flush=True)
            self._failed = ""
        return json.dumps({"tests": tests, "seconds": seconds})

    def _try(self, index: int, items: Sequence[pytest.Item]) -> str:
        trial = self._trials[index]
        _change(trial.file, compile(trial.source, str(trial.file), "exec"))
        for number in range(len(items)):
            self._run(items, number)
            if self._failed:
                return self._failed
        return ""

    def _run(self, items: Sequence[pytest.Item], number: int) -> None:
        item = items[number]
        following = items[number + 1] if number + 1 < len(items) else None
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)


def _in_fork(job: Callable[[], str], seconds: float) -> str:
    """What the job returns; what does not end in time, or crashes, is noticed as well."""
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        os.close(receiver)
        answer = ""
        try:
            # A letter tells that it came to its end, for a change may end the process.
            answer = f"={job()}"
        except BaseException as error:
            answer = f"=a crash: {error!r:.200}"
        finally:
            with os.fdopen(sender, "w") as pipe:
                pipe.write(answer)
            os._exit(0)
    os.close(sender)
    until = time.monotonic() + seconds
    chunks = []
    while True:
        ready, _, _ = select.select([receiver], [], [], max(0.0, until - time.monotonic()))
        chunk = os.read(receiver, 2**16) if ready else None
        if not chunk:
            break
        chunks.append(chunk)
    os.close(receiver)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if chunk is None:
        return "no end in time"
    return b"".join(chunks).decode()[1:] if chunks else "a crash"
