"""`python -m trading_sandbox`: serves the sandbox until it is interrupted."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import webbrowser
from time import sleep
from typing import Any

from trading_runtime import Keypair
from trading_sandbox import LoggedRequest, Sandbox
from trading_sandbox.controls.definition import Argument, Control
from trading_sandbox.controls.local import seeded_key
from trading_sandbox.controls.schema import to_json_value
from trading_sandbox.web.dialects import DOCUMENTED

_WELCOME = """\
Sandbox of the trading service on {url}, in a browser a page to watch and control it

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

_DEFAULTS = {"port": 8787, "rate_limited": None}
"""The defaults of the command that are not those of `Sandbox`."""
_FLAGS = {"rate_limited": "--rate-limits"}
_TYPES = {"integer": int, "number": float}
_PRINTED = ("verbose", "ready_json", "open")
"""The options of the command that `Sandbox` does not have."""


def main(arguments: list[str] | None = None) -> int:
    """Serve until interrupted; return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    goes_on = options.state is not None and os.path.exists(options.state)
    try:
        sandbox = Sandbox(**_arguments(options))
    except ValueError as error:
        parser.error(str(error))
    # Set explicitly: a shell makes the programs that it starts in the background ignore SIGINT.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        with sandbox:
            print(_announcement(sandbox, options, goes_on=goes_on), end="", flush=True)
            if options.open:
                webbrowser.open(sandbox.url)
            while True:
                sleep(1)
    except KeyboardInterrupt:
        if not options.ready_json:
            print("Stopped.", flush=True)
    except ValueError as error:
        print(f"Cannot use this state: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        what = error.filename or f"127.0.0.1:{options.port}"
        print(f"Cannot serve with {what}: {error.strerror or error}", file=sys.stderr)
        return 1
    return 0


def _arguments(options: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of `Sandbox`; in the live dialect it limits rates unless told not to."""
    given = {**vars(options), "on_request": print_request if options.verbose else None}
    if options.rate_limited is None:
        given["rate_limited"] = options.dialect != DOCUMENTED
    return {name: value for name, value in given.items() if name not in _PRINTED}


def _parser() -> argparse.ArgumentParser:
    """Return the parser of the options: the arguments of `Sandbox`, and what is printed."""
    parser = argparse.ArgumentParser(
        prog="python -m trading_sandbox",
        description="A local exchange that speaks the interface of the trading service.",
    )
    for argument in Control(name="Sandbox", declared=Sandbox.__init__).arguments:
        if argument.name != "on_request":
            _add_option(parser, argument)
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
    parser.add_argument("--open", action="store_true", help="show its page in a browser")
    return parser


def _add_option(parser: argparse.ArgumentParser, argument: Argument) -> None:
    name, kind = argument.name, argument.type.schema.get("type", "string")
    default, text = _DEFAULTS.get(name, argument.default), argument.text
    more: dict[str, Any] = {"action": argparse.BooleanOptionalAction}
    if kind != "boolean":
        more = {"type": _TYPES.get(kind, str), "choices": argument.type.schema.get("enum")}
        text += "" if default is None else f" Default: {default}."
    flag = _FLAGS.get(name, f"--{name.replace('_', '-')}")
    parser.add_argument(flag, dest=name, default=default, help=text, **more)


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
    shown = "".join(each if each.isprintable() else "?" for each in line)
    print(shown, file=sys.stderr, flush=True)


def demo_keys(sandbox: Sandbox, seed: int) -> list[Keypair]:
    """Return the keys of two accounts: the seed's first two if they are open, else new ones."""
    first = [seeded_key(seed, number) for number in range(1, _DEMO_ACCOUNTS + 1)]
    keys = [key for key in first if sandbox.has_account(key)]
    while len(keys) < _DEMO_ACCOUNTS:
        keys.append(sandbox.create_account())
    return keys


if __name__ == "__main__":
    sys.exit(main())
