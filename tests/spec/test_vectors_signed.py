"""What the conformance cases expect to be signed is what an independent signer signs.

Keys and signatures are those of `solders`, the text is made by the few lines below, and nothing of the SDK takes
part, so that the cases may contradict it. Whoever writes a case writes any text for `canonical` and `signature`: the
test that fails tells the right ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest
from solders.keypair import Keypair

from conformance.cases import Case, all_cases
from tests.interface import ACTIONS, METHODS

SECOND = {
    "plans.create": "create_plan",
    "plans.change": "change_plan",
    "plans.clear": "clear_plans",
    "valves.open": "open_valve",
    "valves.batch": "open_valve",
}
"""What a method of the second spec is signed as, and each action of its batch."""
HEADER = {"account", "signature", "timestamp", "expiry_window"}


class Signed(NamedTuple):
    """What signs a message of a case, its own fields, and the body that the case expects."""

    private_key: str
    signing_type: str | None
    data: Mapping[str, Any]
    body: Mapping[str, Any]


def signed(case: Case) -> Iterator[Signed]:
    """All that a case expects to be signed."""
    if case.expect is None:
        return
    given, expect = case.given, case.expect
    key = given.get("private_key", "")
    if case.kind == "signing":
        yield Signed(key, given["signing_type"], given["data"], expect["body"])
    elif case.kind == "batch":
        for action, sent in zip(given["actions"], expect["body"]["actions"], strict=True):
            yield Signed(key, action["signing_type"], action["data"], sent["data"])
    elif case.kind in ("encode", "explain") and "result" in expect:
        yield from _of_call(given, given["operation"], expect["result"].get("body"))
    elif case.kind == "play" and isinstance(expect.get("requests"), list):
        for request in expect["requests"]:
            yield from _of_call(given, given["calls"][0]["operation"], request.get("body"))


def _of_call(given: Mapping[str, Any], operation: str, body: Any) -> Iterator[Signed]:
    client = given["client"]
    if not body:
        return
    if given.get("spec") == "second":
        sent_parts = [each["data"] for each in body.get("changes", ())] or [body]
        parts = [(SECOND.get(operation), each) for each in sent_parts]
    elif "actions" in body:
        parts = [(ACTIONS[each["type"]].signing_type, each["data"]) for each in body["actions"]]
    else:
        replaced = client.get("signing_types", {}).get(operation)
        parts = [(replaced or METHODS[operation].signing_type, body)]
    beside = {*HEADER, *(("agent_wallet",) if "account" in client else ())}
    for signing_type, sent in parts:
        if "signature" in sent:
            data = {name: value for name, value in sent.items() if name not in beside}
            yield Signed(client["private_key"], signing_type, data, sent)


class Right(NamedTuple):
    """What a message has to be."""

    address: str
    canonical: str
    signature: str
    body: Mapping[str, Any]


def right(message: Signed) -> Right:
    """Sign a message with the times and the account of its body."""
    pair = Keypair.from_base58_string(message.private_key)
    address, body = str(pair.pubkey()), message.body
    header = {name: body[name] for name in ("timestamp", "expiry_window")}
    whole = {"data": message.data, "type": message.signing_type, **header}
    text = json.dumps(whole, sort_keys=True, separators=(",", ":"))
    signature = str(pair.sign_message(text.encode("ascii")))
    agent = {} if body["account"] == address else {"agent_wallet": address}
    sent = {"account": body["account"], **agent, **header, "signature": signature}
    return Right(address, text, signature, {**sent, **message.data})


CASES = [case for case in all_cases() if any(signed(case))]


def test_cases_of_each_kind_are_signed() -> None:
    assert {case.kind for case in CASES} == {"signing", "batch", "encode", "explain", "play"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_an_independent_signer_signs_and_sends_the_same(case: Case) -> None:
    messages = list(signed(case))
    expected = [right(message) for message in messages]

    assert [message.body for message in messages] == [each.body for each in expected]
    for told in (case.expect, case.expect.get("result", {})):
        if "canonical" in told:
            assert (told["address"], told["canonical"], told["signature"]) == expected[0][:3]
    if case.kind in ("signing", "batch"):
        header = ("account", "timestamp", "expiry_window")
        for each in expected:
            assert {name: each.body[name] for name in header} == {
                name: case.given[name] for name in header
            }
