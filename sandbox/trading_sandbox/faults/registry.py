"""The injected faults that wait for requests. Any thread adds them; connections take them."""

from __future__ import annotations

import threading
from typing import Any, Protocol

from attrs import evolve

from trading_runtime import ListOperation
from trading_sandbox.faults.documents import cursor_of
from trading_sandbox.faults.fault import Fault
from trading_sandbox.faults.injection import ANY, make_fault
from trading_sandbox.faults.kinds import KINDS
from trading_sdk.operations import API


class Gate(Protocol):
    """A server that can stop listening for a while."""

    def refuse(self, seconds: float) -> None:
        """Refuse connections for some seconds; return once they are refused."""

    def admit(self) -> None:
        """Listen again, if the server does not listen."""


class Faults:
    """The faults that wait for the next requests, in the order in which they were injected."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[Fault] = []
        self._gate: Gate | None = None
        # Held while the gate opens or closes: the call would not return if the server stopped then.
        self._gate_lock = threading.Lock()
        self._operations: dict[tuple[str, str], str] = {
            (operation.method, operation.path): operation.name
            for operation in API.operations.values()
        }

    def inject(
        self,
        operation: str,
        kind: str,
        times: int = 1,
        *,
        executed: bool | None = None,
        **options: Any,
    ) -> None:
        """Inject a fault, as the control `faults.inject` describes it.

        Raises:
            ValueError, TypeError: an argument is wrong; the message says what would be right.
        """
        self._add(make_fault(operation, kind, times, executed, options))

    def _add(self, fault: Fault) -> None:
        if KINDS[fault.kind].spoil is not None:
            with self._lock:
                self._waiting.append(fault)
            return
        with self._gate_lock:
            if self._gate is None:
                raise ValueError(f"{fault.kind} needs a server that runs; there is none")
            self._gate.refuse(fault.seconds)

    def pending(self) -> list[Fault]:
        """Return the faults that still wait, each with the number of requests it applies to."""
        with self._lock:
            return list(self._waiting)

    def clear(self) -> None:
        """Remove all faults that still wait, and listen again if `connect_refused` stopped that."""
        with self._lock:
            self._waiting.clear()
        with self._gate_lock:
            if self._gate is not None:
                self._gate.admit()

    def take(self, method: str, target: str) -> Fault | None:
        """Take the first fault that applies to a request; None if there is none.

        The result has the operation of the request and `times=1`.

        Args:
            method: Method of the request.
            target: Its path and query.
        """
        # Read without the lock: every request comes here, and there is hardly ever a fault.
        if not self._waiting:
            return None
        operation = self.operation_of(method, target)
        if operation is None:
            return None
        with self._lock:
            for index, fault in enumerate(self._waiting):
                if fault.operation in (operation, ANY) and _meets(fault, operation, target):
                    self._count(index, fault)
                    return evolve(fault, operation=operation, times=1)
        return None

    def operation_of(self, method: str, target: str) -> str | None:
        """Return the operation of a request; None for other requests, like those of controls."""
        return self._operations.get((method, target.partition("?")[0]))

    def _count(self, index: int, fault: Fault) -> None:
        if fault.times == 1:
            del self._waiting[index]
        else:
            self._waiting[index] = evolve(fault, times=fault.times - 1)

    def attach(self, gate: Gate | None) -> None:
        """Set the server whose listener `connect_refused` closes; None: no server runs."""
        with self._gate_lock:
            self._gate = gate


def as_json(fault: Fault) -> dict[str, Any]:
    """Return a fault as JSON values: the arguments of `inject`, with defaults filled in."""
    options = {name: getattr(fault, name) for name in KINDS[fault.kind].options}
    told = {n: option for n, option in options.items() if option is not None or n == "value"}
    if isinstance(fault.body, bytes) and "body" in told:
        told["body"] = fault.body.decode("utf-8", "replace")
    names = {"operation": fault.operation, "kind": fault.kind, "times": fault.times}
    return {**names, "executed": fault.executed, **told}


def _meets(fault: Fault, operation: str, target: str) -> bool:
    meets = KINDS[fault.kind].meets
    if meets == "any":
        return True
    if meets == "list":
        return isinstance(API.operations[operation], ListOperation)
    return cursor_of(operation, target) is not None
