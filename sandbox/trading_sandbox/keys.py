"""The keys of a sandbox, which its seed decides."""

from __future__ import annotations

import hashlib

from trading_runtime.keys import Keypair


def seeded_key(seed: int, number: int) -> Keypair:
    """Return a key of the sandbox. Anybody can make it: it must never hold anything of value."""
    text = f"trading_sandbox key {seed} {number}"
    return Keypair(hashlib.blake2b(text.encode(), digest_size=32).digest())
