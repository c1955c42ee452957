"""API config keys: their form, how many there may be, and revoking them."""

from __future__ import annotations

import re
import uuid

import base58
import pytest

from tests.sandbox.desk import Desk
from tests.sandbox.refused import refused
from trading_sandbox.engine.commands import CreateApiKey, RevokeApiKey
from trading_sandbox.engine.records import ApiKey


def create(desk: Desk, account: str = "alice") -> ApiKey:
    key = desk.run(CreateApiKey(account=account))
    assert isinstance(key, ApiKey)
    return key


def revoke(desk: Desk, key: ApiKey, account: str = "alice") -> None:
    desk.run(RevokeApiKey(account=account, api_key=key.api_key))


def test_a_key_is_a_prefix_of_eight_characters_and_a_uuid_in_base58() -> None:
    desk = Desk()
    for _ in range(5):
        key = create(desk)
        prefix, _, identifier = key.api_key.partition("_")
        assert re.fullmatch(r"[0-9A-Za-z]{8}", prefix)
        assert uuid.UUID(bytes=base58.b58decode(identifier)).version == 4
        assert key.created_at == desk.now


def test_the_keys_of_an_account_are_kept_in_the_order_in_which_they_were_made() -> None:
    desk = Desk()
    made = [create(desk) for _ in range(3)]
    create(desk, "bob")
    assert desk.account("alice").api_keys == made


def test_an_account_has_at_most_five_keys() -> None:
    desk = Desk()
    made = [create(desk) for _ in range(5)]
    refused(desk, CreateApiKey(account="alice"), "Too many API keys", "at most 5", "revoke one")
    create(desk, "bob")
    revoke(desk, made[2])
    create(desk)


def test_a_revoked_key_is_gone_and_no_key_is_made_twice() -> None:
    desk = Desk()
    seen = set()
    for number in range(8):
        key = create(desk, "bob" if number % 2 else "alice")
        seen.add(key.api_key)
        revoke(desk, key, "bob" if number % 2 else "alice")
    assert len(seen) == 8
    assert desk.account("alice").api_keys == []


def test_the_seed_decides_the_keys() -> None:
    assert [create(desk).api_key for desk in (Desk(), Desk())] == [create(Desk()).api_key] * 2


def test_only_a_key_of_the_account_itself_is_revoked_and_no_refusal_shows_it() -> None:
    desk = Desk()
    key = create(desk)
    command = RevokeApiKey(account="bob", api_key=key.api_key)
    refused(desk, command, "API key not found", "none of the 0 keys of this account")
    revoke(desk, key)
    again = RevokeApiKey(account="alice", api_key=key.api_key)
    refused(desk, again, "API key not found")
    with pytest.raises(Exception, match="not found") as caught:
        desk.run(again)
    assert key.api_key not in str(caught.value)


def test_there_are_no_keys_without_an_account_or_for_the_house() -> None:
    desk = Desk()
    for account, words in (("nobody", "Account not found"), ("maker", "belongs to the exchange")):
        refused(desk, CreateApiKey(account=account), words)
        refused(desk, RevokeApiKey(account=account, api_key="x"), words)
