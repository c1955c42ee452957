"""Settings, subaccounts and transfers over the wire (interface 4.12 to 4.14, 4.16, 4.17)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.interface import OPERATIONS
from tests.sandbox.raw import RawClient
from trading_sandbox import Sandbox

DEFAULTS: dict[str, Any] = {"auto_lend_disabled": None, "margin_settings": [], "spot_settings": []}
TRANSFER = OPERATIONS["subaccounts.transfer"].path


def settings(client: RawClient) -> dict[str, Any]:
    return dict(client.data("account.settings", account=client.address))


@pytest.fixture
def family(sandbox: Sandbox) -> tuple[RawClient, RawClient]:
    """A main account with 10,000 USDC and its subaccount without any."""
    main = sandbox.create_account()
    sub = sandbox.create_subaccount(main)
    return (
        RawClient(sandbox.url, main.export_base58()),
        RawClient(sandbox.url, sub.export_base58()),
    )


# -- settings ------------------------------------------------------------------------------------


def test_the_settings_of_a_new_account_are_blank(raw: RawClient) -> None:
    response = raw.call("account.settings", account=raw.address)
    assert response.status_code == 200
    assert response.json() == {"success": True, "data": DEFAULTS, "error": None, "code": None}


def test_an_address_without_an_account_has_the_settings_of_a_new_one(shared: Sandbox) -> None:
    stranger = RawClient(shared.url)
    assert settings(stranger) == DEFAULTS


@pytest.mark.parametrize("query", [{}, {"account": ""}, {"account": "nonsense"}])
def test_settings_of_no_address_are_refused(raw: RawClient, query: dict[str, str]) -> None:
    response = raw.call("account.settings", **query)
    assert response.status_code == 400
    error = response.json()["error"]
    assert response.json() == {"success": False, "data": None, "error": error, "code": 400}


def test_auto_lending_has_three_states(raw: RawClient) -> None:
    for state in (True, False, None):
        response = raw.call("account.set_auto_lend_disabled", disabled=state)
        assert (response.status_code, response.json()) == (200, {"success": True})
        assert settings(raw)["auto_lend_disabled"] is state


def test_auto_lending_stays_as_it_is_without_the_field(raw: RawClient) -> None:
    raw.call("account.set_auto_lend_disabled", disabled=True)
    response = raw.call("account.set_auto_lend_disabled")
    assert (response.status_code, response.json()) == (200, {"success": True})
    assert settings(raw)["auto_lend_disabled"] is True


def test_auto_lending_takes_no_text(raw: RawClient) -> None:
    response = raw.call("account.set_auto_lend_disabled", disabled="true")
    assert (response.status_code, response.json()["code"]) == (400, 400)
    assert "disabled" in response.json()["error"]


def test_a_spot_setting_is_listed_once_it_was_ever_set(raw: RawClient) -> None:
    for excluded in (True, False):
        response = raw.call(
            "account.update_spot_settings", symbol="SOL", unified_margin_excluded=excluded
        )
        assert (response.status_code, response.json()) == (200, {"success": True})
        assert settings(raw)["spot_settings"] == [
            {"symbol": "SOL", "unified_margin_excluded": excluded}
        ]


def test_the_setting_of_an_unknown_asset_is_refused(raw: RawClient) -> None:
    response = raw.call("account.update_spot_settings", symbol="DOGE", unified_margin_excluded=True)
    assert (response.status_code, response.json()["success"]) == (400, False)


def test_a_market_is_listed_while_it_differs_from_the_default(
    raw: RawClient, shared: Sandbox
) -> None:
    shared.set_margin(raw.address, "ETH", isolated=True, leverage=7)
    [setting] = settings(raw)["margin_settings"]
    assert setting.pop("created_at") == setting.pop("updated_at")
    assert setting == {"symbol": "ETH", "isolated": True, "leverage": 7}


# -- subaccounts ---------------------------------------------------------------------------------


def test_a_main_account_lists_its_subaccounts(family: tuple[RawClient, RawClient]) -> None:
    main, sub = family
    response = main.call("subaccounts.list")
    assert response.status_code == 200
    answer = response.json()
    [listed] = answer.pop("data")["subaccounts"]
    assert answer == {"success": True, "error": None, "code": None}
    assert listed.pop("created_at") > 0
    assert listed == {
        "address": sub.address,
        "balance": "0",
        "pending_balance": "0",
        "fee_level": 1,
        "fee_mode": "auto",
        "use_ltp_for_stop_orders": False,
    }
    assert sub.data("subaccounts.list") == {"subaccounts": []}


def test_a_refused_subaccount_list_carries_no_code(raw: RawClient) -> None:
    forged = raw.post(OPERATIONS["subaccounts.list"].path, raw.body("forged", {}))
    stranger = RawClient(raw.url).call("subaccounts.list")
    for response, status in ((forged, 401), (stranger, 400)):
        assert response.status_code == status
        error = response.json()["error"]
        assert response.json() == {"success": False, "data": None, "error": error, "code": None}


def test_money_goes_both_ways(family: tuple[RawClient, RawClient]) -> None:
    main, sub = family
    response = main.call("subaccounts.transfer", to_account=sub.address, amount="250.5")
    assert response.status_code == 200
    assert response.json() == {
        "success": True,
        "data": {"success": True, "error": None},
        "error": None,
        "code": None,
    }
    assert main.data("subaccounts.list")["subaccounts"][0]["balance"] == "250.5"
    assert sub.call("subaccounts.transfer", to_account=main.address, amount="50").ok
    assert main.data("subaccounts.list")["subaccounts"][0]["balance"] == "200.5"


def test_a_transfer_of_more_than_there_is_has_code_5(family: tuple[RawClient, RawClient]) -> None:
    main, sub = family
    response = sub.call("subaccounts.transfer", to_account=main.address, amount="1")
    assert response.status_code == 400
    error = response.json()["error"]
    assert error.startswith("Insufficient balance")
    assert response.json() == {"success": False, "data": None, "error": error, "code": 5}


def test_a_transfer_to_a_stranger_is_400(
    family: tuple[RawClient, RawClient], sandbox: Sandbox
) -> None:
    main, _ = family
    for address in (sandbox.create_account().address, RawClient(sandbox.url).address, "nonsense"):
        response = main.call("subaccounts.transfer", to_account=address, amount="1")
        assert response.status_code == 400
        error = response.json()["error"]
        assert response.json() == {"success": False, "data": None, "error": error, "code": 400}


def test_a_forged_transfer_is_400_as_no_other_status_is_documented(
    family: tuple[RawClient, RawClient],
) -> None:
    main, sub = family
    body = main.body("transfer_funds", {"to_account": sub.address, "amount": "1"})
    response = main.post(TRANSFER, {**body, "amount": "2"})
    assert (response.status_code, response.json()["code"]) == (400, 400)
    assert response.json()["error"].startswith("Verification failed")
