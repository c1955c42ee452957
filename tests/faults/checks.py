"""What a cell must hold: the six checks under the fault matrix."""

from __future__ import annotations

import contextlib
import os
import socket
import time
import traceback
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from attrs import define, field

from tests.doubles.signer import ScriptedSigner
from tests.faults.calls import Scene
from tests.faults.rows import Expected, Row
from tests.faults.subjects import Subject
from tests.interface import METHODS
from tests.trees import objects
from trading_runtime.recovery.settlement import State
from trading_sandbox import Sandbox
from trading_sandbox.log import LoggedRequest
from trading_sdk import Keypair, OutcomeUnknownError, Settlement

_NOTICED = 3.0
"""Seconds after which what the service does late has happened."""


class Unpunctual(AssertionError):
    """What a machine that stands still may bring about: another end than expected, or a late one, or none.

    Nothing that a call does twice, shows or leaves behind is of this kind.
    """


@define
class Ended:
    """How a call ended."""

    seconds: float
    result: Any = None
    error: Exception | None = None


def ended(call: Callable[[], Any]) -> Ended:
    began = time.monotonic()
    try:
        result = call()
    except Exception as error:
        return Ended(time.monotonic() - began, error=error)
    return Ended(time.monotonic() - began, result)


def in_time(condition: Callable[[], bool], seconds: float = _NOTICED) -> bool:
    """Whether something comes true before long."""
    ends = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > ends:
            return False
        time.sleep(0.005)
    return True


# -- 1: the exception is right, or the result ------------------------------------------------


def check_outcome(subject: Subject, expected: Expected, end: Ended) -> None:
    if expected.error is None:
        if end.error is not None:
            raise Unpunctual(f"{subject.name} did not succeed") from end.error
        assert subject.right(end.result), end.result
        return
    kinds = expected.error if isinstance(expected.error, tuple) else (expected.error,)
    if type(end.error) not in kinds:
        problem = f"{subject.name}: {type(end.error).__name__} instead of {expected.error}"
        raise Unpunctual(problem) from end.error


# -- 2: executed at most once ----------------------------------------------------------------


def executed(sandbox: Sandbox, subject: Subject, after: int) -> list[LoggedRequest]:
    """The requests of an operation that the service carried out, of those after a number."""
    return [
        each
        for each in sandbox.requests[after:]
        if each.operation == subject.sent_as and each.status == 200
    ]


def check_executed(scene: Scene, subject: Subject, after: int, times: int) -> None:
    """Carried out so many times, none or one: by the log, and by what the account has."""
    if subject.reads:
        return
    sandbox = scene.sandbox
    in_time(lambda: len(executed(sandbox, subject, after)) >= times)
    found = executed(sandbox, subject, after)
    check_count("executed", len(found), times)
    ids = [each for request in found for each in ids_of(request.body)]
    assert len(ids) == len(set(ids))
    listed = [str(each.client_order_id) for each in scene.hand.orders.history()]
    assert all(listed.count(each) == 1 for each in ids if subject.name != "spot.withdraw")
    if subject.name == "spot.withdraw":
        assert len(list(scene.hand.spot.withdrawal_history())) == times


def ids_of(body: Any) -> Iterator[str]:
    """Every id that a client made, wherever it stands in a body."""
    return _values(body, "client_order_id", "idempotency_key")


def _values(body: Any, *names: str) -> Iterator[str]:
    return (each[name] for each in objects(body) for name in names if name in each)


# -- 3: in time ------------------------------------------------------------------------------


def check_time(row: Row, end: Ended) -> None:
    if end.seconds > row.timeout + row.slack:
        raise Unpunctual(f"took {end.seconds:.3f} s of {row.timeout} s")


# -- 4: every fault was used up --------------------------------------------------------------


def check_used_up(sandbox: Sandbox, within: float = _NOTICED) -> None:
    if not in_time(lambda: sandbox.faults.pending() == [], within):
        raise Unpunctual(f"nobody met {sandbox.faults.pending()}")


def check_met(met: Callable[[], int], expected: Expected) -> None:
    """The same of a fault that is made on this side."""
    found = met()
    check_count("met", found, expected.meets or max(1, found))


