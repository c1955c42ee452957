"""The private key, signatures, the API key and a proxy's password stay where they belong.

Whatever goes wrong with a call, they stand in nothing that is printed, logged, raised or passed on.
"""

from __future__ import annotations

import copy
import http.client
import json
import logging
import pickle
import socket
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import base58
import pytest
import requests
import trustme

from tests.doubles.calls import Call, create, settings
from tests.doubles.orders import HERE, ID, order
from tests.doubles.server import (
    Play,
    Server,
    answer,
    close_after_reading,
    cut,
    refused_port,
    reset_after_reading,
    secured,
    server_context,
    silent,
)
from tests.runtime.canaries import (
    API_KEY,
    PASSWORD,
    REVOKED,
    SEED,
    Wallet,
    holds,
    leaks,
    looks,
    prints,
    sends_on,
)
from tests.runtime.transports import session_with
from trading_runtime.call.message import single_call
from trading_runtime.call.retry import Retry
from trading_runtime.http.transport import Request, Response
from trading_sdk import (
    Client,
    CreateOrder,
    JournalError,
    Keypair,
    OutcomeUnknownError,
    RequestError,
    RevokeApiKey,
    TradingError,
    new_session,
)
from trading_sdk.operations import API_KEYS_REVOKE

ORDER = order(client_order_id=ID)
_told: list[str] = []
"""What the events of the clients of one test show."""


def batch(client: Client) -> object:
    return client.orders.batch([CreateOrder(**ORDER)])


def revoke(client: Client) -> None:
    client.api_keys.revoke(api_key=REVOKED)


CALLS = [create, batch, settings, revoke]


def client(url: str, wallet: Wallet, *, proxy: str | None = None, **options: Any) -> Client:
    if proxy is not None:
        options["session"] = session_with(proxy=proxy)
    options = {"retry": Retry(max_attempts=2, base_delay=0), "timeout": 5, **options}
    options.setdefault("on_event", lambda event: _told.append(looks(event)))
    return Client(url, signer=wallet, api_key=API_KEY, **options)


# -- the search finds what is there ---------------------------------------------------------------


def test_a_secret_is_found_in_whatever_form_it_is_shown() -> None:
    key, signature = Keypair(SEED), b"\x07" * 64
    for text in (key.export_base58(), SEED.hex(), repr(SEED), str(list(SEED)), f"x{SEED!r:.40}"):
        assert leaks(text) == {"private key"}
    assert leaks(repr(signature), [signature]) == {"signature"}
    assert leaks(f"{API_KEY} {PASSWORD} {key.address} {signature!r}") == {
        "API key",
        "password of the proxy",
    }


def test_a_secret_is_found_in_the_request_that_hangs_on_an_exception() -> None:
    with pytest.raises(requests.ConnectionError) as caught:
        requests.get(refused_port(), headers={"PF-API-KEY": API_KEY}, timeout=1)
    assert leaks(holds(caught.value)) == {"API key"}


# -- what an object shows -------------------------------------------------------------------------


def test_nothing_that_a_caller_holds_shows_a_secret() -> None:
    wallet = Wallet()
    made = client(HERE, wallet, proxy=f"http://me:{PASSWORD}@127.0.0.1:9")
    transport = made._caller.transport
    explained = made.explain("orders.create", **ORDER)
    reader: Any = None
    call = single_call(API_KEYS_REVOKE, {"api_key": REVOKED}, reader)
    call.request = Request("POST", HERE, {"PF-API-KEY": API_KEY}, b"{}")
    held: list[Any] = [Keypair(SEED), made, made.orders, made.api_keys, transport]
    held += [made.orders.history(), made._caller, RevokeApiKey(api_key=REVOKED), call]
    for thing in held:
        assert leaks(repr([thing]) + f"{thing} {thing!r:>10}", wallet.signatures) == set()
    for thing in held[:-2]:
        assert leaks(looks(thing), wallet.signatures) == set(), thing
    assert leaks(looks(explained)) == set()
    assert leaks(repr(explained), wallet.signatures) == {"signature"}, "explained by design"


