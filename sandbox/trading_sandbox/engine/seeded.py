"""Texts that look like chance and follow from the seed: transaction ids and API config keys."""

from __future__ import annotations

import hashlib

_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def seeded_bytes(*parts: object) -> bytes:
    """Return 64 bytes that the parts decide; the seed is the first of them."""
    return hashlib.sha512(repr(parts).encode()).digest()


def base58(data: bytes) -> str:
    """Write bytes as Base58, with a leading 1 for every leading zero byte."""
    number = int.from_bytes(data, "big")
    digits = ""
    while number:
        number, digit = divmod(number, len(_ALPHABET))
        digits = _ALPHABET[digit] + digits
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + digits
