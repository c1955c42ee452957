"""The worlds: in what a service, its clocks and its histories differ from the sandbox.

No world has these, because the client does not promise to be right there: an id given to a second order before the
first is reconciled, or in five seconds while that is open; a Date that is wrong by more than two seconds all the time,
or by the same three times in a row; records whose times are behind the Date; a clock of the service that is set; what
takes longer than history_lag: the engine, the lists and caches that say no Age together.
"""

from __future__ import annotations

from random import Random
from typing import Literal

from attrs import frozen

Dates = Literal["exact", "stale", "missing", "wrong at times", "1970 on errors", "cached"]
Ids = Literal[
    "minted",
    "given",
    "used moments ago",
    "used days ago",
    "a model's",
]
"""Who made the id of an order, the SDK in the call or in a model or else the program, and which other order has it."""
Limit = Literal["ignored", "obeyed", "refused"]
Kind = Literal["create", "cancel", "edit", "withdraw", "batch"]
"""A batch has two orders without ids, and a cancel."""


@frozen(kw_only=True)
class World:
    """What may differ. Spans are in ms, and what happens is random up to them."""

    name: str
    local: tuple[int, ...] = (0,)
    """How far this machine's clock is ahead; one of these for each history."""
    dates: Dates = "exact"
    staleness: int = 0
    lag: int = 0
    """How late a history shows what happened."""
    queue: int = 250
    """How long after its arrival a message may be carried out."""
    cache: int = 0
    """How long a page is served from a cache after it was made."""
    cache_tells: bool = True
    """Whether the cache sends `Age`."""
    cache_obeys: bool = False
    """Whether the cache heeds `no-cache`."""
    hides: float = 0.0
    """How likely one answer leaves out a record; the next one shows it."""
    local_step: int = 0
    """By how much this machine's clock may be set, once; later perhaps back."""
    page: int = 100
    """Records on a page."""
    empty_pages: bool = False
    limit: Limit = "ignored"
    """What the service makes of the size of a page that is asked for."""
    largest: int = 1_000
    """The most records that it puts on a page."""
    older: int = 0
    """Orders that were there before."""
    credits: int | None = None
    """Requests that it answers in a minute."""
    fails: float = 0.0
    """How likely a page cannot be read."""
    patience: int | None = None
    """Seconds that each call of `reconcile` may wait, if another client goes on with the same error."""
    ids: tuple[Ids, ...] = ("minted",)
    kinds: tuple[Kind, ...] = ("create",)
    cancelled: str = "cancelled"
    """The status of an order that was cancelled."""
    records: int = 0
    """How far the times in records are ahead of the engine's clock."""
    rounds: bool = False
    """Whether an order gets another price and amount than it was sent with."""
    refuses: bool = False
    """Whether messages are answered with a 400, and carried out all the same, or not."""
    in_place: bool = False
    """Whether an edit changes an order, and makes none."""
    triggers: bool = False
    """Whether the order that a message names may be a stop order that is triggered: it ends, and an order comes of it."""
    names_twice: bool = False
    """Whether other programs give the id of an order that is cancelled or edited to a later one."""
    ends_early: bool = False
    """Whether a page says that there is more only if it holds as many records as were asked for."""
    repeats: float = 0.0
    """How likely a hop sends a message twice, and hands out either answer, or none."""
    unreadable: bool = False
    """Whether old records cannot be read."""
    precision: int | None = None
    """The precision of the thread's decimal context, with Inexact trapped."""


SKEWS = (-60_000, -1_500, -500, -5, -1, 0, 1, 5, 500, 1_500, 60_000)
ALL: tuple[Kind, ...] = ("create", "cancel", "edit", "withdraw", "batch")
REUSED: tuple[Ids, ...] = ("used moments ago", "used days ago")
"""One id for each place of a quote: the order before has ended, or is open still."""
GIVEN: tuple[Ids, ...] = ("given", *REUSED)
MINTED: tuple[Ids, ...] = ("minted", "a model's")

