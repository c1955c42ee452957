"""The options of a client: their checks, and those that environment variables name."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import PurePath
from typing import Any, TypedDict, TypeVar, get_args

import attrs
from requests import Session

from trading_runtime.call import file_lock
from trading_runtime.call.events import Event
from trading_runtime.call.journal import Journal
from trading_runtime.call.retry import Retry
from trading_runtime.checks import did_you_mean, integer, refuse_unknown, seconds
from trading_runtime.clock import Clock, ClockName
from trading_runtime.codec.fields import UNSET, json_name
from trading_runtime.errors import JournalError, RequestError, SigningError, TradingError
from trading_runtime.http.transport import MAX_BODY_BYTES, HTTPTransport, Masked, Transport
from trading_runtime.http.urls import check_base_url, is_local
from trading_runtime.operation import Api, ListOperation, Operation
from trading_runtime.rate_limit import RateLimit
from trading_runtime.signing.keys import Keypair, Signer, checked_address, checked_signer


class ClientOptions(TypedDict, total=False):
    """The options of a client that no environment variable names. The constructor describes them."""

    expiry_window: int
    timeout: float
    retry: Retry
    clock: ClockName
    journal: str | os.PathLike[str] | None
    signing_types: Mapping[str, str] | None
    session: Session | None
    sends_once: bool
    max_body_bytes: int
    transport: Transport | None
    history_lag: float
    on_event: Callable[[Event], object] | None
    check: Callable[[Any], object] | None


Callback = TypeVar("Callback", bound="Callable[[Any], object] | None")
_MIN_WINDOW, _MAX_WINDOW = 100, 86_400_000
"""In ms, up to a day. A number beyond them was meant in other units."""
_MAX_TIMEOUT = 600
"""Ten minutes for a call, in seconds. A larger number was meant in ms."""
_MIN_LAG, _MAX_LAG = 1, 3_600
"""In seconds."""
CONSTRUCTOR = ("signer", "account", "api_key", *ClientOptions.__annotations__)
_MEANT = {
    **{
        name: f"session=session, with {attribute}: new_session() makes one"
        for name, attribute in (
            ("verify", "session.verify"),
            ("ca_file", "session.verify"),
            ("cert", "session.cert"),
            ("proxies", "session.proxies"),
            ("proxy", "session.proxies"),
        )
    },
    "max_retries": "retry=Retry(max_attempts=...)",
    "retries": "retry=Retry(max_attempts=...)",
    **dict.fromkeys(
        ("key", "keypair", "private_key", "secret", "secret_key", "wallet"),
        "signer=Keypair.from_base58(...)",
    ),
}
"""Options of other clients, and what stands for them here."""
_NO_UNIQUE_IDS = (
    "Client has no option 'unique_ids' any more: leave it out, and leave out the id of an order, too, where it "
    "need not be yours, because an order settles by itself with the id that the SDK makes (docs/guides/upgrading.md)"
)


def refuse_others(given: Mapping[str, object], known: Sequence[str]) -> None:
    """Refuse options that a client does not have. Their values may be secret."""
    if "unique_ids" in given:
        raise TypeError(_NO_UNIQUE_IDS)
    refuse_unknown("Client", given, known, _MEANT)


def base_url(api: Api, given: str) -> str:
    """The URL of a service, given as such or as the name of a server."""
    if not isinstance(given, str) or "/" in given or not api.servers:
        return _without_paths(api, check_base_url(given))
    if given not in api.servers:
        known = ", ".join(api.servers) + did_you_mean(given, api.servers)
        raise RequestError(f"base URL: it is neither a URL nor a server; those are {known}")
    return check_base_url(api.servers[given])


def _without_paths(api: Api, url: str) -> str:
    """A URL that does not end as the paths of all operations begin, which would stand there twice."""
    parts = zip(*(each.path.split("/")[:-1] for each in api.operations.values()), strict=False)
    first = "/".join(each[0] for each in takewhile(lambda each: len({*each}) == 1, parts))
    if first and url.endswith(first):
        raise RequestError(f"base URL: leave out {first}, with which the path of every call begins")
    return url


def window(value: int) -> int:
    """An expiry window, in ms. Its bounds are this client's: they refuse other units, and the service has none."""
    found = integer("expiry_window", value, minimum=1, unit="milliseconds")
    if _MIN_WINDOW <= found <= _MAX_WINDOW:
        return found
    meant = f"; {found} seconds are {found * 1_000}" if found < _MIN_WINDOW else ""
    bounds = f"from {_MIN_WINDOW} to {_MAX_WINDOW} milliseconds"
    raise RequestError(f"expiry_window must be {bounds}, not {found}{meant}")


