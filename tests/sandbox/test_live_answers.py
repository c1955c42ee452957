"""The live dialect, request by request: refusals, and answers of a shape that a client does not show.

What it answers as the clients read it stands in tests/end_to_end/test_live_dialect.py.

What it answers otherwise than the documented dialect is told by docs/sandbox/live.md, and tried by
test_live_documentation.py. The numbers here are computed by hand from the scenario below, in which
nobody else trades and time stands still.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
import requests

from tests.interface import OPERATIONS
from tests.overlays.table import ROWS
from tests.sandbox.raw import RawClient, limit_order
from trading_sandbox import Sandbox
from trading_sandbox.engine.money import shortest
from trading_sandbox.web.dialects import live

API = "/api/v1"
OPENED = 1_800_000_000_000
"""A full hour, at which the market time stands still."""
NO_ERROR = {"error": None, "code": None}
EMPTY: dict[str, Any] = {"success": True, "data": {}, **NO_ERROR}
CLIENT_ID = "f47ac10b-58cc-4372-a567-0e02b2c3d479"
ERROR_IDS = {
    "Verification failed": "signature_verification_failed",
    "Invalid amount": "invalid_amount",
}
"""What field note 36 names, and the texts that it fits."""


def test_a_number_is_written_short_and_zero_without_a_sign() -> None:
    numbers = map(Decimal, ("-0.00", "1.500", "1E+3", "-0.05"))
    assert [*map(shortest, numbers)] == ["0", "1.5", "1000", "-0.05"]


def refused(error: str, code: int = 400) -> dict[str, Any]:
    body = {"success": False, "data": None, "error": error, "code": code}
    ids = [name for words, name in ERROR_IDS.items() if error.startswith(words) and code < 500]
    return {**body, "error_id": ids[0]} if ids else body


class Floor:
    """Alice, who has bought from bob twice: 0.1 BTC at 100,000 and 0.3 at 101,000.

    Her entry price is (10,000 + 30,300) / 0.4 = 100,750, her fees 0.04 % of 40,300: 16.12 USDC.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.alice, self.bob = RawClient.of(sandbox), RawClient.of(sandbox, "100000")
        for price, amount in (("100000", "0.1"), ("101000", "0.3")):
            for who, side in ((self.bob, "ask"), (self.alice, "bid")):
                assert who.create(price=price, amount=amount, side=side, tif="GTC").json()[
                    "success"
                ]


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


def test_an_order_and_its_events_name_the_stop_order_that_is_attached_to_it(
    alice: RawClient,
) -> None:
    parent = alice.create(price="90000", stop_loss={"stop_price": "80000"}).json()["order_id"]
    listed = alice.get(f"{API}/orders", account=alice.address).json()["data"]
    assert [each["order_id"] for each in listed] == [parent, parent + 1]
    assert [each["stop_parent_order_id"] for each in listed] == [parent + 1, None]
    [made] = alice.get(f"{API}/orders/history_by_id", order_id=parent).json()["data"]
    assert (made["event_type"], made["stop_parent_order_id"]) == ("make", parent + 1)
    markets = alice.get(f"{API}/info").json()["data"]
    rules = ("max_order_size", "instrument_type", "isolated_only")
    assert {tuple(each[name] for name in rules) for each in markets} == {
        ("999999999999", "perpetual", False)
    }


# -- refusals ------------------------------------------------------------------------------------