WORLDS = (
    World(name="as documented", kinds=ALL),
    World(name="clocks 1 ms to 60 s apart", local=SKEWS, kinds=ALL),
    World(name="ids given, clocks agree", ids=("given",)),
    World(name="ids given or re-used, clocks apart", local=SKEWS, ids=GIVEN),
    World(name="Date stale by 5 s", dates="stale", staleness=5_000, kinds=ALL, local=SKEWS),
    World(name="Date missing", dates="missing", kinds=ALL, local=SKEWS),
    World(name="Date wrong at times", dates="wrong at times", kinds=ALL, local=SKEWS),
    World(name="503 dated 1970", dates="1970 on errors", kinds=ALL),
    World(name="Date of a cache, with Age", dates="cached", cache=20_000, kinds=ALL),
    World(name="lists lag up to 0.5 s", lag=500, kinds=ALL),
    World(name="lists lag up to 3.5 s", lag=3_500, kinds=ALL),
    World(name="lists lag up to 8 s", lag=8_000, kinds=ALL, local=SKEWS),
    World(name="pages cached 5 s, silently", cache=5_000, cache_tells=False, kinds=ALL),
    World(name="pages cached 60 s, with Age", cache=60_000, kinds=ALL),
    World(name="pages cached 60 s, no-cache heeded", cache=60_000, cache_obeys=True, kinds=ALL),
    World(name="messages wait 5 s at the engine", queue=5_000, kinds=ALL),
    World(name="this machine's clock is set", local_step=60_000, kinds=ALL, local=SKEWS),
    World(name="a page hides a record", hides=0.1, kinds=ALL, page=3),
    World(name="a hop repeats a POST", repeats=0.9, kinds=ALL, ids=(*MINTED, *GIVEN)),
    World(name="a hop repeats a POST, ids re-used", repeats=0.9, ids=REUSED, lag=500),
    World(name="a hop repeats a POST, edits in place", repeats=0.9, in_place=True, kinds=ALL),
    World(name="withdrawals, list lags 40 s", lag=40_000, kinds=("withdraw",)),
    World(name="decimal context of 6 digits", precision=6, kinds=ALL),
    World(name="empty pages in between", empty_pages=True, page=3, kinds=ALL),
    World(name="largest pages capped", limit="obeyed", largest=4, older=20, kinds=ALL),
    World(name="size of pages refused", limit="refused", page=4, older=20, kinds=ALL),
    World(name="ids of models, clocks apart", ids=("a model's",), local=SKEWS, lag=3_500),
    World(name="an unknown status", cancelled="canceled", kinds=("cancel", "edit")),
    World(name="stop orders are triggered", triggers=True, kinds=("cancel", "edit", "batch")),
    World(name="names of two orders", names_twice=True, kinds=("cancel", "edit"), local=SKEWS),
    World(name="prices are rounded", rounds=True, ids=(*MINTED, *GIVEN)),
    World(name="refused, and carried out", refuses=True, ids=(*MINTED, *GIVEN)),
    World(name="refused, rounded, carried out", refuses=True, rounds=True, ids=(*MINTED, *GIVEN)),
    World(name="edits are made in place", in_place=True, kinds=("edit",)),
    World(name="old records cannot be read", unreadable=True, older=6, kinds=ALL),
    World(name="times of lists an hour ahead", records=3_600_000, kinds=ALL),
    World(name="8 requests a minute", credits=8, page=4, older=40, kinds=ALL, local=SKEWS),
    World(name="pages fail", fails=0.2, page=4, older=20, kinds=ALL),
    World(name="clients that go on", patience=20, credits=6, page=4, older=40, kinds=ALL),
)


def random_world(random: Random, number: int) -> World:
    """A world within what the client believes: several of the traits above at once."""
    pick = random.choice
    cache, tells, obeys = pick(((0, True, False), (3_000, False, False), (60_000, True, True)))
    if random.random() < 0.1:
        cache, tells, obeys = 60_000, True, False
    dates: Dates = pick(("exact", "exact", "stale", "missing", "wrong at times", "1970 on errors"))
    ids = pick((MINTED, MINTED, GIVEN, (*MINTED, *GIVEN)))
    return World(
        name=f"random {number}",
        local=(random.randrange(-60_000, 60_001),) if random.random() < 0.6 else (0,),
        dates=dates,
        staleness=1_000,
        lag=pick((0, 500, 3_500, 8_000)),
        queue=pick((0, 250, 2_000)),
        cache=cache,
        cache_tells=tells,
        cache_obeys=obeys,
        local_step=pick((0, 0, 2_000, 60_000)),
        page=pick((2, 3, 5, 100)),
        empty_pages=random.random() < 0.2,
        limit=pick(("ignored", "obeyed", "refused")),
        largest=pick((3, 4, 1_000)),
        older=pick((0, 0, 6, 20)),
        fails=pick((0.0, 0.0, 0.1)),
        patience=pick((None, None, None, 20)),
        ids=ids,
        kinds=ALL,
        cancelled=pick(("cancelled", "cancelled", "cancelled", "canceled")),
        rounds=random.random() < 0.1,
        in_place=random.random() < 0.3,
        triggers=random.random() < 0.2,
        names_twice=random.random() < 0.2,
        ends_early=random.random() < 0.2,
        unreadable=random.random() < 0.2,
        repeats=pick((0.0, 0.5, 0.9)),
        credits=pick((None, None, None, 6)),
    )
