"""Checks of URLs: https to any host, plain http to this machine only."""

from __future__ import annotations

import re

from urllib3.exceptions import LocationParseError
from urllib3.util import Url, parse_url

from trading_runtime.errors import RequestError

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
# URL parsers disagree about these characters: one takes for the host what another takes for a user.
_AMBIGUOUS = re.compile(r"[^!-~]|[\\@%]")
_HOST = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?|\[[0-9A-Fa-f:.]+\]")
_PATH = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:/-]*")
_RIGHT = "give https://HOST, or http://localhost, http://127.0.0.1 or http://[::1]"


def check_base_url(text: str) -> str:
    """Return a base URL without its trailing slash, or raise RequestError.

    The URL is parsed by the parser that will dial it. A path prefix is allowed; user info, a
    query, a fragment and plain http to another machine are not. The error does not repeat the
    URL, which may hold a password.
    """
    problem, url = _parse(text)
    if problem is None:
        problem = _objection(url, text)
    if problem is not None:
        raise RequestError(f"base URL: {problem}; {_RIGHT}")
    return url.url.rstrip("/")


def is_loopback(url: Url) -> bool:
    """Whether a URL names this machine, in one of the three forms that all parsers agree about."""
    return url.host in _LOOPBACK


def is_local(base_url: str) -> bool:
    """Whether a base URL names this machine."""
    return is_loopback(parse_url(base_url))


def _parse(text: object) -> tuple[str | None, Url]:
    if not isinstance(text, str):
        return f"a {type(text).__name__} is not text", Url()
    if _AMBIGUOUS.search(text):
        return "white space, control and non-ASCII characters, \\ @ and % are not allowed", Url()
    try:
        return None, parse_url(text)
    except LocationParseError:
        return "it cannot be parsed", Url()


def _missing(text: str) -> str:
    """A hint where the URL is a host, perhaps with a port. Other text is not repeated: it may be a secret."""
    host, _, port = text.partition(":")
    is_host = host in _LOOPBACK or ("." in host and _HOST.fullmatch(host))
    if not is_host or not re.fullmatch("[0-9]*", port):
        return ""
    scheme = "http" if host in _LOOPBACK else "https"
    return f"; write {scheme}:// before it"


def _objection(url: Url, text: str) -> str | None:
    if url.scheme not in ("https", "http"):
        return f"the scheme must be https or http{_missing(text)}"
    if not url.host or not _HOST.fullmatch(url.host):
        return "there is no valid host"
    if url.port == 0:
        return "no service has the port 0"
    if not _PATH.fullmatch(url.path or ""):
        return "the path has characters that would have to be escaped"
    if url.query is not None or url.fragment is not None:
        return "a query or fragment is not allowed"
    if url.scheme == "http" and not is_loopback(url):
        return f"plain http to {url.host} would show your requests to the network"
    return None