DUPLICATE = "Duplicate client order id"
NOBODY = "1" * 32
OTHER = "f47ac10b-58cc-4372-a567-0e02b2c3d470"
STOP: dict[str, Any] = {"symbol": "BTC", "side": "ask", "reduce_only": False}
ALICES_MARGIN = "Insufficient balance for BTC: {} (account value: 9683.88)"
REFUSALS = [
    ("orders.create", {"symbol": "NONE"}, "422 3 Book not found: NONE"),
    ("orders.create", {"price": "50000.5"}, "500 500 …"),
    ("orders.create", {"amount": "10"}, f"422 5 {ALICES_MARGIN.format(10200)}"),
    ("orders.create", {"amount": "0.0001"}, "422 7 Order amount too low for BTC: 5 < 10"),
    ("orders.create", {"client_order_id": CLIENT_ID}, f"422 36 {DUPLICATE}: {CLIENT_ID}"),
    ("orders.create", {"reduce_only": True}, "422 21 Invalid reduce-only order side: must be …"),
    (
        "orders.create",
        {"symbol": "ETH", "price": "3000", "amount": "0.1", "reduce_only": True},
        "422 23 No position found for reduce-only order: ALICE ETH",
    ),
    (
        "orders.create",
        {"builder_code": "CODE"},
        "422 50 Account ALICE has not approved builder code CODE",
    ),
    ("orders.create", {"amount": "0"}, "422 0 …"),
    ("orders.create", {"side": 7}, "400 400 …"),
    (
        "orders.create_stop",
        {**STOP, "symbol": "ETH", "stop_order": {"stop_price": "3000"}},
        "422 13 Position not found for ETH",
    ),
    (
        "orders.create_stop",
        {**STOP, "stop_order": {"stop_price": "150000"}},
        "422 17 Invalid stop order side",
    ),
    (
        "orders.create",
        {"client_order_id": OTHER, "stop_loss": {"stop_price": "1000", "client_order_id": OTHER}},
        f"422 36 {DUPLICATE}: {OTHER}",
    ),
    ("orders.cancel", {"symbol": "BTC", "order_id": 42069}, "422 6 Order not found for BTC: 42069"),
    ("orders.cancel", {"symbol": "BTC", "order_id": 1000001}, "422 5 Failed to cancel order"),
    (
        "orders.cancel",
        {"symbol": "BTC", "client_order_id": OTHER},
        f"422 37 Unused client order id: {OTHER}",
    ),
    ("orders.history_by_id", {"order_id": 7}, "404 404 Order history not found for order ID: 7"),
    ("markets.book", {"symbol": "NONE"}, "422 3 Book not found: NONE"),
    ("account.settings", {"account": "nonsense"}, "400 400 Invalid public key: …"),
    ("account.update_leverage", {"symbol": "BTC", "leverage": 51}, "422 11 …"),
    (
        "account.update_leverage",
        {"symbol": "BTC", "leverage": 1},
        f"422 5 {ALICES_MARGIN.format(40390)}",
    ),
    ("account.update_margin_mode", {"symbol": "BTC", "is_isolated": True}, "422 12 …"),
    (
        "subaccounts.transfer",
        {"to_account": "BOB", "amount": "1"},
        "422 33 Invalid transfer relationship: ALICE -> BOB",
    ),
    (
        "spot.withdraw",
        {"symbol": "SOL", "amount": "3"},
        "422 9 Over withdrawal: balance 0 amount 3",
    ),
    ("spot.withdraw", {"symbol": "NONE", "amount": "3"}, "422 55 …"),
    ("vaults.claim_manager", {"lake": NOBODY, "deposit_amount": "1"}, "422 66 …"),
    (
        "orders.cancel_all",
        {"all_symbols": False, "exclude_reduce_only": False},
        "400 400 symbol: required field missing; it is needed if all_symbols is false",
    ),
    (
        "markets.candles",
        {"symbol": "BTC", "interval": "7m", "start_time": OPENED},
        "400 400 interval: must be one of 1m, …",
    ),
    # A path with a parameter, and what is refused before anything of it is read.
    ("spot.bridge", {"symbol": "SOL"}, "501 501 spot.bridge is not modelled by this sandbox"),
    ("subaccounts.transfer_spot", {"symbol": 7}, "501 501 subaccounts.transfer_spot is not …"),
]
"""A request of alice, and its refusal: status, code, text; after … anything may follow."""


@pytest.mark.parametrize(("operation", "sends", "refusal"), REFUSALS)
def test_a_business_rule_refuses_with_422_and_its_own_code(
    floor: Floor, operation: str, sends: dict[str, Any], refusal: str
) -> None:
    """Field notes 36 to 38; and a batch says the same of an action."""
    status, code, text = refusal.split(" ", 2)
    alice = floor.alice
    assert alice.create(price="90000", client_order_id=CLIENT_ID).status_code == 200
    floor.sandbox.set_mark_price("BTC", "100000")
    names = {"ALICE": alice.address, "BOB": floor.bob.address}
    given = {
        name: names.get(each, each) if isinstance(each, str) else each
        for name, each in sends.items()
    }
    if operation == "orders.create":
        given = limit_order(**given)
    endpoint = ROWS.get(operation) or OPERATIONS[operation]
    if endpoint.signing_type is None:
        answer = alice.get(endpoint.path.format(**given), **given)
    else:
        answer = alice.post(endpoint.path, alice.body(endpoint.signing_type, given))

    told = answer.json()["error"]
    assert (answer.status_code, answer.json()) == (int(status), refused(told, int(code)))
    for name, address in names.items():
        text = text.replace(name, address)
    begin, rest, _ = text.partition("…")
    assert told.startswith(begin) if rest else told == text
    if operation == "orders.create" and status == "422":
        [result] = alice.batch(alice.action("Create", given)).json()["data"]["results"]
        assert result == {"success": False, "error": told}


