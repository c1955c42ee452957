"""What to write where a connection failed, and what the environment says that is not used."""

from __future__ import annotations

import os
from collections.abc import Sequence

_AUTHORITIES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR")
_PROXIES = ("HTTPS_PROXY", "ALL_PROXY")


def untrusted(use: str) -> str:
    """What follows the reason why a certificate is not trusted; `use` takes a file of CAs."""
    found = _set(_AUTHORITIES)
    unused = f" ({found} is set in the environment, which is not used)" if found else ""
    return f"; if its CA is your own, write {use}{unused}"


def unreachable(url: str, use: str) -> str:
    """What follows the reason why no connection was made without a proxy; `use` takes one."""
    found = _set(_PROXIES)
    if found is None or not url.startswith("https:"):
        return ""
    return f"; {found} is set in the environment, which is not used: write {use}"


def _set(names: Sequence[str]) -> str | None:
    """The first of these variables that is set, in either case. Its value may hold a password."""
    either = (case for name in names for case in (name, name.lower()))
    return next((name for name in either if os.environ.get(name)), None)
