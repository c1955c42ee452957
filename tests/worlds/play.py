"""One history after another in a world: a message whose outcome is unknown, and what the client says of it."""

from __future__ import annotations

from contextlib import ExitStack
from decimal import Inexact, localcontext
from functools import partial
from itertools import count
from random import Random
from typing import Any, Literal
from uuid import UUID

from attrs import define, field

from tests.doubles.clock import EndlessError, VirtualTime
from tests.doubles.orders import HERE
from tests.doubles.signer import ScriptedSigner
from tests.worlds.engine import Entry
from tests.worlds.service import Fate, Service
from tests.worlds.tally import Tally
from tests.worlds.traits import GIVEN, Ids, Kind, World
from trading_sdk import (
    BadRequestError,
    Client,
    CreateOrder,
    OutcomeUnknownError,
    Settlement,
    TradingError,
)

DAY = 86_400_000
MINE, OTHERS = "7", "5"
"""The prices of the message in question, and of others."""
AMOUNT = "1234.5678"
_GOES_ON = ("goes on from there", "nothing was read yet")
"""Either is in the reason if a call ended before the lists were read."""
_MAX_CALLS = 60
"""Of `reconcile`, of one message, where each is given little time."""


Clock = Literal["local", "service"]
_SIGNATURES = count(1)


def pen() -> ScriptedSigner:
    """A signer whose signatures are all different, and cheap."""
    return ScriptedSigner(signs=lambda _: next(_SIGNATURES).to_bytes(64, "big"))


def virtual_time() -> VirtualTime:
    """The time of a world; who sleeps for longer in one call of `reconcile` will never end."""
    return VirtualTime(most_slept=7_200)


def set_clock(time: VirtualTime, clock: Clock, by: int) -> None:
    """Set this machine's clock, or that of the service, by so many ms."""
    setattr(time, clock, getattr(time, clock) + by)


def play(world: World, messages: int, seed: int) -> Tally:
    """Play so many messages in a world, a history of its own for each."""
    tally = Tally()
    for number in range(messages):
        name = f"{world.name} {seed} {number}"
        with ExitStack() as stack:
            if world.precision is not None:
                context = stack.enter_context(localcontext())
                context.prec = world.precision
                context.traps[Inexact] = True
            History(world, Random(name)).play(tally, name)
    return tally