def timeout(value: float) -> float:
    """A timeout, in seconds. It is finite, so that no call waits for ever."""
    return float(seconds("timeout", value, maximum=_MAX_TIMEOUT))


def reconcile_timeout(value: float | None) -> float | None:
    """How long to wait for a message to expire, in seconds; None for as long as it takes."""
    return None if value is None else float(seconds("timeout", value, zero=True))


def history_lag(value: float, base_url: str) -> float:
    """How late a list may show what the service accepted, in seconds.

    One on this machine, which is a sandbox or a mock as a rule, may be without a lag.
    """
    found = float(seconds("history_lag", value, zero=True, maximum=_MAX_LAG))
    if found < _MIN_LAG and not is_local(base_url):
        raise RequestError(
            f"history_lag must be at least {_MIN_LAG} second, not {value!r}: within it the service carries "
            f"out what it accepted, and its lists show it; a service on this machine may have 0"
        )
    return found


def transport(
    given: Transport | None,
    session: Session | None = None,
    sends_once: bool = False,
    max_body_bytes: int = MAX_BODY_BYTES,
) -> Transport:
    """What sends the requests: an object that can send and close, else a session."""
    if given is None:
        return HTTPTransport(session, sends_once=sends_once, max_body_bytes=max_body_bytes)
    if isinstance(given, Session):
        # It can send and close, too, but takes another request.
        raise TypeError("transport must not be a Session: write session=session")
    if isinstance(given, type) or not all(
        callable(getattr(given, name, None)) for name in ("send", "close")
    ):
        raise TypeError("transport must be an object with send(request, timeout=...) and close()")
    if session is not None or sends_once or max_body_bytes != MAX_BODY_BYTES:
        raise RequestError(
            "session, sends_once and max_body_bytes have no effect beside transport: leave them out"
        )
    return given


def account(given: str | None, signer: Signer | None) -> str | None:
    """The account of the client: the one given, else the signer's own."""
    if given is None:
        return signer.address if signer else None
    return checked_address("account", given)


def signer(given: Signer | None) -> Signer | None:
    """A signer, or none."""
    return None if given is None else checked_signer("signer", given)


def headers(name: str | None, api_key: str | None) -> Masked:
    """The headers of every request."""
    common = Masked({"Accept": "application/json"})
    if api_key is None:
        return common
    if name is None:
        raise RequestError("this service takes no api_key")
    if not isinstance(api_key, str):
        raise TypeError(f"api_key must be a string, not a {type(api_key).__name__}")
    if not (api_key.isascii() and api_key.isprintable() and api_key.strip() == api_key != ""):
        raise RequestError("api_key must be printable ASCII without spaces around it")
    if _is_private_key(api_key):
        raise RequestError("api_key is a private key, which no request may hold: give the API key")
    return Masked({**common, name: api_key})


def _is_private_key(text: str) -> bool:
    with suppress(SigningError):
        Keypair.from_base58(text)
        return True
    return False


def signing_types(api: Api, overrides: Mapping[str, str]) -> dict[str, str]:
    """The signing type of each operation and action by its name, with the caller's own applied."""
    if not isinstance(overrides, Mapping):
        raise TypeError("signing_types must be a mapping of operation names to types")
    known = api.kinds
    types = {name: each.signing_type for name, each in known.items() if each.signing_type}
    for name, type_ in overrides.items():
        if not isinstance(type_, str) or not type_.isidentifier():
            raise RequestError(f"signing_types[{name!r}]: {type_!r} is not a signing type")
        if name not in types:
            near = did_you_mean(name, types)
            raise RequestError(f"signing_types: {name!r} is not one of {', '.join(types)}{near}")
        if known[name].signing_source == "documented":
            raise RequestError(
                f"signing_types: the signing type of {name} is documented, {types[name]!r}, and cannot be replaced"
            )
    return {**types, **overrides}


def retry(given: Retry) -> Retry:
    """A retry policy."""
    if isinstance(given, Retry):
        return given
    raise TypeError(
        f"retry must be a Retry, not a {type(given).__name__}; Retry(max_attempts=1) turns retries off"
    )


def callback(name: str, given: Callback, what: str) -> Callback:
    """What is called with every event, or every model; or nothing."""
    if given is None or callable(given):
        return given
    raise TypeError(f"{name} must be callable with {what}, not a {type(given).__name__}")


