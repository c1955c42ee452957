"""All controls of a sandbox: those of accounts and markets, and those of the whole exchange."""

# The decorator is the body of every control.
# mypy: disable-error-code="empty-body"
# pyright: reportReturnType=false

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from trading_runtime import UNSET
from trading_sandbox.controls.accounts import AccountControls
from trading_sandbox.controls.argument_types import (
    ArgumentType,
    Latest,
    Money,
    Seconds,
    Snapshot,
    Switch,
)
from trading_sandbox.controls.definition import Control, Controlled, control, controls_of
from trading_sandbox.controls.markets import MarketControls
from trading_sandbox.faults import KINDS, OPTIONS, Fault
from trading_sandbox.log import KEPT_REQUESTS, LoggedRequest


def _option(name: str) -> ArgumentType:
    return ArgumentType(OPTIONS[name].check, OPTIONS[name].schema)


def _text(*values: str) -> ArgumentType:
    """Return the type of a string; which values there are, the check of the whole fault tells.

    The operations are those of the dialect: `schema` adds them.
    """

    def check(value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError(f"must be a string, not {value!r}")
        return value

    return ArgumentType(check, {"enum": list(values)})


_TIMES = ArgumentType(OPTIONS["size"].check, OPTIONS["size"].schema)


class FaultControls(Controlled):
    """The controls of the faults that are injected into requests."""

    @control("faults.inject")
    def inject(
        self,
        operation: Annotated[str, _text("*")],
        kind: Annotated[str, _text(*KINDS)],
        times: Annotated[int, _TIMES] = 1,
        *,
        executed: Switch | None = None,
        status: Annotated[int, _option("status")] | None = None,
        body: Annotated[str | bytes, _option("body")] | None = None,
        headers: Annotated[Mapping[str, str], _option("headers")] | None = None,
        seconds: Annotated[float, _option("seconds")] | None = None,
        offset_ms: Annotated[int, _option("offset_ms")] | None = None,
        field: Annotated[str, _option("field")] | None = None,
        value: Annotated[object, _option("value")] = UNSET,
        location: Annotated[str, _option("location")] | None = None,
        keep: Annotated[int, _option("keep")] | None = None,
        size: Annotated[int, _option("size")] | None = None,
    ) -> None:
        """Inject a fault into the next requests of an operation, or of any operation with `*`.

        A request takes one fault at most: of those that apply, the one that was injected first.

        Args:
            operation: Name of the operation, or `*`.
            kind: The kind of fault, from the table of faults; it tells which options there are.
            times: How many requests it applies to.
            executed: Whether the exchange executes them; None: the default of the kind.
            status: Status of the answer.
            body: Body of the answer.
            headers: Headers that the answer has besides, or instead of its own.
            seconds: How long it takes.
            offset_ms: How far the clock is ahead, in ms; negative: behind.
            field: Name of the field that is changed, wherever it stands first.
            value: JSON value that is sent instead.
            location: URL that the answer points to.
            keep: How many bytes are sent of what is cut.
            size: How large it is: bytes, digits, levels or headers.
        """

    @control("faults.pending")
    def pending(self) -> list[Fault]:
        """Return the faults that still wait, each with the number of requests it applies to."""

    @control("faults.clear")
    def clear(self) -> None:
        """Remove all faults that still wait, and listen again if `connect_refused` stopped that."""


class BoundFaults(FaultControls):
    """The controls of the faults of one sandbox."""

    def __init__(self, invoke: Callable[[Control, Mapping[str, Any]], Any]) -> None:
        self._invoke_control = invoke

    def _invoke(self, control: Control, arguments: Mapping[str, Any]) -> Any:
        return self._invoke_control(control, arguments)


class Controls(MarketControls, AccountControls):
    """The controls of a running sandbox.

    A method that raises has changed nothing. It raises `Refused` if the exchange does not allow
    the command, ValueError for a value out of range, TypeError for a value of the wrong type, and
    RuntimeError outside the `with` block of the sandbox.
    """

    @property
    def requests(self) -> list[LoggedRequest]:
        """The request log: the latest requests that were answered, oldest first."""
        return self._requests(limit=KEPT_REQUESTS)

    @property
    def faults(self) -> FaultControls:
        """Injects faults of the transport into the next requests of an operation."""
        return BoundFaults(self._invoke)

    @control()
    def set_rate_limit(self, credits: Money | None, window_s: Seconds = 60) -> None:
        """Limit the requests of each rate-limit class; None for no limit. The headers count tenths
        of a credit, as observed.

        Args:
            credits: Credits per window, above 0 and below 10^9, in steps of 0.1. A request costs 1,
                a cancel 0.5, a page of more than 100 records 5.
            window_s: Length of a window in seconds.
        """

    @control()
    def snapshot(self) -> int:
        """Take a snapshot of the state and all histories; return its number, for `restore`."""

    @control()
    def restore(self, snapshot: Snapshot) -> None:
        """Go back to the state and the histories of a snapshot; everything later is deleted, faults
        and rate limits stay as they are. The ids of orders, trades and withdrawals go on: none is
        given twice, as on a real exchange.

        Args:
            snapshot: Number of the snapshot.
        """

    @control()
    def reset(self) -> None:
        """Start again with the same seed: new accounts get the same keys in the same order, and ids
        go on. Snapshots, faults and rate limits are deleted, and the demo accounts: the first two
        `create_account` open them again. A request that is waiting for the taker delay is refused.
        """

    @control()
    def digest(self) -> str:
        """Return a SHA-256 of the state and the histories; two are equal only if everything is, but
        for the ids that come next.
        """

    @control("requests")
    def _requests(self, limit: Latest = 100) -> list[LoggedRequest]:
        """Return the request log, oldest first: operation, headers, body, canonical text, and the
        status and error that the exchange answered, before any fault spoiled the answer. It keeps
        the latest 10,000 requests, 32 MiB at most. In Python it is the attribute `requests`, with
        all of them.

        Args:
            limit: The most requests to return.
        """


CONTROLS: Mapping[str, Control] = {**controls_of(Controls), **controls_of(FaultControls)}
"""All controls, by name."""
