"""docs/sandbox/live.md tells the two dialects apart: each of its lines is asked of both."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
import requests

from tests.interface import OPERATIONS
from tests.sandbox.raw import CREATE, RawClient, limit_order, stop_order
from trading_sandbox import Sandbox
from trading_sandbox.web.dialects.dialect import Dialect
from trading_sandbox.web.dialects.documented import DIALECT as DOCUMENTED
from trading_sandbox.web.dialects.live import DIALECT as LIVE

PAGE = (Path(__file__).parents[2] / "docs" / "sandbox" / "live.md").read_text("utf-8")
ROWS = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| ")]
DIFFERENCES = {row[0]: row[1:] for row in ROWS if len(row) == 4 and row[0] != "request"}
ROW_OF = {row[0].strip("`"): row for row in ROWS if len(row) == 3 and row[0] != "operation"}


class Caller(RawClient):
    """An account with everything that a line needs, in one sandbox."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        owner = sandbox.create_account(usdc="1000", spot={"SOL": "5"})
        super().__init__(sandbox.url, owner.export_base58())
        self.sub = sandbox.create_subaccount(owner).address
        self.vault = sandbox.create_vault(owner, blacklist=["SOL"])

    def placed(self) -> int:
        return int(self.create().json()["order_id"])

    def stopped(self) -> int:
        return int(self.call("orders.create_stop", **stop_order()).json()["order_id"])

    def forged(self, name: str, **data: Any) -> requests.Response:
        operation = OPERATIONS[name]
        return self.post(operation.path, {**self.signed(operation, data), "signature": "1" * 64})

    def null_window(self) -> requests.Response:
        body = self.body("create_order", limit_order(), expiry_window=None)
        del body["expiry_window"]
        return self.post(CREATE, body)

    def capped(self) -> requests.Response:
        caps = {"symbols": ["BTC"], "max_leverage": "5"}
        return self.call("vaults.add_max_leverage", lake=self.vault, **caps)

    def uncapped(self) -> requests.Response:
        self.capped()
        return self.call("vaults.remove_max_leverage", lake=self.vault, symbols=["BTC"])

    def withdrawn(self) -> requests.Response:
        return self.call("spot.withdraw", symbol="SOL", amount="1")

    def event(self) -> str:
        self.withdrawn()
        history = self.data("spot.balance_history", account=self.address)
        return f'"event_type": "{history[0]["event_type"]}"'

    def closed(self) -> str:
        for side, price in (("bid", "50000"), ("ask", "51000")):
            order = limit_order(side=side, price=price, client_order_id=str(uuid4()))
            self.sandbox.force_outcome(UUID(order["client_order_id"]), "filled")
            assert self.create(**order).status_code == 200
        trade = self.data("trades.history", account=self.address)[0]
        assert trade["side"] == "close_long"
        return json.dumps({name: trade[name] for name in ("price", "entry_price")})[1:-1]

    def new_key(self) -> requests.Response:
        return self.call("api_keys.create")

    def agents_key(self) -> requests.Response:
        agent = RawClient(self.url)
        self.sandbox.bind_agent(self.address, agent.address)
        agent.account = self.address
        return agent.call("api_keys.create")

    def keys(self) -> requests.Response:
        self.new_key()
        return self.call("api_keys.list")

    def revoked(self) -> requests.Response:
        return self.call("api_keys.revoke", api_key=self.new_key().json()["data"]["api_key"])


