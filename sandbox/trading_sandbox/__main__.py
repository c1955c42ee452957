"""`python -m trading_sandbox`: serves the sandbox until it is interrupted."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from threading import Event
from types import FrameType
from typing import TextIO, get_args

from trading_runtime import Keypair
from trading_sandbox import LoggedRequest, Sandbox
from trading_sandbox.controls.local import seeded_key
from trading_sandbox.controls.schema import to_json_value
from trading_sandbox.options import DIALECTS, DOCUMENTED
from trading_sandbox.store.files import Synchronous

_WELCOME = """\
Sandbox of the trading service on {url}

{market}
Two accounts with 10,000 USDC each. Demo keys of this sandbox only: never fund them.
{accounts}
Try it in `python -i`, in another terminal:

from trading_sdk import Client, Keypair

with Client("{url}", signer=Keypair.from_base58(
    "{key}"
)) as client:
    placed = client.orders.create(symbol="BTC", side="bid", price="{price}",
                                  amount="0.01", tif="ALO", reduce_only=False)
    for order in client.orders.history():
        print(order.order_id, order.side, order.amount, order.price, order.order_status)

Control it from any language; GET {url}/sandbox/v1/ lists the controls:

curl {url}/sandbox/v1/set_mark_price \\
  -H 'Content-Type: application/json' -d '{{"symbol": "BTC", "price": "90000"}}'

Ctrl-C stops it.
"""
_QUOTED = "A background maker quotes BTC, ETH and SOL around their mark prices."
_GOES_ON = "It goes on as the state file says, background maker and time included."
_EMPTY = "The books are empty: nobody trades but your accounts."
_DEMO_ACCOUNTS = 2


def main(arguments: list[str] | None = None) -> int:
    """Serve until interrupted; return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    goes_on = options.state is not None and os.path.exists(options.state)
    try:
        sandbox = Sandbox(
            seed=options.seed,
            maker=options.maker,
            taker_delay=options.taker_delay,
            state=options.state,
            synchronous=options.synchronous,
            port=options.port,
            frozen_at=options.frozen_at,
            request_timeout=options.request_timeout,
            on_request=print_request if options.verbose else None,
            dialect=options.dialect,
            rate_limited=_is_limited(options),
        )
    except ValueError as error:
        parser.error(str(error))
    stopped = Event()
    # Set explicitly: a shell makes the programs that it starts in the background ignore SIGINT.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    try:
        with sandbox:
            _say(sys.stdout, _announcement(sandbox, options, goes_on=goes_on))
            while not stopped.wait(1):
                pass  # on Windows Ctrl-C does not end a wait
    except KeyboardInterrupt:
        if not options.ready_json:
            _say(sys.stdout, "Stopped.\n")
    except ValueError as error:
        _say(sys.stderr, f"Cannot use this state: {error}\n")
        return 1
    except OSError as error:
        what = error.filename or f"127.0.0.1:{options.port}"
        _say(sys.stderr, f"Cannot serve with {what}: {error.strerror or error}\n")
        return 1
    return 0


def _is_limited(options: argparse.Namespace) -> bool:
    """Whether requests are limited: as asked for, else in the live dialect."""
    asked: bool | None = options.rate_limits
    return options.dialect != DOCUMENTED if asked is None else asked


def _say(stream: TextIO, text: str) -> None:
    stream.write(text)
    stream.flush()


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m trading_sandbox",
        description="A local exchange that speaks the interface of the trading service.",
    )
    parser.add_argument("--port", type=int, default=8787, help="port on 127.0.0.1 (8787)")
    parser.add_argument("--seed", type=int, default=7, help="decides keys and prices (7)")
    parser.add_argument(
        "--state",
        metavar="FILE",
        help="keep everything in a file, and go on from it the next time",
    )
    parser.add_argument(
        "--synchronous",
        choices=get_args(Synchronous),
        default="normal",
        help="full: a command in the state file survives a power cut, too, and takes longer (normal)",
    )
    parser.add_argument(
        "--taker-delay",
        type=float,
        default=0.2,
        metavar="SECONDS",
        help="delay of GTC, IOC and market orders (0.2)",
    )
    parser.add_argument(
        "--no-maker",
        dest="maker",
        action="store_false",
        help="no background maker in a new exchange: empty books, mark prices that stand still",
    )
    parser.add_argument(
        "--frozen-at",
        type=int,
        metavar="MS",
        help="market time at which a new exchange opens and stands still",
    )
    parser.add_argument(
        "--dialect",
        choices=DIALECTS,
        default=DOCUMENTED,
        help="the interface as documented, or as seen of the live service (documented)",
    )
    parser.add_argument(
        "--rate-limits",
        action=argparse.BooleanOptionalAction,
        help="125 credits in 60 s without an API key, 300 with one (in the live dialect)",
    )
    parser.add_argument(
        "--request-timeout",
        type=float,
        default=30.0,
        metavar="SECONDS",
        help="how long a request may take to become whole (30)",
    )
    parser.add_argument(
        "--verbose",
        action="store_true",
        help="print a line for each request: operation, account, status, milliseconds, refusal",
    )
    parser.add_argument(
        "--ready-json",
        action="store_true",
        help="print one line of JSON, with URL and demo keys, once it serves, and nothing else",
    )
    return parser


def _announcement(sandbox: Sandbox, options: argparse.Namespace, *, goes_on: bool) -> str:
    keys = demo_keys(sandbox, options.seed)
    if options.ready_json:
        return json.dumps({"url": sandbox.url, "accounts": to_json_value(keys)}) + "\n"
    accounts = "".join(
        f"\n    address      {key.address}\n    private key  {key.export_base58()}\n"
        for key in keys
    )
    return _WELCOME.format(
        url=sandbox.url,
        market=_GOES_ON if goes_on else _QUOTED if options.maker else _EMPTY,
        accounts=accounts,
        price=99_000,
        key=keys[0].export_base58(),
    )


def print_request(entry: LoggedRequest) -> None:
    """Print a line on stderr, because stdout is for what a program reads."""
    name = entry.operation or f"{entry.method} {entry.path}"
    line = f"{name:28} {entry.account or '-':44} {entry.status} {entry.milliseconds:8.1f} ms"
    line += f"  {entry.error}" if entry.error else ""
    # A path or an error text may hold what a client sent, such as codes that a terminal obeys.
    _say(sys.stderr, "".join(each if each.isprintable() else "?" for each in line) + "\n")


def demo_keys(sandbox: Sandbox, seed: int) -> list[Keypair]:
    """Return the keys of two accounts: the seed's first two if they are open, else new ones."""
    first = [seeded_key(seed, number) for number in range(1, _DEMO_ACCOUNTS + 1)]
    keys = [key for key in first if sandbox.has_account(key)]
    while len(keys) < _DEMO_ACCOUNTS:
        keys.append(sandbox.create_account())
    return keys


if __name__ == "__main__":
    sys.exit(main())
