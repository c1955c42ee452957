"""What the tests of a client's attempts have in common: calls, answers, and stand-ins."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from tests.generated.recorder import Answer, Recorded
from tests.runtime.sockets import Peer
from trading_runtime.http.fault import Fault, TransportError
from trading_runtime.http.transport import Request, RequestsTransport, Response
from trading_runtime.signing.keys import Keypair
from trading_sdk import CancelOrder, Client, CreateOrder

KEY = Keypair(b"\x01" * 32)
ID = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
ORDER: dict[str, Any] = {
    "symbol": "BTC",
    "side": "bid",
    "price": "1",
    "amount": "1",
    "tif": "ALO",
    "reduce_only": False,
}
SETTINGS = {"success": True, "data": {"auto_lend_disabled": None}}
GOOD = json.dumps(SETTINGS).encode()
NOT_SENT = TransportError(Fault.NOT_SENT, "cannot connect: refused")


def settings(client: Client) -> object:
    return client.account.settings()


def history(client: Client) -> object:
    return list(client.orders.history())


def subaccounts(client: Client) -> object:
    return client.subaccounts.list()


def create(client: Client) -> object:
    return client.orders.create(**ORDER, client_order_id=ID)


def cancel(client: Client) -> object:
    return client.orders.cancel(symbol="BTC", order_id=1)


def batch(client: Client) -> object:
    return client.orders.batch([CreateOrder(**ORDER), CancelOrder(symbol="BTC", order_id=1)])


def lend(client: Client) -> None:
    client.account.set_auto_lend_disabled(disabled=True)


def transfer(client: Client) -> None:
    client.subaccounts.transfer(to_account=KEY.address, amount="1")


def withdraw(client: Client) -> object:
    return client.spot.withdraw(symbol="SOL", amount="1", idempotency_key=ID)


# Of a read a failure says nothing that another attempt could not find out; these are all there are.
CHANGES = [create, cancel, batch, lend, transfer, withdraw]


def one_by_one(*replies: Answer) -> Callable[[Recorded], Answer]:
    """One answer after the other, and then the last one again and again."""
    left = list(replies)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def ok(payload: Any = None, **headers: str) -> Answer:
    return Answer(200, json.dumps(SETTINGS if payload is None else payload).encode(), headers)


def no(status: int, **headers: str) -> Answer:
    return Answer(status, b"<html>no</html>", {k.replace("_", "-"): v for k, v in headers.items()})


class Waits:
    """Stands in for sleeping: keeps how long it would have been."""

    def __init__(self, client: Client) -> None:
        self.seconds: list[float] = []
        client._caller.clock.sleep = self.sleep

    def sleep(self, seconds: float) -> None:
        self.seconds.append(seconds)
        # Enough for another millisecond, and so for another signature.
        time.sleep(0.002)


class Scripted:
    """A transport whose first attempts fail or answer as scripted; the others go to the service."""

    def __init__(self, *script: BaseException | Response) -> None:
        self._script = list(script)
        self._real = RequestsTransport()
        self.sent: list[Request] = []

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.body or b"{}") for request in self.sent]

    def send(self, request: Request, *, timeout: float) -> Response:
        self.sent.append(request)
        if not self._script:
            return self._real.send(request, timeout=timeout)
        outcome = self._script.pop(0)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def close(self) -> None:
        self._real.close()


def begun(peer: Peer) -> None:
    """The headers come, and then nothing more."""
    peer.read_request()
    peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{")
    peer.server.leave.wait(5)
