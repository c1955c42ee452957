"""Who can reach a sandbox and what it gives away: this machine alone, and nothing of value."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests

from tests.sandbox.raw import CREATE, RawClient, limit_order
from tests.sandbox.served import wait_until
from trading_sandbox import Sandbox
from trading_sandbox.controls.declared import CONTROLS
from trading_sandbox.controls.local import seeded_key
from trading_sdk import Client, Keypair
from trading_sdk.operations import API


def port(sandbox: Sandbox) -> int:
    found = urlsplit(sandbox.url).port
    assert found is not None
    return found


def other_addresses() -> list[str]:
    """Addresses of this machine beside the one that is served."""
    found = {"127.0.0.2", "::1"}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: this asks which address would be used.
            probe.connect(("192.0.2.1", 9))
            found.add(probe.getsockname()[0])
        except OSError:
            pass
    found |= {str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None)}
    return sorted(found - {"127.0.0.1", "0.0.0.0"})


@pytest.fixture(scope="module")
def still() -> Iterator[Sandbox]:
    """A sandbox that time does not change: else the full hour would, by its funding."""
    with Sandbox(maker=False) as running:
        running.freeze()
        yield running


def contents(entry: object) -> dict[str, object]:
    return {name: getattr(entry, name) for name in dir(entry) if not name.startswith("__")}


def reachable(address: str, at: int) -> bool:
    try:
        with socket.create_connection((address, at), timeout=1):
            return True
    except OSError:
        return False


# -- who can reach it -------------------------------------------------------------------------------


def test_it_is_reachable_at_127_0_0_1_and_at_no_other_address(sandbox: Sandbox) -> None:
    assert reachable("127.0.0.1", port(sandbox))
    assert [each for each in other_addresses() if reachable(each, port(sandbox))] == []
    # Nor is it after a while in which it refused connections.
    sandbox.faults.inject("*", "connect_refused", seconds=0.01)
    wait_until(lambda: reachable("127.0.0.1", port(sandbox)))
    assert [each for each in other_addresses() if reachable(each, port(sandbox))] == []


PATHS = ["/", CREATE, "/api/v1/orders/history", "/nowhere", "/sandbox/v1/", "/sandbox/v1/reset"]
HOSTS = [
    *("evil.example", "127.0.0.1.evil.example", "localhost.evil", "127.0.0.1:1@evil", ""),
    *("0.0.0.0", "127.1", "127.0.0.2", "[::]", "[::ffff:127.0.0.1]", "localhost.", "127.0.0.1:"),
    *("127.0.0.1:999999", "127.0.0.1, evil", "http://127.0.0.1", "127.0.0.1/x", "localhost\tx"),
]


CONTROL_PATHS = [f"/sandbox/v1/{name}" for name in (*CONTROLS, "", "schema", "rob")]


def ask(
    sandbox: Sandbox, path: str, method: str = "POST", **headers: str | None
) -> requests.Response:
    """Send an empty object; a header of None is left out."""
    named = {"content-type": "application/json", **headers}
    given = {name.replace("_", "-"): value for name, value in named.items()}
    return requests.request(
        method, sandbox.url + path, data="{}", headers=given, timeout=10, allow_redirects=False
    )


@pytest.mark.parametrize("host", HOSTS)
def test_a_foreign_host_header_is_refused_at_every_path(still: Sandbox, host: str) -> None:
    before = still.digest()
    paths = [(method, path) for path in PATHS for method in ("GET", "POST")]
    if host == "evil.example":
        paths += [(each.method, each.path) for each in API.operations.values()]
        paths += [("POST", path) for path in CONTROL_PATHS] + [("GET", "/health")]
    for method, path in paths:
        answer = ask(still, path, method, host=host)
        assert answer.status_code == 400, path
        assert "Host" in answer.text or "Invalid HTTP" in answer.text
    assert still.digest() == before


@pytest.mark.parametrize(
    "headers",
    [
        *({"origin": "http://evil.example"}, {"origin": "null"}, {"sec_fetch_site": "same-site"}),
        {"origin": "", "sec_fetch_site": "cross-site"},
    ],
)
def test_every_control_and_the_page_refuse_another_site(
    still: Sandbox, headers: dict[str, str | None]
) -> None:
    # Operations need none of that: what they change is signed, and a browser lets no page of another
    # site read what they answer.
    before = still.digest()
    for path in (*CONTROL_PATHS, "/sandbox/v1/live"):
        for method in ("GET", "POST", "OPTIONS", "HEAD"):
            assert ask(still, path, method, **headers).status_code == 403, path
    assert still.digest() == before
    assert ask(still, "/sandbox/v1/digest", origin=still.url).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", None])
def test_a_page_of_another_site_can_neither_read_nor_change_anything(
    still: Sandbox, kind: str | None
) -> None:
    """Without asking first, a browser sends such a page's requests with these types alone."""
    before = still.digest()
    # A browser that tells no Origin does not get further.
    for name, origin in product(
        ("reset", "create_account", "advance", "deposit"), ("http://evil.example", None)
    ):
        answer = ask(still, f"/sandbox/v1/{name}", content_type=kind, origin=origin)
        assert answer.status_code == (400 if origin is None else 403)
        assert not grants(answer)
    for path in PATHS:
        asks = {
            "access_control_request_method": "POST",
            "access_control_request_headers": "content-type",
        }
        answer = ask(still, path, "OPTIONS", origin="http://evil.example", **asks)
        assert answer.status_code >= 400
        assert not grants(answer)
    assert still.digest() == before


