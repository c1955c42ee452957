"""Settings of an account (sections 2.7, 4.14, 4.16, 4.17; field note 14)."""

from __future__ import annotations

import pytest

from tests.end_to_end.trading import Connect, place
from trading_sandbox import Sandbox
from trading_sdk import AccountSettings, BadRequestError, Client


def test_a_new_account_has_everything_at_its_default(client: Client) -> None:
    settings = client.account.settings()

    assert settings.auto_lend_disabled is None
    assert list(settings.margin_settings) == []
    assert list(settings.spot_settings) == []


def test_the_settings_of_any_account_can_be_read(connect: Connect, client: Client) -> None:
    client.account.set_auto_lend_disabled(disabled=True)

    settings = connect().account.settings(account=client.account_address)

    assert settings.auto_lend_disabled is True


# -- auto-lending ----------------------------------------------------------------------------


def test_auto_lending_has_three_states(client: Client) -> None:
    for disabled in (True, False, None):
        client.account.set_auto_lend_disabled(disabled=disabled)
        assert client.account.settings().auto_lend_disabled is disabled


def test_a_call_that_chooses_nothing_changes_nothing(sandbox: Sandbox, client: Client) -> None:
    client.account.set_auto_lend_disabled(disabled=True)

    client.account.set_auto_lend_disabled()

    assert "disabled" not in sandbox.requests[-1].body
    assert client.account.settings().auto_lend_disabled is True


# -- unified margin --------------------------------------------------------------------------


def exclusions(settings: AccountSettings) -> dict[str, bool]:
    return {each.symbol: each.unified_margin_excluded for each in settings.spot_settings}


def test_an_asset_is_excluded_and_included_again(client: Client) -> None:
    client.account.update_spot_settings(symbol="SOL", unified_margin_excluded=True)
    client.account.update_spot_settings(symbol="ETH", unified_margin_excluded=True)
    client.account.update_spot_settings(symbol="ETH", unified_margin_excluded=False)

    assert exclusions(client.account.settings()) == {"SOL": True, "ETH": False}


def test_an_excluded_asset_is_no_collateral(sandbox: Sandbox, connect: Connect) -> None:
    holder = connect(sandbox.create_account("0", spot={"ETH": "2"}))
    resting = place(holder, "bid", 100_000)
    holder.orders.cancel(symbol="BTC", order_id=resting)
    holder.account.update_spot_settings(symbol="ETH", unified_margin_excluded=True)

    with pytest.raises(BadRequestError, match="Insufficient balance"):
        place(holder, "bid", 100_000)


def test_an_asset_that_backs_an_order_cannot_be_excluded(
    sandbox: Sandbox, connect: Connect
) -> None:
    holder = connect(sandbox.create_account("0", spot={"ETH": "2"}))
    place(holder, "bid", 100_000, "0.3")

    with pytest.raises(BadRequestError, match="collateral"):
        holder.account.update_spot_settings(symbol="ETH", unified_margin_excluded=True)

    assert exclusions(holder.account.settings()) == {}


def test_only_spot_assets_have_such_a_setting(client: Client) -> None:
    with pytest.raises(BadRequestError, match="Unknown spot asset"):
        client.account.update_spot_settings(symbol="USDC", unified_margin_excluded=True)


# -- margin and leverage ---------------------------------------------------------------------


def test_only_markets_that_differ_from_the_default_are_listed(
    sandbox: Sandbox, client: Client
) -> None:
    address = client.account_address or ""
    sandbox.set_margin(address, "ETH", isolated=True)
    sandbox.set_margin(address, "BTC", leverage=10)

    settings = {each.symbol: each for each in client.account.settings().margin_settings}

    assert {name: (s.isolated, s.leverage) for name, s in settings.items()} == {
        "ETH": (True, 50),
        "BTC": (False, 10),
    }


def test_a_market_back_at_its_default_is_blank_again(sandbox: Sandbox, client: Client) -> None:
    sandbox.set_margin(client.account_address or "", "ETH", isolated=True, leverage=10)
    sandbox.set_margin(client.account_address or "", "ETH")

    assert list(client.account.settings().margin_settings) == []


def test_a_setting_tells_when_it_left_its_default_and_when_it_last_changed(
    sandbox: Sandbox, client: Client
) -> None:
    address = client.account_address or ""
    sandbox.freeze()
    sandbox.set_margin(address, "ETH", leverage=10)
    sandbox.advance(5_000)
    sandbox.set_margin(address, "ETH", leverage=20)

    [setting] = client.account.settings().margin_settings

    assert setting.updated_at == setting.created_at + 5_000
