"""Signing the service's time: what tells it before the first message is signed."""

from __future__ import annotations

from time import monotonic
from typing import Any, TypeVar

import attrs
from attrs import evolve, frozen

from trading_runtime.call.caller import Caller
from trading_runtime.call.draft import Draft, Part
from trading_runtime.codec.answers import Reader, ResultReader
from trading_runtime.codec.fields import json_name
from trading_runtime.errors import NotSentError, RequestError, TradingError
from trading_runtime.operation import Api, ListOperation, Operation

T = TypeVar("T")


@frozen(kw_only=True, eq=False, repr=False)
class ServerTimeCaller(Caller):
    """A caller that reads the service's time before it signs, unless an answer has told it."""

    time_source: Operation[Any]
    """What it reads for that."""

    def carry_out(self, draft: Draft, reader: Reader[T]) -> T:
        """Attempt a call until it is answered or must not be repeated.

        Raises:
            NotSentError: the service's time is not known, so nothing was signed.
        """
        deadline = monotonic() + self.timeout
        if draft.operation.method != "GET" and self.signer is not None:
            self._learn_time(draft.operation.name)
        # The time that this took is the call's own.
        rest = evolve(self, timeout=deadline - monotonic())
        return Caller.carry_out(rest, draft, reader)

    def _learn_time(self, waiting: str) -> None:
        self.clock.look()
        if self.clock.skew is not None:
            return
        source, problem = self.time_source, "its answer has no Date"
        asked = Draft(operation=source, parts=[Part(source, {source.account or "": self.account})])
        try:
            Caller.carry_out(self, asked, ResultReader(source))
        except TradingError as error:
            # A refusal may have told the time nevertheless.
            problem = str(error)
        if self.clock.skew is None:
            raise NotSentError(waiting, f"{source.name} did not tell the service's time: {problem}")


def by_server_time(caller: Caller, api: Api) -> ServerTimeCaller:
    """The same caller, signing the service's time.

    Raises:
        RequestError: no read of the service could tell it.
    """
    given = {each.name: getattr(caller, each.name) for each in attrs.fields(Caller)}
    return ServerTimeCaller(time_source=_time_source(api), **given)


def _time_source(api: Api) -> Operation[Any]:
    """What tells the time of a service: its first read of one object that needs the account alone."""
    for operation in api.operations.values():
        alone = operation.account is not None and not isinstance(operation, ListOperation)
        if alone and _required(operation.params) <= {operation.account}:
            return operation
    raise RequestError("clock='server': this service has no read that could tell its time")


def _required(model: Any) -> set[str]:
    return {json_name(each) for each in attrs.fields(model) if each.default is attrs.NOTHING}
