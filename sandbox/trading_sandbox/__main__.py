"""`python -m trading_sandbox`: serves the sandbox until it is interrupted."""

from __future__ import annotations

import argparse
import signal
import sys
import textwrap
from threading import Event
from types import FrameType
from typing import TextIO

from trading_sandbox.sandbox import Sandbox
from trading_sandbox.web.modelled import modelled_operations

_WELCOME = """\
Sandbox of the trading service on {url}

Two accounts with 10,000 USDC each. Demo keys of this sandbox only: never fund them.
{accounts}
{modelled}

Try it in `python -i`, in another terminal:

from trading_sdk import Client, Keypair

with Client("{url}", signer=Keypair.from_base58(
    "{key}"
)) as client:
    placed = client.orders.create(symbol="BTC", side="bid", price="99000",
                                  amount="0.01", tif="ALO", reduce_only=False)
    for order in client.orders.history():
        print(order.order_id, order.side, order.amount, order.price, order.order_status)

Ctrl-C stops it.
"""


def main(arguments: list[str] | None = None) -> int:
    """Serve until interrupted; return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        sandbox = Sandbox(seed=options.seed, taker_delay=options.taker_delay, port=options.port)
    except ValueError as error:
        parser.error(str(error))
    stopped = Event()
    # A shell that starts a program in the background has it ignore SIGINT.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    try:
        with sandbox:
            _say(sys.stdout, _welcome(sandbox))
            stopped.wait()
    except KeyboardInterrupt:
        _say(sys.stdout, "Stopped.\n")
    except OSError as error:
        _say(sys.stderr, f"Cannot serve on 127.0.0.1:{options.port}: {error.strerror}\n")
        return 1
    return 0


def _say(stream: TextIO, text: str) -> None:
    stream.write(text)
    stream.flush()


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m trading_sandbox",
        description="A local sandbox of the trading service.",
        epilog=_modelled(),
    )
    parser.add_argument("--port", type=int, default=8787, help="port on 127.0.0.1 (8787)")
    parser.add_argument("--seed", type=int, default=7, help="decides keys and prices (7)")
    parser.add_argument(
        "--taker-delay",
        type=float,
        default=0.2,
        metavar="SECONDS",
        help="delay of GTC, IOC and market orders (0.2)",
    )
    return parser


def _modelled() -> str:
    return f"Modelled: {', '.join(modelled_operations())}. Every other operation is answered 501."


def _welcome(sandbox: Sandbox) -> str:
    keys = [sandbox.create_account() for _ in range(2)]
    accounts = "".join(
        f"\n    address      {key.address}\n    private key  {key.export_base58()}\n"
        for key in keys
    )
    return _WELCOME.format(
        url=sandbox.url,
        accounts=accounts,
        modelled=textwrap.fill(_modelled(), 90),
        key=keys[0].export_base58(),
    )


if __name__ == "__main__":
    sys.exit(main())
