"""Calls that two keys sign, and lists whose pages are counted, at a socket."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs

import pytest
from attrs import frozen

from tests.doubles.server import Received, Server
from tests.doubles.signer import KEY, OTHER_KEY
from tests.doubles.transport import ok
from trading_runtime.client import BaseClient
from trading_runtime.errors import DecodeError, OutcomeUnknownError, RequestError
from trading_runtime.http.transport import Response
from trading_runtime.operation import (
    Api,
    Countersigned,
    CountersignedOperation,
    Countersigner,
    ListOperation,
    Pagination,
)
from trading_runtime.pages import Page, Paginator

ELDER, YOUNGER = KEY, OTHER_KEY
TWINS: CountersignedOperation[None] = CountersignedOperation(
    name="twins.make",
    method="POST",
    path="/twins",
    signing_type="agree",
    signing_source="observed",
    scheme=Countersigned(
        other_type="ask",
        other=Countersigner(address="younger", signature="younger_signature", signs="account"),
        own=Countersigner(address="elder", signature="elder_signature", signs="signature"),
    ),
)


@frozen(kw_only=True)
class Numbers:
    offset: int | None = None
    limit: int | None = None


NUMBERS: ListOperation[int] = ListOperation(
    name="numbers.list",
    method="GET",
    path="/numbers",
    params=Numbers,
    result=int,
    retry="safe",
    pagination=Pagination(items="data", cursor="offset"),
)


class Client(BaseClient):
    api: ClassVar[Api] = Api(
        title="Twins", version="v1", operations=(TWINS, NUMBERS), api_key_header=None
    )

    def make(self, younger: Any) -> None:
        return self._caller.countersigned(TWINS, younger)

    def numbers(self, **query: int) -> Paginator[int]:
        return self._caller.paginate(NUMBERS, Numbers(**query))


def test_a_call_that_two_keys_sign_is_sent_with_both_addresses(service: Server) -> None:
    service.will_answer({"success": True})
    with Client(service.url, signer=ELDER, signing_types={"twins.make": "consent"}) as client:
        client.make(YOUNGER)

    (request,) = service.taken()
    body = json.loads(request.body)
    assert (body["elder"], body["younger"]) == (ELDER.address, YOUNGER.address)
    assert body["elder_signature"] != body["younger_signature"]


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


# -- pages that are counted -----------------------------------------------------------------------


def slices(request: Received) -> Response:
    """Two at most of the numbers 0 to 4, from the offset on, whatever the limit."""
    start = int(parse_qs(request.query).get("offset", ["0"])[0])
    return ok({"success": True, "data": [*range(5)][start:][:2]})


def offsets(service: Server) -> list[list[str] | None]:
    return [parse_qs(request.query).get("offset") for request in service.taken()]


def test_a_counted_list_ends_with_an_empty_page_and_not_with_a_short_one(
    service: Server,
) -> None:
    service.respond = slices
    with Client(service.url) as client:
        assert list(client.numbers(limit=3)) == [0, 1, 2, 3, 4]
    assert offsets(service) == [None, ["2"], ["4"], ["5"]]


def test_it_starts_at_an_offset_and_a_page_says_where_the_next_one_does(service: Server) -> None:
    service.respond = slices
    with Client(service.url) as client:
        pages = list(client.numbers(offset=3).pages())
        assert list(client.numbers(offset=0)) == [0, 1, 2, 3, 4]
    assert pages == [Page([3, 4], "5", True), Page([], None, False)]
    assert offsets(service)[:3] == [["3"], ["5"], ["0"]]


def test_a_counted_page_that_is_no_list_cannot_be_used(service: Server) -> None:
    service.will_answer({"success": True, "data": {"records": [1]}})
    with Client(service.url) as client, pytest.raises(DecodeError):
        list(client.numbers())
