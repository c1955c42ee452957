"""A message that came signed is sent once: nothing tells two sendings of the same signature apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice

from trading_runtime.call.file_lock import ForkSafeLock
from trading_runtime.errors import JournalError, NotSentError, RequestError, SigningError
from trading_runtime.signing.request import SignedRequest

_NOT_SENT = (JournalError, NotSentError, RequestError, SigningError)
# Of the process and not of a client: the same message may be given to two clients.
_sent: dict[str, int] = {}
"""The signatures that were sent, or are being sent, and until when each is accepted, in ms."""
_lock = ForkSafeLock()


@contextmanager
def once(messages: Sequence[SignedRequest], now: int) -> Iterator[None]:
    """Take messages for sending, at this time in ms. They are free again if nothing was sent.

    Raises:
        RequestError: one has expired, or was sent before.
    """
    for each in messages:
        late = now - accepted_until(each)
        if late > 0:
            raise RequestError(
                f"{each.operation}: its signature expired {late} ms ago; sign it anew"
            )
    taken: list[str] = []
    try:
        with _lock.held():
            for each in messages:
                if each.signature in _sent:
                    raise RequestError(
                        f"{each.operation}: this signed message was sent before; a second execution could "
                        f"not be told from the first, so sign a new one if you want two"
                    )
                _sent[each.signature] = accepted_until(each)
                taken.append(each.signature)
            _forget_expired(now)
        yield
    except _NOT_SENT:
        for signature in taken:
            _sent.pop(signature, None)
        raise


def accepted_until(signed: SignedRequest) -> int:
    """The time until which the service can accept it, in ms."""
    until: int = signed.header["timestamp"] + signed.header["expiry_window"]
    return until


def _forget_expired(now: int) -> None:
    """Forget the oldest ones that are refused anyhow, because they have expired."""
    for signature in tuple(islice(_sent, _LOOKED_AT)):
        until = _sent.pop(signature)
        if until >= now:
            _sent[signature] = until  # behind the others, so that each has its turn


_LOOKED_AT = 2
"""How many old ones are looked at for each new one: more than come in."""
