"""A scan of the histories that is cut off again and again, against the same scan in one piece.

Whatever the histories show and wherever it is cut off: it says the same in the end, and reads no page twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from attrs import evolve

from tests.doubles.clock import VirtualTime
from tests.doubles.orders import HERE, ID, OTHER_ID, message, order_record, unknown
from tests.doubles.signer import KEY
from tests.doubles.transport import ListsTransport, no, ok
from tests.interface import page
from tests.runtime.recovery.histories import cancel, soon_after_signing
from trading_runtime.http.transport import Request, Response
from trading_sdk import Client, OutcomeUnknownError, Settlement

OPERATIONS: Any = Client.api.operations
HISTORY = OPERATIONS["orders.history"]
ARCHIVE = evolve(HISTORY, name="orders.archive", path="/api/v1/orders/archive")


def archived(name: str) -> Any:
    """An operation that changes an order, which a list of its own shows then."""
    trace: Any = (OPERATIONS.get(name) or Client.api.actions[name]).trace
    edit = OPERATIONS["orders.edit"]
    return evolve(edit, name=name, trace=evolve(trace, lists=(ARCHIVE.name,)))


class Archiving(Client):
    """A client of a service with two lists: one shows new orders, the other one those that were changed."""

    api = evolve(
        Client.api,
        operations=[
            *OPERATIONS.values(),
            *map(archived, ("orders.edit", "orders.cancel")),
            ARCHIVE,
        ],
    )


class Paged(ListsTransport):
    """A service that gives two records a page, and after some pages a 429."""

    def __init__(self, lists: dict[str, list[Any]], pages: int | None) -> None:
        super().__init__()
        self.lists, self.pages_at_once = lists, pages
        self.asked: list[tuple[str, str]] = []
        """The pages of the largest size that were read: each by its path and cursor."""
        self.left = pages
        self.cuts = 0

    def answered(self, request: Request, timeout: float) -> Response:
        if self.left == 0:
            self.left, self.cuts = self.pages_at_once, self.cuts + 1
            return no(429, Retry_After="1")
        self.left = None if self.left is None else self.left - 1
        url = urlsplit(request.url)
        query = {name: each[0] for name, each in parse_qs(url.query).items()}
        start = int(query.get("cursor", "0"))
        if "limit" in query:
            self.asked.append((url.path, query.get("cursor", "")))
        records = self.lists.get(url.path, [])
        more = start + 2 < len(records)
        found = page(*records[start : start + 2])
        following = {"next_cursor": str(start + 2) if more else None, "has_more": more}
        return ok({**found, **following}, Date=self.date())


MESSAGES = (
    message(),
    message(client_id=OTHER_ID),
    message(minted=False),
    cancel(order_id=1),
    message("orders.cancel", None, client_order_id=ID),
    message("orders.edit", None, order_id=1, price="2"),
    message("orders.edit", None, client_order_id=ID, price="2"),
    message("spot.withdraw"),
)


def records(random: Random, ids: Sequence[str | None], prices: str) -> list[dict[str, Any]]:
    """Orders of these ids and prices: open, cancelled, of a state that nobody knows, and some that cannot be read."""
    found = []
    for number, id_ in enumerate(ids):
        made, updated = (soon_after_signing() + random.choice([-90_000, 0, 1]) for _ in "12")
        changes: dict[str, Any] = {"initial_price": random.choice(prices), "updated_at": updated}
        changes["order_status"] = random.choice(["open", "cancelled", "odd"])
        if random.random() < 0.1:
            changes["reduce_only"] = "nobody can read this"
        found.append(order_record(made, order_id=number + 1, client_order_id=id_, **changes))
    return found


def shown(random: Random) -> dict[str, list[Any]]:
    """What both lists show. An id is that of one new order, and of any number of orders that were changed."""
    new = random.sample([ID, OTHER_ID, *[None] * 6], random.randrange(9))
    changed = random.choices([ID, OTHER_ID, None], k=random.randrange(9))
    return {
        HISTORY.path: records(random, new, "1"),
        ARCHIVE.path: records(random, changed, "12"),
    }


def scanned(time: VirtualTime, service: Paged, error: OutcomeUnknownError) -> Sequence[Settlement]:
    """What one call of `reconcile` says, of a client that knows no more than the error."""
    with time.hold(Archiving(HERE, signer=KEY, transport=service)) as client:
        return client.reconcile(error, timeout=0)


def is_cut(found: Sequence[Settlement]) -> bool:
    return any(
        "goes on from there" in each.reason or "nothing was read" in each.reason for each in found
    )


@pytest.mark.parametrize("seed", range(60))
def test_a_scan_in_pieces_says_the_same_and_reads_no_page_twice(seed: int) -> None:
    random = Random(seed)
    sent = random.sample(MESSAGES, random.randint(1, 3))
    with VirtualTime().ruling() as time:
        lists = shown(random)
        whole, cut = Paged(lists, None), Paged(lists, random.randint(3, 5))
        expected = scanned(time, whole, unknown(*sent))

        error = unknown(*sent)
        found = scanned(time, cut, error)
        while is_cut(found):
            found = scanned(time, cut, error)

    assert found == expected
    assert cut.asked == whole.asked