def check_count(what: str, found: int, times: int) -> None:
    """It happened so often; who had no time did it less often, and nobody more often."""
    problem = f"{what} {found} times instead of {times}"
    if found < times:
        raise Unpunctual(problem)
    assert found == times, problem


# -- what becomes of a call whose outcome is unknown -----------------------------------------


_PARTS = {"orders.batch": ("orders.create", "orders.cancel")}


def expected_states(subject: Subject, *, executed: bool, waited: bool) -> tuple[State, ...]:
    """The state of each message; `waited` if it was waited until none can be accepted any more."""
    names = _PARTS.get(subject.name, (subject.name,))
    return tuple(_state(name, executed, waited) for name in names)


def _state(name: str, executed: bool, waited: bool) -> State:
    trace = METHODS[name].trace
    # The histories show withdrawals without their ids, so they settle none.
    if trace is None or (trace.id is None and trace.change is None):
        return "unsettled"
    if executed:
        # An order that was changed may have been replaced, by one that is listed later.
        return "executed" if trace.id is not None or waited else "unsettled"
    return "not executed" if waited else "unsettled"


def check_states(settlements: Sequence[Settlement], expected: Sequence[State]) -> None:
    """What `reconcile` says; what it had no time to find out it leaves unsettled."""
    found = tuple(each.state for each in settlements)
    pairs = zip(found, expected, strict=True)
    if all(each in (wanted, "unsettled") for each, wanted in pairs) and found != expected:
        raise Unpunctual(f"{found} instead of {expected}")
    assert found == expected


# -- 5: no secret in any output --------------------------------------------------------------


@define
class Secrets:
    """What must not be seen: everything that was signed with, and signed."""

    texts: set[str] = field(factory=set)
    _signers: list[ScriptedSigner] = field(factory=list)

    def clear(self) -> None:
        """Forget those of the cell before."""
        self.texts.clear()
        self._signers.clear()

    def signing(self, key: Keypair) -> ScriptedSigner:
        """A signer with this key, all of whose signatures are secrets."""
        self.texts.add(key.export_base58())
        self._signers.append(signer := ScriptedSigner(key))
        return signer

    def note(self, requests: Collection[LoggedRequest]) -> None:
        """What was signed by another process."""
        for request in requests:
            self.texts.update(_values(request.body, "signature"))

    def check(self, outputs: Collection[str]) -> None:
        secrets = self.texts.union(*(each.texts for each in self._signers))
        for output in outputs:
            assert not any(text in output for text in secrets), f"a secret in: {output[:200]}"


def outputs_of(error: BaseException | None) -> list[str]:
    """All that could be shown of an error and of every error behind it."""
    if error is None:
        return []
    shown = [*traceback.format_exception(type(error), error, error.__traceback__)]
    links, seen = [error], set[int]()
    while links:
        link = links.pop()
        if id(link) in seen:
            continue
        seen.add(id(link))
        # What the service answered may hold an API key; it is there for who asks for it.
        others = {name: value for name, value in vars(link).items() if name != "body"}
        shown += [str(link), repr(link), repr(others)]
        if isinstance(link, OutcomeUnknownError):
            shown.append(link.to_json())
        links += [each for each in (link.__cause__, link.__context__) if each is not None]
    return shown


# -- 6: no socket leaks ----------------------------------------------------------------------


def sockets() -> set[str]:
    """The sockets that this process has open."""
    found = set[str]()
    for number in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            found.add(os.readlink(f"/proc/self/fd/{number}"))
    return {each for each in found if each.startswith("socket:")}


def check_sockets(before: set[str], servers: Collection[int]) -> None:
    """No socket is left; the ends of servers, which have their ports, may take their time."""
    left = [each for each in os.listdir("/proc/self/fd") if _is_left(each, before, servers)]
    assert left == [], f"{len(left)} sockets are left open"


def _is_left(number: str, before: set[str], servers: Collection[int]) -> bool:
    with contextlib.suppress(OSError):
        name = os.readlink(f"/proc/self/fd/{number}")
        if name.startswith("socket:") and name not in before:
            with socket.socket(fileno=os.dup(int(number))) as copy:
                return copy.family == socket.AF_INET and copy.getsockname()[1] not in servers
    return False
