"""Settings of an account (sections 2.7, 4.14, 4.16, 4.17; field note 14)."""

from __future__ import annotations

from tests.end_to_end.trading import Connect
from trading_sandbox import Sandbox
from trading_sdk import AccountSettings, Client


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
