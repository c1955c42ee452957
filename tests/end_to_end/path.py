"""`python -m tests.end_to_end.path`: the files and functions of ours that one order passes.

From `client.orders.create` to the socket and back, on a connection that stands, in the order in which
they are entered. What attrs generates, lambdas and comprehensions are not counted, nor what only some
orders pass: the first one of each second reads a new `Date`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import trading_runtime
import trading_sdk
from trading_sandbox import Sandbox
from trading_sdk import Client

PACKAGES = [Path(str(package.__file__)).parent for package in (trading_runtime, trading_sdk)]
WARM_UP = 3
"""Orders before those that are looked at: they connect, and import what is imported late."""
LOOKED_AT = 3


def passed(client: Client) -> list[tuple[str, str]]:
    """The file and name of each function that every order enters, each once, in their order."""
    for _ in range(WARM_UP):
        create(client)
    first, *others = [entered(client) for _ in range(LOOKED_AT)]
    by_all = [code for code in first if all(code in other for other in others)]
    return [(ours, code.co_name) for code in by_all if (ours := within(code.co_filename))]


def entered(client: Client) -> dict[CodeType, None]:
    """The code of each function that one order enters, in their order."""
    codes: dict[CodeType, None] = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and not frame.f_code.co_name.startswith("<"):
            codes[frame.f_code] = None

    sys.setprofile(note)
    try:
        create(client)
    finally:
        sys.setprofile(None)
    return codes


def create(client: Client) -> None:
    """Place an order."""
    client.orders.create(
        symbol="BTC", side="bid", price="60000", amount="0.01", tif="ALO", reduce_only=False
    )


def within(file: str) -> str:
    """A file of ours, as seen from the folder of its package; empty for any other."""
    path = Path(file)
    for package in PACKAGES:
        if path.is_relative_to(package):
            return path.relative_to(package.parent).as_posix()
    return ""


def main() -> None:
    """Print the path of an order at a sandbox."""
    with Sandbox() as sandbox, Client(sandbox.url, signer=sandbox.create_account()) as client:
        functions = passed(client)
    for file in dict.fromkeys(file for file, _ in functions):
        print(f"{file}: {', '.join(name for each, name in functions if each == file)}")
    print(f"{len({file for file, _ in functions})} files, {len(functions)} functions")


if __name__ == "__main__":
    main()
