"""The client before it sends: how it is made, what it refuses, explains and keeps to itself.

What it makes of answers is in call/test_results.py, what each operation sends in tests/generated/test_every_operation.py,
and the options that it refuses in test_config.py.
"""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.doubles.calls import SETTINGS, Call, cancel, create, settings, subaccounts
from tests.doubles.orders import HERE, ID, order
from tests.doubles.server import Server
from tests.doubles.signer import KEY, OTHER_KEY
from tests.doubles.transport import ScriptedTransport, ok
from trading_runtime.errors import (
    RequestError,
    SigningError,
)
from trading_sdk import Client

OTHER = OTHER_KEY.address
API_KEY = "canary-api-key"
ORDER = order(client_order_id=ID)


def made(*script: Any, **options: Any) -> Client:
    transport = ScriptedTransport(*script)
    return Client(HERE, **{"signer": KEY, "transport": transport, **options})


# Without a signer, and for whom a call is made


@pytest.mark.parametrize("account", [None, OTHER])
@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("orders.create", create),
        ("subaccounts.list", subaccounts),
        ("orders.cancel", cancel),
        ("orders.create", lambda client: client.explain("orders.create", **ORDER)),
    ],
)
def test_a_signed_call_without_a_signer_is_refused_before_sending(
    account: str | None, name: str, call: Call
) -> None:
    with made(signer=None, account=account) as client, pytest.raises(RequestError) as caught:
        call(client)
    assert str(caught.value) == f"{name} must be signed: give the client a signer"


def test_the_account_is_the_signers_own_unless_another_is_given() -> None:
    assert Client(HERE).account_address is None
    assert Client(HERE, signer=KEY).account_address == KEY.address
    agent = Client(HERE, signer=KEY, account=OTHER)
    assert agent.account_address == OTHER
    assert agent.explain("subaccounts.list").body["agent_wallet"] == KEY.address


# Construction


