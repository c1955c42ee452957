"""Sessions of requests that tell a call that never connected from one that may have been sent.

The one point that matters is where bytes of a request may first have left: everything that fails
inside of a connection's connect() was certainly not sent. The exceptions of requests and urllib3 do
not say so (a TLS error or a ProxyError may come from either side), so the connections themselves do.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection

from trading_runtime.errors import RequestError


class NotConnectedError(Exception):
    """Connecting failed; of no type that urllib3 or requests would catch and wrap."""


def new_session(ca_file: str | None) -> requests.Session:
    """A session that takes nothing from the environment, keeps no cookies and does not retry."""
    if ca_file is not None and not os.path.isfile(ca_file):
        raise RequestError(f"ca_file {ca_file!r} does not exist")
    session = _Session()
    session.trust_env = False
    session.verify = ca_file or True
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    for scheme in ("http://", "https://"):
        session.mount(scheme, _Adapter(pool_connections=1, pool_maxsize=1))
    return session


def cause(error: BaseException) -> str:
    """Name what the system said; the texts of other exceptions may repeat parts of the request."""
    link: BaseException | None = error
    while link is not None:
        if isinstance(link, OSError) and not isinstance(link, requests.RequestException):
            return f"{type(link).__name__}: {link.strerror or link}"
        link = link.__cause__ or link.__context__
    return type(error).__name__


def _connect(connect: Callable[[], None]) -> None:
    try:
        return connect()
    except Exception as error:
        reason = cause(error)
    raise NotConnectedError(reason)


class _Connection(HTTPConnection):
    def connect(self) -> None:
        _connect(super().connect)


class _TLSConnection(HTTPSConnection):
    def connect(self) -> None:
        _connect(super().connect)


class _Pool(HTTPConnectionPool):
    ConnectionCls: Any = _Connection


class _TLSPool(HTTPSConnectionPool):
    ConnectionCls: Any = _TLSConnection


class _Adapter(HTTPAdapter):
    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        _use_our_pools(self.poolmanager)

    def proxy_manager_for(self, *args: Any, **kwargs: Any) -> Any:
        return _use_our_pools(super().proxy_manager_for(*args, **kwargs))


def _use_our_pools(manager: PoolManager) -> PoolManager:
    pools: Any = {"http": _Pool, "https": _TLSPool}
    manager.pool_classes_by_scheme = pools
    return manager


class _Session(requests.Session):
    def get_redirect_target(self, resp: requests.Response) -> str | None:
        # Even when not following, requests parses the target, and fails on a hostile one.
        return None
