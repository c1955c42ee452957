"""A hundred readers of a websocket, which subscribe and throw away what they get: a process beside the sandbox."""

from __future__ import annotations

import json
import selectors
import socket
import sys
from urllib.parse import urlsplit

READERS = 100
_HANDSHAKE = (
    "GET /ws HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def _message(**params: str) -> bytes:
    """Return a subscription as a frame of medium length, masked with zeros."""
    text = json.dumps({"method": "subscribe", "params": params}).encode().ljust(126)
    return b"\x81\xfe" + len(text).to_bytes(2, "big") + bytes(4) + text


def main(url: str, account: str) -> None:
    """Subscribe each reader to trades, best prices and the orders of an account; then say so, and read."""
    place = urlsplit(url)
    subscriptions = (
        _message(source="trades", symbol="BTC"),
        _message(source="bbo", symbol="BTC"),
        _message(source="account_order_updates", account=account),
    )
    with selectors.DefaultSelector() as selector:
        for _ in range(READERS):
            reader = socket.create_connection((place.hostname, place.port or 80))
            reader.sendall(_HANDSHAKE.format(place.netloc).encode())
            assert b" 101 " in reader.recv(65536)
            reader.sendall(b"".join(subscriptions))
            selector.register(reader, selectors.EVENT_READ)
        print(f"{url} has readers", flush=True)
        while True:
            for key, _ in selector.select():
                assert isinstance(key.fileobj, socket.socket)
                if not key.fileobj.recv(2**20):
                    return


if __name__ == "__main__":
    main(*sys.argv[1:])
