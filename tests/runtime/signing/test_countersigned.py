"""A message that two keys sign, stage by stage."""

from __future__ import annotations

import json
from traceback import walk_tb

import pytest
from solders.keypair import Keypair as Reference

from tests.doubles.signer import ScriptedSigner
from trading_runtime.errors import SigningError
from trading_runtime.operation import Countersigned, Countersigner
from trading_runtime.signing.keys import Keypair, Signer
from trading_runtime.signing.request import SignedRequest, countersign

OWN, OTHER = b"\x07" * 32, b"\x08" * 32
NOW, WINDOW = 1748970123456, 5000
SCHEME = Countersigned(
    other_type="ask",
    other=Countersigner(address="younger", signature="younger_signature", signs="account"),
    own=Countersigner(address="elder", signature="elder_signature", signs="signature"),
)


def sign(other: Signer, own: Signer) -> SignedRequest:
    return countersign(SCHEME, other, own, "agree", NOW, WINDOW)


def reference(seed: bytes, type_: str, data: dict[str, str]) -> str:
    message = {"data": data, "expiry_window": WINDOW, "timestamp": NOW, "type": type_}
    text = json.dumps(message, sort_keys=True, separators=(",", ":"))
    return str(Reference.from_seed(seed).sign_message(text.encode()))


def test_the_other_key_signs_the_own_address_and_the_own_key_that_signature() -> None:
    own, other = Keypair(OWN), Keypair(OTHER)

    signed = sign(other, own)

    first = reference(OTHER, "ask", {"account": own.address})
    second = reference(OWN, "agree", {"signature": first})
    assert signed.body == {
        "elder": own.address,
        "younger": other.address,
        "elder_signature": second,
        "younger_signature": first,
        "timestamp": NOW,
        "expiry_window": WINDOW,
    }
    assert (signed.signature, signed.address) == (second, own.address)
    assert signed.header == {"type": "agree", "timestamp": NOW, "expiry_window": WINDOW}
    assert json.loads(signed.canonical)["data"] == {"signature": first}


def test_one_key_cannot_agree_with_itself() -> None:
    with pytest.raises(SigningError, match="both signers have the same address"):
        sign(Keypair(OWN), Keypair(OWN))


def test_an_address_that_cannot_be_sent_is_refused_before_anything_is_signed() -> None:
    odd = ScriptedSigner(address="\u00e9")

    for pair in ((odd, Keypair(OWN)), (Keypair(OTHER), odd)):
        with pytest.raises(SigningError, match="cannot sign the message"):
            sign(*pair)
    assert odd.messages == []


def test_no_signature_stands_in_the_traceback_of_an_own_key_that_fails() -> None:
    own = ScriptedSigner(signs=b"short")
    with pytest.raises(SigningError, match="must return 64 bytes"):
        sign(own, Keypair(OTHER))
    assert len(own.messages) == 1

    with pytest.raises(SigningError, match="must return 64 bytes") as caught:
        sign(Keypair(OTHER), own)

    first = reference(OTHER, "ask", {"account": own.address})
    ours = [frame for frame, _ in walk_tb(caught.value.__traceback__)][1:]
    assert len(own.messages) == 2
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)
    assert [frame for frame in ours if first in repr(frame.f_locals)] == []
