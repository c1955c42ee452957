"""Answers in: the envelope off, then a typed result or a typed error.

The *body* is bytes, the *payload* their JSON, the *content* the payload without its envelope.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar, cast

import attrs

from trading_runtime.batch import ActionOutcome, BatchResult, checked_results
from trading_runtime.codec.hidden import HiddenJson
from trading_runtime.errors import ApiError, DecodeError, api_error
from trading_runtime.operation import BatchOperation, ListOperation, Operation
from trading_runtime.pages import Page

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
R = TypeVar("R", bound=ActionOutcome)
_SHAPELESS = (None, Any, HiddenJson)
"""Types of results that any answer has, or none."""


class _Refused(Exception):
    """The answer says that the request was not executed."""


class Reader(Protocol[T_co]):
    """Reads the answers to one operation."""

    def read(self, status: int, body: bytes) -> T_co:
        """What an answer of this status holds.

        Raises:
            ApiError: the service refused, by its status or by `success: false`.
            DecodeError: an answer that cannot be used, or contradicts itself; it keeps the body.
        """
        ...


class _EnvelopeReader(ABC, Generic[T]):
    """Takes the envelope off. Make one before sending: it imports cattrs.

    That import is slow, so that only the first call does it, and if it failed after sending it would
    hide the outcome of the call.
    """

    def __init__(self, operation: Operation[Any]) -> None:
        """Read the answers to this operation."""
        from trading_runtime.codec import records

        self._operation = operation
        self._parse, self._structure, self._object = (
            records.parse,
            records.structure,
            records.as_object,
        )

    def read(self, status: int, body: bytes) -> T:
        """See `Reader`."""
        if 200 <= status < 300:
            try:
                payload = self._parse(body)
            except ValueError as error:
                raise DecodeError(
                    self._operation.name, str(error), body, status, is_json=False
                ) from None
            try:
                return self._result(payload)
            except _Refused:
                pass
            except ValueError as error:
                raise self._unusable(status, body, str(error)) from None
        else:
            payload = self._parsed(body)
        if self._operation.method == "GET" or not self._reports_execution(status, payload):
            raise self._refusal(status, body, payload)
        reason = "it reports a failure, but also success or a result"
        raise self._unusable(status, body, reason)

    @abstractmethod
    def _result(self, payload: Any) -> T:
        """The result in an answer with a status of success.

        Raises:
            _Refused: it says that the request was not executed.
            ValueError: it cannot be used.
        """

    def _holds_result(self, content: Any) -> bool:
        """Whether the content of a failure is, nevertheless, a result."""
        operation = self._operation
        if operation.result in _SHAPELESS or not isinstance(content, dict):
            return False
        try:
            self._structure(self._result_part(content), operation.result)
        except ValueError:
            return False
        return True

    def _result_part(self, content: Any) -> Any:
        """The part of an answer's content that holds the result."""
        key = self._operation.result_key
        return content if key is None else self._object(content).get(key)

    def _reports_execution(self, status: int, payload: Any) -> bool:
        """Whether an answer that reports a failure says, nevertheless, that the request was executed."""
        content = _unwrap(self._operation, payload)
        despite_status = not 200 <= status < 300 and _success(payload) is True
        return despite_status or _success(content) is True or self._holds_result(content)

    def _unusable(self, status: int, body: bytes, reason: str) -> DecodeError:
        return DecodeError(self._operation.name, reason, body, status)

    def _refusal(self, status: int, body: bytes, payload: Any) -> ApiError:
        """The error of a refused request, with the error text of the service."""
        both = (payload, _unwrap(self._operation, payload))
        levels = [level for level in both if isinstance(level, dict)]
        texts = [level["error"] for level in levels if isinstance(level.get("error"), str)]
        codes = [level["code"] for level in levels if type(level.get("code")) is int]
        return api_error(
            self._operation.name,
            status,
            codes[0] if codes else None,
            texts[0] if texts else body.decode("utf-8", "replace"),
            body,
        )

    def _parsed(self, body: bytes) -> Any:
        """The payload of a failure; None if it is no JSON."""
        try:
            return self._parse(body)
        except ValueError:
            return None


