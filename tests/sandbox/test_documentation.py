"""The pages of the sandbox tell all and nothing but what there is."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from trading_runtime.stream import Stream
from trading_sandbox import Sandbox
from trading_sandbox.controls.declared import CONTROLS
from trading_sandbox.faults import FRAMES, KINDS, REQUIRED, Kind
from trading_sandbox.pytest_plugin import assert_no_open_orders
from trading_sandbox.web.dialects.documented import MODELLED
from trading_sdk_observed import Client as LiveClient
from trading_sdk_observed.streams import AccountOrders, OrdersSnapshot

DOCS = Path(__file__).parents[2] / "docs"
CONTROLS_PAGE, FAULTS_PAGE, MODEL_PAGE = (
    (DOCS / "sandbox" / f"{name}.md").read_text("utf-8") for name in ("controls", "faults", "model")
)
GUIDE = (DOCS / "guides" / "testing.md").read_text("utf-8")


def first_cells(text: str) -> list[str]:
    """What stands as code in the first cell of each row of the tables."""
    rows = [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| `")]
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


def test_every_operation_and_action_that_is_modelled_has_a_row() -> None:
    documented = first_cells(MODEL_PAGE)
    assert sorted(documented) == sorted(MODELLED)


def test_the_table_of_faults_is_made_of_their_definitions() -> None:
    rows = [line for line in FAULTS_PAGE.splitlines() if line.startswith("| `")]
    assert rows == [
        f"| `{kind.name}` | {kind.meaning} | {_options(kind)} | {kind.executed} | {kind.outcome} |"
        for kind in (*KINDS.values(), *FRAMES.values())
    ]


def _options(kind: Kind) -> str:
    return ", ".join(_option(name, default) for name, default in kind.options.items())


def _option(name: str, default: Any) -> str:
    if default is REQUIRED:
        return f"`{name}` (required)"
    # The body of `bad_json` is not worth a cell, nor are no headers.
    hidden = default in (None, {}) or isinstance(default, bytes)
    return f"`{name}`" if hidden else f"`{name}={default!r}`"


def test_the_table_of_controls_is_made_of_their_definitions() -> None:
    rows = [line for line in CONTROLS_PAGE.splitlines() if line.startswith("| `")]
    assert rows == [f"| `{each.call}` | {each.text} |" for each in CONTROLS.values()]


[EXAMPLES] = [
    text for text in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL) if "def test_" in text
]


@pytest.mark.parametrize("name", re.findall(r"def (test_\w+)", EXAMPLES))
def test_the_example_tests_of_a_bot_pass(name: str, request: pytest.FixtureRequest) -> None:
    named: dict[str, Any] = {}
    exec(EXAMPLES, named)
    fixtures = inspect.signature(named[name]).parameters
    named[name](**{each: request.getfixturevalue(each) for each in fixtures})


def test_the_live_fixtures_are_a_sandbox_a_client_and_its_stream(
    live_sandbox: Sandbox, live_client: LiveClient, live_stream: Stream
) -> None:
    assert live_sandbox.account(live_client.account_address or "").balance == 10_000
    assert {each.symbol for each in live_client.markets.prices()} == {"BTC", "ETH", "SOL"}
    live_stream.subscribe(AccountOrders())
    assert_no_open_orders(live_client)
    placed = live_client.orders.create(
        symbol="BTC", side="bid", price="60000", amount="0.01", tif="ALO", reduce_only=False
    )
    wanted = f"orders are open: {placed.order_id} BTC bid open"
    with pytest.raises(pytest.fail.Exception, match=wanted):
        assert_no_open_orders(live_client)
    live_client.orders.cancel(symbol="BTC", order_id=placed.order_id)
    assert_no_open_orders(live_client)
    picture = live_stream.next(timeout=20)
    while not isinstance(picture, OrdersSnapshot):
        picture = live_stream.next(timeout=20)
