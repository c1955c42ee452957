"""What goes through a session of requests, what does not, and which sessions are refused.

What holds of both transports is in test_transport.py and test_body.py.
"""

from __future__ import annotations

import contextlib
import io
import os
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import requests
import requests_mock
from requests.adapters import BaseAdapter, HTTPAdapter
from urllib3 import Retry

from tests.doubles.clock import VirtualTime
from tests.doubles.server import (
    Peer,
    Play,
    Server,
    answer,
    answers,
    cut,
    refused_port,
    secured,
    silent,
    tunnel,
)
from tests.runtime.transports import assert_clean, call, failure
from trading_runtime.errors import RequestError
from trading_runtime.http.fault import Fault
from trading_runtime.http.transport import HTTPTransport


@pytest.fixture
def session() -> Iterator[requests.Session]:
    """A session as a user makes it, in an environment that names nothing."""
    with requests.Session() as session:
        session.trust_env = False
        yield session


def mounted(adapter: BaseAdapter) -> requests.Session:
    session = requests.Session()
    session.trust_env = False
    session.mount("http://", adapter)
    return session


# What is used of the session


def test_a_proxy_carries_what_is_encrypted_and_a_client_certificate_is_shown(
    session: requests.Session,
    context: ssl.SSLContext,
    ca_file: str,
    certificate: str,
) -> None:
    context.load_verify_locations(ca_file)
    context.verify_mode = ssl.CERT_REQUIRED
    session.verify, session.cert = ca_file, certificate
    with (
        Server(secured(context, answers(answer(b"1"), answer(b"2")))) as server,
        Server(tunnel(server.port)) as proxy,
    ):
        session.proxies = {"https": proxy.url}
        transport = HTTPTransport(session)
        assert [call(transport, server.https).body for _ in range(2)] == [b"1", b"2"]
        session.close()
    assert proxy.requests[0].startswith(b"CONNECT 127.0.0.1:")
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "proxy", ["http://proxy.invalid:3128", "https://localhost:1", "http://[", None]
)
def test_what_is_not_encrypted_goes_to_no_proxy_but_a_plain_one_on_this_machine(
    session: requests.Session, proxy: Any
) -> None:
    session.proxies = {"http": proxy, "all": proxy}
    with Server(answers(answer(b"directly"))) as server:
        assert call(HTTPTransport(session), server.url).body == b"directly"


