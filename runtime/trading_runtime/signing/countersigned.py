"""A message that two keys sign: the other key first, then the client's own (`x-signing-scheme`).

Pure, like `signing.request`. Neither signature is the other's: the other key signs the address of the
own one, and the own key signs that signature, so each of them agrees to the other.
"""

from __future__ import annotations

from typing import Any

from trading_runtime.errors import SigningError
from trading_runtime.operation import Countersigned
from trading_runtime.signing.canonical import canonical_value, json_text
from trading_runtime.signing.keys import Signer
from trading_runtime.signing.request import SignedRequest, sign_text


def countersign(
    scheme: Countersigned,
    *,
    other: Signer,
    own: Signer,
    own_type: str,
    timestamp: int,
    expiry_window: int,
) -> SignedRequest:
    """Sign a message with both keys, at the same time and for the same window, both in ms.

    The stages in the result are those of the own key, which signs last.

    Raises:
        SigningError: both are the same key, an address cannot be signed, or a signer misbehaved.
    """
    if other.address == own.address:
        raise SigningError("both signers have the same address; the other one must have its own")
    times = {"expiry_window": expiry_window, "timestamp": timestamp}
    asked = _canonical(scheme.other.signs, own.address, {**times, "type": scheme.other_type})
    # Everything is checked before signing: a signature must not stand in a traceback.
    canonical_value({"account": other.address, "type": own_type})
    agreed = sign_text(asked, other)
    canonical = _canonical(scheme.own.signs, agreed, {**times, "type": own_type})
    signature = _last_signature(canonical, own)
    if isinstance(signature, SigningError):
        del agreed, canonical  # the signature of the other key must not stand in a traceback
        raise signature
    return SignedRequest(
        header={"type": own_type, **times},
        canonical=canonical,
        signature=signature,
        address=own.address,
        body={
            **scheme.addresses(own.address, other.address),
            scheme.own.signature: signature,
            scheme.other.signature: agreed,
            **times,
        },
    )


def _last_signature(text: str, own: Signer) -> str | SigningError:
    """The signature of the own key, or an error whose traceback has no frame that holds the text."""
    try:
        return sign_text(text, own)
    except SigningError as error:
        return SigningError(str(error))


def _canonical(name: str, text: str, header: dict[str, Any]) -> str:
    return json_text(canonical_value({"data": {name: text}, **header}))
