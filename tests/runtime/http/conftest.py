"""The transports that the tests of this folder send over."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
import requests

from trading_runtime import RequestsTransport, SessionTransport, Transport


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of a module that names several TRANSPORTS with each of them."""
    named = getattr(metafunc.module, "TRANSPORTS", ())
    if named and "transport" in metafunc.fixturenames:
        metafunc.parametrize("transport", named, indirect=True)


@pytest.fixture
def transport(request: pytest.FixtureRequest) -> Iterator[Transport]:
    if getattr(request, "param", None) is SessionTransport:
        with requests.Session() as session:
            yield SessionTransport(session)
        return
    transport = RequestsTransport()
    yield transport
    transport.close()


@pytest.fixture
def usual() -> Iterator[RequestsTransport]:
    """The usual transport, in a module whose `transport` is either."""
    with contextlib.closing(RequestsTransport()) as transport:
        yield transport
