"""The promise of a user that no two messages share an id (`unique_ids`), and the ids that it is about."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from trading_runtime.intent import plain_id

MAX_GIVEN = 10_000
"""Ids that a client remembers."""


class GivenIds:
    """The ids of a client whose user promises that none is given to two messages (`unique_ids`).

    `reconcile` then takes a record with such an id for the message's own. A second message with it would be
    taken for the first one, so it is not sent. Kept are the latest ids of messages that were executed, or may
    be, with their calls. Each step is atomic: it needs no lock.
    """

    def __init__(self) -> None:
        """Begin with no id."""
        self._calls: OrderedDict[str, str] = OrderedDict()

    def take(self, call: str, ids: Sequence[str | None]) -> str | None:
        """Take the ids of the messages of a call. If one is another message's, return it and take none."""
        given = [plain_id(each) for each in ids if each is not None]
        for index, id_ in enumerate(given):
            if id_ in given[:index] or self._calls.setdefault(id_, call) != call:
                self.free(call, ids)
                return id_
        while len(self._calls) > MAX_GIVEN:
            self._calls.popitem(last=False)
        return None

    def free(self, call: str, ids: Sequence[str | None]) -> None:
        """Forget the ids of messages of a call that were not executed; not those of another call."""
        for each in ids:
            if each is not None and self._calls.get(id_ := plain_id(each)) == call:
                self._calls.pop(id_, None)
