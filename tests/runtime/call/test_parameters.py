"""Parameters beside a body, at a socket: where they are sent, and that nobody signs them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from attrs import frozen

from tests.doubles.server import Server
from tests.doubles.signer import KEY
from trading_runtime.client import BaseClient
from trading_runtime.errors import OutcomeUnknownError, RequestError
from trading_runtime.operation import Api, Operation


@frozen(kw_only=True)
class Rule:
    shelf: str
    symbol: str
    dry: bool | None = None
    idempotency_key: str | None = None


PLACES: dict[str, Any] = {
    "path": "/shelves/{shelf}/rules",
    "params": Rule,
    "in_url": ("shelf", "dry"),
    "headers": {"idempotency_key": "Idempotency-Key"},
}
SIGNED: Operation[None] = Operation(
    name="rules.add", method="POST", signing_type="add_rule", key="idempotency_key", **PLACES
)
UNSIGNED: Operation[None] = Operation(name="rules.put", method="POST", **PLACES)


class Client(BaseClient):
    api: ClassVar[Api] = Api(
        title="Rules", version="v1", operations=(SIGNED, UNSIGNED), api_key_header=None
    )

    def add(self, operation: Operation[None], rule: Rule) -> None:
        self._caller.call(operation, rule)


@pytest.fixture
def client(service: Server) -> Iterator[Client]:
    service.will_answer({"success": True})
    with Client(service.url, signer=KEY) as client:
        yield client


def test_a_signed_body_is_sent_without_what_stands_beside_it(
    client: Client, service: Server
) -> None:
    client.add(SIGNED, Rule(shelf="a b", symbol="BTC", dry=True, idempotency_key="k-1"))

    (request,) = service.taken()
    body = json.loads(request.body)
    assert (request.path, request.query) == ("/shelves/a%20b/rules", "dry=true")
    assert dict(request.headers)["Idempotency-Key"] == "k-1"
    assert body.keys() - {"account", "signature", "timestamp", "expiry_window"} == {"symbol"}


def test_explain_shows_the_body_that_is_sent(client: Client, service: Server) -> None:
    explained = client.explain(
        "rules.add", shelf="a", symbol="BTC", dry=True, idempotency_key="k-1"
    )
    client.add(SIGNED, Rule(shelf="a", symbol="BTC", dry=True, idempotency_key="k-1"))

    (request,) = service.taken()
    assert json.loads(explained.canonical)["data"] == {"symbol": "BTC"}
    assert explained.body.keys() == json.loads(request.body).keys()


def test_a_header_that_was_not_given_is_not_sent(client: Client, service: Server) -> None:
    client.add(UNSIGNED, Rule(shelf="a", symbol="BTC"))

    (request,) = service.taken()
    assert request.query == ""
    assert "Idempotency-Key" not in dict(request.headers)
    assert json.loads(request.body) == {"symbol": "BTC"}


@pytest.mark.parametrize("key", ["", " k", "k\r\nX-Evil: 1", "k\u00fc"])
def test_what_no_header_can_hold_is_refused_before_it_is_sent(
    client: Client, service: Server, key: str
) -> None:
    with pytest.raises(RequestError, match=r"^idempotency_key: a header takes printable ASCII"):
        client.add(SIGNED, Rule(shelf="a", symbol="BTC", idempotency_key=key))
    assert service.taken() == []


def test_what_nobody_signed_never_expires_and_its_error_says_so(
    client: Client, service: Server
) -> None:
    service.will_answer({}, 500)
    with pytest.raises(OutcomeUnknownError) as caught:
        client.add(UNSIGNED, Rule(shelf="a", symbol="BTC"))
    assert str(caught.value).endswith(
        "It is not signed, so the service can accept it at any later time."
    )
