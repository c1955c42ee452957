"""What `cancel_all` and `cancel` say of an order is so, whatever the service, its lists and the way to it do.

The service here is a script in virtual time: it knows which orders live, and lists them as its world says.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from attrs import define, field

from tests.doubles.clock import VirtualTime
from tests.doubles.orders import HERE, ID, order_record, resting
from tests.doubles.signer import KEY
from tests.doubles.transport import LOST, Answer, no, ok, refusal, told
from tests.interface import page
from tests.toolkit.market import PACKAGES, exchange
from trading_runtime import Request, Response, TradingError
from trading_runtime.http.fault import TransportError
from trading_sandbox import Sandbox
from trading_sandbox.faults.injection import KINDS
from trading_toolkit import ToolkitError, orders
from trading_toolkit.readings import is_open

LAG = 2.0
Record = dict[str, Any]


@define
class Exchange:
    """A service that cancels orders, and what its world does to requests and to lists."""

    time: VirtualTime = field(factory=VirtualTime)
    sent: list[Request] = field(factory=list)
    batch: Sequence[Answer | None] = ()
    """What the next batches get instead; the last one for all that follow. None: they are carried out."""

    pages: Sequence[Callable[[list[Record]], Any]] = ()
    """What the next readings show of the records; the last one for all that follow."""

    lag: float = 0.0
    """How late the lists are, in seconds."""

    repeats: bool = False
    """Whether a hop repeats each batch, and hands out the second answer."""

    claims: bool = False
    """Whether the service says success, and does nothing."""

    _history: list[tuple[int, Record]] = field(factory=list)

    def place(self, number: int, *, ago: int = 3_600_000, **changes: Any) -> int:
        """An order that was made so many ms ago."""
        named = {"order_id": number, "client_order_id": None, **changes}
        self._put(order_record(self.time.now - ago, **named), self.time.now - ago)
        return number

    def end(self, number: int, symbol: str = "BTC", state: str = "cancelled") -> bool:
        """End an order; whether it lived."""
        for record in self.living():
            if (record["order_id"], record["symbol"]) == (number, symbol):
                self._put({**record, "order_status": state, "updated_at": self.time.now})
                return True
        return False

    def edit(self, number: int, into: int, *, symbol: str = "BTC") -> None:
        """Another program edits an order: it ends, and its successor is made in that ms."""
        [old] = [each for each in self.living() if each["order_id"] == number]
        self.end(number, symbol)
        self._put(
            {**old, "order_id": into, "created_at": self.time.now, "updated_at": self.time.now}
        )

    def living(self) -> list[Record]:
        """The orders that live."""
        return [each for each in self._as_of(self.time.now) if each["order_status"] == "open"]

    @property
    def alive(self) -> set[int]:
        return {each["order_id"] for each in self.living()}

    def send(self, request: Request, *, timeout: float) -> Response:
        self.sent.append(request)
        self.time.advance(1)
        if request.method == "GET":
            return self._page(request)
        instead, self.batch = next_of(self.batch or [None])
        if instead is not None:
            return told(instead, request)
        actions = json.loads(request.body or b"")["actions"]
        answer = self._carried_out(actions)
        return self._carried_out(actions) if self.repeats else answer

    def close(self) -> None:
        pass

    def _page(self, request: Request) -> Response:
        records = self._as_of(self.time.now - round(self.lag * 1_000))
        show, self.pages = next_of(self.pages or [list])
        shown = show(records)
        if isinstance(shown, (Response, BaseException)):
            return told(shown, request)
        if urlsplit(request.url).path.endswith("/orders"):
            symbol = parse_qs(urlsplit(request.url).query).get("symbol")
            open_ = [each for each in shown if each["order_status"] == "open"]
            kept = [each for each in open_ if symbol in (None, [each["symbol"]])]
            more = {"initial_amount": "1", "cancelled_amount": "0"}
            return ok({"success": True, "data": [{**each, **more} for each in kept]})
        return ok(page(*shown))

    def _carried_out(self, actions: Sequence[Mapping[str, Any]]) -> Response:
        results = []
        for each in actions:
            is_done = self.claims or self.end(each["data"]["order_id"], each["data"]["symbol"])
            results.append({"success": is_done, "error": None if is_done else "Failed to cancel"})
        return ok({"success": True, "data": {"results": results}, "error": None, "code": None})

    def _put(self, record: Record, at: int | None = None) -> None:
        self._history.append((self.time.now if at is None else at, record))

    def _as_of(self, time: int) -> list[Record]:
        latest: dict[Any, Record] = {}
        for at, record in self._history:
            if at <= time:
                latest[record["symbol"], record["order_id"]] = record
        return list(latest.values())

    def client(self, package: Any = "documented") -> Any:
        found = PACKAGES[package].Client(HERE, signer=KEY, transport=self, history_lag=LAG)
        return self.time.hold(found)

    def cancel_all(self, package: Any = "documented", **more: Any) -> orders.Cancelled:
        clocks = {"wait": self.time.sleep, "clock": self.time.monotonic}
        return orders.cancel_all(self.client(package), **{**clocks, **more})

    def cancel(self, given: Sequence[Any], package: Any = "documented") -> orders.Cancelled:
        wait, clock = self.time.sleep, self.time.monotonic
        return orders.cancel(self.client(package), given, wait=wait, clock=clock)


def next_of(script: Sequence[Any]) -> tuple[Any, Sequence[Any]]:
    """The next of a script, whose last one comes again and again."""
    return script[0], script[1:] or script


def hide(number: int) -> Callable[[list[Record]], list[Record]]:
    """A replica that does not show an order."""
    return lambda records: [each for each in records if each["order_id"] != number]


def spoil(number: int, **changes: Any) -> Callable[[list[Record]], list[Record]]:
    """A record of this order has other fields."""
    return lambda records: [
        {**each, **changes} if each["order_id"] == number else each for each in records
    ]


def beside(number: int, *, ago: int) -> Callable[[list[Record]], list[Record]]:
    """An older version stands beside this order, which says that it was cancelled."""

    def show(records: list[Record]) -> list[Record]:
        old = [each for each in records if each["order_id"] == number]
        times = {"updated_at": old[0]["updated_at"] - ago} if old else {}
        return [*records, *({**each, **times, "order_status": "cancelled"} for each in old)]

    return show


def check(made: Exchange, found: orders.Cancelled) -> None:
    """Nothing that lives is called finished, and `is_done` is said of a market without orders alone."""
    assert not made.alive & {*found.cancelled, *found.ended}
    assert made.alive <= {*found.still_open, *found.unknown} or found.problems
    assert not (found.is_done and made.alive)
    assert made.time.slept <= 60


# -- orders that live ---------------------------------------------------------------------------------


def another_market(records: list[Record]) -> list[Record]:
    """An order of another market has the same id, and was cancelled."""
    return [*records, *({**each, "symbol": "ETH", "order_status": "cancelled"} for each in records)]


LIMITED = {"ratelimit": '"credits";r=0;t=280', "ratelimit-policy": '"credits";q=1250;w=60'}
SLOW_DOWN = Response(429, LIMITED, b'{"error": "slow down", "code": 429}')


def limited(_: list[Record]) -> Response:
    return SLOW_DOWN


REFUSED = refusal(400, "Failed to cancel order")
WORLDS: dict[str, dict[str, Any]] = {
    "a replica hides it, and a cancel is refused": {"pages": (list, hide(1)), "batch": (REFUSED,)},
    "a replica hides it, and the rate limit refuses each time": {
        "pages": (list, hide(1)),
        "batch": (refusal(429, Retry_After="1"),),
    },
    "success is said, and nothing done": {"claims": True},
    "an older version says cancelled": {"pages": (beside(1, ago=5),), "batch": (REFUSED,)},
    "a version of its time says cancelled": {"pages": (beside(1, ago=0),), "batch": (REFUSED,)},
    "another market has its id": {"pages": (another_market,), "batch": (REFUSED,)},
    "the answer is lost, and the cancel never arrives": {"batch": (LOST,)},
    "its record cannot be read any more": {
        "pages": (list, spoil(1, filled_amount="")),
        "batch": (REFUSED,),
    },
    "the list cannot be read any more": {"pages": (list, lambda _: no(503)), "batch": (REFUSED,)},
}


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("world", WORLDS)
def test_an_order_that_lives_is_not_called_finished(world: str, package: str) -> None:
    made = Exchange(**WORLDS[world])
    made.place(1)
    found = made.cancel_all(package)
    check(made, found)
    assert made.alive == {1}
    assert not found.is_done
    assert 1 in {*found.still_open, *found.unknown}


# -- orders that are cancelled ------------------------------------------------------------------------


@pytest.mark.parametrize("package", PACKAGES)
def test_it_is_done_a_history_lag_later(package: str, caplog: pytest.LogCaptureFixture) -> None:
    made = Exchange()
    ids = {made.place(number) for number in range(1, 13)}
    other = made.place(7, symbol="ETH")
    with caplog.at_level(logging.INFO, "trading_sdk"):
        found = made.cancel_all(package)
    assert (found.is_done, sorted(found.cancelled)) == (True, sorted([*ids, other]))
    assert made.time.slept == pytest.approx(LAG, abs=0.01)
    assert [each.method for each in made.sent] == ["GET", "POST", "POST", "GET"]
    [line] = [each.message for each in caplog.records if "waits" in each.message]
    assert line.startswith("waits 2 s: only then do the lists certainly show what was done")


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("repeats", [False, True])
def test_cancelled_is_told_though_lists_are_late_and_hops_repeat(
    package: str, repeats: bool
) -> None:
    made = Exchange(repeats=repeats, lag=0.7)
    ids = {made.place(number, ago=100 * number) for number in (1, 2, 30)}
    found = made.cancel_all(package)
    assert (found.is_done, {*found.cancelled}, found.refused) == (True, ids, {})
    assert made.alive == set()


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("is_named", [False, True])
def test_the_successor_of_an_edited_order_is_cancelled_too(package: str, is_named: bool) -> None:
    made, name = Exchange(lag=0.5), ID if is_named else None
    made.place(1, client_order_id=name)
    made.place(9, client_order_id=name, symbol="ETH", ago=0)

    def edited(request: Request) -> Response:
        made.edit(1, into=2)
        made.edit(2, into=3)
        return REFUSED

    made.batch = [edited, None]
    found = made.cancel_all(package, symbol="BTC")
    assert ({*found.cancelled} >= {1, 3}, found.is_done) == (True, True)
    assert made.alive == {9}


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("is_named", [False, True])
def test_an_order_that_lives_on_in_a_successor_is_unknown(package: str, is_named: bool) -> None:
    made = Exchange()
    made.place(1, client_order_id=ID if is_named else None)
    made.place(2)

    def edited(request: Request) -> Response:
        made.end(2)
        made.time.advance(1)
        made.edit(1, into=3)
        made.edit(3, into=4)
        return REFUSED

    made.batch = [edited, None]
    found = made.cancel([1, 2], package)
    assert (found.unknown, found.cancelled) == ((1,), (2,))
    assert made.alive == {4}


@pytest.mark.parametrize("package", PACKAGES)
def test_an_order_that_was_filled_meanwhile_is_told(package: str) -> None:
    made = Exchange()
    made.place(1)

    def filled(request: Request) -> Response:
        made.end(1, state="filled")
        made.place(2, ago=0)
        return REFUSED

    made.batch = [filled, None]
    found = made.cancel_all(package)
    assert (found.ended, found.cancelled, found.is_done) == ({1: "filled"}, (2,), True)


# -- what cannot be read ------------------------------------------------------------------------------


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("spoiled", [{"created_at": None}, {"filled_amount": ""}, {"symbol": 5}])
def test_a_record_of_nonsense_hides_no_other_one(package: str, spoiled: dict[str, Any]) -> None:
    made = Exchange()
    ids = {made.place(number) for number in (1, 2)}
    made.place(3)
    made.end(3)
    # The list of open orders of the live dialect has the old one, too.
    state = {"order_status": "open"} if package == "live" else {}
    made.pages = [spoil(3, **state, **spoiled)]
    found = made.cancel_all(package)
    assert {*found.cancelled} == ids
    assert made.alive == set()
    assert not found.is_done
    assert found.problems[0].startswith("the record of order 3 cannot be read: ")
    made.place(4)
    found = made.cancel([4], package)
    assert (found.cancelled, found.is_done) == ((4,), False)


def test_open_orders_is_an_error_where_a_record_cannot_be_read() -> None:
    made = Exchange(pages=[spoil(1, amount="")])
    made.place(1)
    made.place(2)
    with pytest.raises(TradingError, match="amount"):
        orders.open_orders(made.client())
    assert [each.order_id for each in orders.scan(made.client())[0]] == [2]


def test_an_id_of_two_markets_is_cancelled_in_the_one_that_was_meant() -> None:
    made = Exchange()
    for symbol in ("BTC", "ETH"):
        made.place(1, symbol=symbol)
    words = "1 is an order of BTC and of ETH; nothing was cancelled"
    with pytest.raises(ToolkitError, match=words):
        made.cancel([1])
    meant = [each for each in orders.open_orders(made.client()) if each.symbol == "ETH"]
    assert made.cancel(meant).cancelled == (1,)
    assert [each["symbol"] for each in made.living()] == ["BTC"]


def test_what_was_read_before_the_list_failed_is_cancelled() -> None:
    def first(records: list[Record]) -> Response:
        return ok({**page(*records[:2]), "next_cursor": "more", "has_more": True})

    made = Exchange(pages=[first, limited])
    for number in (1, 2, 3):
        made.place(number)
    found = made.cancel_all()
    check(made, found)
    assert made.alive == {3}
    assert "no time is left to wait 280 s more: the rate limit asks for it" in found.problems


# -- time ---------------------------------------------------------------------------------------------


def test_nothing_takes_longer_than_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    made = Exchange()
    ids = {made.place(number) for number in range(1, 41)}
    made.batch = [refusal(429, Retry_After="20"), None, SLOW_DOWN]
    with caplog.at_level(logging.INFO, "trading_sdk"):
        found = made.cancel_all()
    check(made, found)
    assert made.time.naps == [20.0]
    assert "waits 20 s: the rate limit asks for it" in caplog.text
    assert len(made.alive) == len(ids) - 10
    assert made.alive == {*found.still_open} - {*found.unknown}
    assert "no time is left to wait 280 s more: the rate limit asks for it" in found.problems
    assert len([each for each in made.sent if each.method == "POST"]) == 3
    with pytest.raises(TradingError, match="slow down"):
        Exchange(pages=[limited]).cancel_all()


@pytest.mark.parametrize("fault", [LOST, no(503), refusal(429), refusal(400)])
def test_a_service_that_never_cancels_is_given_up_within_a_minute(
    fault: Response | TransportError,
) -> None:
    for more in ({}, {"clock": lambda: 0.0}):  # a wait counts though the clock stands still
        made = Exchange(batch=[fault])
        made.place(1)
        found = made.cancel_all(**more)
        check(made, found)
        assert found.still_open == (1,)


def test_less_time_than_the_lists_need_is_said() -> None:
    made = Exchange()
    found = made.cancel_all(timeout=1)
    assert not found.is_done
    assert "no time is left to wait 2 s more: only then do the lists" in found.problems[0]
    with pytest.raises(ToolkitError, match="timeout must be a number of seconds"):
        made.cancel_all(timeout=-1)


# -- the faults of the sandbox ------------------------------------------------------------------------


OPTIONS: dict[str, dict[str, Any]] = {
    "status": {"status": 503},
    "redirect": {"location": "https://elsewhere.example/"},
    "clock_offset": {"offset_ms": 600_000},
    "other_value": {"field": "success", "value": 7},
    "gzip_bomb": {"size": 2**20},
}
"""What a fault needs, or less than it takes by default."""
SLOW = {"delay_answer", "delay_request", "endless_body", "slow_body", "slow_headers"}
"""The faults that only the timeout of the client ends."""
FAULTS = sorted(each.name for each in KINDS.values() if each.needs != "listener")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with exchange() as found:
        yield found


@pytest.mark.parametrize(
    ("kinds", "times"), [*(([each], 99) for each in FAULTS), (FAULTS, 1)], ids=str
)
def test_what_is_said_under_faults_is_so(sandbox: Sandbox, kinds: list[str], times: int) -> None:
    """Each fault meets the list and, where it can, the batch; nothing that lives is called finished."""
    count = 3 * len(kinds)
    timeout = 0.25 if SLOW & {*kinds} else 10
    signer = sandbox.create_account(usdc="1000000")
    with PACKAGES["documented"].Client(sandbox.url, signer=signer, history_lag=0) as client:
        for _ in range(count):
            client.orders.create(**resting(price="500", tif="GTC"))
        for kind in kinds:
            for name in ("orders.history", *["orders.batch"] * (KINDS[kind].meets == "any")):
                sandbox.faults.inject(name, kind, times, **OPTIONS.get(kind, {}))
        said: orders.Cancelled | None = None
        with suppress(TradingError):  # which says that nothing was sent
            said = orders.cancel_all(client.with_options(timeout=timeout), wait=lambda _: None)
        sandbox.faults.clear()
        alive = {each.order_id for each in client.orders.history() if is_open(each)}
    if said is None:
        assert len(alive) == count
    else:
        assert not (alive & {*said.cancelled, *said.ended} or (said.is_done and alive)), said
