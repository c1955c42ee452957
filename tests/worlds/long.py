"""Long histories: how many requests it takes to find out what became of one order among many."""

from __future__ import annotations

from random import Random
from typing import Any

from attrs import define, field

from tests.doubles.clock import VirtualTime
from tests.worlds.play import ORDER, asked_anew, other_order
from tests.worlds.service import Fate, Service
from tests.worlds.traits import World
from trading_sdk import Client, OutcomeUnknownError, Settlement

OBEYED = World(name="long history", limit="obeyed")


@define
class Long:
    """A service with many orders, and a client whose order got no answer. The order is lost."""

    orders: int
    world: World = OBEYED
    time: VirtualTime = field(init=False)
    service: Service = field(init=False)
    client: Client = field(init=False)
    requests: int = 0
    """Of the latest reconciliation."""

    def __attrs_post_init__(self) -> None:
        """Make the orders, a day ago."""
        self.service = Service(self.world, Random(1))
        self.time = self.service.time
        for number in range(self.orders):
            other_order(self.service, f"00000000-0000-4000-9000-{number:012}", ago=86_400_000)
        self.client = self.service.client()

    def lost(self, *, after: int | None = None, **more: Any) -> OutcomeUnknownError:
        """Send an order that gets no answer; it arrives so many ms later, or never."""
        self.service.fate = Fate(after)
        try:
            self.client.orders.create(**ORDER, **more)
        except OutcomeUnknownError as error:
            return error
        raise AssertionError("it was answered")

    def settled(
        self, error: OutcomeUnknownError, client: Client | None = None, timeout: float | None = None
    ) -> Settlement:
        """What the client says of it; `requests` tells how many that took."""
        asked_anew(self.service)
        try:
            return (client or self.client).reconcile(error, timeout=timeout)[0]
        finally:
            self.requests = self.service.read
