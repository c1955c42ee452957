"""API config keys over the wire (interface 2.9, 4.18 and 5.4)."""

from __future__ import annotations

import re

import base58
import pytest

from tests.interface import OPERATIONS
from tests.sandbox.raw import RawClient, limit_order


def listed(client: RawClient) -> list[str]:
    return list(client.data("api_keys.list")["api_keys"])


def test_keys_are_created_listed_and_revoked(raw: RawClient) -> None:
    response = raw.call("api_keys.create")
    assert response.status_code == 200
    key = response.json()["data"]["api_key"]
    assert response.json() == {"data": {"api_key": key}}
    assert re.fullmatch(r"[1-9A-HJ-NP-Za-km-z]{8}_[1-9A-HJ-NP-Za-km-z]+", key)
    assert len(base58.b58decode(key[9:])) == 16
    assert raw.call("api_keys.list").json() == {"data": {"api_keys": [key]}}
    revoked = raw.call("api_keys.revoke", api_key=key)
    assert (revoked.status_code, revoked.json()) == (200, {"data": {"api_key": key}})
    assert listed(raw) == []


def test_an_account_has_five_keys_at_most(raw: RawClient) -> None:
    keys = [raw.data("api_keys.create")["api_key"] for _ in range(5)]
    assert len(set(keys)) == 5
    sixth = raw.call("api_keys.create")
    error = sixth.json()["error"]
    assert sixth.status_code == 400
    assert sixth.json() == {"success": False, "data": None, "error": error, "code": 400}
    assert listed(raw) == keys
    raw.data("api_keys.revoke", api_key=keys[2])
    assert raw.call("api_keys.create").status_code == 200


def test_a_key_of_another_account_cannot_be_revoked(raw: RawClient) -> None:
    key = raw.data("api_keys.create")["api_key"]
    for name in (key + "x", "x"):
        assert raw.call("api_keys.revoke", api_key=name).status_code == 400
    assert raw.call("api_keys.revoke").status_code == 400
    assert listed(raw) == [key]


@pytest.mark.parametrize("name", ["api_keys.create", "api_keys.list", "api_keys.revoke"])
def test_a_forged_request_is_401(raw: RawClient, name: str) -> None:
    data = {"api_key": "x"} if name == "api_keys.revoke" else {}
    raw.key = RawClient(raw.url).key
    raw.account = raw.address
    response = raw.call(name, **data)
    assert (response.status_code, response.json()["code"]) == (401, 401)


def test_a_known_key_is_taken_on_every_request(raw: RawClient) -> None:
    raw.headers = {"PF-API-KEY": raw.data("api_keys.create")["api_key"]}
    assert raw.create().status_code == 200
    assert raw.call("orders.history", account=raw.address).status_code == 200


@pytest.mark.parametrize("key", ["", "unknown", "é"])
def test_an_unknown_key_is_refused_and_nothing_is_carried_out(raw: RawClient, key: str) -> None:
    raw.headers = {"PF-API-KEY": key.encode("latin-1").decode("latin-1")}
    read = raw.call("orders.history", account=raw.address)
    placed = raw.post(OPERATIONS["orders.create"].path, raw.body("create_order", limit_order()))
    assert (read.status_code, placed.status_code) == (401, 400)
    assert read.json()["error"] == placed.json()["error"]
    assert read.json()["error"].startswith("Unauthorized: unknown API key")
    raw.headers = {}
    assert raw.orders() == []


def test_a_revoked_key_is_unknown(raw: RawClient) -> None:
    key = raw.data("api_keys.create")["api_key"]
    raw.data("api_keys.revoke", api_key=key)
    raw.headers = {"PF-API-KEY": key}
    assert raw.call("orders.history", account=raw.address).status_code == 401
