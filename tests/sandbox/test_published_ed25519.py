"""Signatures made to be accepted by mistake, of which an order must not be taken.

The sandbox verifies as libsodium does. An S that is not reduced is refused, because anybody could make a
second signature out of one; so is a key of small order, for which anybody could sign.
"""

from __future__ import annotations

from hashlib import sha512
from itertools import count
from typing import Any

import pytest
from solders.keypair import Keypair
from solders.pubkey import Pubkey
from solders.signature import Signature

from tests.sandbox.raw import CREATE, RawClient, bare_refusal, canonical, limit_order, now
from trading_sandbox import Sandbox

L = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point: what S must be less than."""

# C2SP/CCTV, ed25519/README.md: points of small order, one of them not in its canonical encoding. Anybody can
# sign for such a key, one text in eight: R = S B is then equal to S B - k A.
SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
]
NEUTRAL = bytes.fromhex(SMALL_ORDER[0])
OWN = Keypair.from_seed(b"\x07" * 32)


def challenge(first: bytes, key: bytes, message: str) -> int:
    """The number k of a signature that begins with `first`."""
    return int.from_bytes(sha512(first + key + message.encode()).digest(), "little") % L


def scalar(pair: Keypair) -> int:
    """The number by which the base point is multiplied to make the public key of a pair."""
    number = int.from_bytes(sha512(pair.secret()).digest()[:32], "little")
    return number % 2**254 // 8 * 8 + 2**254


def order_at(timestamp: int) -> tuple[dict[str, Any], str]:
    """An order of this time without account and signature, and the text to sign."""
    header = {"timestamp": timestamp, "expiry_window": 30_000}
    text = canonical({**header, "type": "create_order"}, limit_order())
    return {**header, **limit_order()}, text


def is_refused(client: RawClient, body: dict[str, Any], signature: bytes) -> bool:
    answer = client.post(CREATE, {**body, "signature": str(Signature(signature))})
    return bare_refusal(answer).startswith("Verification failed")


@pytest.mark.parametrize("key", [*map(bytes.fromhex, SMALL_ORDER)])
def test_nobody_can_order_for_an_account_or_through_an_agent_whose_key_has_small_order(
    raw: RawClient, shared: Sandbox, key: bytes
) -> None:
    address, first, sent = str(Pubkey(key)), bytes(OWN.pubkey()), now()
    shared.bind_agent(raw.address, address)
    orders = (order_at(sent - age) for age in count())
    order = next(order for order, text in orders if challenge(first, key, text) % 8 == 0)
    signature = first + (scalar(OWN) % L).to_bytes(32, "little")
    for signer in ({"account": address}, {"account": raw.address, "agent_wallet": address}):
        assert is_refused(raw, {**order, **signer}, signature)
    assert raw.orders() == []


def test_an_order_has_one_signature_and_not_a_second_one_made_out_of_it(raw: RawClient) -> None:
    body = raw.body("create_order", limit_order())
    signature = bytes(Signature.from_string(body["signature"]))
    second = int.from_bytes(signature[32:], "little") + L
    assert is_refused(raw, body, signature[:32] + second.to_bytes(32, "little"))
    # Nor one that its owner makes with a point of small order.
    order, text = order_at(now())
    second = challenge(NEUTRAL, bytes(raw.key.pubkey()), text) * scalar(raw.key) % L
    own = {**order, "account": raw.address}
    assert is_refused(raw, own, NEUTRAL + second.to_bytes(32, "little"))
    assert raw.post(CREATE, body).status_code == 200
