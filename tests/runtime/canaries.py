"""Secrets that are easy to recognise, and a search for them in whatever may be seen.

A key is looked for in every form that it is written in, and a part of it counts as the whole.
"""

from __future__ import annotations

import base64
import gc
import hashlib
import json
import operator
import pickle
import traceback
from collections.abc import Iterable, Iterator, Mapping
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, ModuleType, TracebackType
from typing import Any

import attrs
import base58

from trading_runtime.signing.keys import Keypair

SEED = hashlib.sha256(b"canary").digest()
API_KEY = "canaryApiKey7f3aQpLm"
PASSWORD = "canaryPassword9d2c"
REVOKED = "canaryRevokedKey41bX"
_PART = 16


class Wallet(Keypair):
    """A key pair that remembers what it signed: a signed message is good until it expires."""

    __slots__ = ("signatures",)

    def __init__(self) -> None:
        super().__init__(SEED)
        self.signatures: list[bytes] = []

    def sign(self, message: bytes) -> bytes:
        signature = super().sign(message)
        self.signatures.append(signature)
        return signature


def _forms(secret: bytes) -> Iterator[str]:
    """Bytes as text, in every way that a program might write them."""
    yield base58.b58encode(secret).decode()
    yield base64.b64encode(secret).decode()
    yield base64.urlsafe_b64encode(secret).decode()
    yield secret.hex()
    yield secret.hex().upper()
    yield repr(secret)[2:-1]
    yield secret.decode("latin-1")
    yield json.dumps(list(secret))[1:-1]
    yield ",".join(map(str, secret))


def _parts(text: str) -> list[str]:
    middle = len(text) // 2
    return [text[:_PART], text[middle - _PART // 2 :][:_PART]]


def _private() -> dict[str, str]:
    both = SEED + base58.b58decode(Keypair(SEED).address)
    forms = [form for secret in (SEED, both) for form in _forms(secret)]
    return dict.fromkeys((part for form in forms for part in _parts(form)), "private key")


_CONSTANT = {
    API_KEY: "API key",
    PASSWORD: "password of the proxy",
    REVOKED: "key to be revoked",
    **_private(),
}


def secrets(signatures: Iterable[bytes] = ()) -> Mapping[str, str]:
    """Each text that must not be seen, and what it would give away."""
    forms = (form for signature in signatures for form in _forms(signature))
    return {**_CONSTANT, **dict.fromkeys((p for f in forms for p in _parts(f)), "signature")}


def leaks(text: str, signatures: Iterable[bytes] = ()) -> set[str]:
    """Names of the secrets that a text gives away."""
    return {name for secret, name in secrets(signatures).items() if secret in text}


# -- what may be seen ---------------------------------------------------------------------------


def looks(thing: Any) -> str:
    """What a log, a debugger or an f-string shows of an object."""
    shown = [repr(thing), str(thing), f"{thing}", f"{thing!r:>10}"]
    shown.append(operator.mod("%s %r", (thing, thing)))
    shown += [repr([thing]), repr({"it": thing})]
    shown += [repr(vars(thing))] if hasattr(thing, "__dict__") else []
    shown += [repr(attrs.asdict(thing))] if attrs.has(type(thing)) else []
    for name in dir(thing):
        value = getattr(thing, name, None)
        if not name.startswith("__") and not callable(value):
            shown.append(f"{name}={value!r}")
    return "\n".join(shown)


def prints(error: BaseException, *, local_variables: bool = True) -> str:
    """An exception as it is printed, with its whole chain and the variables of every frame."""
    shown = "".join(traceback.format_exception(type(error), error, error.__traceback__, chain=True))
    if local_variables:
        detailed = traceback.TracebackException.from_exception(error, capture_locals=True)
        shown += "".join(detailed.format())
    return shown + looks(error)


_NOT_HELD = (
    *(FrameType, TracebackType, CodeType, FunctionType, BuiltinFunctionType, ModuleType, type),
)


def holds(error: BaseException) -> str:
    """Every text that hangs on an exception and its chain, however deep; frames are no part of it."""
    waiting: list[Any] = [error]
    seen: set[int] = set()
    texts: list[str] = []
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, _NOT_HELD):
            continue
        seen.add(id(each))
        if isinstance(each, str):
            texts.append(each)
        elif isinstance(each, (bytes, bytearray)):
            texts.append(each.decode("latin-1"))
        else:
            waiting += gc.get_referents(each)
    return "\n".join(texts)


def sends_on(error: BaseException) -> str:
    """What a worker process hands to its parent."""
    return pickle.dumps(error).decode("latin-1")
