"""What looks like chance and follows from the seed: prices, keys, transaction ids."""

from __future__ import annotations

import hashlib

import base58


def seeded_bytes(seed: int, *parts: str | int) -> bytes:
    """Return 64 bytes that the seed and the parts decide."""
    return hashlib.sha512(repr((seed, *parts)).encode()).digest()


def to_base58(data: bytes) -> str:
    """Write bytes as Base58."""
    return base58.b58encode(data).decode("ascii")
