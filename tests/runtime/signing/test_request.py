"""Signing stage by stage: text, signature, body. The vectors cover the rest."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from tests.doubles.signer import ScriptedSigner
from trading_runtime.errors import SigningError
from trading_runtime.signing.keys import Keypair, Signer
from trading_runtime.signing.request import SignedRequest, sign_request, sign_text

SEED = b"\x07" * 32
KEY = Keypair(SEED)
OTHER = Keypair(b"\x08" * 32)
NOW, WINDOW = 1748970123456, 5000


def sign(data: dict[str, Any], signer: Signer = KEY, account: str = KEY.address) -> SignedRequest:
    return sign_request(
        data,
        signing_type="move",
        signer=signer,
        account=account,
        timestamp=NOW,
        expiry_window=WINDOW,
    )


@pytest.mark.parametrize("signature", [b"", b"x" * 63, b"x" * 65, "x" * 64, 5, bytearray(64)])
def test_a_signer_must_return_64_bytes(signature: Any) -> None:
    with pytest.raises(SigningError, match=r"^a signer must return 64 bytes$"):
        sign_text("{}", ScriptedSigner(KEY, signs=signature))


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"account": "\u00e9"}, "account is not printable ASCII"),
        ({"signer": ScriptedSigner(KEY, address="\ud800")}, "agent_wallet is not printable ASCII"),
        ({"signer": ScriptedSigner(KEY, address=b"x")}, "agent_wallet is a bytes"),
        ({"signing_type": 1.5}, "type is a float"),
        ({"timestamp": 1.5}, "timestamp is a float"),
        ({"expiry_window": 1.5}, "expiry_window is a float"),
        ({"data": {"to": 1.5}}, r"data\.to is a float"),
    ],
)
def test_what_has_no_exact_text_is_refused_by_its_path_before_anything_is_signed(
    changed: dict[str, Any], says: str
) -> None:
    signer = changed.pop("signer", ScriptedSigner(KEY))
    given: Any = {"signing_type": "move", "timestamp": NOW, "expiry_window": WINDOW, "data": {}}
    given["account"] = KEY.address
    with pytest.raises(SigningError, match=f"^cannot sign the message: {says};"):
        sign_request(signer=signer, **{**given, **changed})
    assert signer.messages == []


def test_the_agent_wallet_that_a_request_names_is_signed_by_the_own_key_alone() -> None:
    signed = sign({"agent_wallet": OTHER.address})
    assert f'"data":{{"agent_wallet":"{OTHER.address}"}}' in signed.canonical
    assert signed.body["agent_wallet"] == OTHER.address

    with pytest.raises(SigningError, match="the account's own key must sign this one"):
        sign({"agent_wallet": OTHER.address}, account=OTHER.address)
    with pytest.raises(SigningError, match="belongs to the signed request itself"):
        sign({"agent_wallet": None})


def test_a_signed_request_shows_no_secret_and_cannot_be_changed() -> None:
    signed: Any = sign({"to": "x"})
    shown = f"{signed!r} {signed} {attrs.asdict(signed)}"
    assert KEY.export_base58() not in shown
    assert "signature" in repr(signed) and "body" not in repr(signed)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        signed.signature = ""


def test_a_signer_that_fails_is_a_signing_error_and_not_a_failure_of_the_network() -> None:
    failure = OSError("hsm gone")
    with pytest.raises(SigningError, match=r"nothing was sent, the signer failed: .*hsm gone") as e:
        sign({"to": "x"}, ScriptedSigner(KEY, signs=failure))
    assert e.value.__cause__ is failure

    refusal = SigningError("the device is locked")
    with pytest.raises(SigningError) as caught:
        sign({"to": "x"}, ScriptedSigner(KEY, signs=refusal))
    assert caught.value is refusal
