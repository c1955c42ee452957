"""One history after another in a world: a message whose outcome is unknown, and what the client says of it.

Of a cancel or an edit the truth is the state of its order: who brought it about, nobody can tell.
"""

from __future__ import annotations

from contextlib import ExitStack
from decimal import Inexact, localcontext
from functools import partial
from random import Random
from typing import Any, TypeAlias
from uuid import UUID

from attrs import define, field

from tests.doubles.clock import EndlessError, VirtualTime
from tests.doubles.orders import order
from tests.worlds.engine import Entry
from tests.worlds.service import STOPS, Fate, Service
from tests.worlds.tally import Tally
from tests.worlds.traits import GIVEN, Ids, Kind, World, random_world
from trading_sdk import (
    ApiError,
    BatchError,
    CancelOrder,
    Client,
    CreateOrder,
    OutcomeUnknownError,
    TradingError,
)

DAY = 86_400_000
MINE, OTHERS = "7", "5"
"""The prices of the message in question, and of others."""
AMOUNT = "1234.5678"
ORDER = order(price=MINE, amount=AMOUNT)
"""The arguments of the message in question, where it makes an order."""
_GOES_ON = ("goes on from there", "nothing was read yet")
"""Either is in the reason if a call ended before the lists were read."""
_MAX_CALLS = 60
"""Of `reconcile`, of one message, where each is given little time."""
WINDOW = 30_000
ON_ITS_WAY = 20_000
"""How late a message may arrive at the service, in ms."""

Asked: TypeAlias = Any
"""What `reconcile` takes."""


def set_clock(time: VirtualTime, by: int) -> None:
    """Set this machine's clock by so many ms."""
    time.local += by


def play(world: World, messages: int, seed: int, before: Tally | None = None) -> Tally:
    """Play so many messages in a world, a history of its own for each; the tally goes on from one before."""
    tally = before or Tally()
    for number in range(messages):
        name = f"{world.name} {seed} {number}"
        with ExitStack() as stack:
            if world.precision is not None:
                context = stack.enter_context(localcontext())
                context.prec = world.precision
                context.traps[Inexact] = True
            History(world, Random(name)).play(tally, name)
    return tally


def play_random(worlds: int, seed: int, messages: int = 20) -> Tally:
    """Play messages in so many random worlds."""
    tally = Tally()
    for number in range(worlds):
        world = random_world(Random(f"{seed} {number}"), number)
        play(world, messages, seed, tally)
    return tally


@define
class Subject:
    """One message, and what is true of it."""

    kind: Kind
    target: Entry | None = None
    """The order that it names."""
    closed: bool = False
    """Whether its order, and what replaced it, were cancelled when it expired, and not before it was signed."""

    def is_open(self) -> bool:
        """Whether its order, or what replaced it, is open now."""
        assert self.target is not None
        return self.target.last_heir.ended_at is None

    def has_new_values(self, orders: list[Entry], moment: int, now: int) -> bool:
        """Whether its order, what replaced it, or the latest order with its client id has the values of the message.

        Whose order that is, nobody can tell: a program that gives an id to a second order may hear of that one. The
        state is that which lists show: of a change back they may not know yet. They were read within a moment.
        """
        assert self.target is not None
        id_ = self.target.latest["client_order_id"]
        named = [each for each in orders if id_ and each.latest["client_order_id"] == id_]
        states = [each.latest for each in (self.target.last_heir, *named[-1:])]
        for entry in (*self.target.line, *named[-1:]):
            shown = entry.shown_since(now - moment, now)
            states += [each for each in shown if each["order_status"] == "open"]
        return any(each["price"] == MINE and each["amount"] == AMOUNT for each in states)