def test_requests_and_answers_show_neither_headers_nor_bodies() -> None:
    request = Request("POST", HERE, {"PF-API-KEY": API_KEY}, API_KEY.encode())
    response = Response(200, {"X-Key": API_KEY}, API_KEY.encode())
    assert leaks(f"{request} {request!r} {[request]} {response} {[response]}") == set()


def test_a_client_whose_constructor_failed_can_still_be_shown() -> None:
    with pytest.raises(RequestError) as caught:
        Client("http://evil.example", signer=Wallet())
    assert "Client" in prints(caught.value)


def test_nothing_that_holds_a_key_can_be_copied_or_pickled() -> None:
    made = client(HERE, Wallet(), proxy=f"http://me:{PASSWORD}@127.0.0.1:9")
    caller = made._caller
    held: list[Any] = [Keypair(SEED), Wallet(), made, made.orders, caller, caller.transport]
    for thing in held:
        with pytest.raises((TypeError, pickle.PicklingError), match=r"pickle|copied|copying"):
            copy.deepcopy(thing)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with pytest.raises((TypeError, pickle.PicklingError), match=r"pickle|copied|copying"):
                pickle.dumps(thing, protocol)


# -- what goes wrong ------------------------------------------------------------------------------


def _json(text: str, status: str = "200 OK") -> Play:
    return cut(answer(text.encode(), status=status))


PLAYS: dict[str, Play] = {
    "reset": reset_after_reading,
    "silence": silent,
    "hung up": cut(b""),
    "not HTTP": cut(b"nonsense"),
    "cut body": cut(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}"),
    "not gzip": cut(answer(b"{}", "Content-Encoding: gzip")),
    "redirect": cut(answer(b"", "Location: http://evil.example/", status="302 Found")),
    "html": _json("<html>"),
    "nested": _json("[" * 100_000),
    "wrong shape": _json('["x"]'),
    "refused under 200": _json('{"success": false, "error": "no"}'),
    **{
        f"status {status}": _json('{"error": "no"}', f"{status} No")
        for status in (400, 401, 403, 409, 429, 500, 503)
    },
}


class Seen:
    """What came out of this process beside the exception."""

    def __init__(
        self, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self._caplog, self._capsys = caplog, capsys
        self.warned: list[warnings.WarningMessage] = []

    def text(self) -> str:
        printed = self._capsys.readouterr()
        records = [f"{record.getMessage()} {vars(record)}" for record in self._caplog.records]
        said = [str(each.message) for each in self.warned]
        return "\n".join([printed.out, printed.err, self._caplog.text, *records, *said, *_told])


@pytest.fixture
def seen(caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]) -> Iterator[Seen]:
    """Everything is logged that can be, as somebody does who looks for a fault."""
    caplog.set_level(logging.DEBUG)
    for name in ("urllib3", "requests", "http.client", "trading_sdk"):
        caplog.set_level(logging.DEBUG, name)
    _told.clear()
    found = Seen(caplog, capsys)
    with warnings.catch_warnings(record=True) as found.warned:
        warnings.simplefilter("always")
        yield found


def assert_nothing_leaks(made: Client, call: Call, wallet: Wallet, seen: Seen) -> None:
    with pytest.raises(TradingError) as caught:
        call(made)
    error = caught.value
    # An argument is a local variable of the method that was given it.
    shown = prints(error, local_variables=call is not revoke)
    signed = wallet.signatures  # not before, or it would be a local variable that is shown
    assert leaks(shown, signed) == set()
    assert leaks(holds(error), signed) == set()
    assert leaks(sends_on(error), signed) == set()
    assert leaks(looks(copy.deepcopy(error)), signed) == set()
    assert leaks(seen.text(), signed) == set()
    if isinstance(error, OutcomeUnknownError):
        assert leaks(error.to_json(), signed) == set()
    assert "Traceback" in shown, "something was shown"


@contextmanager
def served(play: Play) -> Iterator[str]:
    with Server(play) as server:
        yield server.url


@pytest.mark.parametrize(
    ("name", "call"),
    [
        *((name, create) for name in PLAYS),
        *((name, call) for name in ("silence", "html", "status 400") for call in CALLS[1:]),
    ],
)
def test_no_failure_of_a_call_shows_a_secret(
    name: str, call: Call, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http.client.HTTPConnection, "debuglevel", 1)
    wallet = Wallet()
    with served(PLAYS[name]) as url, client(url, wallet, timeout=0.25) as made:
        assert_nothing_leaks(made, call, wallet, seen)


