"""The key and the account of a client, from the environment variables that name them."""

from __future__ import annotations

from collections.abc import Mapping
from logging import WARNING
from typing import Any

from trading_runtime.checks import nearest
from trading_runtime.errors import RequestError, SigningError, TradingError
from trading_runtime.log import note
from trading_runtime.signing.keys import Keypair, checked_address

_PREFIX = "TRADING_"
_NAMES = ("BASE_URL", "PRIVATE_KEY", "KEY_FILE", "ADDRESS", "ACCOUNT", "API_KEY")


def from_env(environ: Mapping[str, str]) -> dict[str, Any] | TradingError:
    """The arguments of a client, from the variables that name them, or what is wrong with them.

    The error is returned, not raised: its traceback would show this frame, which holds the keys.
    """
    for name in environ:
        if (meant := _meant(name, environ)) is not None:
            return RequestError(f"{name} has no effect; did you mean {meant}?")
        if name.startswith(_PREFIX) and name.removeprefix(_PREFIX) not in _NAMES:
            known = ", TRADING_".join(_NAMES)
            note(WARNING, "%s has no effect: a client reads TRADING_%s", name, known)
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


def _meant(name: str, environ: Mapping[str, str]) -> str | None:
    """The variable that a misspelt one stands for. One that is set is not meant by another one."""
    if not name.upper().startswith(_PREFIX) or name.removeprefix(_PREFIX) in _NAMES:
        return None
    near = nearest(name[len(_PREFIX) :], _NAMES)
    return f"{_PREFIX}{near}" if near and f"{_PREFIX}{near}" not in environ else None
