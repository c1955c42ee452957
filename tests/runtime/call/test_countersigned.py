"""Messages that two keys sign: tests/overlays rebuilds and verifies both signatures of one."""

from __future__ import annotations

from pathlib import Path
from traceback import walk_tb
from typing import Any

import pytest

from tests.doubles.server import Server
from tests.doubles.signer import KEY, OTHER_KEY, ScriptedSigner
from trading_runtime.errors import OutcomeUnknownError, RequestError, SigningError
from trading_runtime.signing.keys import Keypair, Signer
from trading_runtime.signing.request import SignedRequest, countersign
from trading_sdk_observed import Client
from trading_sdk_observed.operations import SUBACCOUNTS_CREATE

OWN, OTHER = Keypair(b"\x07" * 32), Keypair(b"\x08" * 32)
NOW, WINDOW = 1748970123456, 5000
MAIN, SUB = KEY, OTHER_KEY


# -- what is signed -----------------------------------------------------------------------------------


def sign(other: Signer, own: Signer) -> SignedRequest:
    return countersign(SUBACCOUNTS_CREATE.scheme, other, own, "agree", NOW, WINDOW)


def test_one_key_cannot_agree_with_itself() -> None:
    with pytest.raises(SigningError, match="both signers have the same address"):
        sign(OWN, OWN)


def test_an_address_that_cannot_be_sent_is_refused_before_anything_is_signed() -> None:
    odd = ScriptedSigner(address="\u00e9")

    for pair in ((odd, OWN), (OTHER, odd)):
        with pytest.raises(SigningError, match="cannot sign the message"):
            sign(*pair)
    assert odd.messages == []


def test_no_signature_stands_in_the_traceback_of_an_own_key_that_fails() -> None:
    first, own = ScriptedSigner(OTHER), ScriptedSigner(signs=b"short")
    with pytest.raises(SigningError, match="must return 64 bytes") as caught:
        sign(first, own)

    (signature,) = first.texts
    ours = [frame for frame, _ in walk_tb(caught.value.__traceback__)][1:]
    assert len(own.messages) == 1
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)
    assert [frame for frame in ours if signature in repr(frame.f_locals)] == []


# -- the call --------------------------------------------------------------------------------------------


def test_its_intent_names_both_accounts_and_no_signature(service: Server, tmp_path: Path) -> None:
    service.will_answer({}, 500)
    with Client(service.url, signer=MAIN, journal=tmp_path / "journal") as client:
        with pytest.raises(OutcomeUnknownError) as caught:
            client.subaccounts.create(subaccount=SUB)
        (settlement,) = client.reconcile(caught.value)
    (message,) = caught.value.intent.messages
    assert message.fields == {"main_account": MAIN.address, "subaccount": SUB.address}
    assert settlement.state == "unsettled"
    assert "signature" not in (tmp_path / "journal").read_text("utf-8")


NO_KEY = "subaccounts.create: give the client the account's own key as signer"
NO_SIGNER = "subaccount must have an address and a sign"


@pytest.mark.parametrize(
    ("options", "other", "error", "says"),
    [
        ({}, SUB, RequestError, NO_KEY),
        ({"signer": SUB, "account": MAIN.address}, SUB, RequestError, NO_KEY),
        ({"signer": MAIN}, SUB.address, TypeError, NO_SIGNER),
        ({"signer": MAIN}, None, TypeError, NO_SIGNER),
    ],
)
def test_a_call_without_both_keys_is_refused_before_it_is_sent(
    service: Server, options: Any, other: Any, error: type[Exception], says: str
) -> None:
    with Client(service.url, **options) as client, pytest.raises(error, match=says):
        client.subaccounts.create(subaccount=other)
    assert service.taken() == []


def test_what_two_keys_sign_cannot_be_explained_with_one() -> None:
    with pytest.raises(RequestError, match=r"subaccounts\.create is signed by two keys"):
        Client("http://127.0.0.1:1", signer=MAIN).explain("subaccounts.create")
