"""The client before it sends: how it is made, what it refuses, explains and keeps to itself.

What it makes of answers is in test_client_answers.py, what each operation sends in
tests/generated/test_every_operation.py.
"""

from __future__ import annotations

import copy
import json
import logging
import os
import pickle
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.doubles.server import Received, Server
from tests.doubles.transport import response
from trading_runtime.errors import (
    RequestError,
    SigningError,
    TradingError,
)
from trading_runtime.http.transport import Response
from trading_runtime.signing.keys import Keypair
from trading_sdk import CancelOrder, Client

KEY = Keypair(b"\x01" * 32)
OTHER = Keypair(b"\x02" * 32).address
API_KEY = "canary-api-key"
SECRETS = (KEY.export_base58(), API_KEY, (b"\x01" * 32).hex(), repr(b"\x01" * 32))
ID = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
HERE = "http://127.0.0.1:9"
ORDER: dict[str, Any] = {
    "symbol": "BTC",
    "side": "bid",
    "price": "1",
    "amount": "1",
    "tif": "ALO",
    "reduce_only": False,
    "client_order_id": ID,
}
CANCEL = CancelOrder(symbol="BTC", order_id=1)
SETTINGS = {"success": True, "data": {"auto_lend_disabled": None}}


@pytest.fixture(scope="module")
def recorder() -> Iterator[Server]:
    with Server() as recorder:
        yield recorder


@pytest.fixture
def service(recorder: Server) -> Server:
    recorder.taken()
    recorder.will_answer({})
    return recorder


@pytest.fixture
def client(service: Server) -> Iterator[Client]:
    with Client(service.url, signer=KEY, api_key=API_KEY) as client:
        yield client


def create(client: Client) -> object:
    return client.orders.create(**ORDER)


def settings(client: Client) -> object:
    return client.account.settings()


# Without a signer, and for whom a call is made


def test_without_a_signer_the_client_reads(service: Server) -> None:
    service.will_answer(SETTINGS)
    with Client(service.url) as client:
        client.account.settings(account=OTHER)
    (request,) = service.taken()
    assert parse_qs(request.query) == {"account": [OTHER]}


def test_an_account_without_a_signer_is_the_one_that_is_read(service: Server) -> None:
    service.will_answer(SETTINGS)
    with Client(service.url, account=OTHER) as client:
        client.account.settings()
        assert client.account_address == OTHER
    (request,) = service.taken()
    assert parse_qs(request.query) == {"account": [OTHER]}


@pytest.mark.parametrize(
    "call",
    [
        lambda client: client.account.settings(),
        lambda client: client.orders.history(),
        lambda client: client.account.settings(account=""),
        lambda client: client.orders.history(account="\ud800", limit=1).pages().__next__(),
    ],
)
def test_a_read_without_a_usable_account_is_refused(
    service: Server, call: Callable[[Client], object]
) -> None:
    with Client(service.url) as client, pytest.raises(RequestError):
        call(client)
    assert service.taken() == []


@pytest.mark.parametrize("account", [None, OTHER])
@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("orders.create", create),
        ("subaccounts.list", lambda client: client.subaccounts.list()),
        ("orders.cancel", lambda client: client.orders.batch([CANCEL])),
        ("orders.cancel", lambda client: client.orders.cancel(symbol="BTC", order_id=1)),
        ("orders.create", lambda client: client.explain("orders.create", **ORDER)),
    ],
)
def test_a_signed_call_without_a_signer_is_refused_before_sending(
    service: Server, account: str | None, name: str, call: Callable[[Client], object]
) -> None:
    with Client(service.url, account=account) as client, pytest.raises(RequestError) as caught:
        call(client)
    assert str(caught.value) == f"{name} must be signed: give the client a signer"
    assert service.taken() == []


def test_the_account_is_the_signers_own_unless_another_is_given() -> None:
    assert Client(HERE).account_address is None
    assert Client(HERE, signer=KEY).account_address == KEY.address
    agent = Client(HERE, signer=KEY, account=OTHER)
    assert agent.account_address == OTHER
    assert agent.explain("subaccounts.list").body["agent_wallet"] == KEY.address


def test_an_empty_account_never_means_the_clients_own(client: Client, service: Server) -> None:
    with pytest.raises(RequestError, match="an address is the Base58 text of 32 bytes"):
        client.account.settings(account="")
    assert service.taken() == []


# Construction


@pytest.mark.parametrize(
    ("url", "options"),
    [
        ("http://exchange.example", {}),
        ("http://127.0.0.1.example", {}),
        ("", {}),
        (HERE, {"account": ""}),
        (HERE, {"expiry_window": 0}),
        (HERE, {"timeout": 0}),
        (HERE, {"api_key": "a\r\nb"}),
        (HERE, {"signing_types": {"orders.create": "x"}}),
        (HERE, {"clock": "utc"}),
    ],
)
def test_a_wrong_option_is_refused_when_the_client_is_made(url: str, options: Any) -> None:
    with pytest.raises(RequestError):
        Client(url, **options)


@pytest.mark.parametrize(
    "options", [{"retry": 3}, {"journal": 5}, {"timeout": "10"}, {"signer": "key"}]
)
def test_an_option_of_a_wrong_type_is_refused_when_the_client_is_made(options: Any) -> None:
    with pytest.raises(TypeError):
        Client(HERE, **options)


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


