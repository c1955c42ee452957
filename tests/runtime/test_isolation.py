"""The client goes where it was told to, the way it was told to, and tells nobody else anything.

Nothing of the environment changes that, and neither does an answer.
"""

from __future__ import annotations

import gc
import ssl
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.cookiejar import Cookie
from pathlib import Path

import pytest
import trustme

from tests.doubles.server import Server, answer, answers, secured, server_context
from tests.doubles.signer import KEY
from tests.runtime.transports import session_with
from trading_runtime.call.retry import Retry
from trading_sdk import Client, NotSentError, TradingError

API_KEY = "canaryApiKey7f3a"
NOWHERE = "http://127.0.0.1:1"
ONCE = Retry(max_attempts=1)
DONE = answer(b'{"success":true}')
PAGE = answer(b'{"success":true,"data":[],"next_cursor":null,"has_more":false}')


def post(client: Client) -> None:
    client.orders.cancel_stop(symbol="BTC", order_id=1)


def get(client: Client) -> None:
    list(client.orders.history(limit=1))


CALLS: list[Callable[[Client], None]] = [post, get]


def made(url: str, ca_file: str | None = None, proxy: str | None = None) -> Client:
    session = session_with(ca_file, proxy) if ca_file or proxy else None
    return Client(url, signer=KEY, api_key=API_KEY, session=session, retry=ONCE)


@pytest.fixture(scope="module")
def theirs() -> trustme.CA:
    """The authority that the environment says is to be trusted."""
    return trustme.CA()


@pytest.fixture
def evil() -> Iterator[Server]:
    """Where the environment, or an answer, would have the client go."""
    with Server(answers(DONE)) as server:
        yield server
        assert server.connections == 0


@pytest.fixture
def environment(
    evil: Server, theirs: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Every variable that requests, urllib3, OpenSSL or curl would heed; the log of TLS secrets."""
    folder, log = tmp_path / "environment", tmp_path / "secrets.log"
    folder.mkdir()
    theirs.cert_pem.write_to_path(str(folder / "ca.pem"))
    (folder / ".netrc").write_text("default login somebody password secret\n")
    (folder / ".netrc").chmod(0o600)
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, evil.url)
        monkeypatch.setenv(name.upper(), evil.url)
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"):
        monkeypatch.setenv(name, str(folder / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_DIR", str(folder))
    monkeypatch.setenv("SSLKEYLOGFILE", str(log))
    monkeypatch.setenv("NETRC", str(folder / ".netrc"))
    monkeypatch.setenv("HOME", str(folder))
    return log


def names(request: bytes) -> set[str]:
    """The names of the headers of a request."""
    lines = request.partition(b"\r\n\r\n")[0].decode().split("\r\n")[1:]
    return {line.partition(":")[0].lower() for line in lines}


EXPECTED = {"host", "user-agent", "accept-encoding", "accept", "pf-api-key"}
OF_A_BODY = {"content-type", "content-length"}


@pytest.mark.parametrize(("call", "reply"), [(post, DONE), (get, PAGE)])
def test_no_variable_changes_what_is_sent_or_where_to(
    call: Callable[[Client], None], reply: bytes, environment: Path, ca_file: str
) -> None:
    with Server(answers(reply)) as server, made(server.url, ca_file=ca_file) as client:
        call(client)
    (request,) = server.requests
    assert request.split(b" ")[1].startswith(b"/api/v1/orders/")
    assert names(request) - OF_A_BODY == EXPECTED


def test_no_variable_adds_a_trusted_authority(
    environment: Path, theirs: trustme.CA, ca_file: str
) -> None:
    with Server(secured(server_context(theirs), answers(DONE))) as server:
        for trusted in (ca_file, None):
            with made(server.https, trusted) as client, pytest.raises(NotSentError) as caught:
                post(client)
            assert "certificate verify failed" in str(caught.value)
    assert server.requests == []


def test_a_server_of_an_old_tls_gets_no_request(context: ssl.SSLContext, ca_file: str) -> None:
    context.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    server = Server(secured(context, answers(DONE)))
    with server, made(server.https, ca_file) as client, pytest.raises(NotSentError):
        post(client)
    assert server.requests == []


def test_no_variable_takes_a_trusted_authority_away_or_writes_down_the_secrets_of_tls(
    environment: Path, context: ssl.SSLContext, ca_file: str
) -> None:
    play = secured(context, answers(DONE))
    with Server(play) as server, made(server.https, ca_file) as client:
        post(client)
    assert len(server.requests) == 1
    assert not environment.exists()


def test_no_variable_leads_around_the_given_proxy(
    environment: Path, ca_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "*,127.0.0.1,localhost")
    with Server(answers(DONE)) as proxy, made(NOWHERE, ca_file, proxy.url) as client:
        post(client)
    assert proxy.requests[0].startswith(b"POST http://127.0.0.1:1/api/v1/orders/stop/cancel ")


# -- what an answer cannot bring about --------------------------------------------------------------


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_takes_neither_key_nor_body_anywhere(
    status: int, call: Callable[[Client], None], evil: Server, ca_file: str
) -> None:
    targets = [f"{evil.url}/", f"{evil.https}/", f"//127.0.0.1:{evil.port}/", "/api/v1/elsewhere"]
    plays = [answers(answer(b"", f"Location: {to}", status=f"{status} Moved")) for to in targets]
    with Server(*plays) as server, made(server.url, ca_file=ca_file) as client:
        for _ in targets:
            with pytest.raises(TradingError, match=str(status)):
                call(client)
    assert len(server.requests) == len(targets)


COOKIE = "canaryCookie"
COOKIES = [
    f"Set-Cookie: a={COOKIE}; Path=/",
    f"Set-Cookie: b={COOKIE}; Domain=127.0.0.1; Max-Age=999999",
    f'Set-Cookie2: c="{COOKIE}"; Version="1"; Path="/"',
]


def kept_cookies() -> list[Cookie]:
    """Cookies of this test that are anywhere in the memory of this process."""
    gc.collect()
    found = [each for each in gc.get_objects() if isinstance(each, Cookie)]
    return [each for each in found if each.value == COOKIE]


@pytest.mark.parametrize("status", ["200 OK", "302 Found"])
def test_no_cookie_is_kept_or_sent_back(status: str, ca_file: str) -> None:
    gives = answer(b"{}", *COOKIES, status=status)
    plays = answers(gives, DONE), answers(DONE)
    with Server(*plays) as server, made(server.url, ca_file) as client:
        for _ in range(2):
            with suppress(TradingError):
                post(client)
        assert kept_cookies() == []
    assert len(server.requests) == 2
    assert "cookie" not in names(server.requests[1])
    assert COOKIE.encode() not in server.requests[1]