class ResultReader(_EnvelopeReader[T]):
    """Reads the result of a call."""

    def _result(self, payload: Any) -> T:
        operation = self._operation
        content = _accepted(operation, payload)
        if operation.result is not None:
            path = "$" if content is payload else "$.data"
            return cast(T, self._structure(self._result_part(content), operation.result, path))
        if not _acknowledges(operation, payload, content):
            raise ValueError("expected an object with success: true")
        return cast(T, None)


class PageReader(_EnvelopeReader[Page[T]]):
    """Reads one page of a list."""

    _operation: ListOperation[T]

    def _result(self, payload: Any) -> Page[T]:
        _accepted(self._operation, payload)
        names, items = self._operation.pagination, cast(Any, Sequence)[self._operation.result]
        return Page(
            items=self._member(payload, names.items, items),
            next_cursor=self._member(payload, names.next_cursor, str | None),
            has_more=self._member(payload, names.has_more, bool),
        )

    def _member(self, payload: Any, name: str, type_: Any) -> Any:
        return self._structure(self._object(payload).get(name), type_, f"$.{name}")


class BatchReader(_EnvelopeReader[BatchResult[R]]):
    """Reads the results of a batch, one for each of `count` actions."""

    def __init__(self, operation: BatchOperation[R], count: int) -> None:
        """Read the answers to a batch of so many actions."""
        super().__init__(operation)
        self._count = count

    def _result(self, payload: Any) -> BatchResult[R]:
        operation = self._operation
        # Results count under any envelope: some of the actions may have been executed.
        content = _unwrap(operation, payload)
        if not self._holds_result(content):
            content = _accepted(operation, payload)
        results = self._structure(self._result_part(content), cast(Any, Sequence)[operation.result])
        return checked_results(operation.name, results, self._count)

    def _holds_result(self, content: Any) -> bool:
        return isinstance(content, dict) and bool(content.get(self._operation.result_key))


class ActionReader(Generic[R]):
    """Reads the result of a batch of one action; a failed action is a BadRequestError."""

    def __init__(self, operation: BatchOperation[R]) -> None:
        """Read the answers to a batch of one action."""
        self._operation = operation
        self._batch = BatchReader(operation, 1)

    def read(self, status: int, body: bytes) -> R:
        """See `Reader`."""
        (result,) = self._batch.read(status, body)
        if result.success:
            return result
        words = result.error or "no reason given"
        raise api_error(self._operation.name, status, None, words, body)


# -- envelopes --------------------------------------------------------------------------------


def _accepted(operation: Operation[Any], payload: Any) -> Any:
    """The content of an answer that reports success, or does not mention it.

    Raises:
        _Refused: it reports a failure.
        ValueError: it contradicts itself.
    """
    content = _unwrap(operation, payload)
    levels = [level for level in (payload, content) if isinstance(level, dict)]
    if any(level.get("success") is False for level in levels):
        raise _Refused
    for level in levels:
        if level.get("success", True) is not True:
            raise ValueError("success is neither true nor false")
        if level.get("error") is not None:
            raise ValueError("there is an error beside a success")
    return content


def _acknowledges(operation: Operation[Any], payload: Any, content: Any) -> bool:
    """Whether an answer that reports no failure says success, and nothing that nobody expects."""
    if operation.ignores_data:
        return _success(payload) is True or content is not payload
    said_again = content in (None, {}) or _success(content) is True
    return _success(payload) is True and said_again


def _unwrap(operation: Operation[Any], payload: Any) -> Any:
    """The payload without its envelope, if it has one."""
    if not isinstance(payload, dict) or "data" not in payload:
        return payload
    bare = "success" not in payload and not _bare_fields(operation).isdisjoint(payload)
    return payload if bare else payload["data"]


def _bare_fields(operation: Operation[Any]) -> frozenset[str]:
    """The fields that show that an answer has no envelope."""
    if operation.result_key is not None:
        return frozenset({operation.result_key})
    model = operation.result
    return frozenset(f.name for f in attrs.fields(model)) if attrs.has(model) else frozenset()


def _success(level: Any) -> Any:
    """The `success` of one level of an answer; None if it has none."""
    return level.get("success") if isinstance(level, dict) else None
