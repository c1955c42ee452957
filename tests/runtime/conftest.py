"""Fixtures that several files of this folder use; some files have their own of the same name."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from tests.doubles.server import Server, server_context
from trading_runtime.http.deadline import new_session
from trading_runtime.http.transport import HTTPTransport


@pytest.fixture
def transport() -> Iterator[HTTPTransport]:
    transport = HTTPTransport()
    yield transport
    transport.close()


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def ca_file(authority: trustme.CA, tmp_path: Path) -> str:
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    return str(tmp_path / "ca.pem")


@pytest.fixture
def context(authority: trustme.CA) -> ssl.SSLContext:
    """What a server of the authority speaks TLS with."""
    return server_context(authority)


@pytest.fixture
def certificate(authority: trustme.CA, tmp_path: Path) -> str:
    """A file with the certificate of a client, and its key."""
    path = str(tmp_path / "me.pem")
    authority.issue_cert("me@client").private_key_and_cert_chain_pem.write_to_path(path)
    return path


@pytest.fixture
def trusting(ca_file: str) -> Iterator[HTTPTransport]:
    with new_session() as session:
        session.verify = ca_file
        yield HTTPTransport(session)


@pytest.fixture
def service() -> Iterator[Server]:
    """A service that answers whole requests as a test says."""
    with Server() as server:
        yield server
