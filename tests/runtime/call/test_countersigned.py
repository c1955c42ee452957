"""Messages that two keys sign, stage by stage and as a call."""

from __future__ import annotations

import json
from pathlib import Path
from traceback import walk_tb
from typing import Any, ClassVar

import pytest
from solders.keypair import Keypair as Reference

from tests.doubles.server import Server
from tests.doubles.signer import KEY, OTHER_KEY, ScriptedSigner
from trading_runtime.client.client import BaseClient
from trading_runtime.errors import OutcomeUnknownError, RequestError, SigningError
from trading_runtime.operation import (
    Api,
    Countersigned,
    CountersignedOperation,
    Countersigner,
)
from trading_runtime.signing.keys import Keypair, Signer
from trading_runtime.signing.request import SignedRequest, countersign

OWN, OTHER = b"\x07" * 32, b"\x08" * 32
NOW, WINDOW = 1748970123456, 5000
SCHEME = Countersigned(
    other_type="ask",
    other=Countersigner(address="younger", signature="younger_signature", signs="account"),
    own=Countersigner(address="elder", signature="elder_signature", signs="signature"),
)
ELDER, YOUNGER = KEY, OTHER_KEY
TWINS: CountersignedOperation[None] = CountersignedOperation(
    name="twins.make",
    method="POST",
    path="/twins",
    signing_type="agree",
    signing_source="observed",
    scheme=SCHEME,
)


class Client(BaseClient):
    api: ClassVar[Api] = Api(title="Twins", version="v1", operations=(TWINS,), api_key_header=None)

    def make(self, younger: Any) -> None:
        return self._caller.countersigned(TWINS, younger)


# -- what is signed -----------------------------------------------------------------------------------


def sign(other: Signer, own: Signer) -> SignedRequest:
    return countersign(SCHEME, other, own, "agree", NOW, WINDOW)


def reference(seed: bytes, type_: str, data: dict[str, str]) -> str:
    message = {"data": data, "expiry_window": WINDOW, "timestamp": NOW, "type": type_}
    text = json.dumps(message, sort_keys=True, separators=(",", ":"))
    return str(Reference.from_seed(seed).sign_message(text.encode()))


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


# -- the call --------------------------------------------------------------------------------------------


def test_its_intent_names_both_accounts_and_no_signature(service: Server, tmp_path: Path) -> None:
    service.will_answer({}, 500)
    with Client(service.url, signer=ELDER, journal=tmp_path / "journal") as client:
        with pytest.raises(OutcomeUnknownError) as caught:
            client.make(YOUNGER)
        (settlement,) = client.reconcile(caught.value)
    assert caught.value.intent is not None
    (message,) = caught.value.intent.messages
    assert message.fields == {"elder": ELDER.address, "younger": YOUNGER.address}
    assert settlement.state == "unsettled"
    assert "signature" not in (tmp_path / "journal").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "other", "error", "says"),
    [
        ({}, YOUNGER, RequestError, "twins.make: give the client the account's own key as signer"),
        (
            {"signer": YOUNGER, "account": ELDER.address},
            YOUNGER,
            RequestError,
            "twins.make: give the client the account's own key as signer",
        ),
        ({"signer": ELDER}, YOUNGER.address, TypeError, "younger must have an address and a sign"),
        ({"signer": ELDER}, None, TypeError, "younger must have an address and a sign"),
    ],
)
def test_a_call_without_both_keys_is_refused_before_it_is_sent(
    service: Server, options: Any, other: Any, error: type[Exception], says: str
) -> None:
    with Client(service.url, **options) as client, pytest.raises(error, match=says):
        client.make(other)
    assert service.taken() == []


def test_what_two_keys_sign_cannot_be_explained_with_one() -> None:
    with pytest.raises(RequestError, match=r"twins\.make is signed by two keys"):
        Client("http://127.0.0.1:1", signer=ELDER).explain("twins.make")
