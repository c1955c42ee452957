"""The injected faults that wait for requests: their arguments are checked, connections take them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from types import ModuleType
from typing import Any, Protocol

from attrs import evolve

from trading_runtime import UNSET, Api, ListOperation, Operation
from trading_sandbox.faults import content_faults, frame_faults, wire_faults
from trading_sandbox.faults.answers import JSON_TYPE, Answer
from trading_sandbox.faults.content_faults import CannotSpoil, cursor_of
from trading_sandbox.faults.fault import REQUIRED, Fault, Kind
from trading_sandbox.faults.playback import Script, plainly
from trading_sandbox.operation_index import OperationIndex
from trading_sdk.operations import API


def _kinds_of(*modules: ModuleType) -> Mapping[str, Kind]:
    found = (each for module in modules for each in vars(module).values())
    return {each.name: each for each in found if isinstance(each, Kind)}


KINDS = _kinds_of(wire_faults, content_faults)
"""The kinds of faults of requests over HTTP."""
FRAMES = _kinds_of(frame_faults)
"""The kinds of faults of the frames of a websocket."""
_ALL: Mapping[str, Kind] = {**KINDS, **FRAMES}

NEXT_FAULTS = {
    "unread": Fault(operation="*", kind="reset_before_read", executed=False),
    "executed": Fault(operation="*", kind="reset", executed=True),
}
"""By `Script.resets_next`: the fault that the next request on the connection meets."""

_BODY = b'{"success":true,"data":null,"error":null,"code":null}'


def untouched(defaults: Sequence[tuple[bytes, bytes]], target: str) -> Answer:
    """Return a success without data, for a request that the exchange does not get.

    Args:
        defaults: The headers that the server adds to every answer.
        target: Path and query of the request.
    """
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in defaults]
    return Answer(headers=(*headers, JSON_TYPE), body=_BODY, target=target)


def make_script(fault: Fault, answer: Answer) -> Script:
    """Return the script that sends an answer spoiled by a fault."""
    spoil = _ALL[fault.kind].spoil
    assert spoil is not None
    try:
        return spoil(answer, fault)
    except CannotSpoil as error:
        # Answer 500, so that no test passes because its fault did not happen.
        words = f"The fault {fault.kind} could not happen: {error}"
        body = json.dumps({"error": words, "code": 500}).encode()
        return plainly(Answer(status=500, headers=(JSON_TYPE,), body=body))


ANY = "*"
"""Matches any operation."""


class Gate(Protocol):
    """A server that can stop listening for a while."""

    def refuse(self, seconds: float) -> None:
        """Refuse connections for some seconds; return once they are refused."""

    def admit(self) -> None:
        """Listen again, if the server does not listen."""


class Faults:
    """The faults that wait for the next requests and frames, in the order in which they were injected.

    Args:
        api: The operations that there are.
        channels: The channels of the websocket; none: there is no websocket.
    """

    def __init__(self, api: Api = API, channels: Collection[str] = ()) -> None:
        self._channels = channels
        self._lock = threading.Lock()
        self._waiting: list[Fault] = []
        self._gate: Gate | None = None
        # Held while the gate opens or closes: the call would not return if the server stopped then.
        self._gate_lock = threading.Lock()
        self._api = api
        self._index = OperationIndex(api)

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
        self._add(make_fault(operation, kind, times, executed, options, self._api, self._channels))

    def _add(self, fault: Fault) -> None:
        if _ALL[fault.kind].spoil is not None:
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
        return self._first(
            operation.name, operation, lambda fault: _meets(fault, operation, target)
        )

    def take_frame(self, place: str) -> Fault | None:
        """Take the first fault that applies to a frame; None if there is none.

        Args:
            place: The channel of the event, or the operation of the order that is answered.
        """
        if not self._waiting:
            return None
        return self._first(place, None, lambda fault: fault.kind in FRAMES)

    def _first(
        self, place: str, operation: Operation[Any] | None, applies: Callable[[Fault], bool]
    ) -> Fault | None:
        with self._lock:
            for index, fault in enumerate(self._waiting):
                if fault.operation in (place, ANY) and applies(fault):
                    self._count(index, fault)
                    return evolve(fault, operation=place, times=1, taken_by=operation)
        return None

    def operation_of(self, method: str, target: str) -> Operation[Any] | None:
        """Return the operation of a request; None for other requests, like those of controls."""
        return self._index.methods(target.partition("?")[0]).get(method)

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
    options = {name: getattr(fault, name) for name in _ALL[fault.kind].options}
    told = {n: option for n, option in options.items() if option is not None or n == "value"}
    if isinstance(fault.body, bytes) and "body" in told:
        told["body"] = fault.body.decode("utf-8", "replace")
    names = {"operation": fault.operation, "kind": fault.kind, "times": fault.times}
    return {**names, "executed": fault.executed, **told}


def _meets(fault: Fault, operation: Operation[Any], target: str) -> bool:
    if fault.kind in FRAMES:
        return False
    meets = KINDS[fault.kind].meets
    if meets == "any":
        return True
    if meets == "list":
        return isinstance(operation, ListOperation)
    return cursor_of(operation, target) is not None


# -- the arguments -------------------------------------------------------------------------------


def make_fault(
    operation: str,
    kind: str,
    times: int,
    executed: bool | None,
    given: Mapping[str, Any],
    api: Api = API,
    channels: Collection[str] = (),
) -> Fault:
    """Return a fault with the given options and the defaults of its kind.

    The control `faults.inject` has checked the type and the range of each argument.

    Args:
        operation: Name of an operation or a channel, or `*`.
        kind: Name of a kind.
        times: How many requests it applies to.
        executed: Whether the exchange executes them; None: the default of the kind.
        given: Options by name. None and UNSET mean "not given", except that None is a valid
            `value`.
        api: The operations that there are.
        channels: The channels that there are.

    Raises:
        ValueError: a name is unknown; or an option is missing, or not one of this kind.
    """
    if kind not in _ALL:
        raise ValueError(
            f"there is no fault {kind!r}{_nearest(kind, _ALL)}; there are: {_all(_ALL)}"
        )
    found = _ALL[kind]
    if kind in FRAMES:
        _check_place(operation, found, api, channels)
    else:
        _check_operation(operation, found, api)
    if found.spoil is None and times != 1:
        raise ValueError(f"{kind} happens at once; it takes no times")
    if executed is None:
        executed = found.executed_by_default
    if executed != found.executed_by_default and not found.executed_may_be_told:
        raise ValueError(f"{kind} cannot have executed={executed}: it is {found.executed} so")
    options = {
        name: option
        for name, option in given.items()
        if option is not UNSET and (option is not None or name == "value")
    }
    return Fault(
        operation=operation, kind=kind, times=times, executed=executed, **_options(options, found)
    )


def _check_operation(name: str, kind: Kind, api: Api) -> None:
    if kind.spoil is None:
        if name != ANY:
            raise ValueError(f"{kind.name} is no matter of one operation; it is injected for '*'")
    elif name not in (ANY, *api.operations):
        if name in api.actions:
            raise ValueError(f"{name} is sent as an action of orders.batch; inject it there")
        near = _nearest(name, api.operations)
        raise ValueError(
            f"there is no operation {name!r}{near}; there are: *, {_all(api.operations)}"
        )
    elif (
        name != ANY and kind.meets != "any" and not isinstance(api.operations[name], ListOperation)
    ):
        raise ValueError(f"{kind.name} is for operations that list pages; {name} lists none")


def _check_place(name: str, kind: Kind, api: Api, channels: Collection[str]) -> None:
    if not channels:
        raise ValueError(f"{kind.name} is for the websocket, which the live dialect has")
    orders = [name for name in api.operations if name.startswith("orders.")]
    if name not in (ANY, *channels, *orders):
        near = _nearest(name, (*channels, *orders))
        raise ValueError(
            f"there is no channel {name!r}{near}; there are: *, {_all(channels)}; or the operation of an order"
        )


def _options(given: Mapping[str, Any], kind: Kind) -> dict[str, Any]:
    for name, value in given.items():
        if name not in kind.options:
            takes = _all(kind.options) or "nothing"
            raise ValueError(f"{kind.name} takes no {name}; it takes: {takes}")
        if name in kind.choices and value not in kind.choices[name]:
            raise ValueError(f"{name} of {kind.name} must be one of {_all(kind.choices[name])}")
        if name == "size" and value > kind.largest_size:
            raise ValueError(f"size of {kind.name} must be at most {kind.largest_size}")
    options = {**kind.options, **given}
    for name, value in options.items():
        if value is REQUIRED:
            raise ValueError(f"{kind.name} needs {name}: {kind.meaning}")
    return options


def _all(names: Iterable[Any]) -> str:
    return ", ".join(str(name) for name in names)


def _nearest(name: str, names: Iterable[str]) -> str:
    near = get_close_matches(name, names, 1)
    return f" (did you mean {near[0]}?)" if near else ""
