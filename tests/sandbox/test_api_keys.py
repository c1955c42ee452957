"""API config keys: their form, how many there may be, and revoking them."""

from __future__ import annotations

import re
import uuid

import base58

from tests.sandbox.desk import Desk
from trading_sandbox.engine.commands import CreateApiKey, RevokeApiKey
from trading_sandbox.engine.records import ApiKey


def create(desk: Desk, account: str = "alice") -> ApiKey:
    key = desk.run(CreateApiKey(account=account))
    assert isinstance(key, ApiKey)
    return key


def revocation(key: ApiKey, account: str = "alice") -> RevokeApiKey:
    return RevokeApiKey(account=account, api_key=key.api_key)


def test_a_key_is_a_prefix_of_eight_characters_and_a_uuid_in_base58(desk: Desk) -> None:
    made = [create(desk) for _ in range(5)]
    for key in made:
        prefix, _, identifier = key.api_key.partition("_")
        assert re.fullmatch(r"[0-9A-Za-z]{8}", prefix)
        assert uuid.UUID(bytes=base58.b58decode(identifier)).version == 4
    assert made[-1].created_at == desk.now
    assert len({key.api_key for key in made}) == 5
    # The seed decides them.
    assert create(Desk()).api_key == made[0].api_key


def test_an_account_has_at_most_five_keys_and_a_revoked_one_never_comes_again(desk: Desk) -> None:
    made = [create(desk) for _ in range(5)]
    desk.refuses(CreateApiKey(account="alice"), "Too many API keys", "at most 5", "revoke one")
    other = create(desk, "bob")
    desk.run(revocation(made[2]))
    kept = [*made[:2], *made[3:], create(desk)]
    assert desk.account("alice").api_keys == kept
    assert kept[-1] not in (*made, other)


def test_only_a_key_of_the_account_itself_is_revoked_and_no_refusal_shows_it(desk: Desk) -> None:
    key = create(desk)
    desk.refuses(revocation(key, "bob"), "API key not found: it is none of the 0 keys")
    desk.run(revocation(key))
    assert key.api_key not in desk.refuses(revocation(key), "API key not found")
    for account, words in (("nobody", "Account not found"), ("maker", "belongs to the exchange")):
        desk.refuses(CreateApiKey(account=account), words)
        desk.refuses(revocation(key, account), words)
