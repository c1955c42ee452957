"""Signing a request: header, canonical text, signature, body (interface sections 5.1 and 5.2).

Pure: time and window are arguments. The operation's own fields are checked once; the same object is signed
and sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import base58
from attrs import field, frozen

from trading_runtime.errors import SigningError
from trading_runtime.operation import Countersigned
from trading_runtime.signing.canonical import canonical_text, json_bytes, plain_value
from trading_runtime.signing.keys import Signer

SIGNATURE_BYTES = 64
RESERVED_FIELDS = frozenset({"account", "agent_wallet", "signature", "timestamp", "expiry_window"})
_TAKEN_ALWAYS = RESERVED_FIELDS - {"agent_wallet"}


@frozen(kw_only=True)
class SignedRequest:
    """A signed request, with every stage that led to it. Holds no private key."""

    header: Mapping[str, Any]
    """The signed header: type, timestamp (ms), expiry_window (ms)."""

    canonical: str
    """The text whose UTF-8 bytes were signed."""

    signature: str
    """Base58 of the 64 signature bytes."""

    address: str
    """Address whose key signed: the account's own, or its agent wallet's."""

    body: dict[str, Any] = field(repr=False)
    """The flat body, as it is sent."""

    operation: str | None = None
    """The operation or action that it is of, like `orders.create`; None if `sign_request` made it."""


def sign_request(
    data: Mapping[str, Any],
    *,
    signing_type: str,
    signer: Signer,
    account: str,
    timestamp: int,
    expiry_window: int,
) -> SignedRequest:
    """Sign an operation's own fields (`data`, as sent), and put them into the body that is sent.

    `signer` signs for the account: its own key, or its agent wallet's. The signature is accepted for
    `expiry_window` after `timestamp`, both in ms.

    Raises:
        SigningError: `data` holds what cannot be signed, or the signer misbehaved.
    """
    address = signer.address
    owner = {"account": account}
    taken = RESERVED_FIELDS
    if address != account:
        owner["agent_wallet"] = address
    elif isinstance(data.get("agent_wallet"), str):
        # The body has no agent wallet of its own here, so an operation may name one.
        taken = _TAKEN_ALWAYS
    if clash := sorted(taken.intersection(data)):
        raise SigningError(_clash(clash[0], by_agent=address != account))
    times = {"expiry_window": expiry_window, "timestamp": timestamp}
    # Everything is checked before signing: a signature must not stand in a traceback.
    plain = plain_value({**owner, "data": data, **times, "type": signing_type})
    message = {"data": plain["data"], **times, "type": signing_type}
    canonical = json_bytes(message).decode()
    signature = sign_text(canonical, signer)
    return SignedRequest(
        header={"type": signing_type, "timestamp": timestamp, "expiry_window": expiry_window},
        canonical=canonical,
        signature=signature,
        address=address,
        body={**owner, "signature": signature, **times, **plain["data"]},
    )


def countersign(
    scheme: Countersigned,
    other: Signer,
    own: Signer,
    own_type: str,
    timestamp: int,
    expiry_window: int,
) -> SignedRequest:
    """Sign a message with two keys (`x-signing-scheme`), at one time and for one window, both in ms.

    The other key signs the address of the own one, and the own key signs that signature, so that each
    agrees to the other. The stages in the result are those of the own key.

    Raises:
        SigningError: both are the same key, an address cannot be signed, or a signer misbehaved.
    """
    if other.address == own.address:
        raise SigningError("both signers have the same address; the other one must have its own")
    times = {"expiry_window": expiry_window, "timestamp": timestamp}
    header = {"type": own_type, **times}
    # Everything is checked before signing: a signature must not stand in a traceback.
    plain_value({"account": other.address, "type": own_type})
    asked = {"data": {scheme.other.signs: own.address}, **times, "type": scheme.other_type}
    agreed = sign_text(canonical_text(asked), other)
    canonical = canonical_text({"data": {scheme.own.signs: agreed}, **header})
    try:
        signature = sign_text(canonical, own)
    except SigningError as error:
        problem = str(error)
    else:
        signatures = {scheme.own.signature: signature, scheme.other.signature: agreed}
        body = {**scheme.addresses(own.address, other.address), **signatures, **times}
        return SignedRequest(
            header=header,
            canonical=canonical,
            signature=signature,
            address=own.address,
            body=body,
        )
    # Outside of the except block, without the signature of the other key: neither stands in a traceback.
    del agreed, canonical
    raise SigningError(problem)


def _clash(name: str, *, by_agent: bool) -> str:
    why = f"data.{name}: this name belongs to the signed request itself"
    if by_agent and name not in _TAKEN_ALWAYS:
        return f"{why} where an agent wallet signs; the account's own key must sign this one"
    return why


def sign_text(text: str, signer: Signer) -> str:
    """Base58 signature of a canonical text.

    Raises:
        SigningError: the signer failed, or did not return 64 bytes.
    """
    try:
        signature = signer.sign(text.encode())
    except SigningError:
        raise
    except Exception as error:
        raise SigningError(f"nothing was sent, the signer failed: {error!r}") from error
    if not isinstance(signature, bytes) or len(signature) != SIGNATURE_BYTES:
        raise SigningError(f"a signer must return {SIGNATURE_BYTES} bytes")
    return base58.b58encode(signature).decode()
