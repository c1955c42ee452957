"""Answers in: the envelope off, then a typed result or a typed error.

The *body* is bytes, the *payload* their JSON, the *content* the payload without its envelope.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from types import NoneType
from typing import Any, Generic, Protocol, TypeVar, cast, get_args

from trading_runtime.codec.batch import NO_REASON, ActionOutcome, BatchResult
from trading_runtime.codec.envelopes import (
    acknowledges,
    not_json,
    opened,
    says_nothing,
    unwrap,
)
from trading_runtime.codec.refusals import (
    Refusal,
    api_error,
    doubt,
    json_names,
    read_refusal,
    refusal_reason,
    says_something,
)
from trading_runtime.errors import Code, DecodeError, refuses
from trading_runtime.operation import BatchOperation, Kind, Operation

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
R = TypeVar("R", bound=ActionOutcome)
_PART = "a 206 is a part of an answer, which nobody asked for"


class RefusedError(Exception):
    """The answer is a refusal; whether it is trusted is still to be found out."""


class Reader(Protocol[T_co]):
    """Reads the answers to one operation."""

    def read(self, status: int, body: bytes, content_type: str | None = None) -> T_co:
        """The result in an answer of this status; `content_type` stands in errors alone.

        Raises:
            ApiError: the service refused, by its status or by `success: false`.
            DecodeError: the answer cannot be used, or contradicts itself. The error keeps the body.
        """
        ...


class EnvelopeReader(ABC, Generic[T]):
    """Reads answers with an envelope or without. To make a reader imports msgspec.

    That import takes a fifth of the time that importing requests takes, so only the first call does it.
    It stands before sending, because its failure would hide the outcome of the call.
    """

    def __init__(self, operation: Operation[Any]) -> None:
        """Read the answers to this operation."""
        from trading_runtime.codec import decoder

        self._operation = operation
        self._decoder = decoder

    def read(self, status: int, body: bytes, content_type: str | None = None) -> T:
        """See `Reader`."""
        name, is_success = self._operation.name, 200 <= status < 300
        if status == 206:
            raise DecodeError(name, _PART, body, status, is_json=False)
        if status == 204 and status in self._operation.statuses and not body:
            return cast(T, None)
        payload = None
        try:
            payload = self._decoder.parse(body)
        except ValueError as error:
            if is_success:
                reason = not_json(body, content_type, str(error)) + self._instead_of(status)
                raise DecodeError(name, reason, body, status, is_json=False) from None
        if is_success:
            try:
                return self._result(status, payload, body)
            except RefusedError:
                pass
            except ValueError as error:
                reason = f"{error}{self._instead_of(status)}"
                raise DecodeError(name, reason, body, status) from None
        content = unwrap(self._operation, payload)
        if why := doubt(self._operation, status, payload, content):
            raise DecodeError(name, why, body, status)
        said = read_refusal(payload, content)
        raise api_error(self._operation, status, said, body)

    def _instead_of(self, status: int) -> str:
        """Which statuses of success are declared, if this one is not; else an empty text."""
        declared = [each for each in self._operation.statuses if 200 <= each < 300]
        if not declared or status in declared:
            return ""
        return f"; the spec declares the status {' or '.join(map(str, declared))}, not {status}"

    @abstractmethod
    def _result(self, status: int, payload: Any, body: bytes) -> T:
        """The result in an answer with a status of success.

        Raises:
            RefusedError: the answer says that the request was not executed.
            ValueError: the answer cannot be used.
        """

    def _typed(self, type_: Any, body: bytes, *names: str) -> Any:
        """The typed value of a whole answer, or of the member that the names lead to."""
        data, path = self._decoder.at(body, *names)
        if data is self._decoder.ABSENT and NoneType not in get_args(type_):
            raise ValueError(f"missing required field @ {path}")
        return self._decoder.reader(type_)(data, path)


class ResultReader(EnvelopeReader[T]):
    """Reads the result of a call."""

    def _result(self, status: int, payload: Any, body: bytes) -> T:
        operation = self._operation
        content, failed = opened(operation, payload)
        if failed:
            raise RefusedError
        if operation.result is not None:
            names = () if content is payload else ("data",)
            if operation.result_key is not None:
                names = (*names, operation.result_key)
            found = self._typed(operation.result, body, *names)
            if not names and says_nothing(operation, payload):
                raise ValueError("it has neither an envelope nor a field of the result")
            return cast(T, found)
        if not acknowledges(operation, payload, content):
            raise ValueError("expected an object with success: true")
        return cast(T, None)


class BatchReader(EnvelopeReader[BatchResult[R]]):
    """Reads the results of a batch, one for each action."""

    _operation: BatchOperation[R]

    def __init__(self, operation: BatchOperation[R], kinds: Sequence[Kind]) -> None:
        """Read the answers to a batch of actions of these kinds."""
        super().__init__(operation)
        self._kinds = kinds

    def read(self, status: int, body: bytes, content_type: str | None = None) -> BatchResult[R]:
        """See `Reader`. One unclear action makes the outcome of the whole batch unknown."""
        found = super().read(status, body, content_type)
        for index, (result, code) in enumerate(zip(found, found.codes, strict=True)):
            if not refuses(code):
                where = f"actions[{index}]: " if len(found) > 1 else ""
                words = f"{where}{result.error or NO_REASON}"
                raise api_error(self._operation, status, Refusal(words, code), body)
        return found

    def _result(self, status: int, payload: Any, body: bytes) -> BatchResult[R]:
        operation = self._operation
        key = cast(str, operation.result_key)
        content, failed = opened(operation, payload)
        if failed and not (isinstance(content, dict) and content.get(key)):
            raise RefusedError
        path = f"$.{key}" if content is payload else f"$.data.{key}"
        if not isinstance(content, dict) or key not in content:
            raise ValueError(f"missing required field @ {path}")
        _drop_empty_errors(content, key)
        listed = self._decoder.written(content[key])
        results = self._decoder.reader(cast(Any, tuple)[operation.result, ...])(listed, path)
        if not all(result.success for result in results):
            self._check_around(status, payload, content, failed)
        # Where some actions failed, the whole may be called a failure; the results count.
        elif failed:
            raise ValueError("it reports a failure, but every result says success")
        if len(results) != len(self._kinds):
            raise ValueError(f"{len(results)} results for {len(self._kinds)} actions")
        reasons: list[str | None] = []
        codes: list[Code] = []
        own = json_names(operation.result) | {key}
        outcomes = zip(self._kinds, results, content[key], strict=True)
        for index, (kind, result, raw) in enumerate(outcomes):
            if result.success:
                if result.error is not None:
                    raise ValueError(f"result {index} says success beside an error")
                reasons.append(None)
                codes.append(None)
                continue
            reasons.append(refusal_reason(operation, result.error or ""))
            codes.append(read_refusal(raw, raw.get("data")).code)
            # A failed action may name an order, but not one that it made.
            known = frozenset[str]() if kind.makes_record else own
            why = doubt(operation, status, raw, raw.get("data"), may_have=known)
            if why is not None:
                raise ValueError(f"result {index}: {why}")
        return BatchResult(operation.name, results, reasons, codes)

    def _check_around(self, status: int, payload: Any, content: Any, failed: bool) -> None:
        """Judge what stands around the results if an action failed, by the rules of any refusal.

        Raises:
            ValueError: a member or a code speaks of execution.
        """
        operation = self._operation
        # An envelope of success may stand around a failed action, on both levels.
        known = {operation.result_key} if failed else {operation.result_key, "success"}
        around = {name: each for name, each in content.items() if name not in known}
        if content is not payload:
            around = {**payload, "data": around}
        data = around.get("data")
        if doubtful := doubt(operation, status, around, data):
            raise ValueError(doubtful)
        if not refuses(read_refusal(around, data).code):
            raise ValueError("its code is none of a refusal")


class ActionReader(Generic[R]):
    """Reads the result of a batch of one action; a failed action is a BadRequestError."""

    def __init__(self, operation: BatchOperation[R], kind: Kind) -> None:
        """Read the answers to a batch of one action of this kind."""
        self._operation = operation
        self._batch = BatchReader(operation, [kind])

    def read(self, status: int, body: bytes, content_type: str | None = None) -> R:
        """See `Reader`."""
        found = self._batch.read(status, body, content_type)
        (result,) = found
        if result.success:
            return result
        said = Refusal(result.error or NO_REASON, found.codes[0])
        raise api_error(self._operation, status, said, body)


def _drop_empty_errors(content: Any, key: str) -> None:
    """Drop the error of each result of a batch that is null, false or empty."""
    listed = content.get(key) if isinstance(content, dict) else None
    for each in listed if isinstance(listed, list) else ():
        if isinstance(each, dict) and not says_something(each.get("error")):
            each.pop("error", None)
