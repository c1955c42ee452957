"""Rows of the matrix, part 3: faults that take more than one call, or process, to show."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias
from uuid import UUID, uuid4

from tests.end_to_end.trading import place
from tests.faults import checks
from tests.faults.calls import STOP
from tests.faults.cell import Bench, check_next, watched
from tests.faults.rows import Expected, Row, Story, every
from tests.faults.subjects import SUBJECTS, Subject
from tests.interface import METHODS
from trading_runtime import Fault
from trading_sdk import (
    ApiError,
    Client,
    OutcomeUnknownError,
    PaginationError,
)

Play: TypeAlias = Callable[[Bench, Row, Subject], None]

_LISTS = frozenset(name for name, each in SUBJECTS.items() if each.lists)
_CHANGES = frozenset(name for name, each in SUBJECTS.items() if not each.reads)

# -- pages -----------------------------------------------------------------------------------


def _second_page(
    kind: str, places: tuple[int, ...], bench: Bench, row: Row, subject: Subject
) -> None:
    """The walk ends in an error after what was handed out already, or goes on after a page without records.

    Another client goes on from the cursor that was saved, as the successor of a process that was killed does.
    """
    with watched(bench, row, subject) as cell:
        whole = list(islice(_walk(cell.scene.hand, subject), 3))
        pages = _walk(cell.client, subject).pages()
        first = next(pages)
        got = [*first]
        bench.sandbox.faults.inject(subject.name, kind, row.expected(subject).meets or 1)

        def go_on() -> list[Any]:
            for page in islice(pages, 2 if row.fault is None else None):
                got.extend(page)
            return got[1:]

        end = cell.ended(go_on)
        checks.check_outcome(subject, row.expected(subject), end)
        checks.check_time(row, end)
        assert got == [whole[place] for place in places]
        rest = _walk(cell.scene.hand, subject, cursor=first.next_cursor)
        assert [*first, *islice(rest, 2)] == whole
        check_next(cell.client)


def _walk(client: Client, subject: Subject, **more: Any) -> Any:
    assert subject.pages is not None
    return subject.pages(client, **more)


# -- ids -------------------------------------------------------------------------------------

_WITH_ID: Mapping[str, Callable[[Client, UUID], Any]] = {
    "orders.create": lambda client, mine: place(client, client_order_id=mine),
    "orders.create_stop": lambda client, mine: client.orders.create_stop(
        **{**STOP, "stop_order": {**STOP["stop_order"], "client_order_id": mine}}
    ),
    "spot.withdraw": lambda client, mine: client.spot.withdraw(
        symbol="SOL", amount="1", idempotency_key=mine
    ),
}
_ID_TAKEN = {
    **{name: "it is sent without an id" for name, each in METHODS.items() if each.key is None},
    "orders.batch": "a used id is told in the result of its action, not by an error",
    "orders.create_market": "its id is free again as soon as it is filled",
}


def _duplicate(bench: Bench, row: Row, subject: Subject) -> None:
    """A second message with the id is refused, and the refusal leads to the first one."""
    call, mine = _WITH_ID[subject.name], uuid4()
    with watched(bench, row, subject) as cell:
        after = len(bench.sandbox.requests)
        # Where the first attempt of the second message fails, it may have been the first one.
        call(cell.scene.hand, mine)
        end = cell.ended(lambda: call(cell.client, mine))
        checks.check_outcome(subject, row.expected(subject), end)
        checks.check_time(row, end)
        checks.check_executed(cell.scene, subject, after, 1)
        assert isinstance(end.error, ApiError | OutcomeUnknownError)
        [settlement] = cell.client.reconcile(end.error, timeout=0)
        # The program gave the id to both.
        assert (settlement.client_id, settlement.state) == (str(mine), "unsettled")
        assert settlement.records or subject.name == "spot.withdraw"
        if cell.place.met is not None:
            checks.check_met(cell.place.met, row.expected(subject))
        check_next(cell.client)


# -- a process that is killed ----------------------------------------------------------------

_LONG = 30.0
"""Seconds; nobody waits for them."""


def _killed_after_sending(bench: Bench, row: Row, subject: Subject) -> None:
    """The service carries the call out, and nobody is there to hear of it; a successor has the journal."""

    def act() -> None:
        options: dict[str, Any] = {"api_key": cell.api_key, "timeout": 2 * _LONG}
        with bench.client(cell.scene.trader, journal=journal, **options) as client:
            cell.call(client)

    with watched(bench, row, subject) as cell, TemporaryDirectory() as folder:
        journal, after = Path(folder) / "journal", len(bench.sandbox.requests)
        bench.sandbox.faults.inject(subject.sent_as, "delay_answer", seconds=_LONG)
        victim = get_context("fork").Process(target=act)
        with warnings.catch_warnings():
            # From 3.12 on: "use of fork() may lead to deadlocks" in a process with threads.
            warnings.simplefilter("ignore", DeprecationWarning)
            victim.start()
        try:
            assert checks.in_time(
                lambda: bool(checks.executed(bench.sandbox, subject, after)), _LONG
            )
        finally:
            victim.kill()
            victim.join()
        bench.secrets.note(bench.sandbox.requests[after:])
        bench.secrets.check([journal.read_text()])
        with bench.client(cell.scene.trader, journal=journal) as successor:
            [unknown] = successor.unsettled()
            cell.errors.append(unknown)
            states = checks.expected_states(subject, executed=True, waited=False)
            checks.check_states(successor.reconcile(unknown, timeout=0), states)
            assert bool(successor.unsettled()) == ("unsettled" in states)
        checks.check_executed(cell.scene, subject, after, 1)


# -- the rows --------------------------------------------------------------------------------

PLAYS: Mapping[str, Play] = {
    "repeated cursor": partial(_second_page, "repeated_cursor", (0, 1)),
    "empty page with a cursor": partial(_second_page, "empty_page", (0, 2)),
    "more, but no cursor": partial(_second_page, "missing_cursor", (0, 1)),
    "no more, but a cursor": partial(_second_page, "surplus_cursor", (0, 1)),
    "second page cut": partial(_second_page, "short_body", (0,)),
    "second page never comes": partial(_second_page, "close", (0,)),
    "duplicate id": _duplicate,
    "409 on a second attempt": _duplicate,
    "killed after sending": _killed_after_sending,
}


def _paging() -> Iterable[Row]:
    table: tuple[tuple[str, Fault | None, dict[str, Any]], ...] = (
        ("repeated cursor", Fault.UNUSABLE, {"raises": PaginationError}),
        ("empty page with a cursor", None, {}),
        ("more, but no cursor", Fault.UNUSABLE, {"raises": PaginationError}),
        ("no more, but a cursor", Fault.UNUSABLE, {"raises": PaginationError}),
        ("second page cut", Fault.UNREADABLE, {"times": "always"}),
        ("second page never comes", Fault.MAYBE_SENT, {"times": "always"}),
    )
    for name, fault, more in table:
        yield Row(name, Story(name), fault, only=_LISTS, lacks={"*": "it lists no pages"}, **more)


def _ids() -> Iterable[Row]:
    yield Row(
        "duplicate id",
        Story("duplicate id"),
        Fault.REFUSED,
        # A hop may have sent it twice: a refusal as duplicate of its own id is no final word.
        instead=every(Expected(OutcomeUnknownError)),
        lacks=_ID_TAKEN,
    )
    no_conflict = dict.fromkeys(
        ("orders.create", "orders.create_stop"), "the service answers 400 to a used id"
    )
    yield Row(
        "409 on a second attempt",
        Story("409 on a second attempt", plan="refused, service"),
        Fault.DUPLICATE,
        # The table tells of the first attempt.
        instead=every(Expected(OutcomeUnknownError)),
        lacks={**_ID_TAKEN, **no_conflict},
    )
    yield Row(
        "killed after sending",
        Story("killed after sending"),
        Fault.MAYBE_SENT,
        carried_out=True,
        only=_CHANGES,
        lacks={"*": "it changes nothing, so nothing is to be found out"},
    )


STORIES: tuple[Row, ...] = (*_paging(), *_ids())
