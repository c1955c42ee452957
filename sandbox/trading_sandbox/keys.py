"""The keys of a sandbox's accounts, derived from its seed."""

from __future__ import annotations

from trading_runtime import Keypair
from trading_sandbox.engine.pseudo_random import seeded_bytes


def seeded_key(seed: int, number: int) -> Keypair:
    """Return the key of a seed and number. Never fund it: anybody can derive the same key."""
    return Keypair(seeded_bytes(seed, "key", number)[:32])
