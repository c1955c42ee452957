"""The conventions of the IR are enough to sign and send as every vector demands, and are what the SDK does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from attrs import asdict
from solders.keypair import Keypair

from conformance.cases import Case, all_cases
from tests.codegen.specs import shipped
from trading_runtime.codec.refusals import STATES, WORDS
from trading_runtime.signing.request import RESERVED_FIELDS


def signed_by_a_port(given: Mapping[str, Any], conventions: dict[str, Any]) -> tuple[str, Any]:
    """The signed text and the body, from what the IR says and the values of a message."""
    body, text = conventions["signed_body"], conventions["signed_text"]
    assert (text["key_order"], text["white_space"], text["encoding"]) == ("bytes", "none", "UTF-8")
    assert (text["algorithm"], text["notation"]) == ("Ed25519", "Base58")
    values = {**given, "type": given["signing_type"]}
    message = {**{name: values[name] for name in text["header"]}, text["data"]: given["data"]}
    written = json.dumps(message, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    key = Keypair.from_base58_string(given["private_key"])
    values["signature"] = str(key.sign_message(written.encode(text["encoding"])))
    sent = [*body["sent"], *(body["sent_by_agents"] if given["agent_wallet"] else ())]
    assert {*sent} <= {each["name"] for each in body["members"]}
    return written, {**{name: values[name] for name in sent}, **given["data"]}


def cases() -> list[Case]:
    found = [each for each in all_cases() if each.kind == "signing"]
    # JSON has more than one way to write a control character; vectors/README.md says which.
    return [each for each in found if "\\u" not in each.expect["canonical"]]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_a_port_that_knows_the_ir_alone_signs_and_sends_the_same(case: Case) -> None:
    written, body = signed_by_a_port(case.given, asdict(shipped()[0].conventions))

    assert written == case.expect["canonical"]
    assert body == case.expect["body"]


def test_the_members_of_the_signed_body_are_those_of_the_spec_and_of_the_runtime() -> None:
    body = shipped()[0].conventions.signed_body

    assert {each.name: each.default for each in body.members if each.default} == {
        "expiry_window": 30_000
    }
    assert {each.name for each in body.members} == {*body.sent, *body.sent_by_agents}
    assert {*body.reserved, *body.sent_by_agents} == RESERVED_FIELDS


def test_the_words_of_a_refusal_are_those_of_the_runtime() -> None:
    told = shipped()[0].conventions.refusals

    assert {*told.words} == WORDS
    assert {*told.states} == STATES
