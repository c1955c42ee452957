"""The live dialect, request by request: the whole answer, as the field notes have it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import requests

from tests.sandbox.live import CASES, EMPTY, KEPT, OPENED, Case, Floor, found, refused
from tests.sandbox.raw import RawClient, limit_order
from trading_sandbox import Sandbox

API = "/api/v1"


@pytest.fixture(scope="module")
def reusable() -> Iterator[Sandbox]:
    with Sandbox(dialect="live", maker=False, taker_delay=0, frozen_at=OPENED) as running:
        yield running


@pytest.fixture
def floor(sandbox: Sandbox) -> Floor:
    return Floor(sandbox)


@pytest.fixture
def alice(floor: Floor) -> RawClient:
    return floor.alice


def signed(who: RawClient, path: str, type_: str, **data: Any) -> requests.Response:
    return who.post(API + path, who.body(type_, data))


def kept(expected: Any, answered: Any) -> Any:
    """The expected answer, with what was answered where any value will do."""
    if expected is KEPT:
        return answered
    if isinstance(expected, dict) and isinstance(answered, dict):
        return {name: kept(value, answered.get(name)) for name, value in expected.items()}
    return expected


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_request_has_the_answer_of_the_live_service(case: Case, alice: RawClient) -> None:
    path, type_ = case.endpoint.path.format(**case.sends), case.endpoint.signing_type
    if type_ is None:
        own = {"account": alice.address} if "account" in case.sends else {}
        answer = alice.get(path, **{**case.sends, **own})
    else:
        answer = alice.post(path, alice.body(type_, case.sends))

    assert answer.json() == kept(case.answers, answer.json())
    assert answer.status_code == case.status


# -- signatures ----------------------------------------------------------------------------------


def test_a_null_window_may_be_signed_if_the_body_has_none(alice: RawClient) -> None:
    """Field note 29."""
    body = alice.body("create_order", limit_order(price="90000"), expiry_window=None)
    del body["expiry_window"]

    assert alice.post(f"{API}/orders/create", body).json()["success"] is True


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"signature": "1" * 64}, "Verification failed: the signature was not made by "),
        ({"signature": "0"}, "Invalid signature: "),
        ({"account": "1"}, "Invalid public key: "),
        ({"timestamp": 1}, "Invalid message: it expired "),
    ],
)
def test_a_bad_signature_is_a_bad_request(
    alice: RawClient, change: dict[str, Any], words: str
) -> None:
    """Field note 31; on the operations, too, whose document has 401."""
    body = {**alice.body("bind_agent_wallet", {"agent_wallet": alice.address}), **change}
    answer = alice.post(f"{API}/agent/bind", body)

    assert answer.status_code == 400
    assert answer.json() == refused(answer.json()["error"])
    assert answer.json()["error"].startswith(words)


def test_an_agent_is_bound_by_the_signed_wallet_and_then_trades(floor: Floor) -> None:
    alice, agent = floor.alice, floor.account("0")
    for _ in range(2):
        bound = signed(alice, "/agent/bind", "bind_agent_wallet", agent_wallet=agent.address)
        assert bound.json() == EMPTY
    agent.account = alice.address

    assert agent.create(price="90000").json()["success"] is True
    # Its own wallet is signed data here, and no agent can sign for it (field note 6).
    mine = agent.body("bind_agent_wallet", {"agent_wallet": agent.address})
    assert agent.post(f"{API}/agent/bind", mine).json()["error"].startswith("Verification failed")


# -- what lists say otherwise --------------------------------------------------------------------


def test_a_withdrawal_is_called_a_withdraw_and_answered_in_the_whole_envelope(
    floor: Floor,
) -> None:
    carol = floor.account("0", SOL="5")
    path, type_ = "/account/spot_asset/withdraw", "withdraw_spot_asset"
    answer = signed(carol, path, type_, symbol="SOL", amount="2").json()
    history = carol.call("spot.balance_history", account=carol.address).json()

    receipt = {"symbol": "SOL", "requested_amount": "2", "fee_amount": "0.005"}
    assert answer == found({**receipt, "batch_nonce": answer["data"]["batch_nonce"]})
    assert [each["event_type"] for each in history["data"]] == ["withdraw", "deposit"]


def test_a_revoked_api_key_is_gone_from_the_list_and_answered_with_nothing(
    alice: RawClient,
) -> None:
    key = signed(alice, "/account/api_keys/create", "create_api_key").json()["data"]["api_key"]
    listed = signed(alice, "/account/api_keys", "list_api_keys").json()
    revoked = signed(alice, "/account/api_keys/revoke", "revoke_api_key", api_key=key).json()

    assert listed == found({"active_api_keys": [key], "api_key_limit": 5})
    assert revoked == EMPTY


def test_an_unknown_path_and_a_wrong_method_are_refused_in_the_common_envelope(
    alice: RawClient,
) -> None:
    unknown, wrong = alice.get(f"{API}/nothing"), alice.get(f"{API}/orders/cancel")

    assert (unknown.status_code, wrong.status_code) == (404, 405)
    assert unknown.json() == refused(f"Unknown path {API}/nothing", 404)
    assert wrong.json() == refused("Wrong method for this path", 405)
    assert wrong.headers["allow"] == "POST"


def test_the_spec_that_it_speaks_is_served(sandbox: Sandbox, shared: Sandbox) -> None:
    live, documented = (
        requests.get(f"{each.url}/openapi.json", timeout=10) for each in (sandbox, shared)
    )

    assert live.headers["content-type"] == "application/json"
    assert live.json()["openapi"] == documented.json()["openapi"] == "3.1.0"
    beside = live.json()["paths"].keys() - documented.json()["paths"].keys()
    assert {"/api/v1/positions", "/api/v1/agent/bind"} <= beside
    assert documented.json()["paths"].keys() < live.json()["paths"].keys()


def test_faults_are_for_its_own_operations(floor: Floor) -> None:
    faults = floor.sandbox.faults
    faults.inject("orders.cancel_all", "status", status=503)
    cancel = {"all_symbols": True, "exclude_reduce_only": False}
    answer = signed(floor.alice, "/orders/cancel_all", "cancel_all_orders", **cancel)
    faults.inject("funding.payments", "empty_page")
    page = floor.alice.get(f"{API}/funding/history", account=floor.alice.address).json()
    schema = requests.get(f"{floor.sandbox.url}/sandbox/v1/schema", timeout=10).json()
    inject = schema["controls"]["faults.inject"]["arguments"]["properties"]

    assert answer.status_code == 503
    assert page["has_more"] is True
    assert {"*", "orders.cancel", "markets.candles"} <= set(inject["operation"]["enum"])
    with pytest.raises(ValueError, match=r"there is no operation 'positions\.lst' \(did you mean"):
        faults.inject("positions.lst", "reset")


def test_an_unhandled_mistake_is_told_in_the_common_envelope(
    alice: RawClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    from trading_sandbox.web.dialects import live_markets

    monkeypatch.setattr(live_markets, "DEFAULT_LIMIT", "broken")
    answer = alice.get(f"{API}/trades", symbol="BTC")

    assert (answer.status_code, answer.json()) == (500, refused("Internal server error", 500))


def test_the_dialect_is_an_option_of_the_command_line() -> None:
    from trading_sandbox.__main__ import _parser

    assert _parser().parse_args([]).dialect == "documented"
    assert _parser().parse_args(["--dialect", "live"]).dialect == "live"
    with pytest.raises(ValueError, match="dialect must be one of documented, live, not 'other'"):
        Sandbox(dialect="other")  # type: ignore[arg-type]


def test_the_documented_dialect_needs_none_of_its_modules() -> None:
    import subprocess
    import sys

    code = (
        "import sys\nfrom trading_sandbox import Sandbox\nwith Sandbox() as sandbox: pass\n"
        "print(json.dumps(sorted(n for n in sys.modules if 'observed' in n or '.live' in n)))"
    )
    shown = subprocess.run(
        [sys.executable, "-c", f"import json\n{code}"], capture_output=True, text=True, check=True
    )

    assert json.loads(shown.stdout) == []
