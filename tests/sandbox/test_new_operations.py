"""An operation that was added to the spec alone is answered in so many words, not by a failure."""

from __future__ import annotations

import pytest

from trading_sandbox import Sandbox
from trading_sandbox.web.commands import BUILDERS
from trading_sandbox.web.lists import LISTS
from trading_sandbox.web.reads import READS
from trading_sdk import ApiError, CancelOrder, Client
from trading_sdk.operations import API


def test_every_operation_and_action_is_modelled() -> None:
    assert {*BUILDERS, *LISTS, *READS, "orders.batch"} == {*API.operations, *API.actions}


def test_a_change_that_is_not_modelled_is_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(BUILDERS, "api_keys.create")
    monkeypatch.delitem(BUILDERS, "orders.cancel")

    with pytest.raises(ApiError, match=r"api_keys\.create is not modelled") as refused:
        client.api_keys.create()
    with pytest.raises(ApiError, match=r"orders\.cancel is not modelled"):
        client.orders.batch([CancelOrder(symbol="BTC", order_id=1)])

    assert refused.value.status == 501


def test_a_read_that_is_not_modelled_is_refused(
    sandbox: Sandbox, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(LISTS, "orders.history")
    monkeypatch.delitem(READS, "account.settings")

    with pytest.raises(ApiError, match=r"501.*orders\.history is not modelled"):
        list(client.orders.history())
    with pytest.raises(ApiError, match=r"501.*account\.settings is not modelled"):
        client.account.settings()
