"""Which sessions are refused, because they may send twice what is not safe or do not verify TLS."""

from __future__ import annotations

from typing import Any

import pytest
import requests
import requests_mock
from requests.adapters import BaseAdapter, HTTPAdapter
from urllib3 import Retry

from tests.doubles.server import Server, answer, answers, cut
from tests.runtime.transports import call
from trading_runtime.errors import RequestError
from trading_runtime.http.fault import TransportError
from trading_runtime.http.session import SessionTransport

NOTHING: dict[str, Any] = {"connect": 0, "read": 0, "other": 0}
REPEATING: dict[str, Any] = {
    "an integer": 1,
    "urllib3's default": None,
    "for ever": Retry(None),
    "a total": Retry(3),
    "only what was not sent": Retry(3, read=0, other=0, status=0),
    "what is neither connecting nor reading, like TLS": Retry(3, connect=0, read=0, status=0),
    "all methods": Retry(3, connect=0, other=0, status=0, allowed_methods=None),
    "a DELETE": Retry(3, **{**NOTHING, "read": 1}, allowed_methods=["DELETE"]),
    "a status": Retry(3, **NOTHING, status_forcelist=[500], allowed_methods=["POST"]),
    "Retry-After": Retry(3, **NOTHING, allowed_methods=["PATCH"]),
}
ONCE: dict[str, Any] = {
    "requests' default": 0,
    "nothing": False,
    "none": Retry(0),
    "off": Retry(False),
    "all counts zero": Retry(3, **NOTHING, status=0, allowed_methods=None),
    "without a total": Retry(None, **NOTHING, status=0, allowed_methods=None),
    "GETs": Retry(3, connect=0, other=0, allowed_methods=["GET"], status_forcelist=[503]),
    "redirects, which requests never leaves to it": Retry(3, redirect=3, **NOTHING, status=0),
}


def with_retries(policy: Any) -> requests.Session:
    session = requests.Session()
    adapter = HTTPAdapter()
    adapter.max_retries = policy
    session.mount("http://127.0.0.1", adapter)
    return session


@pytest.mark.parametrize("name", REPEATING)
def test_a_session_that_may_repeat_what_is_not_safe_is_refused_with_the_line_to_write(
    name: str,
) -> None:
    for promised in (False, True):
        with pytest.raises(RequestError) as caught:
            SessionTransport(with_retries(REPEATING[name]), sends_once=promised)
        assert "the adapter for 'http://127.0.0.1' may send a request again that is not safe" in (
            str(caught.value)
        )
        assert str(caught.value).endswith(
            "write session.mount('http://127.0.0.1', requests.adapters.HTTPAdapter())"
        )


@pytest.mark.parametrize("name", ONCE)
def test_a_session_that_sends_once_sends_once(name: str) -> None:
    with Server(cut(b""), answers(answer(status="503 No"))) as server:
        with with_retries(ONCE[name]) as session, pytest.raises(TransportError):
            call(SessionTransport(session), server.url)
        assert len(server.requests) == 1


def test_what_is_mounted_or_changed_later_is_looked_at_before_it_sends() -> None:
    with Server(answers(answer(), answer())) as server, requests.Session() as session:
        transport = SessionTransport(session)
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
        with pytest.raises(RequestError, match=r"^the session has no adapter for http://$"):
            call(transport, server.url)


class Own(HTTPAdapter):
    """Nobody knows what it does."""

    def send(self, *args: Any, **more: Any) -> requests.Response:
        return super().send(*args, **more)


class Made(BaseAdapter):
    """It is none of requests at all."""

    def send(self, *_: Any, **__: Any) -> requests.Response:
        response = requests.Response()
        response.status_code = 204
        return response

    def close(self) -> None:
        pass


class Policy(Retry):
    """Nobody knows what it says."""


class OwnSend(requests.Session):
    def send(self, *args: Any, **more: Any) -> requests.Response:
        return super().send(*args, **more)


def mounted(adapter: BaseAdapter) -> requests.Session:
    session = requests.Session()
    session.mount("http://", adapter)
    return session


@pytest.mark.parametrize(
    ("session", "reason"),
    [
        (mounted(Own()), "the adapter for 'http://', Own, is not known"),
        (mounted(Made()), "the adapter for 'http://', Made, is not known"),
        (mounted(HTTPAdapter(max_retries=Policy(0))), "Policy, for 'http://', is not known"),
        (OwnSend(), r"OwnSend has a send\(\) of its own"),
    ],
)
def test_what_nobody_can_judge_takes_a_promise(session: requests.Session, reason: str) -> None:
    ask = r": promise that it sends each request once: SessionTransport\(session, sends_once=True\)"
    with pytest.raises(RequestError, match=f"^{reason}{ask}$"):
        SessionTransport(session)
    with Server(answers(answer(status="204 No Content"))) as server, session:
        assert call(SessionTransport(session, sends_once=True), server.url).status == 204


def test_a_promise_does_not_cover_a_policy_that_can_be_read() -> None:
    adapter = Own(max_retries=2)
    with pytest.raises(RequestError, match="may send a request again"):
        SessionTransport(mounted(adapter), sends_once=True)


class Headers(HTTPAdapter):
    """Adds a header, which an adapter may do without a `send` of its own."""

    def add_headers(self, request: requests.PreparedRequest, **_: Any) -> None:
        request.headers["X-Gateway"] = "1"


def test_an_adapter_may_add_headers_without_a_promise() -> None:
    with Server(answers(answer())) as server, mounted(Headers()) as session:
        call(SessionTransport(session), server.url)
    assert b"X-Gateway: 1\r\n" in server.requests[0]


def test_an_adapter_of_requests_mock_sends_nothing_and_takes_no_promise() -> None:
    adapter = requests_mock.Adapter()
    adapter.register_uri("POST", "http://127.0.0.1:9/", text="mocked")
    assert call(SessionTransport(mounted(adapter)), "http://127.0.0.1:9").body == b"mocked"


@pytest.mark.parametrize("verify", [False, None, "", 0])
def test_a_session_that_does_not_verify_is_refused(verify: Any) -> None:
    session = requests.Session()
    session.verify = verify
    with pytest.raises(RequestError, match=r"^TLS is always verified: write session.verify = True"):
        SessionTransport(session)


@pytest.mark.parametrize("value", [None, requests, requests.Session, "session"])
def test_what_is_no_session_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError, match=r"^session must be a requests.Session, not a "):
        SessionTransport(value)


def test_a_promise_that_is_not_true_or_false_is_a_type_error() -> None:
    with pytest.raises(TypeError, match=r"^sends_once must be True or False, not 1$"):
        SessionTransport(requests.Session(), sends_once=1)  # type: ignore[arg-type]
