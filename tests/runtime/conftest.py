"""Fixtures that several files of this folder use; some files have their own of the same name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from tests.doubles.server import Server
from trading_runtime import minted
from trading_runtime.http.transport import RequestsTransport


@pytest.fixture(autouse=True)
def fresh_process() -> None:
    """Forget which ids other tests were told: many take the same ones, and a process remembers them."""
    minted.told.clear()


@pytest.fixture
def transport() -> Iterator[RequestsTransport]:
    transport = RequestsTransport()
    yield transport
    transport.close()


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def trusting(authority: trustme.CA, tmp_path: Path) -> Iterator[RequestsTransport]:
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    transport = RequestsTransport(ca_file=str(tmp_path / "ca.pem"))
    yield transport
    transport.close()


@pytest.fixture
def service() -> Iterator[Server]:
    """A service that answers whole requests as a test says."""
    with Server() as server:
        yield server
