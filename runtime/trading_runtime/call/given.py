"""The ids of a client whose user promises that none is given to two messages (`unique_ids`).

`reconcile` then takes a record with such an id for the message's own. A second message with it would be
taken for the first one, so it is not sent.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TypeVar

from trading_runtime.batch import BatchResult
from trading_runtime.call.draft import Draft
from trading_runtime.call.failures import is_duplicate, is_refusal
from trading_runtime.call.file_lock import ForkSafeLock
from trading_runtime.codec.requests import client_id
from trading_runtime.errors import (
    ApiError,
    JournalError,
    NotSentError,
    RequestError,
    SigningError,
)
from trading_runtime.minted import plain_id

T = TypeVar("T")
_NOT_SENT = (JournalError, NotSentError, RequestError, SigningError)
MAX_GIVEN = 10_000
"""Ids that a client remembers."""


class GivenIds:
    """The latest ids of messages that were executed, or may be, with their calls. Thread-safe."""

    def __init__(self) -> None:
        self._lock = ForkSafeLock()
        self._calls: OrderedDict[str, str] = OrderedDict()

    def guard(self, draft: Draft, carry_out: Callable[[], T]) -> T:
        """Carry out a call, unless an id of it is another message's. What is not executed frees its ids.

        Raises:
            RequestError: an id is that of another message. Nothing was sent.
        """
        ids = _shown_by_lists(draft)
        self._take(draft, [plain_id(each) for each in ids if each is not None])
        try:
            result = carry_out()
        except (*_NOT_SENT, ApiError) as error:
            if not isinstance(error, ApiError) or (is_refusal(error) and not is_duplicate(error)):
                self.free(draft.id, ids)
            raise
        if isinstance(result, BatchResult):
            failed = [id_ for id_, each in zip(ids, result, strict=True) if not each.success]
            self.free(draft.id, failed)
        return result

    def free(self, call: str, ids: Sequence[str | None]) -> None:
        """Forget the ids of messages of a call that were not executed; not those of another call."""
        with self._lock.held():
            for each in ids:
                if each is not None and self._calls.get(id_ := plain_id(each)) == call:
                    del self._calls[id_]

    def _take(self, draft: Draft, ids: Sequence[str]) -> None:
        with self._lock.held():
            for index, id_ in enumerate(ids):
                if id_ in self._calls or id_ in ids[:index]:
                    raise RequestError(
                        f"{draft.operation.name}: {id_} was given to another message, which was executed or "
                        f"may be, and unique_ids promises that no id is; reconcile that one, or give a new id"
                    )
            self._calls.update(dict.fromkeys(ids, draft.id))
            while len(self._calls) > MAX_GIVEN:
                self._calls.popitem(last=False)


def _shown_by_lists(draft: Draft) -> list[str | None]:
    """The id of each new message by which a list shows it; None where there is none."""
    return [
        client_id(part.kind.key, part.fields)
        if part.kind.trace and part.kind.trace.id and part.earlier is None
        else None
        for part in draft.parts
    ]
