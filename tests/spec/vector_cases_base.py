"""What every table of conformance cases shares: JSON types, fixed keys, the signing steps.

This is development-only code. It imports nothing of the SDK, so that the vectors can
contradict the SDK: keys and signatures come from ``solders``, the canonical text from the
few lines below.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import base58
from solders.keypair import Keypair

Json: TypeAlias = bool | int | str | Sequence["Json"] | Mapping[str, "Json"] | None
Object: TypeAlias = Mapping[str, Json]
Case: TypeAlias = dict[str, Json]

TIMESTAMP = 1_748_970_123_456
WINDOW = 30_000

ORDER_UUID = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
PROFIT_UUID = "0b9e6d3a-94c1-4d0e-8b59-3f5a6f1c2e22"
LOSS_UUID = "c4a7f2d8-1e35-4b6f-a0d2-7e8c9b0a1f33"


@dataclass(frozen=True)
class Key:
    """A fixed key pair, written from its 32-byte seed."""

    seed: bytes

    @property
    def pair(self) -> Keypair:
        return Keypair.from_seed(self.seed)

    @property
    def address(self) -> str:
        return str(self.pair.pubkey())

    @property
    def text(self) -> str:
        """Base58 of the 64 bytes: seed, then public half."""
        return str(self.pair)

    @property
    def seed_text(self) -> str:
        """Base58 of the 32-byte seed alone."""
        return base58.b58encode(self.seed).decode("ascii")

    def sign(self, text: str) -> str:
        return str(self.pair.sign_message(text.encode("utf-8")))


COUNTING = Key(bytes(range(32)))
ZERO = Key(bytes(32))
# RFC 8032, section 7.1, tests 1 to 3.
RFC_1 = Key(bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
RFC_2 = Key(bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))
RFC_3 = Key(bytes.fromhex("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7"))
# The smallest seed number whose public key starts with a zero byte, so its address with "1".
LEADING_ONE = Key((36).to_bytes(32, "big"))


def canonical_text(signing_type: str, data: Object, timestamp: int, window: int) -> str:
    message = {
        "timestamp": timestamp,
        "expiry_window": window,
        "type": signing_type,
        "data": data,
    }
    return json.dumps(message, sort_keys=True, separators=(",", ":"))


def flat_body(
    key: Key,
    account: str,
    agent_wallet: str | None,
    canonical: str,
    header: tuple[int, int],
    data: Object,
) -> Case:
    body: Case = {"account": account}
    if agent_wallet is not None:
        body["agent_wallet"] = agent_wallet
    body["signature"] = key.sign(canonical)
    body["timestamp"], body["expiry_window"] = header
    return {**body, **data}
