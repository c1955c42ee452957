"""The keys of a sandbox, which its seed decides."""

from __future__ import annotations

from trading_runtime import Keypair
from trading_sandbox.engine.seeded import seeded_bytes


def seeded_key(seed: int, number: int) -> Keypair:
    """Return a key of the sandbox. Anybody can make it: it must never hold anything of value."""
    return Keypair(seeded_bytes(seed, "key", number)[:32])