def grants(answer: requests.Response) -> list[str]:
    """The headers that would give a page of another site leave."""
    return [name for name in answer.headers if name.lower().startswith("access-control")]


# -- keys -------------------------------------------------------------------------------------------


def test_its_keys_come_from_its_seed_and_from_nowhere_else(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = Keypair.generate()
    monkeypatch.setenv("TRADING_PRIVATE_KEY", mine.export_base58())
    made = [sandbox.create_account() for _ in range(3)]
    assert made == [seeded_key(7, number) for number in (1, 2, 3)]
    assert mine not in made
    with Sandbox(seed=8, maker=False) as other:
        assert not {other.create_account() for _ in range(3)} & set(made)


def test_it_knows_no_private_key_of_a_client_that_brings_its_own(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    mine = Keypair.generate()
    with Sandbox(state=tmp_path / "state", maker=False) as sandbox:
        account = sandbox.create_account().address
        sandbox.bind_agent(account, mine.address)
        with Client(sandbox.url, signer=mine, account=account) as client:
            client.orders.create(**limit_order())
        logged = repr([contents(each) for each in sandbox.requests])
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for secret in (mine.export_base58(), mine._key.encode().hex(), repr(mine._key.encode())):
        assert secret not in logged + caplog.text
        assert secret.encode() not in kept
    assert mine._key.encode() not in kept


# -- what it writes ---------------------------------------------------------------------------------


def test_nothing_is_printed_or_logged_of_a_request(
    sandbox: Sandbox, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "asyncio", "starlette"):
        caplog.set_level(logging.DEBUG, name)
    raw = RawClient.of(sandbox)
    raw.headers = {"PF-API-KEY": "canaryApiKey"}
    signed = raw.body("create_order", limit_order())
    assert raw.post(CREATE, signed).status_code == 400
    raw.headers = {}
    assert raw.post(CREATE, signed).status_code == 200
    assert raw.post(CREATE, {**signed, "signature": "1" * 64}).status_code == 400
    out, err = capfd.readouterr()
    shown = out + err + "".join(r.getMessage() for r in caplog.records if "urllib3" not in r.name)
    shown += repr(sandbox.requests) + repr(sandbox)
    for secret in ("canaryApiKey", signed["signature"]):
        assert secret not in shown
    assert len(sandbox.requests) == 3


def test_a_state_file_is_made_with_the_permissions_of_this_process(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        with Sandbox(state=tmp_path / "state", maker=False) as sandbox:
            sandbox.create_account()
            modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes.pop("state") == 0o600
    assert set(modes.values()) <= {0o600}