Ask = Callable[[Caller], "requests.Response | str"]
SETTING: dict[str, Any] = {"symbol": "SOL", "unified_margin_excluded": True}
ASKED: dict[str, list[Ask]] = {
    "`orders.create`, `orders.create_stop`, `orders.edit`": [
        lambda c: c.create(),
        lambda c: c.call("orders.create_stop", **stop_order()),
        lambda c: c.edit(symbol="BTC", order_id=c.placed(), price="40000", amount="0.002"),
    ],
    "an order for an unknown market": [lambda c: c.create(symbol="NONE")],
    "an order with a builder code that is not approved": [lambda c: c.create(builder_code="CODE")],
    "`api_keys.create`, signed by an agent wallet": [Caller.agents_key],
    "an order with a wrong tick or lot": [
        lambda c: c.create(price="50000.5"),
        lambda c: c.create(amount="0.000015"),
    ],
    "an order with a bad signature": [lambda c: c.forged("orders.create", **limit_order())],
    'an order whose header has `"expiry_window": null`, its body none': [Caller.null_window],
    "`orders.cancel_stop`": [
        lambda c: c.call("orders.cancel_stop", symbol="BTC", order_id=c.stopped())
    ],
    "`account.update_spot_settings`, `account.set_auto_lend_disabled`": [
        lambda c: c.call("account.update_spot_settings", **SETTING),
        lambda c: c.call("account.set_auto_lend_disabled", disabled=True),
    ],
    "a setting with a bad signature": [lambda c: c.forged("account.set_auto_lend_disabled")],
    "`subaccounts.transfer`": [
        lambda c: c.call("subaccounts.transfer", to_account=c.sub, amount="1")
    ],
    "`vaults.add_max_leverage`, `vaults.remove_max_leverage`, `vaults.remove_blacklist`": [
        Caller.capped,
        Caller.uncapped,
        lambda c: c.call("vaults.remove_blacklist", lake=c.vault, symbols=["SOL"]),
    ],
    "`spot.withdraw`": [Caller.withdrawn],
    "`spot.balance_history`, of a withdrawal": [Caller.event],
    "`trades.history`, bought at 50000 and sold at 51000": [Caller.closed],
    "`api_keys.create`": [Caller.new_key],
    "`api_keys.list`": [Caller.keys],
    "`api_keys.revoke`": [Caller.revoked],
}


@pytest.fixture(scope="module")
def live() -> Iterator[Sandbox]:
    with Sandbox(dialect="live", maker=False, taker_delay=0) as running:
        yield running


def told(answer: requests.Response | str) -> str:
    """An answer as the table writes it."""
    if isinstance(answer, str):
        return answer
    text = f"{answer.status_code} {json.dumps(general(answer.json()))}"
    return re.sub(r'"(N|KEY)"', r"\1", text)


def general(value: Any, name: str = "") -> Any:
    """A document without the values that differ from one request to the next."""
    if isinstance(value, dict):
        return {name: general(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [general(each, name) for each in value]
    if isinstance(value, str):
        return "KEY" if "api_key" in name else "..."
    return "N" if type(value) is int and name != "code" else value


@pytest.mark.parametrize("request_", DIFFERENCES)
def test_each_difference_is_as_it_is_told(request_: str, shared: Sandbox, live: Sandbox) -> None:
    documented, other, notes = DIFFERENCES[request_]

    for ask in ASKED[request_]:
        assert f"`{told(ask(Caller(shared)))}`" == documented
        assert f"`{told(ask(Caller(live)))}`" == other
    assert documented != other
    assert all(13 <= int(note) <= 45 for note in notes.split(", "))


def test_no_difference_is_left_out() -> None:
    """What both dialects have, and answer by something of their own."""
    own = {
        name
        for table in ("answers", "lists")
        for name, each in getattr(DOCUMENTED, table).items()
        if getattr(LIVE, table)[name] is not each
    }
    listed = {name for row in DIFFERENCES for name in re.findall(r"`([a-z_]+\.[a-z_]+)`", row)}

    assert listed == own
    assert ASKED.keys() == DIFFERENCES.keys()


def test_every_operation_of_the_live_dialect_has_a_row() -> None:
    assert sorted(ROW_OF) == sorted(LIVE.modelled - DOCUMENTED.modelled)
    for name, row in ROW_OF.items():
        operation = LIVE.api.operations[name]
        assert row[1] == f"{operation.method} {operation.path.removeprefix('/api/v1')}"


@pytest.mark.parametrize("dialect", [DOCUMENTED, LIVE], ids=["documented", "live"])
def test_what_is_modelled_is_offered_and_has_an_answer(dialect: Dialect) -> None:
    operations = dialect.api.operations
    assert {*operations, *dialect.api.actions} >= dialect.modelled
    assert dialect.builders.keys() & operations.keys() <= dialect.answers.keys()
