"""What an exception of a session shows about whether the request was sent.

It may have been, unless it is proven that it was not. A request that failed inside connect(), of which
the traceback tells, was not; nor was one that connecting took too long for.
"""

from __future__ import annotations

import ssl
import sys
from collections.abc import Iterator
from traceback import walk_tb

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError

from trading_runtime.http import hints
from trading_runtime.http.adapters import OneRequest, RepeatedError
from trading_runtime.http.fault import Fault, TransportError, cause
from trading_runtime.http.pool import no_answer

_BEFORE_SENDING = frozenset(
    each.__code__
    for each in (
        HTTPConnection.connect,
        HTTPSConnection.connect,
        HTTPAdapter.cert_verify,
        HTTPAdapter.get_connection_with_tls_context,
    )
)
"""The code that runs before the first byte of a request is written."""
_TOO_SLOW = (ConnectTimeoutError, requests.ConnectTimeout)


def fault_of_raised(error: Exception, once: OneRequest, hint: str) -> TransportError:
    """The failure that an exception stands for; `hint` follows why no connection was made.

    Of the texts of requests and urllib3 nothing is kept: they may hold the request.
    """
    links = list(_links(error))
    if any(isinstance(link, RepeatedError) for link in links):
        reason = "the session was about to send it again, which was stopped"
        return TransportError(Fault.MAYBE_SENT, reason)
    known = [link for link in links if _is_of_the_system(link)]
    # With one exchange at most, no other one can have sent it.
    if once.times > 1 or not any(map(_is_not_sent, links)):
        reason = no_answer(known[-1]) if known else f"the session raised {_name(error)}"
        return TransportError(Fault.MAYBE_SENT, reason)
    reason = cause(known[-1]) if known else _name(error)
    if any(isinstance(link, ssl.SSLCertVerificationError) for link in links):
        trust = hints.untrusted("session.verify = FILE")
        return TransportError(Fault.NOT_TRUSTED, f"cannot connect: {reason}{trust}")
    return TransportError(Fault.NOT_SENT, f"cannot connect: {reason}{hint}")


def forget(error: BaseException) -> None:
    """Let go of the frames that an exception went through, and so of the connections that they hold.

    Frames and exceptions refer to each other, so that otherwise only the garbage collector would do it.
    """
    for link in _links(error, handled=True):
        link.__traceback__ = None


def _links(error: BaseException, *, handled: bool = False) -> Iterator[BaseException]:
    """An exception and those that it says it stands for, as those of requests and urllib3 do.

    With `handled` also those that were handled when it was raised, which may be of another request.
    """
    left, seen = [error], set[int]()
    while left:
        link = left.pop(0)
        if id(link) not in seen:
            seen.add(id(link))
            yield link
            named = (vars(link).get("reason"), vars(link).get("original_error"))
            within = (link.__cause__, *link.args, *named, link.__context__ if handled else None)
            left += [each for each in within if isinstance(each, BaseException)]


def _is_not_sent(link: BaseException) -> bool:
    frames = (frame.f_code for frame, _ in walk_tb(link.__traceback__))
    return isinstance(link, _TOO_SLOW) or any(code in _BEFORE_SENDING for code in frames)


def _is_of_the_system(link: BaseException) -> bool:
    """Whether Python itself raised it: its text then holds nothing of the request."""
    return type(link).__module__.partition(".")[0] in sys.stdlib_module_names


def _name(error: BaseException) -> str:
    return f"{type(error).__module__}.{type(error).__qualname__}"
