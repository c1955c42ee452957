"""Whether a session of requests may send a request twice: what is known before, and what stops it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import requests
from requests.adapters import BaseAdapter, HTTPAdapter
from urllib3 import HTTPResponse, Retry, Timeout
from urllib3.exceptions import ConnectTimeoutError, ProtocolError, ReadTimeoutError, SSLError

from trading_runtime.errors import RequestError
from trading_runtime.http.transport import CHANGES

_TEST_ADAPTERS = frozenset({"requests_mock"})
"""Packages whose adapters send nothing."""
_PROMISE = "promise that it sends each request once: SessionTransport(session, sends_once=True)"


class RepeatedError(Exception):
    """A request was about to be sent a second time. urllib3 neither wraps nor repeats it."""


class OneRequest(Timeout):
    """The timeouts of one request, and how often it was sent.

    urllib3 copies them each time it sends. So a repetition is seen, whoever asks for it: a policy of
    urllib3, a wrapper of the session, a hook. Only a GET may have one.
    """

    def __init__(self, method: str, seconds: float) -> None:
        """Let connecting take half of the time, so that enough is left to wait for the answer."""
        super().__init__(connect=seconds / 2, total=seconds)
        self._may_repeat = method not in CHANGES
        self.times = 0

    def clone(self) -> Timeout:
        """A copy for one more exchange.

        Raises:
            RepeatedError: there was one, and the request is not safe.
        """
        self.times += 1
        if self.times > 1 and not self._may_repeat:
            raise RepeatedError
        return super().clone()


def check_session(session: requests.Session, *, sends_once: bool) -> None:
    """Refuse a session that may repeat what is not safe, or does not check certificates.

    Raises:
        RequestError: it does, or nobody can know. The text says what to write instead.
    """
    check_verify(session)
    kind = type(session)
    if not sends_once and kind.send is not requests.Session.send:
        raise RequestError(f"{kind.__name__} has a send() of its own: {_PROMISE}")
    for prefix, adapter in session.adapters.items():
        check_adapter(adapter, prefix, sends_once=sends_once)


def check_verify(session: requests.Session) -> None:
    """Refuse a session that does not check certificates.

    Raises:
        RequestError: it does not.
    """
    verify = session.verify
    if verify is not True and not (isinstance(verify, str) and verify):
        raise RequestError(
            "TLS is always verified: write session.verify = True, or the path of a file of CAs, "
            f"not {verify!r}"
        )


def check_adapter(adapter: BaseAdapter, prefix: str, *, sends_once: bool) -> None:
    """Refuse an adapter that may repeat what is not safe.

    Raises:
        RequestError: it may, or nobody can know.
    """
    kind = type(adapter)
    known = isinstance(adapter, HTTPAdapter) and kind.send is HTTPAdapter.send
    if not known and kind.__module__.partition(".")[0] in _TEST_ADAPTERS:
        return
    if not known and not sends_once:
        raise RequestError(f"the adapter for {prefix!r}, {kind.__name__}, is not known: {_PROMISE}")
    policy = getattr(adapter, "max_retries", 0)
    if not sends_once and isinstance(policy, Retry) and type(policy) is not Retry:
        raise RequestError(f"{type(policy).__name__}, for {prefix!r}, is not known: {_PROMISE}")
    if _may_repeat(policy):
        raise RequestError(
            f"the adapter for {prefix!r} may send a request again that is not safe, by its {policy!r}. "
            f"The client itself repeats what may be repeated: write session.mount({prefix!r}, "
            "requests.adapters.HTTPAdapter())"
        )


def _may_repeat(given: Any) -> bool:
    policy = given if isinstance(given, Retry) else Retry.from_int(given)
    if policy.total is not None and policy.total <= 0:  # False, too: the default of requests
        return False
    return any(_repeats(policy, method, **what) for method in CHANGES for what in _faults(policy))


def _faults(policy: Retry) -> Iterator[dict[str, Any]]:
    """What may go wrong of a request, one of each kind that urllib3 counts on its own."""
    yield {"error": ConnectTimeoutError()}
    yield {"error": ReadTimeoutError(cast(Any, None), "", "")}
    yield {"error": ProtocolError()}
    yield {"error": SSLError()}
    for status in {*(policy.status_forcelist or ()), *policy.RETRY_AFTER_STATUS_CODES}:
        yield {"response": HTTPResponse(status=status, headers={"Retry-After": "0"})}


def _repeats(policy: Retry, method: str, **what: Any) -> bool:
    """Ask a policy what urllib3 would ask it after this fault."""
    if "response" in what and not policy.is_retry(method, what["response"].status, True):
        return False
    try:
        policy.increment(method, "", **what)
    except Exception:  # the fault itself, or that there are no more retries
        return False
    return True
