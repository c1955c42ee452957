"""Keys of small order, for which anybody can sign: the published points, and what they would open.

The sandbox refuses them, and a signature that begins with one, in all their encodings.
"""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from solders.pubkey import Pubkey
from solders.signature import Signature

from tests.sandbox.edwards25519 import (
    BASE,
    NEUTRAL,
    L,
    accepts,
    challenge,
    decoded,
    encoded,
    satisfies,
    secret_scalar,
    times,
)
from tests.sandbox.raw import CREATE, RawClient, bare_refusal, canonical, limit_order, now
from trading_sandbox import Sandbox

# C2SP/CCTV, ed25519/README.md: the eight points of small order in all their encodings.

SMALL_ORDER = [
    ("0000000000000000000000000000000000000000000000000000000000000000", 4, "canonical"),
    ("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", 4, "y = p"),
    ("0000000000000000000000000000000000000000000000000000000000000080", 4, "canonical"),
    ("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", 4, "y = p"),
    ("0100000000000000000000000000000000000000000000000000000000000000", 1, "canonical"),
    ("0100000000000000000000000000000000000000000000000000000000000080", 1, "x = -0"),
    ("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", 1, "y = p + 1"),
    ("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", 1, "x = -0, y = p + 1"),
    ("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", 8, "canonical"),
    ("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85", 8, "canonical"),
    ("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", 8, "canonical"),
    ("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa", 8, "canonical"),
    ("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", 2, "canonical"),
    ("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", 2, "x = -0"),
]
SMALL_KEYS = [bytes.fromhex(encoding) for encoding, _, _ in SMALL_ORDER]
SEED = b"\x07" * 32
SCALAR = secret_scalar(SEED)
PUBLIC = encoded(times(SCALAR, BASE))


def forged(key: bytes, message: bytes) -> bytes | None:
    """A signature for a key of small order, made without its private key, for one text in eight."""
    return (
        PUBLIC + (SCALAR % L).to_bytes(32, "little")
        if challenge(PUBLIC, key, message) % 8 == 0
        else None
    )


@pytest.mark.parametrize(("encoding", "order", "kind"), SMALL_ORDER)
def test_the_points_of_small_order_are_as_published(encoding: str, order: int, kind: str) -> None:
    point = decoded(bytes.fromhex(encoding))
    assert times(order, point) == NEUTRAL
    assert order == 1 or times(order // 2, point) != NEUTRAL
    assert (encoded(point).hex() == encoding) is (kind == "canonical")


@pytest.mark.parametrize("key", SMALL_KEYS, ids=bytes.hex)
def test_a_key_of_small_order_signs_nothing(key: bytes) -> None:
    message, signature = next(
        (text, made) for text in map(str.encode, map(str, count())) if (made := forged(key, text))
    )
    assert satisfies(key, message, signature)
    assert not accepts(key, message, signature)


@pytest.mark.parametrize("first", SMALL_KEYS, ids=bytes.hex)
def test_a_signature_that_begins_with_a_point_of_small_order_is_refused(first: bytes) -> None:
    second = challenge(first, PUBLIC, b"") * SCALAR % L
    signature = first + second.to_bytes(32, "little")
    assert satisfies(PUBLIC, b"", signature, cofactor=8)
    assert not accepts(PUBLIC, b"", signature)


def test_a_key_and_a_signature_of_zeros_are_refused() -> None:
    key, signature = bytes(32), bytes(64)
    message = next(text for text in map(bytes, count()) if satisfies(key, text, signature))
    assert not accepts(key, message, signature)


# The same through HTTP, where it would cost money.


def forged_order(key: bytes) -> dict[str, Any]:
    """An order whose signature satisfies the equation for a key of small order."""
    for stamp in count(now(), -1):
        header = {"timestamp": stamp, "expiry_window": 30_000}
        message = canonical({**header, "type": "create_order"}, limit_order()).encode()
        if signature := forged(key, message):
            return {"signature": str(Signature(signature)), **header, **limit_order()}
    raise AssertionError


@pytest.mark.parametrize("key", SMALL_KEYS, ids=bytes.hex)
def test_nobody_can_order_for_an_account_or_through_an_agent_whose_key_has_small_order(
    raw: RawClient, shared: Sandbox, key: bytes
) -> None:
    address = str(Pubkey(key))
    shared.bind_agent(raw.address, address)
    for signer in ({"account": address}, {"account": raw.address, "agent_wallet": address}):
        body = {**forged_order(key), **signer}
        assert bare_refusal(raw.post(CREATE, body)).startswith("Verification failed")
    assert raw.orders() == []


def test_an_order_with_a_second_signature_made_out_of_the_first_is_refused(raw: RawClient) -> None:
    body = raw.body("create_order", limit_order())
    signature = bytes(Signature.from_string(body["signature"]))
    second = int.from_bytes(signature[32:], "little") + L
    changed = str(Signature(signature[:32] + second.to_bytes(32, "little")))
    assert bare_refusal(raw.post(CREATE, {**body, "signature": changed})).startswith(
        "Verification failed"
    )
    assert raw.post(CREATE, body).status_code == 200


def test_the_owner_of_a_key_cannot_sign_with_a_point_of_small_order(raw: RawClient) -> None:
    header = {"timestamp": now(), "expiry_window": 30_000}
    message = canonical({**header, "type": "create_order"}, limit_order()).encode()
    key, scalar = bytes(raw.key.pubkey()), secret_scalar(raw.key.secret())
    first = encoded(NEUTRAL)
    second = challenge(first, key, message) * scalar % L
    signature = first + second.to_bytes(32, "little")
    assert satisfies(key, message, signature)
    body = {"account": raw.address, "signature": str(Signature(signature)), **header}
    assert bare_refusal(raw.post(CREATE, {**body, **limit_order()})).startswith(
        "Verification failed"
    )
