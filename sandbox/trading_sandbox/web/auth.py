"""Verify signatures, over the message rebuilt from the received body (interface section 5).

Each error text begins like that of the live service (field note 5) and goes on with the cause. The
dialect decides which window a signed header may have where the body has none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any

import attrs

from trading_runtime import (
    RESERVED_FIELDS,
    SIGNATURE_BYTES,
    Countersigned,
    SigningError,
    canonical_text,
    decode_base58,
    verify,
)
from trading_sandbox.web.refusals import bad_request, unauthorized

DEFAULT_WINDOW_MS = 30_000
LARGEST_SKEW_MS = 30_000
"""How far in the future a timestamp may be."""

_KEY_BYTES = 32


@attrs.frozen(kw_only=True)
class Signed:
    """The content of a request whose signature is valid."""

    account: str
    agent: str | None
    """The agent wallet that signed for the account; None if the account signed itself."""
    data: Mapping[str, Any]
    """The operation's own fields, as received."""


def verified(
    body: Mapping[str, Any],
    signing_type: str,
    now: int,
    note: Callable[[str], None],
    *,
    omitted: Iterable[Mapping[str, int | None]],
    own: Collection[str] = (),
    data: Mapping[str, Any] | None = None,
) -> Signed:
    """Return the signed content of a body, or refuse it.

    Args:
        body: The flat body of a request, or the data of a batch action.
        signing_type: The `type` that the signed header must have.
        now: The time to check the timestamp against, in ms.
        note: Called with the canonical text before the signature is checked, so that the request
            log shows the text even if the signature is refused.
        omitted: What the header may say of its window if the body has none; the first one is noted.
        own: Names of a signed request that are fields of this operation, and so of its data.
        data: What was signed, if it is not what else is in the body.
    """
    account = field(body, "account", str)
    agent = None
    if "agent_wallet" not in own and body.get("agent_wallet") is not None:
        agent = field(body, "agent_wallet", str)
    encoded = field(body, "signature", str)
    timestamp = field(body, "timestamp", int)
    given = "expiry_window" in body
    windows = [{"expiry_window": field(body, "expiry_window", int)}] if given else omitted

    if data is None:
        data = {n: value for n, value in body.items() if n not in RESERVED_FIELDS or n in own}
    header = {"type": signing_type, "timestamp": timestamp}
    texts = [_canonical({**header, **each}, data) for each in windows]
    note(texts[0])
    signature = _signature(encoded)
    _check_key(account, "account")
    signer = account
    if agent is not None:
        _check_key(signer := agent, "agent_wallet")
    _check_fresh(timestamp, body.get("expiry_window", DEFAULT_WINDOW_MS), now)
    if not any(verify(signer, text.encode(), signature) for text in texts):
        raise unauthorized(
            f"Verification failed: the signature was not made by {signer} over this message",
            "Verification failed: signature does not match signer and canonical payload.",
        )
    return Signed(account=account, agent=None if agent == account else agent, data=data)


def countersigned(
    scheme: Countersigned,
    body: Mapping[str, Any],
    own_type: str,
    now: int,
    note: Callable[[str], None],
) -> Signed:
    """Return what two keys have signed, or refuse it; the account is the own one, and the data names the other."""
    times = {name: field(body, name, int) for name in ("timestamp", "expiry_window")}
    own, other = (field(body, party.address, str) for party in (scheme.own, scheme.other))
    agreed = field(body, scheme.other.signature, str)
    for party, address, type_, signs in (
        (scheme.other, other, scheme.other_type, own),
        (scheme.own, own, own_type, agreed),
    ):
        half = {"account": address, "signature": field(body, party.signature, str), **times}
        verified(half, type_, now, note, omitted=(), data={party.signs: signs})
    return Signed(account=own, agent=None, data={scheme.other.address: other})


def check_agent(signed: Signed, bound: Collection[str]) -> None:
    """Refuse a request that an agent wallet signed which is not bound to the account."""
    if signed.agent is not None and signed.agent not in bound:
        raise unauthorized(
            f"Unauthorized: agent wallet {signed.agent} is not bound to {signed.account}",
            "Agent not authorized for account",
        )


def check_address(address: str) -> None:
    """Refuse an address in a query that is not a public key."""
    try:
        decode_base58(address, _KEY_BYTES, "account")
    except SigningError as error:
        raise bad_request(f"Invalid public key: {error}") from None


def field(body: Mapping[str, Any], name: str, kind: type[Any]) -> Any:
    if name not in body:
        raise bad_request(f"{name}: required field missing")
    if type(body[name]) is not kind:
        wanted = "a string" if kind is str else "an integer"
        raise bad_request(f"{name}: must be {wanted}")
    if kind is int and not -(2**63) <= body[name] < 2**63:
        raise bad_request(f"{name}: must be an integer of at most 64 bits")
    return body[name]


def _signature(text: str) -> bytes:
    try:
        return decode_base58(text, SIGNATURE_BYTES, "signature")
    except SigningError as error:
        raise unauthorized(f"Invalid signature: {error}") from None


def _check_key(address: str, name: str) -> None:
    try:
        _decode_key(address, name)
    except SigningError as error:
        raise unauthorized(f"Invalid public key: {error}") from None


@lru_cache(maxsize=1024)
def _decode_key(address: str, name: str) -> bytes:
    return decode_base58(address, _KEY_BYTES, name)


def _check_fresh(timestamp: int, window: int, now: int) -> None:
    late = now - timestamp - window
    if late > 0:
        raise unauthorized(
            f"Invalid message: it expired {late} ms ago; its timestamp, in ms, is {timestamp}"
        )
    early = timestamp - now
    if early > LARGEST_SKEW_MS:
        raise unauthorized(
            f"Invalid message: its timestamp is {early} ms in the future, "
            f"at most {LARGEST_SKEW_MS} are allowed"
        )


def _canonical(header: Mapping[str, Any], data: Mapping[str, Any]) -> str:
    try:
        return canonical_text({**header, "data": data})
    except SigningError as error:
        raise unauthorized(f"Invalid message: {error}") from None
