"""The transports that the tests of this folder send over."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import requests

from trading_runtime import Transport
from trading_runtime.http.transport import HTTPTransport


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of a module that names SESSIONS over each of them."""
    sessions = getattr(metafunc.module, "SESSIONS", ())
    if sessions and "transport" in metafunc.fixturenames:
        metafunc.parametrize("transport", sessions, indirect=True)


@pytest.fixture
def transport(request: pytest.FixtureRequest) -> Iterator[Transport]:
    if getattr(request, "param", "own") == "plain":
        with requests.Session() as session:
            session.trust_env = False
            yield HTTPTransport(session)
        return
    transport = HTTPTransport()
    yield transport
    transport.close()


@pytest.fixture
def usual() -> Iterator[HTTPTransport]:
    """The usual transport, in a module whose `transport` is either."""
    transport = HTTPTransport()
    yield transport
    transport.close()
