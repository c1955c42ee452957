"""Every operation at a real socket, against the table in tests/interface.

What is signed is rebuilt here with nothing but json.dumps, and verified by `solders`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any, NamedTuple
from urllib.parse import parse_qsl
from uuid import UUID

import pytest
from solders.pubkey import Pubkey
from solders.signature import Signature

from tests.doubles.server import Received, Server
from tests.generated.calls import ACCOUNT, BATCH, BATCH_CASES, CASES, MINTED, BatchCase, Case
from tests.generated.results import told
from tests.interface import METHODS, OPERATIONS
from trading_sdk import ActionResult, BatchResult, Client, Keypair, Paginator

OWNER = Keypair(b"\x01" * 32)
AGENT = Keypair(b"\x02" * 32)
API_KEY = "AbCdEfGh_2VfUX1kcVgDnUyZ7xLqNbP"


class Caller(NamedTuple):
    """Who calls: with which key, for which account, with which window."""

    key: Keypair
    account: str
    expiry_window: int
    options: Mapping[str, Any]

    def client(self, url: str) -> Client:
        return Client(url, signer=self.key, **self.options)


_AGENT: Any = {"account": OWNER.address, "api_key": API_KEY, "expiry_window": 5_000}
CALLERS = {
    "owner": Caller(OWNER, OWNER.address, 30_000, {}),
    "agent": Caller(AGENT, OWNER.address, 5_000, _AGENT),
}
ids = [f"{case.operation} {case.label}" for case in CASES]
batch_ids = [f"{case.operation} {case.label}" for case in BATCH_CASES]
each_caller = pytest.mark.parametrize("caller", CALLERS.values(), ids=list(CALLERS))
each_case = pytest.mark.parametrize("case", CASES, ids=ids)
each_batch = pytest.mark.parametrize("case", BATCH_CASES, ids=batch_ids)


@pytest.fixture(scope="module")
def recorder() -> Iterator[Server]:
    with Server() as recorder:
        yield recorder


@pytest.fixture
def service(recorder: Server) -> Server:
    recorder.taken()
    return recorder


def call(client: Client, case: Case | BatchCase) -> Any:
    result = attrgetter(case.operation)(client)(**case.arguments)
    return list(result) if isinstance(result, (Paginator, BatchResult)) else result


def exact(value: object) -> str:
    """JSON in which True is not 1, and 1 is not 1.0."""
    return json.dumps(value, sort_keys=True)


def parsed(request: Received) -> Any:
    """The body, which is compact and holds no key twice."""
    body = json.loads(request.body)
    assert json.dumps(body, separators=(",", ":")).encode() == request.body
    return body


def filled(expected: Any, actual: Any) -> Any:
    """The expected fields with the ids that were minted, which must be new, full UUIDs."""
    if expected == MINTED:
        assert UUID(actual).version == 4
        assert str(UUID(actual)) == actual
        return actual
    if isinstance(expected, dict) and isinstance(actual, dict):
        return {name: filled(value, actual.get(name)) for name, value in expected.items()}
    return expected


def check_headers(request: Received, caller: Caller) -> None:
    headers = {name.lower(): value for name, value in request.headers}
    assert len(headers) == len(request.headers)
    expected = {"host", "user-agent", "accept", "accept-encoding"}
    if request.method == "POST":
        expected |= {"content-type", "content-length"}
        assert headers["content-type"] == "application/json"
    if "api_key" in caller.options:
        expected.add("pf-api-key")
        assert headers["pf-api-key"] == API_KEY
    assert headers.keys() - {"connection"} == expected


def check_signed(
    body: dict[str, Any],
    signing_type: str,
    fields: Mapping[str, Any],
    caller: Caller,
    sent_at: tuple[int, int],
) -> None:
    """The body is flat and exact, and its signature holds for the message rebuilt from it."""
    own = filled(dict(fields), body)
    address = caller.key.address
    assert exact(body) == exact(
        {
            "account": caller.account,
            "signature": body["signature"],
            "timestamp": body["timestamp"],
            "expiry_window": caller.expiry_window,
            **({} if address == caller.account else {"agent_wallet": address}),
            **own,
        }
    )
    assert isinstance(body["timestamp"], int)
    assert sent_at[0] <= body["timestamp"] <= sent_at[1]
    assert is_signed(address, body["signature"], signing_type, own, body)


def is_signed(address: str, signature: str, type_: str, data: Any, body: Mapping[str, Any]) -> bool:
    """Whether a signature is that of section 5.1, as another implementation reads it."""
    times = {name: body[name] for name in ("timestamp", "expiry_window")}
    message = {**times, "type": type_, "data": data}
    text = json.dumps(message, sort_keys=True, separators=(",", ":"))
    key = Pubkey.from_string(address)
    return Signature.from_string(signature).verify(key, text.encode())


def now() -> int:
    return time.time_ns() // 1_000_000


def only(service: Server) -> Received:
    (request,) = service.taken()
    return request


@each_caller
@each_case
def test_a_call_sends_the_documented_request_and_returns_the_typed_result(
    service: Server, case: Case, caller: Caller
) -> None:
    operation = OPERATIONS[case.operation]
    answer, result = told(case.operation)
    service.will_answer(answer)
    start = now()

    with caller.client(service.url) as client:
        returned = call(client, case)

    request = only(service)
    assert (request.method, request.path) == (operation.verb, operation.path)
    own, asked = operation.apart(case.fields)
    check_headers(request, caller)
    query = {name: caller.account if v == ACCOUNT else str(v) for name, v in asked.items()}
    assert sorted(parse_qsl(request.query, strict_parsing=bool(query))) == sorted(query.items())
    if operation.verb == "GET":
        assert (own, request.body) == ({}, b"")
    else:
        body = parsed(request)
        assert operation.signing_type
        check_signed(body, operation.signing_type, own, caller, (start, now()))
    # Their texts too, because an enum is equal to its string.
    assert returned == result
    assert repr(returned) == repr(result)


@each_caller
@each_batch
def test_a_batch_signs_each_action_alone(service: Server, case: BatchCase, caller: Caller) -> None:
    results = [
        {"success": True, "order_id": n, "error": None} for n, _ in enumerate(case.actions, 1)
    ]
    envelope = {"success": True, "data": {"results": results}, "error": None, "code": None}
    service.will_answer(envelope)
    start = now()

    with caller.client(service.url) as client:
        returned = call(client, case)

    request = only(service)
    assert (request.method, request.path) == ("POST", OPERATIONS[BATCH].path)
    assert request.query == ""
    check_headers(request, caller)
    body = parsed(request)
    assert body.keys() == {"actions"}
    assert len(body["actions"]) == len(case.actions)
    for sent, action in zip(body["actions"], case.actions, strict=True):
        assert sent.keys() == {"type", "data"}
        signed = METHODS[action.operation]
        assert sent["type"] == signed.action
        assert signed.signing_type
        check_signed(sent["data"], signed.signing_type, action.fields, caller, (start, now()))
    placed = [ActionResult(success=True, order_id=n, error=None) for n, _ in enumerate(results, 1)]
    assert returned == (placed if case.operation == BATCH else placed[0])