@pytest.mark.parametrize("call", CALLS)
def test_a_call_that_is_not_sent_shows_no_secret(
    call: Call, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = socket.getaddrinfo

    def found(host: str, *more: Any, **named: Any) -> Any:
        if host == "nobody.invalid":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return find(host, *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", found)
    stranger = secured(server_context(trustme.CA()), close_after_reading)
    with Server(stranger) as server:
        for url, ca_file in (
            (refused_port(), None),
            ("https://nobody.invalid", None),
            (server.https, None),
            (server.https, "/no/such/file"),
        ):
            wallet = Wallet()
            with client(url, wallet, session=session_with(ca_file)) as made:
                assert_nothing_leaks(made, call, wallet, seen)
            assert_nothing_leaks(made, call, wallet, seen)  # closed now
    assert server.requests == []


@pytest.mark.parametrize("call", [create, settings])
@pytest.mark.parametrize("url", [HERE, "https://127.0.0.1:9"])
@pytest.mark.parametrize("name", ["reset", "not HTTP", "status 403"])
def test_a_proxy_that_fails_shows_no_secret(name: str, url: str, call: Call, seen: Seen) -> None:
    wallet = Wallet()
    with served(PLAYS[name]) as proxy:
        for place in (proxy, refused_port(), refused_port().replace("http:", "https:")):
            proxy = place.replace("://", f"://me:{PASSWORD}@")
            with client(url, wallet, proxy=proxy) as made:
                assert_nothing_leaks(made, call, wallet, seen)


def test_what_a_proxy_says_cannot_change_the_look_of_a_log() -> None:
    says = cut(answer(b"", status="403 \x1b[31mForb\x08idden"))
    with served(says) as proxy, pytest.raises(TradingError) as caught:
        create(client("https://127.0.0.1:9", Wallet(), proxy=proxy))
    assert str(caught.value).isprintable()


# -- what is refused before anything is sent ------------------------------------------------------


REFUSALS: dict[str, Call] = {
    "not ASCII": lambda made: made.orders.create(**order(symbol="\u00e4")),
    "a lone surrogate": lambda made: list(made.orders.history(cursor="\ud800")),
    "the same id twice": lambda made: made.orders.batch([CreateOrder(**ORDER)] * 2),
    "too many actions": lambda made: made.orders.batch([CreateOrder(**ORDER)] * 11),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refusal_shows_no_secret(name: str, seen: Seen) -> None:
    wallet = Wallet()
    with client(HERE, wallet) as made:
        assert_nothing_leaks(made, REFUSALS[name], wallet, seen)


def test_a_key_given_in_place_of_an_account_is_not_repeated() -> None:
    for call in (
        lambda: client(HERE, Wallet()).account.settings(account=Keypair(SEED).export_base58()),
        lambda: Client(HERE, account=Keypair(SEED).export_base58()),
    ):
        with pytest.raises(RequestError) as caught:
            call()
        assert leaks(prints(caught.value, local_variables=False) + holds(caught.value)) == set()


KEYS = {
    "private key": Keypair(SEED).export_base58(),
    "seed": base58.b58encode(SEED).decode(),
    "hexadecimal": SEED.hex(),
    "wallet": json.dumps(list(SEED)),
}


def over_session(attribute: str, given: object) -> None:
    with new_session() as session:
        setattr(session, attribute, given)
        settings(Client("https://127.0.0.1:9", session=session, retry=Retry(max_attempts=1)))


def journal_whose_place_is_taken(key: str) -> None:
    with client(HERE, Wallet(), journal=key) as made:
        Path(key).mkdir()
        made.unsettled()


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize(
    "give",
    [
        lambda key: Client(HERE, journal=key + "/journal"),
        lambda key: Client(HERE, journal=f"no/{key}/journal"),
        journal_whose_place_is_taken,
        lambda key: Keypair.from_file(key),
        lambda key: Keypair.from_file(f"keys/{key}.json"),
        lambda key: Client.from_env({"TRADING_BASE_URL": HERE, "TRADING_KEY_FILE": key}),
        lambda key: over_session("verify", key),
        lambda key: over_session("proxies", {"https": key}),
    ],
)
def test_a_key_given_in_place_of_a_path_is_not_repeated(
    give: Callable[[str], object],
    key: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    seen: Seen,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TradingError) as caught:
        give(key)
    assert leaks(prints(caught.value, local_variables=False) + holds(caught.value)) == set()
    assert leaks(seen.text()) == set()


def test_a_private_key_is_no_file_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for place in (KEYS["private key"], tmp_path / KEYS["private key"] / "journal"):
        with pytest.raises(RequestError, match="journal is a private key"):
            Client(HERE, journal=place)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("message", ["text", bytearray(b"x"), memoryview(b"x"), None, 5])
def test_what_cannot_be_signed_shows_no_key_in_the_variables_of_a_frame(message: Any) -> None:
    with pytest.raises(TypeError) as caught:
        Keypair(SEED).sign(message)
    assert leaks(prints(caught.value) + holds(caught.value)) == set()


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("KEY_FILE", "ADDRESS"):
        monkeypatch.delenv(f"TRADING_{name}", raising=False)
    monkeypatch.setenv("TRADING_BASE_URL", HERE)
    monkeypatch.setenv("TRADING_PRIVATE_KEY", Keypair(SEED).export_base58())
    monkeypatch.setenv("TRADING_API_KEY", API_KEY)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BASE_URL", "http://evil.example"),
        ("BASE_URL", ""),
        ("ACCOUNT", "x"),
        ("ADDRESS", Keypair(bytes(32)).address),
        ("ADDRESS", Keypair(SEED).export_base58()),
        ("KEY_FILE", "both of them"),
        ("PRIVATE_KEY", Keypair(SEED).export_base58()[:-1] + "0"),
    ],
)
def test_a_wrong_environment_shows_no_private_key(
    name: str, value: str, environment: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"TRADING_{name}", value)
    del value
    with pytest.raises(TradingError) as caught:
        Client.from_env()
    assert leaks(prints(caught.value) + holds(caught.value)) <= {"API key"}
    assert leaks(prints(caught.value, local_variables=False) + holds(caught.value)) == set()


# -- what is written down -------------------------------------------------------------------------


@pytest.mark.parametrize("call", [create, batch, revoke])
def test_what_settles_a_call_holds_no_secret(call: Call, tmp_path: Path, seen: Seen) -> None:
    wallet, path = Wallet(), tmp_path / "intents.jsonl"
    with served(reset_after_reading) as url, client(url, wallet, journal=path) as made:
        with pytest.raises(OutcomeUnknownError) as caught:
            call(made)
        (left,) = made.unsettled()
        assert (left.operation, left.client_ids) == (
            caught.value.operation,
            caught.value.client_ids,
        )
        assert leaks(path.read_text() + holds(left), wallet.signatures) == set()
        assert path.stat().st_size > 100
        assert leaks(looks(OutcomeUnknownError.from_json(caught.value.to_json()))) == set()


def test_a_journal_is_not_written_through_a_symbolic_link(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious")
    made = client(HERE, Wallet(), journal=tmp_path / "journal")
    (tmp_path / "journal").symlink_to(tmp_path / "precious")
    with pytest.raises(JournalError, match="not a regular file"):
        client(HERE, Wallet(), journal=tmp_path / "journal")
    with made, pytest.raises(JournalError, match="not sent"):
        create(made)
    assert (tmp_path / "precious").read_text() == "precious"


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("where", ["urllib3.HTTPConnectionPool.urlopen", "socket.socket.sendall"])
def test_a_call_that_is_interrupted_shows_no_api_key_in_a_frame_of_ours(
    where: str, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(where, interrupted)
    with (
        pytest.raises(KeyboardInterrupt) as caught,
        served(silent) as url,
        client(url, Wallet()) as made,
    ):
        call(made)
    ours = [
        (frame.f_code.co_name, name, repr(value))
        for frame, _ in traceback.walk_tb(caught.value.__traceback__)
        if "trading_runtime" in frame.f_code.co_filename
        for name, value in frame.f_locals.items()
    ]
    assert {name for name, _, _ in ours} >= {"carry_out", "send", "_exchange"}
    assert [each for each in ours if "API key" in leaks(each[2])] == []
