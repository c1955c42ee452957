"""Check where a request comes from, which keeps web pages of other sites from using the sandbox.

Such a page can send requests to a local port, but it cannot set their headers Host and Origin.
"""

from __future__ import annotations

import re

from starlette.types import Scope

from trading_sandbox.web.refusals import Refusal

CONTROLS = "/sandbox/"
"""The paths of the controls, which need no signature."""

_LOCAL = re.compile(rb"(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?", re.IGNORECASE)


def check_origin(scope: Scope) -> None:
    """Refuse a request for another host, and a request of a foreign web page for a control.

    A request has one Host header, which names this machine. A request for a control may have an
    Origin header only if it names the sandbox itself.
    """
    hosts = _values(scope, b"host")
    if len(hosts) != 1 or not _LOCAL.fullmatch(hosts[0]):
        raise Refusal(400, "Invalid Host header: this sandbox answers to 127.0.0.1 only")
    if scope["path"].startswith(CONTROLS):
        own = b"http://" + hosts[0].lower()
        if any(origin.lower() != own for origin in _values(scope, b"origin")):
            raise Refusal(403, "Foreign Origin header: web pages of other sites control nothing")


def _values(scope: Scope, name: bytes) -> list[bytes]:
    return [value for each, value in scope["headers"] if each == name]
