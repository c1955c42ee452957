"""Signing, as a chain of pure functions: header, canonical text, signature, body.

Interface sections 5.1 and 5.2. Time and window are arguments; nothing here reads a clock. The
operation's own fields are written once, and that text stands both in what is signed and in the body.
"""

from __future__ import annotations

import json
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

    content: str = field(repr=False)
    """The flat body as it is sent: JSON, and ASCII."""

    @property
    def body(self) -> dict[str, Any]:
        """The flat body, read from `content`."""
        found: dict[str, Any] = json.loads(self.content)
        return found


def owner_text(account: str, address: str) -> str:
    """Members of the body; an `address` other than the account's is the agent wallet."""
    owner = f'"account":{canonical_text(account, "account")}'
    if address == account:
        return owner
    return f'{owner},"agent_wallet":{canonical_text(address, "agent_wallet")}'


def times_text(*, timestamp: int, expiry_window: int) -> str:
    """Members of the body and of the signed header; both in ms."""
    window = canonical_text(expiry_window, "expiry_window")
    return f'"expiry_window":{window},"timestamp":{canonical_text(timestamp, "timestamp")}'


def message_text(data: str, times: str, signing_type: str) -> str:
    """The text to sign: the operation's own fields under `data`, and the header's."""
    return f'{{"data":{data},{times},"type":{canonical_text(signing_type, "type")}}}'


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


def body_text(data: str, times: str, owner: str, signature: str) -> str:
    """The flat body to send: what is not the operation's own stands first."""
    rest = "" if data == "{}" else f",{data[1:-1]}"
    return f'{{{owner},"signature":{canonical_text(signature)},{times}{rest}}}'


def sign_request(
    data: Mapping[str, Any],
    *,
    signing_type: str,
    signer: Signer,
    account: str,
    timestamp: int,
    expiry_window: int,
) -> SignedRequest:
    """Sign an operation's own fields: the text that is signed is the text that is sent.

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
    _refuse_reserved(data)
    address = signer.address
    # All that can be refused comes before the signature, which would stand in the traceback.
    own, owner = canonical_text(data, "data"), owner_text(account, address)
    times = times_text(timestamp=timestamp, expiry_window=expiry_window)
    canonical = message_text(own, times, signing_type)
    signature = sign_text(canonical, signer)
    return SignedRequest(
        header={"type": signing_type, "timestamp": timestamp, "expiry_window": expiry_window},
        canonical=canonical,
        signature=signature,
        address=address,
        content=body_text(own, times, owner, signature),
    )


def _refuse_reserved(data: Mapping[str, Any]) -> None:
    if clash := sorted(RESERVED.intersection(data)):
        raise SigningError(f"data.{clash[0]}: this name belongs to the signed request itself")
