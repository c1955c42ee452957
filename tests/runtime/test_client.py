"""The client before it sends: how it is made, what it refuses, explains and keeps to itself.

What it makes of answers is in call/test_results.py, what each operation sends in spec/vectors/encode,
and the options that it refuses in test_config.py.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.doubles.calls import create
from tests.doubles.orders import HERE
from tests.doubles.signer import KEY, OTHER_KEY
from tests.doubles.transport import ScriptedTransport, ok, scripted
from trading_runtime.errors import RequestError, SigningError
from trading_sdk import Client

OTHER = OTHER_KEY.address
API_KEY = "canary-api-key"


# Construction


def test_making_a_client_opens_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The path of its journal is looked at, so that a wrong one fails here."""

    def forbidden(*arguments: object, **options: object) -> None:
        raise AssertionError("I/O in the constructor")

    for where in ("socket.socket", "socket.getaddrinfo", "builtins.open", "os.open"):
        monkeypatch.setattr(where, forbidden)
    journal = tmp_path / "journal"
    client = Client("https://exchange.example", signer=KEY, api_key=API_KEY, journal=journal)
    assert repr(client) == f"Client('https://exchange.example', account={KEY.address!r})"
    assert client.service_url == "https://exchange.example"
    assert repr(client.orders) == f"Orders('https://exchange.example', account={KEY.address!r})"
    assert repr(client.orders.history(cursor="c1")) == (
        "<Paginator of orders.history from cursor 'c1' on>"
    )


def environ(**names: str) -> dict[str, str]:
    return {f"TRADING_{name}": value for name, value in {"BASE_URL": HERE, **names}.items()}


def test_a_client_from_the_environment_takes_all_it_finds() -> None:
    transport = ScriptedTransport(ok({"order_id": 1}))
    variables = environ(PRIVATE_KEY=KEY.export_base58(), ACCOUNT=OTHER, API_KEY=API_KEY)
    with Client.from_env(variables, transport=transport) as client:
        create(client)
    (body,) = transport.bodies
    assert (body["account"], body["agent_wallet"]) == (OTHER, KEY.address)
    assert transport.sent[0].headers["PF-API-KEY"] == API_KEY


def test_a_key_can_be_held_against_its_address(tmp_path: Path) -> None:
    KEY.write_file(tmp_path / "wallet.json")
    for key in (
        {"PRIVATE_KEY": KEY.export_base58()},
        {"KEY_FILE": str(tmp_path / "wallet.json"), "ACCOUNT": OTHER},
    ):
        client = Client.from_env(environ(ADDRESS=KEY.address, **key))
        assert client.account_address == key.get("ACCOUNT", KEY.address)


def test_a_private_key_is_never_taken_for_an_api_key() -> None:
    with pytest.raises(RequestError, match="api_key is a private key") as refused:
        Client(HERE, api_key=KEY.export_base58())
    assert KEY.export_base58() not in str(refused.value)


@pytest.mark.parametrize(
    ("variables", "error", "words"),
    [
        (environ(BASE_URL=""), RequestError, "TRADING_BASE_URL is not set"),
        (environ(PRIVATE_KEY="a", KEY_FILE="b"), RequestError, "not both"),
        (environ(KEY_FILE="/no/such/file"), SigningError, "cannot be read"),
        (environ(PRIVATE_KEY=KEY.export_base58(), ADDRESS=OTHER), SigningError, KEY.address),
        (
            environ(PRIVATE_KEY=KEY.export_base58(), ADDRESS="x"),
            RequestError,
            "TRADING_ADDRESS has",
        ),
        (environ(ADDRESS=OTHER), RequestError, "TRADING_ADDRESS is set without its key"),
    ],
)
def test_a_wrong_environment_is_refused(
    variables: dict[str, str], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        Client.from_env(variables)


def test_variables_of_others_are_left_alone_and_an_unknown_one_of_ours_is_refused() -> None:
    ours = environ(API_KEY=API_KEY)
    assert Client.from_env({**ours, "BASE_URL": "y", "BASE_TRADING_URL": "z"})
    for name in ("TRADING_AGENT_KEY", "TRADING_API_KEYS", "trading_api_key"):
        with pytest.raises(RequestError, match=f"^{name} has no effect: a client reads TRADING_"):
            Client.from_env({**ours, name: "x"})


def test_a_decoder_that_fails_to_load_sends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trading_runtime.codec.decoder", None)
    monkeypatch.delattr("trading_runtime.codec.decoder", raising=False)
    with scripted() as client, pytest.raises(ImportError):
        create(client)


# What is imported late


def test_what_a_program_does_not_use_is_not_imported() -> None:
    program = """
import sys, trading_sdk
from trading_sdk import Client, Keypair

def imported(*names): return [name for name in names if name in sys.modules]

client = Client("http://127.0.0.1:9", signer=Keypair.generate())
assert imported("cattrs", "msgspec", "trading_sdk.mappings") == []
from trading_sdk import CreateOrderDict
assert CreateOrderDict is sys.modules["trading_sdk.mappings"].CreateOrderDict
from trading_sdk import *
TpslConfigDict
"""
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", program], env=paths, check=True)
