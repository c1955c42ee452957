"""Pseudo-random bytes derived from the seed, for prices, keys and transaction ids."""

from __future__ import annotations

import hashlib

import base58


def seeded_bytes(seed: int, *parts: str | int) -> bytes:
    """Return 64 pseudo-random bytes, always the same for a seed and these parts."""
    return hashlib.sha512(repr((seed, *parts)).encode()).digest()


def to_base58(data: bytes) -> str:
    """Encode bytes as Base58."""
    return base58.b58encode(data).decode("ascii")
