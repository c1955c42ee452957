"""Create and revoke API config keys (interface 2.9, 4.18)."""

from __future__ import annotations

import uuid

from trading_sandbox.engine import checks
from trading_sandbox.engine.commands import CreateApiKey, RevokeApiKey
from trading_sandbox.engine.pseudo_random import seeded_bytes, to_base58
from trading_sandbox.engine.records import ApiKey, Refused
from trading_sandbox.engine.venue import Venue

MOST_KEYS = 5
"""The most keys that one account may have (interface section 2.9)."""
_PREFIX = 8


def create(venue: Venue, command: CreateApiKey) -> ApiKey:
    """Create an API config key and return it; no two keys are the same."""
    account = checks.customer(venue, command.account)
    if len(account.api_keys) >= MOST_KEYS:
        raise Refused(f"Too many API keys: an account has at most {MOST_KEYS}, revoke one first")
    state = venue.state
    chance = seeded_bytes(state.seed, "api key", state.next_key)
    state.next_key += 1
    identifier = uuid.UUID(bytes=chance[:16], version=4)
    prefix = to_base58(chance[16:])[:_PREFIX]
    key = ApiKey(api_key=f"{prefix}_{to_base58(identifier.bytes)}", created_at=venue.now)
    account.api_keys.append(key)
    return key


def revoke(venue: Venue, command: RevokeApiKey) -> None:
    """Revoke an API config key of the account."""
    account = checks.customer(venue, command.account)
    kept = [key for key in account.api_keys if key.api_key != command.api_key]
    if len(kept) == len(account.api_keys):
        # The message does not repeat the given key: it may be a mistyped secret.
        raise Refused(f"API key not found: it is none of the {len(kept)} keys of this account")
    account.api_keys = kept