def test_a_client_from_the_environment_takes_all_it_finds(service: Server) -> None:
    service.will_answer({"order_id": 1})
    variables = environ(
        BASE_URL=service.url, PRIVATE_KEY=KEY.export_base58(), ACCOUNT=OTHER, API_KEY=API_KEY
    )
    with Client.from_env(variables) as client:
        create(client)
    (request,) = service.taken()
    body = json.loads(request.body)
    assert (body["account"], body["agent_wallet"]) == (OTHER, KEY.address)
    assert ("PF-API-KEY", API_KEY) in request.headers


def test_a_client_from_the_environment_reads_a_key_file(tmp_path: Path) -> None:
    KEY.write_file(tmp_path / "wallet.json")
    client = Client.from_env(environ(KEY_FILE=str(tmp_path / "wallet.json")))
    assert client.account_address == KEY.address


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


# Secrets


def test_a_client_never_shows_its_key_or_its_api_key(client: Client) -> None:
    groups = [client.orders, client.account]
    shown = f"{client} {client!r} {vars(client)} {groups} {vars(client)}"
    assert [secret for secret in SECRETS if secret in shown] == []


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_client_cannot_be_copied_or_pickled(
    client: Client, duplicate: Callable[[object], object]
) -> None:
    with pytest.raises(TypeError, match="holds connections and a key"):
        duplicate(client)


@pytest.mark.parametrize("call", [create, settings])
@pytest.mark.parametrize("status", [200, 302, 400, 500])
def test_no_error_and_no_log_holds_a_secret(
    client: Client,
    service: Server,
    call: Callable[[Client], object],
    status: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    service.will_answer(b"<html>", status)
    with pytest.raises(TradingError) as caught:
        call(client)
    shown = "".join(traceback.format_exception(caught.value)) + caplog.text
    chain = [caught.value, caught.value.__cause__, caught.value.__context__]
    shown += repr([vars(error) for error in chain if error])
    request = service.taken()[-1]
    signed = json.loads(request.body)["signature"] if request.body else "no signature"
    assert [secret for secret in (*SECRETS, signed) if secret in shown] == []


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
        ("orders.create", {}, "'symbol' is missing; a CreateOrder needs it"),
        ("orders.create", {**ORDER, "x": 1}, "unknown key 'x'"),
        ("orders.cancel", {"symbol": "BTC"}, "exactly one of order_id and client_order_id"),
        ("subaccounts.list", {"account": OTHER}, r"subaccounts\.list takes no arguments"),
    ],
)
def test_what_cannot_be_explained_is_refused(name: str, arguments: Any, words: str) -> None:
    with pytest.raises(RequestError, match=words):
        Client(HERE, signer=KEY).explain(name, **arguments)


def test_explaining_refuses_a_float_as_the_call_does() -> None:
    with pytest.raises(TypeError, match=r"CreateOrder\.price: a float like 0\.1 is not exact"):
        Client(HERE, signer=KEY).explain("orders.create", **{**ORDER, "price": 0.1})


def test_a_signing_type_that_is_not_documented_can_be_replaced(service: Server) -> None:
    service.will_answer({"success": True})
    types = {"subaccounts.transfer": "subaccount_transfer"}
    with Client(service.url, signer=KEY, signing_types=types) as client:
        explained = client.explain("subaccounts.transfer", to_account=OTHER, amount="1")
        assert explained.header["type"] == "subaccount_transfer"
        assert client.explain("orders.cancel", symbol="B", order_id=1).header["type"] == (
            "cancel_order"
        )


# Life of a client


def test_closing_twice_does_no_harm_and_a_closed_client_sends_nothing(service: Server) -> None:
    service.will_answer(SETTINGS)
    with Client(service.url, signer=KEY) as client:
        settings(client)
    client.close()
    with pytest.raises(RequestError, match="the client is closed; make another one"):
        settings(client)
    assert len(service.taken()) == 1


def test_threads_share_a_client_and_each_gets_its_own_answers(
    client: Client, service: Server
) -> None:
    def echo(request: Received) -> Response:
        return response(
            200, json.dumps({"order_id": json.loads(request.body)["order_id"]}).encode()
        )

    service.respond = echo
    together = threading.Barrier(8)

    def work(first: int) -> list[int]:
        together.wait(10)
        numbers = range(first, first + 20)
        edited = [
            client.orders.edit(symbol="BTC", price=1, amount=1, order_id=number).order_id
            for number in numbers
        ]
        assert edited == list(numbers)
        return edited

    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(work, range(1, 8000, 1000)))
    assert len(service.taken()) == sum(map(len, done)) == 160


# What is imported late


def test_what_reads_answers_fails_to_load_before_anything_is_sent(
    client: Client, service: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "trading_runtime.codec.decoder", None)
    monkeypatch.delattr("trading_runtime.codec.decoder", raising=False)
    with pytest.raises(ImportError):
        create(client)
    assert service.taken() == []


def test_importing_the_sdk_and_making_a_client_does_without_cattrs_and_msgspec() -> None:
    code = (
        "import sys, trading_sdk; trading_sdk.Client(sys.argv[1]); "
        "print(not sys.modules.keys().isdisjoint({'cattrs', 'msgspec'}))"
    )
    command = [sys.executable, "-c", code, HERE]
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    told = subprocess.run(command, env=paths, capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"