@pytest.mark.parametrize(
    "made", [lambda hook: hook, lambda hook: [hook], lambda hook: (hook, hook)]
)
def test_hooks_of_the_session_see_the_answer(
    session: requests.Session, made: Callable[[Any], Any], caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[tuple[Any, ...]] = []

    def look(response: requests.Response, **_: Any) -> None:
        seen.append((response.status_code, response.content, response.headers["Location"]))

    session.hooks["response"] = made(look)
    moved = answer(b"there", "Location: http://[", status="302 Found")
    with Server(answers(moved), answers(answer())) as server:
        transport = HTTPTransport(session)
        assert call(transport, server.url).status == 302
        session.hooks = {}
        assert call(transport, server.url).status == 200
    assert set(seen) == {(302, b"there", "http://[")}
    assert caplog.messages == [], "nobody looked where the redirect leads"


CAME = "a hook of the session raised HTTPError; the answer came, and counts"


def clears(response: requests.Response, **_: Any) -> None:
    response.headers.clear()


def raises(response: requests.Response, **_: Any) -> None:
    response.raise_for_status()


def sends_again(response: requests.Response, **given: Any) -> Any:
    adapter: Any = response.connection
    return adapter.send(response.request, **given)


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("hook", [clears, raises, sends_again])
def test_whatever_a_hook_does_the_answer_of_the_service_counts_and_nothing_is_sent_again(
    session: requests.Session, hook: Any, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    session.hooks["response"] = [hook]
    first = answer(b"first", "Date: now", status="400 No")
    with Server(answers(first, answer(b"second"))) as server:
        response = call(HTTPTransport(session), server.url, method)
        assert len(server.requests) == 1
    assert (response.status, response.body, response.headers["date"]) == (400, b"first", "now")
    assert (CAME in caplog.messages) == (hook is raises)


# What is not used of it


def test_nothing_of_the_session_gets_into_a_request(session: requests.Session) -> None:
    session.headers["X-Mine"] = "1"
    session.auth, session.params = ("me", "secret"), {"a": "b"}
    session.cookies.set("c", "d")
    session.stream = False
    session.max_redirects = 0
    moved = answer(b"", "Location: http://127.0.0.1:9/", "Set-Cookie: e=f", status="302 Found")
    with Server(answers(moved)) as server:
        assert call(HTTPTransport(session), f"{server.url}/path").status == 302
    (sent,) = server.requests
    assert sent.startswith(b"POST /path HTTP/1.1\r\n")
    assert not [word for word in (b"x-mine", b"authorization", b"cookie") if word in sent.lower()]
    assert session.cookies.get_dict() == {"c": "d"}


def test_the_proxy_of_the_environment_is_used_by_a_session_that_trusts_it_and_no_netrc(
    session: requests.Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("no_proxy", "")
    session.trust_env = True
    moved = answer(b"by the proxy", "Location: /elsewhere", status="302 Found")
    with Server(answers(moved)) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        transport = HTTPTransport(session)
        assert call(transport, "http://127.0.0.1:1/path").body == b"by the proxy"
    (sent,) = proxy.requests
    assert sent.startswith(b"POST http://127.0.0.1:1/path HTTP/1.1\r\n")
    assert b"authorization" not in sent.lower()


# Nothing is sent twice

NOTHING: dict[str, Any] = {"connect": 0, "read": 0, "other": 0, "status": 0}


class Policy(Retry):
    """Nobody knows what it repeats."""


@pytest.mark.parametrize(
    "policy",
    [1, True, None, Retry(None), Retry(3), Retry(3, **NOTHING), Policy(0)],
    ids=lambda policy: repr(policy)[:30],
)
@pytest.mark.parametrize("promised", [False, True])
def test_an_adapter_with_retries_is_refused_with_advice(policy: Any, promised: bool) -> None:
    adapter = HTTPAdapter()
    adapter.max_retries = policy
    with pytest.raises(RequestError) as caught:
        HTTPTransport(mounted(adapter), sends_once=promised)
    assert str(caught.value) == (
        f"the adapter for 'http://' may send a request again, by its {policy!r}. The client itself repeats "
        "what may be repeated: write session.mount('http://', DeadlineAdapter())"
    )


@pytest.mark.parametrize("policy", [0, False, Retry(0), Retry(False)])
@pytest.mark.parametrize(
    "play", [cut(b""), answers(answer(b"", "Retry-After: 0", status="503 No"))]
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_adapter_without_retries_sends_once(policy: Any, play: Play, method: str) -> None:
    adapter = HTTPAdapter()
    adapter.max_retries = policy
    with Server(play, answers(answer())) as server, mounted(adapter) as session:
        with contextlib.suppress(Exception):
            call(HTTPTransport(session), server.url, method)
        assert len(server.requests) == 1


def test_what_is_mounted_or_changed_later_is_looked_at_before_it_sends() -> None:
    with Server(answers(answer(), answer())) as server, requests.Session() as session:
        session.trust_env = False
        transport = HTTPTransport(session)
        session.mount("http://127.0.0.1", HTTPAdapter(max_retries=3))
        with pytest.raises(RequestError, match="may send a request again"):
            call(transport, server.url)
        session.mount("http://127.0.0.1", HTTPAdapter())
        session.verify = False
        with pytest.raises(RequestError, match="TLS is always verified"):
            call(transport, server.url)
        session.verify = True
        assert call(transport, server.url).status == 200
        session.adapters.clear()
        error = failure(transport, server.url)
        assert (error.fault, error.reason) == (
            Fault.NOT_SENT,
            "cannot connect: requests.exceptions.InvalidSchema",
        )


class Own(HTTPAdapter):
    def send(self, *args: Any, **more: Any) -> requests.Response:
        return super().send(*args, **more)


class Made(BaseAdapter):
    def send(self, *_: Any, **__: Any) -> requests.Response:
        response = requests.Response()
        response.status_code = 204
        return response

    def close(self) -> None:
        pass


class OwnSend(requests.Session):
    def send(self, *args: Any, **more: Any) -> requests.Response:
        return super().send(*args, **more)


@pytest.mark.parametrize(
    ("session", "reason"),
    [
        (mounted(Own()), r"the adapter for 'http://', Own, has a send\(\) of its own"),
        (mounted(Made()), r"the adapter for 'http://', Made, has a send\(\) of its own"),
        (OwnSend(), r"OwnSend has a send\(\) of its own"),
    ],
)
def test_what_nobody_can_judge_takes_a_promise(session: requests.Session, reason: str) -> None:
    ask = r": promise that it sends each request once: Client\(..., session=session, sends_once=True\)"
    with pytest.raises(RequestError, match=f"^{reason}{ask}$"):
        HTTPTransport(session)
    with Server(answers(answer(status="204 No Content"))) as server, session:
        assert call(HTTPTransport(session, sends_once=True), server.url).status == 204


def test_an_adapter_of_requests_mock_sends_nothing_and_takes_no_promise() -> None:
    adapter = requests_mock.Adapter()
    adapter.register_uri("POST", "http://127.0.0.1:9/", text="mocked")
    assert call(HTTPTransport(mounted(adapter)), "http://127.0.0.1:9").body == b"mocked"


def test_what_is_no_session_and_no_promise_is_a_type_error() -> None:
    given: Any
    for given in (requests, requests.Session, "session"):
        with pytest.raises(TypeError, match=r"^session must be a requests.Session, not a "):
            HTTPTransport(given)
    given = 1
    with pytest.raises(TypeError, match=r"^sends_once must be True or False, not 1$"):
        HTTPTransport(requests.Session(), sends_once=given)


class Persistent(requests.Session):
    """Sends what failed, or was answered, once more, and to another place."""

    elsewhere = ""

    def send(self, request: requests.PreparedRequest, **given: Any) -> requests.Response:
        with contextlib.suppress(requests.ConnectionError):
            super().send(request, **given)
        request.url = self.elsewhere or request.url
        return super().send(request, **given)


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("elsewhere", ["", refused_port()], ids=["there", "elsewhere"])
def test_nothing_is_sent_twice_whatever_is_promised(method: str, elsewhere: str) -> None:
    plays = cut(b""), answers(answer(b"first"), answer(b"second"))
    with Server(*plays) as server, Persistent() as session:
        session.elsewhere = elsewhere
        transport = HTTPTransport(session, sends_once=True)
        error = failure(transport, server.url, method)
        assert error.fault is Fault.MAYBE_SENT
        assert error.reason == "the session was about to send it again, which was stopped"
        assert_clean(error)
        assert len(server.requests) == 1
        assert call(transport, server.url, method).body == b"first"
        assert len(server.requests) == 2


def test_the_first_answer_counts_where_a_hook_sends_another(session: requests.Session) -> None:
    def again(response: requests.Response, **_: Any) -> None:
        session.hooks["response"] = []
        if response.content == b"1":
            session.send(response.request)

    session.hooks["response"] = [again]
    with Server(answers(answer(b"1"), answer(b"2"))) as server:
        assert call(HTTPTransport(session), server.url, "GET").body == b"1"
        assert len(server.requests) == 2


# What a session raises


class Custom(HTTPAdapter):
    """Does what a test says in place of sending."""

    def __init__(self, play: Callable[..., Any]) -> None:
        super().__init__()
        self._play = play

    def send(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> requests.Response:
        response: requests.Response = self._play(request)
        return response


def custom(play: Callable[..., Any]) -> HTTPTransport:
    return HTTPTransport(mounted(Custom(play)), sends_once=True)


class Failover(HTTPAdapter):
    """Sends to the hosts that a test names, one after the other, until one answers."""

    def __init__(self, *urls: str) -> None:
        super().__init__()
        self._urls = urls

    def send(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> requests.Response:
        failures: list[Exception] = []
        for url in self._urls:
            request.url = url
            try:
                return super().send(request, stream=True, timeout=0.2)
            except requests.RequestException as error:
                failures.append(error)
        raise failures[-1] from failures[0]


@pytest.mark.parametrize("is_there", [True, False])
def test_a_failover_has_not_sent_only_where_its_last_host_refused(is_there: bool) -> None:
    with Server(silent) as server:
        last = server.url if is_there else refused_port()
        transport = HTTPTransport(mounted(Failover(refused_port(), last)), sends_once=True)
        error = failure(transport, "http://127.0.0.1:9")
    assert error.fault is (Fault.MAYBE_SENT if is_there else Fault.NOT_SENT)
    assert len(server.requests) == is_there
    assert_clean(error)


def test_what_an_adapter_raises_of_its_own_because_of_a_refused_connection_proves_nothing() -> None:
    class Wrapping(HTTPAdapter):
        def send(self, *args: Any, **more: Any) -> requests.Response:
            try:
                return super().send(*args, **more)
            except requests.ConnectionError as error:
                raise requests.ConnectionError(error) from error

    transport = HTTPTransport(mounted(Wrapping()), sends_once=True)
    assert failure(transport, refused_port()).fault is Fault.MAYBE_SENT


KNOT = requests.ConnectionError("canary")
KNOT.__cause__ = KNOT


RESET = ConnectionResetError(104, "reset")


@pytest.mark.parametrize(
    ("raised", "fault", "reason"),
    [
        (requests.ConnectTimeout("canary"), Fault.NOT_SENT, "cannot connect: "),
        (KNOT, Fault.MAYBE_SENT, "the session raised "),
        (requests.ReadTimeout("canary"), Fault.MAYBE_SENT, "the session raised "),
        (ZeroDivisionError("canary"), Fault.MAYBE_SENT, "no answer came that can be read: "),
        (requests.ConnectionError(RESET, "canary"), Fault.MAYBE_SENT, "the session raised "),
    ],
)
def test_what_is_raised_may_have_been_sent_unless_it_says_that_it_was_not(
    raised: Exception, fault: Fault, reason: str
) -> None:
    error = failure(custom(Mock(side_effect=raised)), "http://127.0.0.1:9")
    assert error.fault is fault
    assert error.reason.startswith(reason) and error.reason.endswith(type(raised).__name__)
    assert_clean(error)


@pytest.mark.parametrize("returned", [None, "text", object()])
def test_what_is_no_answer_may_have_been_sent(returned: Any) -> None:
    blank = failure(custom(lambda _: requests.Response()), "http://127.0.0.1:9")
    assert (blank.fault, blank.reason) == (
        Fault.MAYBE_SENT,
        "no answer came that can be read: TypeError",
    )

    class Odd(requests.Session):
        def send(self, request: requests.PreparedRequest, **_: Any) -> Any:
            return returned

    error = failure(HTTPTransport(Odd(), sends_once=True), "http://127.0.0.1:9")
    assert error.fault is Fault.MAYBE_SENT
    kind = type(returned).__name__
    assert error.reason == f"the session returned a {kind}, not a requests.Response"


@pytest.mark.parametrize("raw", [None, b"read"])
def test_an_answer_that_its_adapter_has_made_is_taken_as_it_is(raw: bytes | None) -> None:
    """VCR makes answers that are not of urllib3."""

    def made(_: requests.PreparedRequest) -> requests.Response:
        response = requests.Response()
        response.status_code, response.raw = 200, io.BytesIO(raw) if raw else None
        return response

    assert call(custom(made), "http://127.0.0.1:9").body == (raw or b"")


def test_what_fails_before_a_connection_stands_was_not_sent(session: requests.Session) -> None:
    session.verify = "/no/such/file"
    error = failure(HTTPTransport(session), "https://127.0.0.1:9")
    assert error.fault is Fault.NOT_SENT
    assert "/no/such/file" in error.reason
    session.verify = True
    with Server(answers(answer(status="403 Forbidden"))) as proxy:
        for url in (refused_port(), proxy.url):
            session.proxies = {"https": url}
            error = failure(HTTPTransport(session), "https://127.0.0.1:9")
            assert error.fault is Fault.NOT_SENT


# Deadline


def test_an_answer_that_comes_after_the_deadline_is_not_taken(session: requests.Session) -> None:
    def late(peer: Peer) -> None:
        peer.read_request()
        time.advance(6_000)
        peer.send(answer())
        peer.wait_for_close()

    with VirtualTime().ruling() as time, Server(late) as server:
        assert failure(HTTPTransport(session), server.url, timeout=5).fault is Fault.MAYBE_SENT


@pytest.mark.parametrize(
    "head",
    [b"Content-Length: 999999\r\n\r\n", b"Content-Length: 99999\r\nConnection: close\r\n\r\n"],
)
def test_a_body_that_drips_ends_with_the_deadline(session: requests.Session, head: bytes) -> None:
    def drip(peer: Peer) -> None:
        peer.read_request()
        peer.send(b"HTTP/1.1 200 OK\r\n" + head)
        while not peer.server.leave.wait(0.01):
            time.advance(1_000)
            peer.send(b"x")

    with VirtualTime().ruling() as time, Server(drip) as server:
        error = failure(HTTPTransport(session), server.url, timeout=5)
    assert (error.fault, error.reason) == (Fault.MAYBE_SENT, "the body stopped coming")


# Whose it is


def test_the_session_stays_open_and_takes_no_more_calls(session: requests.Session) -> None:
    with Server(answers(answer(b"1"), answer(b"2"))) as server:
        session.trust_env = False
        transport = HTTPTransport(session)
        assert call(transport, server.url).body == b"1"
        transport.close()
        transport.close()
        with pytest.raises(
            RequestError, match=r"^the client is closed: make another one, as in `with"
        ):
            call(transport, server.url)
        assert session.get(server.url).content == b"2"
    assert server.connections == 1


def test_a_connection_that_hung_up_answers_no_other_request(session: requests.Session) -> None:
    with Server(answers(answer(b"1")), answers(answer(b"2"))) as server:
        response = call(HTTPTransport(session), server.url)
        response.hang_up()
        assert server.hung_up.wait(20)
        assert call(HTTPTransport(session), server.url).body == b"2"


def test_a_pool_that_blocks_gets_every_connection_back() -> None:
    plays = cut(answer(b"cut")[:-1]), answers(answer(status="400 No")), answers(answer(b"mine"))
    with Server(*plays) as server, mounted(HTTPAdapter(1, 1, 0, pool_block=True)) as session:
        transport = HTTPTransport(session)
        assert failure(transport, server.url).fault is Fault.UNREADABLE
        assert call(transport, server.url).status == 400
        assert [call(transport, server.url).status] == [200]


def test_a_process_other_than_the_one_that_made_it_is_refused(
    session: requests.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    transport = HTTPTransport(session)
    monkeypatch.setattr(os, "getpid", lambda: -1)
    with pytest.raises(RequestError, match="those of the parent process"):
        call(transport, "http://127.0.0.1:9")
