"""Faults that wait for requests: put in by any thread, taken by the connections."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Protocol

from attrs import evolve

from trading_runtime import UNSET, ListOperation
from trading_sandbox.faults.documents import cursor_of
from trading_sandbox.faults.fault import Fault
from trading_sandbox.faults.injection import ANY, make_fault
from trading_sandbox.faults.kinds import KINDS
from trading_sdk.operations import API


class Gate(Protocol):
    """A server that can stop listening for a while."""

    def refuse(self, seconds: float) -> None:
        """Refuse connections for some seconds; return once it does."""

    def admit(self) -> None:
        """Listen again, if it does not."""


class Faults:
    """The faults that the next requests meet, in the order in which they were injected."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[Fault] = []
        self._gate: Gate | None = None
        # Held while the gate moves: one that stops meanwhile would never say that it did.
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
        status: int | None = None,
        body: str | bytes | None = None,
        headers: Mapping[str, str] | None = None,
        seconds: float | None = None,
        offset_ms: int | None = None,
        field: str | None = None,
        value: object = UNSET,
        location: str | None = None,
        keep: int | None = None,
        size: int | None = None,
    ) -> None:
        """Let the next requests of an operation, `*` for any, meet a fault after those before it.

        Args:
            kind: A name in `KINDS`, which says what it does and which options it takes.
            executed: Whether the exchange carries the request out; None for the kind's own way.

        Raises:
            ValueError, TypeError: what is wrong; the words say what would be right.
        """
        given = {
            "status": status,
            "body": body,
            "headers": headers,
            "seconds": seconds,
            "offset_ms": offset_ms,
            "field": field,
            "value": value,
            "location": location,
            "keep": keep,
            "size": size,
        }
        self._add(make_fault(operation, kind, times, executed, given))

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
        """Return the faults still to come, with the number of requests that will meet each."""
        with self._lock:
            return list(self._waiting)

    def clear(self) -> None:
        """Forget every fault still to come, and listen again if nothing does."""
        with self._lock:
            self._waiting.clear()
        with self._gate_lock:
            if self._gate is not None:
                self._gate.admit()

    def take(self, method: str, target: str) -> Fault | None:
        """Return the fault that a request meets, as one of its operation, and count it.

        Args:
            method: Method of the request.
            target: Its path and query.
        """
        # Read without the lock: hardly ever is there a fault, and every request comes here.
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
        """Return the operation that a request asks for; None for all else, like control paths."""
        return self._operations.get((method, target.partition("?")[0]))

    def _count(self, index: int, fault: Fault) -> None:
        if fault.times == 1:
            del self._waiting[index]
        else:
            self._waiting[index] = evolve(fault, times=fault.times - 1)

    def attach(self, gate: Gate | None) -> None:
        """Name the server whose listener faults may close."""
        with self._gate_lock:
            self._gate = gate


def as_json(fault: Fault) -> dict[str, Any]:
    """Return a fault as JSON holds it: what `inject` was given, defaults filled in."""
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