def changed_options(api: Api, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a `Caller` that change: those given that are not UNSET."""
    changes: dict[str, Any] = {}
    for name, value in given.items():
        if value is UNSET:
            continue
        if name == "api_key":
            # The rate limit is that of the key.
            changes["headers"] = headers(api.api_key_header, value)
            changes["rate_limit"] = RateLimit(api.rate_scale, api.rate_headers)
        else:
            changes[name] = _CHECKS[name](value)
    return changes


_CHECKS: dict[str, Callable[[Any], object]] = {
    "timeout": timeout,
    "expiry_window": window,
    "retry": retry,
}
CHANGEABLE = (*_CHECKS, "api_key")


def clock(name: ClockName) -> Clock:
    """The clock to sign with."""
    if name in get_args(ClockName):
        return Clock(name)
    raise RequestError(f"clock must be 'local' or 'server', not {name!r}")


def time_source(api: Api) -> Operation[Any]:
    """What tells the time of a service: its first read of one object that needs the account alone.

    Raises:
        RequestError: there is none.
    """
    for operation in api.operations.values():
        alone = operation.account is not None and not isinstance(operation, ListOperation)
        if alone and _required(operation.params) <= {operation.account}:
            return operation
    raise RequestError("clock='server': this service has no read that could tell its time")


def _required(model: Any) -> set[str]:
    return {json_name(each) for each in attrs.fields(model) if each.default is attrs.NOTHING}


def journal(path: str | os.PathLike[str] | None) -> Journal | None:
    """The intent journal in a file. It is not opened yet, but looked at: can it be used?

    Raises:
        JournalError: it cannot.
    """
    if path is None:
        return None
    if path == "":
        raise RequestError("journal must be the path of a file, not ''; None is for no journal")
    if isinstance(path, (str, os.PathLike)) and isinstance(os.fspath(path), str):
        if any(map(_is_private_key, PurePath(path).parts)):
            raise RequestError("journal is a private key, which no file name may hold: give a path")
        place = os.path.abspath(path)
        if (why := file_lock.unusable(place)) is not None:
            raise JournalError(f"{file_lock.named(place)}: {why}")
        return Journal(path)
    raise TypeError(f"journal must be the path of a file, not a {type(path).__name__}")


# -- from the environment --------------------------------------------------------------------------

_PREFIX = "TRADING_"
_NAMES = ("BASE_URL", "PRIVATE_KEY", "KEY_FILE", "ADDRESS", "ACCOUNT", "API_KEY")


def from_env(environ: Mapping[str, str]) -> dict[str, Any] | TradingError:
    """The arguments of a client, from the variables that name them, or what is wrong with them.

    The error is returned, not raised: its traceback would show this frame, which holds the keys.
    """
    for name in environ:
        if name.upper().startswith(_PREFIX) and name.removeprefix(_PREFIX) not in _NAMES:
            known = ", ".join(f"{_PREFIX}{known}" for known in _NAMES)
            return RequestError(f"{name} has no effect: a client reads {known}")
    if (quoted := _quoted(environ)) is not None:
        return RequestError(
            f"{quoted} has quotes around its value: write it without, as docker --env-file keeps them"
        )
    base_url = environ.get("TRADING_BASE_URL")
    text, path = environ.get("TRADING_PRIVATE_KEY"), environ.get("TRADING_KEY_FILE")
    address = environ.get("TRADING_ADDRESS") or None
    if not base_url:
        return RequestError("TRADING_BASE_URL is not set; give the URL of the service")
    if text and path:
        return RequestError("set TRADING_PRIVATE_KEY or TRADING_KEY_FILE, not both")
    try:
        key = Keypair.from_base58(text) if text else Keypair.from_file(path) if path else None
        if address is not None:
            _check_address(address, key)
    except (SigningError, RequestError) as error:
        return type(error)(str(error))
    return {
        "base_url": base_url,
        "signer": key,
        "account": environ.get("TRADING_ACCOUNT") or None,
        "api_key": environ.get("TRADING_API_KEY") or None,
    }


def _check_address(address: str, key: Keypair | None) -> None:
    """Refuse a key that is not that of TRADING_ADDRESS. Neither text is repeated: it may be a secret."""
    checked_address("TRADING_ADDRESS", address)
    if key is None:
        raise RequestError(
            "TRADING_ADDRESS is set without its key; set TRADING_KEY_FILE or TRADING_PRIVATE_KEY, "
            "or TRADING_ACCOUNT to read an account"
        )
    if key.address != address:
        raise SigningError(f"the key is that of {key.address}, which is not TRADING_ADDRESS")


def _quoted(environ: Mapping[str, str]) -> str | None:
    """A variable with quotes around its value. No value is repeated: it may be a secret."""
    names = (f"{_PREFIX}{each}" for each in _NAMES)
    return next((each for each in names if environ.get(each, "")[:1] in ("'", '"')), None)
