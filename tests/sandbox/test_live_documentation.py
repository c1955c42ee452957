"""docs/sandbox.md tells the two dialects apart: each of its lines is asked of both."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
import requests

from tests.sandbox.raw import CREATE, RawClient, limit_order
from trading_sandbox import Sandbox
from trading_sandbox.web.dialects.dialect import Dialect
from trading_sandbox.web.dialects.documented import DIALECT as DOCUMENTED
from trading_sandbox.web.dialects.live import DIALECT as LIVE

PAGE = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text("utf-8")
SECTION = PAGE.split("\n## The live dialect\n")[1].split("\n## ")[0]
ROWS = [line.strip("| ").split(" | ") for line in SECTION.splitlines() if line.startswith("| ")]
DIFFERENCES = {row[0]: row[1:] for row in ROWS if len(row) == 4 and row[0] != "request"}
OPERATIONS = {row[0].strip("`"): row for row in ROWS if len(row) == 3 and row[0] != "operation"}


class Caller:
    """An account with everything that a line needs, in one sandbox."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        owner = sandbox.create_account(usdc="1000", spot={"SOL": "5"})
        self.raw = RawClient(sandbox.url, owner.export_base58())
        self.sub = sandbox.create_subaccount(owner).address
        self.vault = sandbox.create_vault(owner, blacklist=["SOL"])

    def order(self, **changes: Any) -> requests.Response:
        return self.raw.create(**limit_order(**changes))

    def stop(self) -> requests.Response:
        stop = {"stop_price": "200000", "amount": "0.01"}
        return self.raw.call(
            "orders.create_stop", symbol="BTC", side="bid", reduce_only=False, stop_order=stop
        )

    def edited(self) -> requests.Response:
        order_id = self.order().json()["order_id"]
        return self.raw.edit(symbol="BTC", order_id=order_id, price="40000", amount="0.002")

    def stop_cancelled(self) -> requests.Response:
        order_id = self.stop().json()["order_id"]
        return self.raw.call("orders.cancel_stop", symbol="BTC", order_id=order_id)

    def forged(self, path: str, type_: str, data: dict[str, Any]) -> requests.Response:
        return self.raw.post(path, {**self.raw.body(type_, data), "signature": "1" * 64})

    def forged_setting(self) -> requests.Response:
        return self.forged(
            "/api/v1/account/settings/auto_lend_disabled", "set_auto_lend_disabled", {}
        )

    def null_window(self) -> requests.Response:
        body = self.raw.body("create_order", limit_order(), expiry_window=None)
        del body["expiry_window"]
        return self.raw.post(CREATE, body)

    def spot_setting(self) -> requests.Response:
        return self.raw.call(
            "account.update_spot_settings", symbol="SOL", unified_margin_excluded=True
        )

    def capped(self) -> requests.Response:
        data = {"lake": self.vault, "symbols": ["BTC"], "max_leverage": "5"}
        return self.raw.call("vaults.add_max_leverage", **data)

    def uncapped(self) -> requests.Response:
        self.capped()
        return self.raw.call("vaults.remove_max_leverage", lake=self.vault, symbols=["BTC"])

    def unlisted(self) -> requests.Response:
        return self.raw.call("vaults.remove_blacklist", lake=self.vault, symbols=["SOL"])

    def transferred(self) -> requests.Response:
        return self.raw.call("subaccounts.transfer", to_account=self.sub, amount="1")

    def withdrawn(self) -> requests.Response:
        return self.raw.call("spot.withdraw", symbol="SOL", amount="1")

    def event(self) -> str:
        self.withdrawn()
        history = self.raw.call("spot.balance_history", account=self.raw.address).json()
        return f'"event_type": "{history["data"][0]["event_type"]}"'

    def closed(self) -> str:
        for side, price in (("bid", "50000"), ("ask", "51000")):
            order = limit_order(side=side, price=price, client_order_id=str(uuid4()))
            self.sandbox.force_outcome(UUID(order["client_order_id"]), "filled")
            assert self.raw.create(**order).status_code == 200
        trade = self.raw.call("trades.history", account=self.raw.address).json()["data"][0]
        assert trade["side"] == "close_long"
        return json.dumps({name: trade[name] for name in ("price", "entry_price")})[1:-1]

    def key(self) -> requests.Response:
        return self.raw.call("api_keys.create")

    def keys(self) -> requests.Response:
        self.key()
        return self.raw.call("api_keys.list")

    def revoked(self) -> requests.Response:
        key = self.key().json()["data"]["api_key"]
        return self.raw.call("api_keys.revoke", api_key=key)


Ask = Callable[[Caller], "requests.Response | str"]
ASKED: dict[str, list[Ask]] = {
    "`orders.create`, `orders.create_stop`, `orders.edit`": [
        Caller.order,
        Caller.stop,
        Caller.edited,
    ],
    "an order for an unknown market": [lambda caller: caller.order(symbol="NONE")],
    "an order with a wrong tick or lot": [
        lambda caller: caller.order(price="50000.5"),
        lambda caller: caller.order(amount="0.000015"),
    ],
    "an order with a bad signature": [
        lambda caller: caller.forged(CREATE, "create_order", limit_order())
    ],
    'an order whose header has `"expiry_window": null`, its body none': [Caller.null_window],
    "`orders.cancel_stop`": [Caller.stop_cancelled],
    "`account.update_spot_settings`, `account.set_auto_lend_disabled`": [
        Caller.spot_setting,
        lambda caller: caller.raw.call("account.set_auto_lend_disabled", disabled=True),
    ],
    "a setting with a bad signature": [Caller.forged_setting],
    "`subaccounts.transfer`": [Caller.transferred],
    "`vaults.add_max_leverage`, `vaults.remove_max_leverage`, `vaults.remove_blacklist`": [
        Caller.capped,
        Caller.uncapped,
        Caller.unlisted,
    ],
    "`spot.withdraw`": [Caller.withdrawn],
    "`spot.balance_history`, of a withdrawal": [Caller.event],
    "`trades.history`, bought at 50000 and sold at 51000": [Caller.closed],
    "`api_keys.create`": [Caller.key],
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
    assert all(13 <= int(note) <= 35 for note in notes.split(", "))


def test_no_difference_is_left_out() -> None:
    """What both dialects have, and answer by something of their own."""
    own = {
        name
        for table in ("responses", "reads", "lists")
        for name, each in getattr(DOCUMENTED, table).items()
        if getattr(LIVE, table)[name] is not each
    }
    listed = {name for row in DIFFERENCES for name in re.findall(r"`([a-z_]+\.[a-z_]+)`", row)}

    assert listed == own
    assert ASKED.keys() == DIFFERENCES.keys()


def test_every_operation_of_the_live_dialect_has_a_row() -> None:
    assert sorted(OPERATIONS) == sorted(LIVE.modelled - DOCUMENTED.modelled)
    for name, row in OPERATIONS.items():
        operation = LIVE.api.operations[name]
        assert row[1] == f"{operation.method} {operation.path.removeprefix('/api/v1')}"


@pytest.mark.parametrize("dialect", [DOCUMENTED, LIVE], ids=["documented", "live"])
def test_what_is_modelled_is_offered_and_has_an_answer(dialect: Dialect) -> None:
    operations = dialect.api.operations
    assert {*operations, *dialect.api.actions} >= dialect.modelled
    assert dialect.builders.keys() & operations.keys() == dialect.responses.keys()
