"""The engine of the model service: orders and withdrawals, and the message that made each of them."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from tests.doubles.clock import VirtualTime
from tests.doubles.orders import order_record, withdrawal_record
from tests.worlds.traits import World

Fields = dict[str, Any]


DUPLICATE = "Duplicate client_order_id"
USED_KEY = "Duplicate idempotency_key"
NOT_FOUND = "Order not found"
EXPIRED = "Invalid message: it expired"


@define(eq=False)
class Entry:
    """An order or withdrawal: its versions, each with the time from which lists show it."""

    versions: list[tuple[int, Fields]] = field(factory=list)
    heir: Entry | None = None
    """What replaced it."""
    ended_at: int | None = None

    @property
    def latest(self) -> Fields:
        """What it is, whether lists show that yet or not."""
        return self.versions[-1][1]

    @property
    def last_heir(self) -> Entry:
        """What stands in its place now."""
        return self.line[-1]

    @property
    def line(self) -> list[Entry]:
        """Itself, and all that took its place."""
        return [self] if self.heir is None else [self, *self.heir.line]

    def shown_since(self, then: int, now: int) -> list[Fields]:
        """All that lists showed of it since a time."""
        first = self.shown_at(then)
        later = [fields for since, fields in self.versions if then < since <= now]
        return later if first is None else [first, *later]

    def shown_at(self, now: int) -> Fields | None:
        """What lists show of it."""
        shown = [fields for since, fields in self.versions if since <= now]
        return shown[-1] if shown else None


@define
class Engine:
    """Carries messages out. Messages are known by their signatures."""

    time: VirtualTime
    world: World
    orders: list[Entry] = field(factory=list)
    withdrawals: list[Entry] = field(factory=list)
    keys: set[str] = field(factory=set)
    executed: dict[str, list[Entry | None]] = field(factory=dict)
    """What each message that was carried out did, by its signature."""
    shuffle: int = 0
    """In which order lists show their records."""
    max_lag: int = 0
    """The replacement of an order shows the later, the sooner the order itself does."""
    touched: list[tuple[Entry, int]] = field(factory=list)
    """The versions that messages made, each as a record and a place."""

    def arrive(self, message: Fields) -> bool:
        """Whether a message is accepted now, which it is until it expires."""
        body = signed(message)[0]
        until: int = body["timestamp"] + body["expiry_window"]
        return until >= self.time.service_ms()

    def carry_out(self, path: str, message: Fields, lag: int) -> list[int | str]:
        """Carry a message out: of each of its actions the id of an order, or the words of a refusal."""
        kinds = [each["type"] for each in message.get("actions", ())] or [path]
        pairs = zip(kinds, signed(message), strict=True)
        return [self._act(kind, body, lag) for kind, body in pairs]

    def _act(self, kind: str, body: Fields, lag: int) -> int | str:
        if kind == "account/spot_asset/withdraw":
            return self._withdraw(body, lag)
        if kind in ("orders/create", "Create"):
            return self._create(body, lag)
        if kind in ("orders/edit", "Edit"):
            return self._edit(body, lag)
        return self._cancel(body, lag)

    def trigger(self, stop: Entry, lag: int) -> None:
        """Let an order come of an open stop order, which ends; it has no client id, and names the stop order."""
        if stop.ended_at is not None:
            return
        self._end(stop, lag)
        body = {**stop.latest, "timestamp": self._time(), "signature": "nobody's"}
        self._add(None, body["side"], body, max(0, self.max_lag - lag), stop)
        stop.heir = self.orders[-1]

    def listed(self, path: str) -> list[Fields]:
        """The records of a list now, in an order that means nothing."""
        entries = self.orders if path == "orders/history" else self.withdrawals
        shown = [each.shown_at(self.time.now) for each in entries]
        found = [each for each in shown if each is not None]
        if path == "account/spot_balance/history":
            found = [_balance_event(each) for each in found]
        return [found, found[::-1], found[::2] + found[1::2]][self.shuffle % 3]

    def open_entry(self, order_id: int | None, client_order_id: str | None) -> Entry | None:
        """The open order of a name."""
        for entry in reversed(self.orders):
            latest = entry.latest
            named = (
                latest["order_id"] == order_id
                if order_id is not None
                else latest["client_order_id"] == client_order_id
            )
            if named and latest["order_status"] == "open":
                return entry
        return None

    def _create(self, body: Fields, lag: int) -> int | str:
        id_ = body.get("client_order_id")
        if id_ is not None and self.open_entry(None, id_):
            return DUPLICATE
        if self.world.rounds and body["signature"] != "another's":
            body = {**body, "price": f"{body['price']}.5", "amount": "1000"}
        return self._add(id_, body["side"], body, lag)

    def _edit(self, body: Fields, lag: int) -> int | str:
        old = self.open_entry(body.get("order_id"), body.get("client_order_id"))
        if old is None:
            return NOT_FOUND
        if self.world.in_place:
            changed = {"price": body["price"], "amount": body["amount"], "updated_at": self._time()}
            old.versions.append((self.time.now + lag, {**old.latest, **changed}))
            self._note(body, old)
            return int(old.latest["order_id"])
        self._end(old, lag)
        late = max(0, self.max_lag - lag)
        self._add(old.latest["client_order_id"], old.latest["side"], body, late)
        old.heir = self.orders[-1]
        return int(self.orders[-1].latest["order_id"])

    def _cancel(self, body: Fields, lag: int) -> int | str:
        old = self.open_entry(body.get("order_id"), body.get("client_order_id"))
        if old is None:
            return NOT_FOUND
        self._end(old, lag)
        self._note(body, old)
        return int(old.latest["order_id"])

    def _withdraw(self, body: Fields, lag: int) -> int | str:
        if body["idempotency_key"] in self.keys:
            return USED_KEY
        self.keys.add(body["idempotency_key"])
        record = withdrawal_record(
            self._time(),
            symbol=body["symbol"],
            amount=body["amount"],
            batch_nonce=len(self.withdrawals),
        )
        entry = Entry([(self.time.now + lag, record)])
        self.withdrawals.append(entry)
        self._note(body, entry)
        return 0

    def _add(
        self, id_: str | None, side: str, body: Fields, lag: int, stop: Entry | None = None
    ) -> int:
        number = len(self.orders) + 1
        record = order_record(
            self._time(),
            order_id=number,
            client_order_id=id_,
            symbol=body["symbol"],
            side=side,
            price=body["price"],
            initial_price=body["price"],
            amount=body["amount"],
            stop_parent_order_id=stop and stop.latest["order_id"],
        )
        entry = Entry([(self.time.now + lag, record)])
        self.orders.append(entry)
        self.touched.append((entry, 0))
        self._note(body, entry)
        return number

    def _end(self, entry: Entry, lag: int) -> None:
        ended = {**entry.latest, "order_status": self.world.cancelled, "reason": "cancel"}
        ended["updated_at"] = self._time()
        entry.ended_at = self.time.now
        entry.versions.append((self.time.now + lag, ended))
        self.touched.append((entry, len(entry.versions) - 1))

    def _time(self) -> int:
        """The time that records say."""
        return self.time.service_ms() + self.world.records

    def _note(self, body: Fields, entry: Entry) -> None:
        self.executed.setdefault(body["signature"], []).append(entry)


def signed(message: Fields) -> list[Fields]:
    """The messages of a body: its own, or those of its actions."""
    return [each["data"] for each in message["actions"]] if "actions" in message else [message]


def _balance_event(record: Fields) -> Fields:
    return {
        "amount": f"-{record['amount']}",
        "balance": "1",
        "symbol": record["symbol"],
        "event_type": "withdraw",
        "created_at": record["created_at"],
    }
