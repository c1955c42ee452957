"""Signing, as a chain of pure functions: header, message, canonical text, signature, body.

Interface sections 5.1 and 5.2. Time and window are arguments; nothing here reads a clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import base58
from attrs import field, frozen

from trading_runtime.canonical import canonical_text
from trading_runtime.errors import SigningError
from trading_runtime.keys import Signer

SIGNATURE_BYTES = 64
RESERVED = frozenset({"account", "agent_wallet", "signature", "timestamp", "expiry_window"})


@frozen(kw_only=True)
class SignedRequest:
    """A signed request with all that led to it. Holds no private key."""

    header: Mapping[str, Any]
    """The signed header: type, timestamp (ms), expiry_window (ms)."""

    canonical: str
    """The text whose UTF-8 bytes were signed."""

    signature: str
    """Base58 of the 64 signature bytes."""

    address: str
    """Address whose key signed: the account's own, or its agent wallet's."""

    body: Mapping[str, Any] = field(repr=False)
    """The flat body to send."""


def signed_header(signing_type: str, *, timestamp: int, expiry_window: int) -> dict[str, Any]:
    """The header of a signed message; `timestamp` and `expiry_window` in ms."""
    return {"type": signing_type, "timestamp": timestamp, "expiry_window": expiry_window}


def signed_message(header: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """The message to sign: the header's fields, and the operation's own under `data`.

    Raises:
        SigningError: a field of `data` has a name that the signed request needs.
    """
    if clash := sorted(RESERVED & data.keys()):
        raise SigningError(f"data.{clash[0]}: this name belongs to the signed request itself")
    return {**header, "data": data}


def sign_text(text: str, signer: Signer) -> str:
    """Base58 signature of a canonical text.

    Raises:
        SigningError: the signer did not return 64 bytes.
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


def signed_body(
    data: Mapping[str, Any],
    *,
    account: str,
    address: str,
    signature: str,
    timestamp: int,
    expiry_window: int,
) -> dict[str, Any]:
    """The flat body to send; an `address` other than the account's is the agent wallet."""
    agent = {} if address == account else {"agent_wallet": address}
    return {
        "account": account,
        **agent,
        "signature": signature,
        "timestamp": timestamp,
        "expiry_window": expiry_window,
        **data,
    }


def sign_request(
    data: Mapping[str, Any],
    *,
    signing_type: str,
    signer: Signer,
    account: str,
    timestamp: int,
    expiry_window: int,
) -> SignedRequest:
    """Sign an operation's own fields: the object that is signed is the object that is sent.

    Args:
        data: The operation's own fields, as sent.
        signing_type: Operation type in the signed header.
        signer: Signs for the account: its own key, or its agent wallet's.
        account: Address of the account.
        timestamp: Time of signing, in ms.
        expiry_window: How long the signature is accepted, in ms.

    Raises:
        SigningError: `data` holds what cannot be signed, or the signer misbehaved.
    """
    header = signed_header(signing_type, timestamp=timestamp, expiry_window=expiry_window)
    canonical = canonical_text(signed_message(header, data))
    signature = sign_text(canonical, signer)
    return SignedRequest(
        header=header,
        canonical=canonical,
        signature=signature,
        address=signer.address,
        body=signed_body(
            data,
            account=account,
            address=signer.address,
            signature=signature,
            timestamp=timestamp,
            expiry_window=expiry_window,
        ),
    )
