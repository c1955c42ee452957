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

HEADER = {"account", "signature", "timestamp", "expiry_window"}


class Signed(NamedTuple):
    """A body that a case expects, and what signs it."""

    private_key: str
    signing_type: str | None
    body: Mapping[str, Any]


def signed(case: Case) -> Iterator[Signed]:
    """All that a case expects to be signed."""
    if case.expect is None:
        return
    given, expect = case.given, case.expect
    if case.kind == "signing":
        yield Signed(given["private_key"], given["signing_type"], expect["body"])
    elif case.kind == "batch":
        for action, sent in zip(given["actions"], expect["body"]["actions"], strict=True):
            yield Signed(given["private_key"], action["signing_type"], sent["data"])
    elif case.kind in ("encode", "explain") and "result" in expect:
        yield from _of_call(given, given["operation"], expect["result"]["body"])
    elif case.kind == "play" and isinstance(expect.get("requests"), list):
        for request in expect["requests"]:
            yield from _of_call(given, given["calls"][0]["operation"], request.get("body"))


def _of_call(given: Mapping[str, Any], operation: str, body: Any) -> Iterator[Signed]:
    client = given["client"]
    if not body:
        return
    if "actions" in body:
        for each in body["actions"]:
            yield Signed(client["private_key"], ACTIONS[each["type"]].signing_type, each["data"])
    elif "signature" in body:
        replaced = client.get("signing_types", {}).get(operation)
        signing_type = replaced or METHODS[operation].signing_type
        yield Signed(client["private_key"], signing_type, body)


def right(message: Signed) -> tuple[str, str]:
    """The text that is signed for a body, and its signature."""
    pair = Keypair.from_base58_string(message.private_key)
    body = message.body
    beside = HEADER if body["account"] == str(pair.pubkey()) else {*HEADER, "agent_wallet"}
    text = json.dumps(
        {
            "timestamp": body["timestamp"],
            "expiry_window": body["expiry_window"],
            "type": message.signing_type,
            "data": {name: value for name, value in body.items() if name not in beside},
        },
        sort_keys=True,
        separators=(",", ":"),
    )
    return text, str(pair.sign_message(text.encode("ascii")))


CASES = [case for case in all_cases() if any(signed(case))]


def test_cases_of_each_kind_are_signed() -> None:
    assert {case.kind for case in CASES} == {"signing", "batch", "encode", "explain", "play"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_an_independent_signer_signs_the_same(case: Case) -> None:
    messages = list(signed(case))
    expected = [message.body["signature"] for message in messages]

    assert expected == [right(message)[1] for message in messages]
    for told in (case.expect, case.expect.get("result", {})):
        if "canonical" in told:
            (message,) = messages
            address = str(Keypair.from_base58_string(message.private_key).pubkey())
            assert (told["canonical"], told["signature"]) == right(message)
            assert told["address"] == address
            assert address in (message.body["account"], message.body.get("agent_wallet"))


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.kind == "signing"], ids=lambda case: case.name
)
def test_the_body_holds_what_is_given_and_nothing_else(case: Case) -> None:
    given, sent = case.given, case.expect["body"]
    beside = {name: given[name] for name in ("account", "timestamp", "expiry_window")}
    agent = given["agent_wallet"] and {"agent_wallet": given["agent_wallet"]}

    assert sent == {
        **given["data"], **beside, **(agent or {}), "signature": case.expect["signature"],
    }  # fmt: skip
