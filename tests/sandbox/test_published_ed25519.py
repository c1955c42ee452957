"""Signatures made to be accepted by mistake: published ones, against what the sandbox verifies by.

The sandbox verifies as libsodium does, and solders (`verify_strict` of ed25519-dalek) agrees in
every case here. An S that is not reduced is refused, because anybody could make a second signature
out of one; so is a key of small order, for which anybody could sign, and every encoding of a point
but the canonical one. The cofactor is not multiplied by.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha512
from itertools import count
from typing import Any

import base58
import pytest
from solders.keypair import Keypair
from solders.pubkey import Pubkey
from solders.signature import Signature

from tests.sandbox.raw import CREATE, RawClient, bare_refusal, canonical, limit_order, now
from trading_runtime.signing.keys import verify
from trading_sandbox import Sandbox

L = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point: what S must be less than."""


def accepts(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the sandbox, which verifies by this function, accepts; solders has to agree."""
    accepted = verify(base58.b58encode(key).decode(), message, signature)
    if len(signature) == 64:
        assert Signature(signature).verify(Pubkey(key), message) is accepted
    return accepted


# ed25519-speccheck: "Taming the many EdDSAs", Chalkias, Garillot and Nikolaenko, 2020, section 6.
# github.com/novifinancial/ed25519-speccheck, cases.txt. The kinds of S, A and R are the authors'.
# A lenient verifier accepts every one of them. The others, of small A or R or of a large S, are made anew below.

SPECCHECK = [
    (
        "3: mixed A, mixed R",
        "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79",
        "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
        "9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f"
        "87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009",
    ),
    (
        "4: mixed A, mixed R, holds with the cofactor only",
        "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c",
        "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
        "160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed512"
        "5ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09",
    ),
    (
        "5: mixed A, R of order L, holds with the cofactor only",
        "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c",
        "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
        "21122a84e0b5fca4052f5b1235c80a537878b38f3142356b2c2384ebad4668b7"
        "e40bc836dac0f71076f9abe3a53f9c03c1ceeeddb658d0030494ace586687405",
    ),
]


@pytest.mark.parametrize(("name", "message", "key", "signature"), SPECCHECK)
def test_of_the_speccheck_signatures_only_the_harmless_one_is_accepted(
    name: str, message: str, key: str, signature: str
) -> None:
    given = bytes.fromhex(key), bytes.fromhex(message), bytes.fromhex(signature)
    # Case 3 needs the private key of its odd public key: whoever made that signs for himself.
    assert accepts(*given) is name.startswith("3:")


# Wycheproof, testvectors/eddsa_test.json, the first key; a test is named by its tcId.


# C2SP/CCTV, ed25519/README.md: the eight points of small order in all their encodings. Anybody can
# sign for such a key, one text in eight: R = S B is then equal to S B - k A.

SMALL_ORDER = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000080",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
]
SMALL_KEYS = [bytes.fromhex(encoding) for encoding in SMALL_ORDER]
NEUTRAL = (1).to_bytes(32, "little")
OWN = Keypair.from_seed(b"\x07" * 32)


def challenge(first: bytes, key: bytes, message: bytes) -> int:
    """The number k of a signature that begins with `first`."""
    return int.from_bytes(sha512(first + key + message).digest(), "little") % L


def scalar(pair: Keypair) -> int:
    """The number by which the base point is multiplied to make the public key of a pair."""
    number = int.from_bytes(sha512(pair.secret()).digest()[:32], "little")
    return number % 2**254 // 8 * 8 + 2**254


def forged(key: bytes, text: Callable[[int], str]) -> tuple[int, bytes]:
    """The first number whose text can be signed for a key of small order, and the signature."""
    first = bytes(OWN.pubkey())
    fits = (n for n in count() if challenge(first, key, text(n).encode()) % 8 == 0)
    return next(fits), first + (scalar(OWN) % L).to_bytes(32, "little")


# The same through HTTP, where it would cost money.


def order_at(timestamp: int) -> tuple[dict[str, Any], str]:
    """An order of this time without account and signature, and the text to sign."""
    header = {"timestamp": timestamp, "expiry_window": 30_000}
    text = canonical({**header, "type": "create_order"}, limit_order())
    return {**header, **limit_order()}, text


def is_refused(client: RawClient, body: dict[str, Any], signature: bytes) -> bool:
    answer = client.post(CREATE, {**body, "signature": str(Signature(signature))})
    return bare_refusal(answer).startswith("Verification failed")


@pytest.mark.parametrize("key", SMALL_KEYS, ids=bytes.hex)
def test_nobody_can_order_for_an_account_or_through_an_agent_whose_key_has_small_order(
    raw: RawClient, shared: Sandbox, key: bytes
) -> None:
    address, sent = str(Pubkey(key)), now()
    shared.bind_agent(raw.address, address)
    number, signature = forged(key, lambda number: order_at(sent - number)[1])
    order, _ = order_at(sent - number)
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
    second = challenge(NEUTRAL, bytes(raw.key.pubkey()), text.encode()) * scalar(raw.key) % L
    own = {**order, "account": raw.address}
    assert is_refused(raw, own, NEUTRAL + second.to_bytes(32, "little"))
    assert raw.post(CREATE, body).status_code == 200