@define
class History:
    """One message, and everything around it."""

    world: World
    random: Random
    time: VirtualTime = field(init=False)
    service: Service = field(init=False)
    client: Client = field(init=False)
    kind: Kind = field(init=False)
    ids: Ids = field(init=False)
    id: str | None = None
    target: Entry | None = None
    signed_at: int = 0

    def __attrs_post_init__(self) -> None:
        """Make a service, and a client of it."""
        world, random = self.world, self.random
        self.service = Service(world, random)
        self.time = self.service.time
        self.time.local = random.choice(world.local)
        self.service.engine.shuffle = random.randrange(3)
        self.client = self.service.client()
        self.kind, self.ids = random.choice(world.kinds), random.choice(world.ids)
        self.time.advance(random.randrange(3_000))

    def play(self, tally: Tally, name: str) -> None:
        """Send the message, reconcile it, and compare what is said with the truth."""
        random, time = self.random, self.time
        self._before()
        self._plan_steps()
        self.signed_at = time.now
        subjects = [Subject(each, self.target) for each in self._kinds()]
        expires = time.now + time.local + WINDOW
        for each in subjects:
            time.at(expires, partial(self._note_state, each))
        error, places = self._sent()
        if error is None:
            return  # it was answered with success
        signatures = self.service.last
        self._after()
        time.advance(random.choice((0, 0, 10, 1_000, 20_000, 29_000, 60_000)))
        found = self._asked(error)
        places = places if len(found) == len(places) else [0] * len(found)
        orders = self.service.engine.orders
        open_ = [each.target is not None and each.is_open() for each in subjects]
        moment = 1_000 + self.world.cache
        new = [
            each.target is not None and each.has_new_values(orders, moment, time.now)
            for each in subjects
        ]
        time.advance(120_000)
        time.run_out()
        for place, (said, reason) in zip(places, found, strict=True):
            subject, done = (
                subjects[place],
                bool(self.service.engine.executed.get(signatures[place])),
            )
            false = said == "escaped"
            if said == "not executed":
                false = done or (subject.kind == "cancel" and subject.closed)
            elif said == "executed" and subject.kind == "cancel":
                false = open_[place]
            elif said == "executed" and subject.kind == "edit":
                false = not (done or new[place])
            elif said == "executed":
                false = not done
            what = f"{self.kind} ({self.ids})" if subject.kind == "create" else subject.kind
            tally.add(said, false, f"{name}: {what} is {said}: {reason}")

    def _kinds(self) -> list[Kind]:
        """The kind of each message that is sent."""
        return ["create", "create", "cancel"] if self.kind == "batch" else [self.kind]

    def _note_state(self, subject: Subject) -> None:
        target = subject.target
        if target is not None and target.ended_at is not None:
            subject.closed = target.ended_at >= self.signed_at and not subject.is_open()

    def _asked(self, error: Asked) -> list[tuple[str, str]]:
        """What is said in the end, by one client after another if each is given little time.

        All of them are given the same error, which keeps what was read.
        """
        patience = self.world.patience
        found = asked_all(self.client, self.service, error, patience)
        for _ in range(_MAX_CALLS if patience is not None else 0):
            is_on = any(each in reason for _, reason in found for each in _GOES_ON)
            if not is_on and not any(said == "raised" for said, _ in found):
                break
            client = self.service.client()
            self.time.advance(self.random.choice((0, 1_000, 30_000)))
            found = asked_all(client, self.service, error, patience)
        return found

    # -- what happens around it ----------------------------------------------------------------

    def _before(self) -> None:
        random = self.random
        for number in range(self.world.older):
            old = f"00000000-0000-4000-9000-{number:012}"
            other_order(self.service, old, ago=random.randrange(DAY))
        for number in range(random.choice((0, 1, self.world.page + 1)) % 8):
            other_order(self.service, f"00000000-0000-4000-8000-{number:012}")
        if self.kind in ("cancel", "edit", "batch"):
            id_ = self._new_id() if random.random() < 0.7 else None
            ago = random.choice((0, 0, 0, 3 * 3_600_000))
            other_order(self.service, id_, ago=ago)
            self.target = self.service.engine.orders[-1]
            self.time.advance(random.choice((0, 5, 10_000)))
            self._meddle(random.randrange(3_000), 0.3)
            self.time.advance(random.choice((0, 1, 500)))
        if self.kind == "create" and self.ids in GIVEN:
            self.id = self._new_id()
        if self.kind == "create" and self.ids == "used days ago":
            other_order(self.service, self.id, ago=random.randrange(1, 5) * DAY, price=MINE)
            self._end_older()
        if self.kind == "create" and self.ids == "used moments ago":
            self._used()
        self._glance()

    def _used(self) -> None:
        """Use the id for an earlier message, by this client or by another program; it may be open still."""
        random = self.random
        if random.random() < 0.5:
            self.service.fate = None
            self._create()
        else:
            other_order(self.service, self.id, price=MINE)
        if random.random() < 0.3:
            again = {"client_order_id": self.id, "price": MINE if random.random() < 0.5 else OTHERS}
            self._plan_other(random.randrange(20_000), "orders/edit", again)
        if random.random() < 0.4:
            name = {"order_id": None, "client_order_id": self.id, "signature": "another's"}
            self.time.advance(random.choice((1, 50, 900)))
            self.service.engine.carry_out("orders/cancel", {**_body(0), **name}, lag=0)
            self.time.advance(random.choice((0, 1, 100, 900, 3_000)))
            return
        if random.random() < 0.7:
            self._end_older()
        # Its order is older by more than what the clocks may be wrong by.
        self.time.advance(random.choice((5_000, 12_000, 60_000)))

    def _end_older(self) -> None:
        name = {"order_id": None, "client_order_id": self.id}
        self._plan_other(self.random.randrange(3_000), "orders/cancel", name)

    def _after(self) -> None:
        if self.kind in ("cancel", "edit", "batch"):
            self._meddle(self.random.randrange(40_000), 0.3)
            if self.random.random() < 0.3:
                self._meddle(self.random.randrange(40_000), 0.5)
            self._name_again()
        self._glance()

    def _glance(self) -> None:
        """Read the history now and then, so that a cache may hold it."""
        if self.random.random() < 0.5:
            try:
                list(self.client.orders.history())
            except TradingError:
                return

    def _meddle(self, after: int, likely: float) -> None:
        """Let another program change the target some time after; twice, it may change it back."""
        if self.random.random() >= likely:
            return
        if self.target and self.world.triggers and self.random.random() < 0.5:
            stop, lag = self.target.last_heir, self.random.randrange(self.world.lag + 1)
            trigger = partial(self.service.engine.trigger, stop, lag)
            self.time.at(self.time.now + after, trigger)
            return
        latest = self.target.last_heir.latest if self.target else {}
        name = {"order_id": latest["order_id"], "client_order_id": None}
        if latest["client_order_id"] and self.random.random() < 0.5:
            name = {"order_id": None, "client_order_id": latest["client_order_id"]}
        if self.random.random() < 0.7:
            price = MINE if self.random.random() < 0.3 else OTHERS
            self._plan_other(after, "orders/edit", {**name, "price": price})
        else:
            self._plan_other(after, "orders/cancel", name)

    def _name_again(self) -> None:
        """Let another program give the id of the target to a later order, and cancel that one."""
        id_ = self.target.latest["client_order_id"] if self.target else None
        if self.world.names_twice and id_ is not None:
            self.time.advance(self.random.choice((0, 5, 5_000)))
            other_order(self.service, id_)
            later = {"order_id": self.service.engine.orders[-1].latest["order_id"]}
            if self.random.random() < 0.8:
                self._plan_other(self.random.randrange(5_000), "orders/cancel", later)

    def _plan_other(self, after: int, path: str, fields: dict[str, Any]) -> None:
        body = {**_body(self.time.service_ms()), **fields, "signature": "another's"}
        lag = self.random.randrange(self.world.lag + 1)
        engine = self.service.engine
        self.time.at(self.time.now + after, lambda: engine.carry_out(path, body, lag))

    def _plan_steps(self) -> None:
        world, random = self.world, self.random
        if by := world.local_step:
            step = random.choice((-by, -by // 2, by // 2, by))
            when = self.time.now + random.randrange(-1, 60_000)
            self.time.at(when, partial(set_clock, self.time, step))
            if random.random() < 0.3:
                back = when + random.randrange(60_000)
                self.time.at(back, partial(set_clock, self.time, -step))

    # -- the message itself --------------------------------------------------------------------

    def _new_id(self) -> str:
        return str(UUID(int=self.random.getrandbits(128), version=4))

    def _create(self) -> None:
        given: dict[str, Any] = {} if self.id is None else {"client_order_id": self.id}
        self.client.orders.create(**ORDER, **given)

    def _sent(self) -> tuple[Asked | None, list[int]]:
        """What to reconcile after the message was sent, and the places of the actions that it settles."""
        world, random = self.world, self.random
        spans = (0, 50, 2_000, ON_ITS_WAY, 31_000)
        after = random.randrange(random.choice(spans) + 1) if random.random() < 0.5 else None
        if random.random() < 0.3:  # just before it expires
            after = WINDOW + self.time.local - random.randrange(1, 1_000)
        queue, lag = random.randrange(world.queue + 1), random.randrange(world.lag + 1)
        if world.refuses:  # what is refused is carried out at once, or never
            after, queue = None if after is None else 0, 0
        fate = Fate(after, queue, lag)
        if random.random() < world.repeats:
            late = (0, 5, 500, ON_ITS_WAY)
            fate = Fate(
                random.randrange(random.choice(late) + 1),
                queue,
                lag,
                copy_after=random.randrange(random.choice(late) + 1),
                answers=random.choice(("none", "first", "second", "second")),
                stopped=random.choice((None, None, *STOPS)),
            )
        self.service.fate = fate
        places = [*range(len(self._kinds()))]
        try:
            found = self._do()
        except BatchError as failed:
            return failed, [*failed.failures]
        except (ApiError, OutcomeUnknownError) as error:
            if isinstance(error, OutcomeUnknownError) and random.random() < 0.25:
                return OutcomeUnknownError.from_json(error.to_json()), places
            return error, places
        if self.kind == "batch":
            failed_places = [place for place, each in enumerate(found) if not each.success]
            return (found, failed_places) if failed_places else (None, [])
        return None, []

    def _do(self) -> Any:
        client, target = self.client, self.target.latest if self.target else {}
        if self.kind == "withdraw":
            return client.spot.withdraw(symbol="SOL", amount=AMOUNT)
        if self.kind == "create" and self.ids == "a model's":
            return client.orders.batch([CreateOrder(**ORDER)]).raise_on_failure()
        if self.kind == "create":
            return self._create()
        by_id = target["client_order_id"] is not None and self.random.random() < 0.5
        field_ = "client_order_id" if by_id else "order_id"
        name = {field_: target[field_]}
        if self.kind == "batch":
            cancel = CancelOrder(symbol="BTC", **name)
            quotes = (CreateOrder(**ORDER) for _ in range(2))
            results = client.orders.batch([*quotes, cancel])
            if self.random.random() < 0.5:
                results.raise_on_failure()
            return results
        if self.kind == "cancel":
            return client.orders.cancel(symbol="BTC", **name)
        return client.orders.edit(symbol="BTC", price=MINE, amount=AMOUNT, **name)


def asked_all(
    client: Client, service: Service, error: Asked, timeout: float | None = None
) -> list[tuple[str, str]]:
    """What the client says of each message, and why."""
    asked_anew(service)
    try:
        return [(each.state, each.reason) for each in client.reconcile(error, timeout=timeout)]
    except EndlessError as endless:
        return [("endless", str(endless))]
    except TradingError as raised:
        return [("raised", f"{type(raised).__name__}, {raised}")]
    except Exception as escaped:
        return [("escaped", repr(escaped))]


def asked_anew(service: Service) -> None:
    """Count what the next call of `reconcile` reads and sleeps from nothing."""
    service.time.naps.clear()
    service.read = 0


def other_order(service: Service, id_: str | None, *, ago: int = 0, price: str = OTHERS) -> None:
    """Let another program have made an order."""
    time = service.time
    time.now -= ago
    body = {**_body(time.service_ms()), "client_order_id": id_, "price": price}
    service.engine.carry_out("orders/create", body, lag=0)
    time.now += ago


def _body(now: int) -> dict[str, Any]:
    return {
        "symbol": "BTC",
        "side": "bid",
        "amount": AMOUNT,
        "timestamp": now,
        "expiry_window": WINDOW,
        "signature": "another's",
    }