def test_an_unknown_width_of_levels_is_refused_in_plain_text(alice: RawClient) -> None:
    """Field note 36."""
    answer = alice.get(f"{API}/book", symbol="BTC", agg_level=2)
    assert (answer.status_code, answer.text) == (422, "Invalid tick level")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert alice.get(f"{API}/book", symbol="BTC").headers["content-type"] == "application/json"


def test_an_account_that_is_not_there_is_a_business_rule_and_an_agent_that_is_not_bound_is_none(
    floor: Floor,
) -> None:
    stranger = RawClient(floor.sandbox.url)
    answer = stranger.create()
    assert answer.status_code == 422
    assert answer.json() == refused(f"Account not found: {stranger.address}", 1)
    stranger.account = floor.alice.address
    answer = stranger.create()
    assert (answer.status_code, answer.json()) == (400, refused("Agent not authorized for account"))


def test_a_builder_code_can_be_used_while_it_is_approved(alice: RawClient) -> None:
    def approvals() -> Any:
        path = f"{API}/account/builder_codes/approvals"
        return alice.get(path, account=alice.address).json()["data"]

    order, path = {"price": "90000", "builder_code": "CODE"}, "/account/builder_codes"
    rate = {"builder_code": "CODE", "max_fee_rate": "0.001"}
    assert signed(alice, f"{path}/approve", "approve_builder_code", **rate).json() == EMPTY
    assert approvals() == [rate]
    assert alice.create(**order).status_code == 200
    signed(alice, f"{path}/revoke", "revoke_builder_code", builder_code="CODE")
    assert approvals() == []
    assert alice.create(**order).status_code == 422


def test_an_agent_makes_keys_and_its_account_takes_the_right_from_it(floor: Floor) -> None:
    """Field note 41; note 6 says that it manages no agents."""
    alice, agents = floor.alice, [RawClient.of(floor.sandbox, "0") for _ in range(2)]
    for each in (*agents, agents[0]):
        bound = signed(alice, "/agent/bind", "bind_agent_wallet", agent_wallet=each.address)
        assert bound.json() == EMPTY
        each.account = alice.address

    assert agents[1].create(price="90000").json()["success"] is True
    # Its own wallet is signed data here, and no agent can sign for it (field note 6).
    mine = agents[1].body("bind_agent_wallet", {"agent_wallet": agents[1].address})
    refused_ = agents[1].post(f"{API}/agent/bind", mine).json()["error"]
    assert refused_.startswith("Verification failed")
    key = signed(agents[0], "/account/api_keys/create", "create_api_key").json()["data"]["api_key"]
    keys = signed(agents[0], "/account/api_keys", "list_api_keys").json()["data"]
    assert keys["active_api_keys"] == [key]
    assert signed(agents[0], "/agent/list", "list_agent_wallets").status_code == 400
    for _ in range(2):
        revoke = {"agent_wallet": agents[1].address}
        assert signed(alice, "/agent/revoke", "revoke_agent_wallet", **revoke).json() == EMPTY
    assert [each.create(price="90000").status_code for each in agents] == [200, 400]
    assert signed(alice, "/agent/revoke_all", "revoke_all_agent_wallets").json() == EMPTY
    assert agents[0].create(price="90000").status_code == 400


# -- beside the operations -----------------------------------------------------------------------


def test_the_spec_that_it_speaks_is_served(sandbox: Sandbox, shared: Sandbox) -> None:
    live, documented = (
        requests.get(f"{each.url}/openapi.json", timeout=10) for each in (sandbox, shared)
    )

    assert live.headers["content-type"] == "application/json"
    assert live.json()["openapi"] == documented.json()["openapi"] == "3.1.0"
    beside = live.json()["paths"].keys() - documented.json()["paths"].keys()
    assert {"/api/v1/positions", "/api/v1/agent/bind"} <= beside
    assert documented.json()["paths"].keys() < live.json()["paths"].keys()


def test_an_unhandled_mistake_is_told_in_the_common_envelope(
    alice: RawClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "DEFAULT_LIMIT", "broken")
    answer = alice.get(f"{API}/trades", symbol="BTC")

    assert (answer.status_code, answer.json()) == (500, refused("Internal server error", 500))
