"""Base URLs: what is accepted means the same to everything that reads it; what is not stays unseen."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import requests
from hypothesis import given, strategies as st
from urllib3.util import parse_url

from tests.fuzz import fuzzed_by
from trading_runtime.errors import RequestError
from trading_runtime.http.urls import check_base_url

CANARY = "hunter2"
HOST = "abcdefghijklmnopqrstuvwxyz0123456789._-:"
_PARTS = (
    ["https://", "http://", "HTTP://", "https:", "https:/", "http:\\\\", "ftp://"],
    ["", "", "", "me@", f"me:{CANARY}@", "me\\", "localhost%40", "a."],
    [
        *("localhost", "127.0.0.1", "[::1]", "evil.example", "0x7f.1", "[fe80::1%25lo]", "a_b"),
        *("A.b.", "127.1", "[::ffff:127.0.0.1]", "xn--a-ecp.ru", "a\t.b", "a\r\n", "\x00", "a b"),
        *("a\u3002b", "a\uff0fb", "\u2100", "\u0131", "\ud800", "%2f", "-", ""),
    ],
    ["", "", ":80", ":00443", ":65536", ":-1", ":1_0", f":{CANARY}", ":"],
    ["", "/", "/v1/", "/a//b", "/../x", "/a@b", "?a=b", "#a", "/;a", "\\a", "/%2e", "/[", "/|"],
)

parts = st.tuples(*map(st.sampled_from, _PARTS)).map("".join)


def host_of(text: str) -> str:
    """The host, which is the one part that an error names, where plain http leads elsewhere."""
    authority = re.split("[/?#]", text.lower().partition("://")[2], maxsplit=1)[0]
    return authority.partition(":")[0]


def targets(text: str) -> set[tuple[str | None, str | None, int | None]]:
    """Where a URL leads, as scheme, host and port, by each parser that may read it."""
    prepared = requests.Request("GET", text).prepare().url
    assert prepared is not None
    dialled, split, sent = parse_url(text), urlsplit(text), urlsplit(prepared)
    host = None if dialled.host is None else dialled.host.strip("[]")
    return {
        (dialled.scheme, host, dialled.port),
        (split.scheme, split.hostname, split.port),
        (sent.scheme, sent.hostname, sent.port),
    }


@fuzzed_by(ordinary=4, long=1)
@given(parts | parts | st.text())
def test_an_accepted_url_leads_to_one_place_for_every_parser(text: str) -> None:
    try:
        base = check_base_url(text)
    except RequestError as error:
        says = str(error)
        assert error.__cause__ is None and error.__context__ is None
        problem = says.partition("; give https://")[0]
        assert len(text) < 9 or text not in problem
        assert CANARY not in says or CANARY in host_of(text)
        assert says.isprintable() and says.isascii()
        return
    assert check_base_url(base) == base
    assert base.isascii() and base.isprintable()
    assert not {"@", "\\", "?", "#", " "} & set(base)
    found = targets(text) | targets(base) | targets(f"{base}/api/v1/orders?account=a")
    assert len(found) == 1
    ((scheme, host, _),) = found
    assert scheme == "https" or host in ("localhost", "127.0.0.1", "::1")
    assert host is not None and not set(host) - set(HOST)
