"""A program that answers `decide` with a delay of 25 ms, and otherwise does what its mode says: mostly wrong.

python -m tests.conformance.bad_program MODE
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

RIGHT = {"delay": {"$float": "0.025"}}
HELLO = {"protocol": {"$int": "1"}, "language": "none", "version": "0", "skips": {}}


def write(line: str) -> None:
    """Write a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def answer(number: Any, **members: Any) -> None:
    """Write an answer."""
    write(json.dumps({"id": number, **members}))


def forever(text: str) -> None:
    """Write on and on."""
    while True:
        sys.stdout.write(text)


def died(number: Any) -> None:
    """End without an answer."""
    print("boom, said the program", file=sys.stderr, flush=True)
    sys.exit(3)


def flooding(number: Any) -> None:
    """Write a lot to standard error, and answer all the same."""
    for _ in range(200):
        print("x" * 50_000, file=sys.stderr)
    answer(number, result=RIGHT)


def surplus(number: Any) -> None:
    """Answer, and write a line more."""
    write(json.dumps({"id": number, "result": RIGHT}) + '\n{"id": 99, "result": null}')


def leaking(number: Any) -> None:
    """Show the key of the command."""
    error = {"class": "signing", "text": f"cannot read {KEY[0]}"}
    answer(number, error=error)


KEY: list[str] = []
MODES: Mapping[str, Callable[[Any], None]] = {
    "right": lambda number: answer(number, result=RIGHT),
    "wrong": lambda number: answer(number, result={"delay": {"$float": "0.026"}}),
    "hangs": lambda number: time.sleep(60),
    "dies": died,
    "moody": died,
    "wrong-id": lambda number: answer(number + 1, result=RIGHT),
    "nothing": lambda number: answer(number),
    "bad-tag": lambda number: answer(number, result={"$int": "1.5"}),
    "surplus": surplus,
    "floods-stdout": lambda number: forever("x" * 65_536),
    "floods-stderr": flooding,
    "skips": lambda number: answer(number, skipped="float"),
    "leaks": leaking,
    "odd-list": lambda number: answer(number, result=[{"$int": "1"}]),
    "odd-object": lambda number: answer(number, result={"body": {"$int": "5"}, "requests": "x"}),
    "odd-members": lambda number: answer(
        number, result={"outcomes": ["x"], "settlements": ["x"], "items": "x", "error": "x"}
    ),
    "null": lambda number: answer(number, result=None),
    "escapes": lambda number: answer(number, error={"class": "escaped", "text": "KeyError"}),
}


def hello(mode: str) -> Any:
    """What it says of itself; also that in a wrong way."""
    changes: dict[str, dict[str, Any]] = {
        "hello-protocol": {"protocol": {"$int": "2"}},
        "hello-feature": {"skips": {"magic": "too hard"}},
        "hello-reason": {"skips": {"float": ""}},
        "hello-language": {"language": None},
        "skips-declared": {"skips": {"float": "it has none"}},
        "lacks": {"skips": {"rate-budget": "not yet"}},
        "moody": {"version": str(os.getpid())},
    }
    return {**HELLO, **changes.get(mode, {})}


def main(mode: str) -> None:
    """Answer as the mode says."""
    if mode == "hello-dies":
        died(0)
    act = MODES.get(mode, MODES["skips" if mode == "skips-declared" else "right"])
    for line in sys.stdin:
        command = json.loads(line)
        KEY[:] = [command.get("private_key", "")]
        if command["do"] == "hello":
            answer(command["id"], result=hello(mode))
        else:
            act(command["id"])
    if mode == "stays":
        time.sleep(60)
    sys.exit(4 if mode == "ends-badly" else 0)


if __name__ == "__main__":
    main(sys.argv[1])
