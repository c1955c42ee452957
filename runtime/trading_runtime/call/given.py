"""The ids of a client whose user promises that none is given to two messages (`unique_ids`).

`reconcile` then takes a record with such an id for the message's own. A second message with it would be
taken for the first one, so it is not sent.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from trading_runtime.batch import BatchResult
from trading_runtime.call.draft import Draft
from trading_runtime.call.failures import is_duplicate, is_refusal
from trading_runtime.codec.requests import client_id
from trading_runtime.errors import (
    ApiError,
    JournalError,
    NotSentError,
    RequestError,
    SigningError,
)

T = TypeVar("T")
_NOT_SENT = (JournalError, NotSentError, RequestError, SigningError)
MAX_GIVEN = 10_000
"""Ids that a client remembers."""


class GivenIds:
    """The latest ids of messages that were executed, or may be, with their calls. Thread-safe."""

    def __init__(self) -> None:
        # Each step on it is atomic, so it needs no lock.
        self._calls: OrderedDict[str, str] = OrderedDict()

    def guard(self, draft: Draft, carry_out: Callable[[], T]) -> T:
        """Carry out a call, unless an id of it is another message's. What is not executed frees its ids.

        Raises:
            RequestError: an id is that of another message. Nothing was sent.
        """
        ids = _shown_by_lists(draft)
        self._take(draft, [each for each in ids if each is not None])
        try:
            result = carry_out()
        except (*_NOT_SENT, ApiError) as error:
            if not isinstance(error, ApiError) or (is_refusal(error) and not is_duplicate(error)):
                self._free(ids)
            raise
        if isinstance(result, BatchResult):
            self._free([id_ for id_, each in zip(ids, result, strict=True) if not each.success])
        return result

    def _take(self, draft: Draft, ids: list[str]) -> None:
        for place, id_ in enumerate(ids):
            if self._calls.setdefault(id_, draft.id) != draft.id:
                self._free(ids[:place])
                raise RequestError(
                    f"{draft.operation.name}: {id_} was given to another message, which was executed or "
                    f"may be, and unique_ids promises that no id is; reconcile that one, or give a new id"
                )
        while len(self._calls) > MAX_GIVEN:
            self._calls.popitem(last=False)

    def _free(self, ids: list[str] | list[str | None]) -> None:
        for id_ in ids:
            self._calls.pop(id_ or "", None)


def _shown_by_lists(draft: Draft) -> list[str | None]:
    """The id of each message by which a list shows it; None where there is none, or it is sent again."""
    return [
        client_id(part.kind.key, part.fields)
        if part.kind.trace and part.kind.trace.id and part.earlier is None and part.signed is None
        else None
        for part in draft.parts
    ]