def test_making_a_client_opens_neither_socket_nor_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The path of its journal is looked at, so that a wrong one fails here."""

    def forbidden(*arguments: object, **options: object) -> None:
        raise AssertionError("I/O in the constructor")

    for where in ("socket.socket", "socket.getaddrinfo", "builtins.open", "os.open"):
        monkeypatch.setattr(where, forbidden)
    journal = tmp_path / "journal"
    client = Client("https://exchange.example", signer=KEY, api_key=API_KEY, journal=journal)
    assert repr(client) == f"Client('https://exchange.example', account={KEY.address!r})"
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


def test_a_client_from_the_environment_reads_the_environment_of_now(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("PRIVATE_KEY", "KEY_FILE", "ADDRESS", "API_KEY"):
        monkeypatch.delenv(f"TRADING_{name}", raising=False)
    monkeypatch.setenv("TRADING_BASE_URL", HERE)
    monkeypatch.setenv("TRADING_ACCOUNT", OTHER)
    assert Client.from_env().account_address == OTHER


def test_a_key_can_be_held_against_its_address(tmp_path: Path) -> None:
    KEY.write_file(tmp_path / "wallet.json")
    for key in (
        {"PRIVATE_KEY": KEY.export_base58()},
        {"KEY_FILE": str(tmp_path / "wallet.json"), "ACCOUNT": OTHER},
    ):
        client = Client.from_env(environ(ADDRESS=KEY.address, **key))
        assert client.account_address == key.get("ACCOUNT", KEY.address)


def test_empty_variables_count_as_absent() -> None:
    empty = environ(PRIVATE_KEY="", KEY_FILE="", ADDRESS="", ACCOUNT="", API_KEY="")
    assert Client.from_env(empty).account_address is None


def test_a_client_from_the_environment_takes_the_options_that_no_variable_names(
    tmp_path: Path,
) -> None:
    variables = environ(PRIVATE_KEY=KEY.export_base58())
    journal = tmp_path / "intents.jsonl"
    with Client.from_env(variables, journal=journal, expiry_window=5_000) as client:
        assert client.unsettled() == []
        explained = client.explain("orders.cancel", symbol="BTC", order_id=1)
    assert explained.body["expiry_window"] == 5_000


def test_a_private_key_is_never_taken_for_an_api_key() -> None:
    with pytest.raises(RequestError, match="api_key is a private key") as refused:
        Client(HERE, api_key=KEY.export_base58())
    assert KEY.export_base58() not in str(refused.value)


def test_an_option_that_a_variable_names_is_refused() -> None:
    wrong: Any = Client.from_env
    with pytest.raises(TypeError, match="multiple values for keyword argument 'account'"):
        wrong(environ(), account=OTHER)


@pytest.mark.parametrize("given", [5, "TRADING_BASE_URL", ["TRADING_BASE_URL"]])
def test_an_environment_is_a_mapping(given: Any) -> None:
    with pytest.raises(TypeError, match=r"environ must be a mapping, not a (int|str|list)"):
        Client.from_env(given)


def test_a_wrong_argument_is_one_of_the_class_that_the_user_knows() -> None:
    wrong: Any = Client
    for arguments, options in (((), {}), ((HERE, KEY), {}), ((HERE,), {"key": KEY})):
        with pytest.raises(TypeError, match=r"^Client(\(\)| has no option 'key';) "):
            wrong(*arguments, **options)


@pytest.mark.parametrize(
    ("variables", "error", "words"),
    [
        ({}, RequestError, "TRADING_BASE_URL is not set"),
        (environ(BASE_URL=""), RequestError, "TRADING_BASE_URL is not set"),
        (environ(PRIVATE_KEY="a", KEY_FILE="b"), RequestError, "not both"),
        (environ(PRIVATE_KEY="0OIl"), SigningError, "Base58"),
        (environ(KEY_FILE="/no/such/file"), SigningError, "cannot be read"),
        (environ(PRIVATE_KEY=OTHER), SigningError, "32 bytes, as an address has"),
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


@pytest.mark.parametrize(
    ("variables", "meant"),
    [
        (
            environ(PRIVAT_KEY="0OIl"),
            "TRADING_PRIVAT_KEY has no effect; did you mean TRADING_PRIVATE_KEY?",
        ),
        (environ(ADRESS=OTHER), "TRADING_ADRESS has no effect; did you mean TRADING_ADDRESS?"),
        (
            {"trading_base_url": HERE},
            "trading_base_url has no effect; did you mean TRADING_BASE_URL?",
        ),
        (
            {"TRADING_BASE_URl": HERE},
            "TRADING_BASE_URl has no effect; did you mean TRADING_BASE_URL?",
        ),
    ],
)
def test_a_misspelt_variable_is_told_what_was_meant(variables: dict[str, str], meant: str) -> None:
    with pytest.raises(RequestError) as caught:
        Client.from_env(variables)
    assert str(caught.value) == meant


def test_variables_of_others_are_left_alone() -> None:
    others = environ(AGENT_KEY="x", FAULTS_OVER_SESSIONS="1", API_KEY=API_KEY, API_KEYS="a,b")
    assert Client.from_env({**others, "BASE_URL": "y", "BASE_TRADING_URL": "z"})


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("timeout", "Client(url, timeout=...), or client.with_options(timeout=...)"),
        ("journal", "Client(url, journal=...)"),
        ("signer", "Client(url, signer=...)"),
    ],
)
def test_setting_an_attribute_changes_no_option(name: str, instead: str) -> None:
    client = Client(HERE)
    with pytest.raises(AttributeError) as caught:
        setattr(client, name, 5)
    assert str(caught.value) == f"{name} is an option: write {instead}"
    # A test may put something of its own in the place of a group.
    client.orders = orders = object()  # type: ignore[assignment]
    assert client.orders is orders


@pytest.mark.parametrize("url", [f"{HERE}/api/v1", f"{HERE}/api/v1/", f"{HERE}/gateway/api/v1"])
def test_a_base_url_does_not_end_as_every_path_begins(url: str) -> None:
    with pytest.raises(RequestError, match="base URL: leave out /api/v1, with which the path"):
        Client(url)


def test_a_base_url_may_have_a_path_of_its_own() -> None:
    for path in ("/api", "/v1", "/api/v1/gateway", "/api/v12"):
        Client(f"{HERE}{path}").close()


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_client_cannot_be_copied_or_pickled(duplicate: Callable[[object], object]) -> None:
    with made() as client, pytest.raises(TypeError, match="holds connections and a key"):
        duplicate(client)


# Explaining


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        (
            "orders.buy",
            {},
            r"there is no operation 'orders\.buy'; those that are signed are orders\.create, ",
        ),
        (
            "orders.history",
            {},
            r"orders\.history is not signed, so there is nothing to show: call it$",
        ),
        (
            "orders.batch",
            {},
            r"orders\.batch is not signed as a whole: explain one action by its name, like orders\.cr",
        ),
        ("subaccounts.list", {"account": OTHER}, r"subaccounts\.list takes no arguments"),
    ],
)
def test_what_cannot_be_explained_is_refused(name: str, arguments: Any, words: str) -> None:
    with pytest.raises(RequestError, match=words):
        Client(HERE, signer=KEY).explain(name, **arguments)


def test_explaining_refuses_a_float_as_the_call_does() -> None:
    with pytest.raises(TypeError, match=r"CreateOrder\.price: a float like 0\.1 is not exact"):
        Client(HERE, signer=KEY).explain("orders.create", **{**ORDER, "price": 0.1})


# Life of a client


def test_closing_twice_does_no_harm_and_a_closed_client_sends_nothing() -> None:
    with Server() as server:
        server.will_answer(SETTINGS)
        with Client(server.url, signer=KEY) as client:
            settings(client)
        client.close()
        with pytest.raises(RequestError, match="the client is closed; make another one"):
            settings(client)
        assert len(server.taken()) == 1


# What is imported late


def test_what_reads_answers_fails_to_load_before_anything_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "trading_runtime.codec.decoder", None)
    monkeypatch.delattr("trading_runtime.codec.decoder", raising=False)
    with made() as client, pytest.raises(ImportError):
        create(client)


def test_importing_the_sdk_and_making_a_client_does_without_cattrs_and_msgspec() -> None:
    code = (
        "import sys, trading_sdk; trading_sdk.Client(sys.argv[1]); "
        "print(not sys.modules.keys().isdisjoint({'cattrs', 'msgspec'}))"
    )
    command = [sys.executable, "-c", code, HERE]
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    told = subprocess.run(command, env=paths, capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"
