"""Check of the Host header, which keeps web pages of other sites from using the sandbox.

Such a page can send requests to a local port, but cannot set their Host header.
"""

from __future__ import annotations

import re

from starlette.types import Scope

from trading_sandbox.web.refusals import Refusal

_LOCAL = re.compile(rb"(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?", re.IGNORECASE)


def check_host(scope: Scope) -> None:
    """Refuse a request whose Host header is missing, repeated, or names another machine."""
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    if len(hosts) != 1 or not _LOCAL.fullmatch(hosts[0]):
        raise Refusal(400, "Invalid Host header: this sandbox answers to 127.0.0.1 only")