@define
class History:
    """One message, and everything around it."""

    world: World
    random: Random
    time: VirtualTime = field(factory=virtual_time)
    service: Service = field(init=False)
    client: Client = field(init=False)
    kind: Kind = field(init=False)
    ids: Ids = field(init=False)
    id: str | None = None
    target: Entry | None = None

    def __attrs_post_init__(self) -> None:
        """Make a service, and a client of it."""
        world, random = self.world, self.random
        self.time.local, self.time.service = random.choice(world.local), world.engine
        self.service = Service(world, self.time, random)
        self.service.engine.shuffle = random.randrange(3)
        self.client = self.time.hold(Client(HERE, signer=pen(), transport=self.service))
        self.kind, self.ids = random.choice(world.kinds), random.choice(world.ids)
        self.time.advance(random.randrange(3_000))

    def play(self, tally: Tally, name: str) -> None:
        """Send the message, reconcile it, and compare what is said with the truth."""
        random, time = self.random, self.time
        self._before()
        self._plan_steps()
        error = self._sent()
        signature = self.service.last
        self._after()
        time.advance(random.choice((0, 0, 10, 1_000, 20_000, 29_000, 60_000)))
        said, reason = self._asked(error)
        time.advance(120_000)
        time.run_out()
        done = bool(self.service.engine.executed.get(signature))
        false = said == "escaped" or self._is_false(said, done)
        what = f"{self.kind} ({self.ids})" if self.kind == "create" else self.kind
        tally.add(said, false, f"{name}: {what} is {said}: {reason}")

    def _asked(self, error: OutcomeUnknownError | BadRequestError) -> tuple[str, str]:
        """What is said in the end, by one client after another if each is given little time.

        All of them are given the same error, which keeps what was read.
        """
        patience = self.world.patience
        said, reason = asked(self.client, self.service, error, patience)
        for _ in range(_MAX_CALLS if patience is not None else 0):
            if said != "raised" and not any(each in reason for each in _GOES_ON):
                break
            client = self.time.hold(Client(HERE, signer=pen(), transport=self.service))
            self.time.advance(self.random.choice((0, 1_000, 30_000)))
            said, reason = asked(client, self.service, error, patience)
        return said, reason

    def _is_false(self, said: str, done: bool) -> bool:
        if said == "not executed":
            return done
        return said == "executed" and not done and not self._looks_done()

    def _looks_done(self) -> bool:
        """Whether others did the same, so that nobody could tell the difference.

        Of a message that was refused, `executed` says that another one with its id and values was.
        """
        if self.target is None:
            alike = [each for each in self.service.engine.orders if each.latest["price"] == MINE]
            return self.world.refuses and self.id in [
                each.latest["client_order_id"] for each in alike
            ]
        if self.kind == "cancel":
            return self.target.cancelled_by is not None
        heir = self.target.heir
        return heir is not None and heir.latest["initial_price"] == MINE

    # -- what happens around it ----------------------------------------------------------------

    def _before(self) -> None:
        random = self.random
        for number in range(self.world.older):
            old = f"00000000-0000-4000-9000-{number:012}"
            other_order(self.service, old, ago=random.randrange(DAY))
        for number in range(random.choice((0, 1, self.world.page + 1)) % 8):
            other_order(self.service, f"00000000-0000-4000-8000-{number:012}")
        if self.kind in ("cancel", "edit"):
            other_order(self.service, self._new_id() if random.random() < 0.7 else None)
            self.target = self.service.engine.orders[-1]
            self.time.advance(random.choice((0, 5, 10_000)))
            self._meddle(random.randrange(3_000), 0.3)
            self.time.advance(random.choice((0, 1, 500)))
        if self.kind == "create" and self.ids in GIVEN:
            self.id = self._new_id()
        if self.ids == "used days ago":
            other_order(self.service, self.id, ago=random.randrange(1, 5) * DAY, price=MINE)
        if self.ids == "used moments ago":
            self._used(self.time.now)
            if random.random() < 0.3:  # the order of the earlier message is edited later
                heir = {"client_order_id": self.id, "price": MINE}
                self._plan_other(random.randrange(20_000), "orders/edit", heir)
            self.time.advance(random.choice((0, 1, 100, 900, 3_000, 12_000)))
        self._glance()

    def _used(self, now: int) -> None:
        """Use the id for an earlier message, by this client or by another program."""
        if self.random.random() < 0.5:
            self.service.fate = None
            self._create()
        else:
            other_order(self.service, self.id, price=MINE)

    def _after(self) -> None:
        random = self.random
        if self.kind in ("cancel", "edit"):
            self._meddle(random.randrange(40_000), 0.3)
            self._name_again()
        if self.ids == "used again later":
            if random.random() < 0.5:
                self.time.advance(random.choice((0, 100, 5_000)))
                self.service.fate = None
                self._create()
            else:
                again = {"client_order_id": self.id, "price": MINE}
                self._plan_other(random.randrange(40_000), "orders/create", again)
        self._glance()

    def _glance(self) -> None:
        """Read the history now and then, so that a cache may hold it."""
        if self.random.random() < 0.5:
            try:
                list(self.client.orders.history())
            except TradingError:
                return

    def _meddle(self, after: int, likely: float) -> None:
        """Let another program change the target some time after."""
        if self.random.random() >= likely:
            return
        latest = self.target.latest if self.target else {}
        number = {"order_id": latest["order_id"], "client_order_id": None}
        if self.random.random() < 0.7:
            price = MINE if self.random.random() < 0.2 else OTHERS
            self._plan_other(after, "orders/edit", {**number, "price": price})
        else:
            self._plan_other(after, "orders/batch", number)

    def _name_again(self) -> None:
        """Let another program give the id of the target to a later order, and cancel that one."""
        id_ = self.target.latest["client_order_id"] if self.target else None
        if self.world.names_twice and id_ is not None:
            self.time.advance(self.random.choice((0, 5, 5_000)))
            other_order(self.service, id_)
            later = {"order_id": self.service.engine.orders[-1].latest["order_id"]}
            if self.random.random() < 0.8:
                self._plan_other(self.random.randrange(5_000), "orders/batch", later)

    def _plan_other(self, after: int, path: str, fields: dict[str, Any]) -> None:
        body = {**_body(self.time.service_ms()), **fields, "signature": "another's"}
        lag = self.random.randrange(self.world.lag + 1)
        engine = self.service.engine
        self.time.at(self.time.now + after, lambda: engine.carry_out(path, body, lag))

    def _plan_steps(self) -> None:
        world, random = self.world, self.random
        steps: dict[Clock, int]
        steps = {"local": world.local_step, "service": world.service_step}
        for clock, by in steps.items():
            if by:
                step = random.choice((-by, -by // 2, by // 2, by))
                when = self.time.now + random.randrange(-1, 60_000)
                self.time.at(when, partial(set_clock, self.time, clock, step))

    # -- the message itself --------------------------------------------------------------------

    def _new_id(self) -> str:
        return str(UUID(int=self.random.getrandbits(128), version=4))

    def _create(self) -> None:
        given: dict[str, Any] = {} if self.id is None else {"client_order_id": self.id}
        self.client.orders.create(**_ORDER, price=MINE, amount=AMOUNT, **given)

    def _sent(self) -> OutcomeUnknownError | BadRequestError:
        world, random = self.world, self.random
        spans = (0, 50, 2_000, world.on_its_way, 31_000)
        after = random.randrange(random.choice(spans) + 1) if random.random() < 0.5 else None
        if random.random() < 0.3:  # just before it expires
            after = 30_000 + self.time.local - self.time.service - random.randrange(1, 1_000)
        queue, lag = random.randrange(world.queue + 1), random.randrange(world.lag + 1)
        if world.refuses:  # what is refused is carried out at once, or never
            after, queue = None if after is None else 0, 0
        self.service.fate = Fate(after, queue, lag)
        try:
            self._do()
        except BadRequestError as refusal:
            return refusal
        except OutcomeUnknownError as error:
            json = random.random() < 0.25
            return OutcomeUnknownError.from_json(error.to_json()) if json else error
        raise AssertionError("the service answered")

    def _do(self) -> None:
        client, target = self.client, self.target.latest if self.target else {}
        if self.ids == "a model's":
            client.orders.batch([CreateOrder(**_ORDER, price=MINE, amount=AMOUNT)])
        elif self.kind == "create":
            self._create()
        elif self.kind == "withdraw":
            client.spot.withdraw(symbol="SOL", amount=AMOUNT)
        else:
            by_id = target["client_order_id"] is not None and self.random.random() < 0.5
            field_ = "client_order_id" if by_id else "order_id"
            name = {field_: target[field_]}
            if self.kind == "cancel":
                client.orders.cancel(symbol="BTC", **name)
            else:
                client.orders.edit(symbol="BTC", price=MINE, amount=AMOUNT, **name)


def asked(
    client: Client,
    service: Service,
    error: OutcomeUnknownError | BadRequestError,
    timeout: float | None = None,
) -> tuple[str, str]:
    """What the client says of a message, and why."""
    asked_anew(service)
    try:
        settlement: Settlement = client.reconcile(error, timeout=timeout)[0]
    except EndlessError as endless:
        return "endless", str(endless)
    except TradingError as raised:
        return "raised", f"{type(raised).__name__}, {raised}"
    except Exception as escaped:
        return "escaped", repr(escaped)
    return settlement.state, settlement.reason


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


_ORDER: dict[str, Any] = {"symbol": "BTC", "side": "bid", "tif": "ALO", "reduce_only": False}


def _body(now: int) -> dict[str, Any]:
    return {
        "symbol": "BTC",
        "side": "bid",
        "amount": AMOUNT,
        "timestamp": now,
        "expiry_window": 30_000,
        "signature": "another's",
    }
