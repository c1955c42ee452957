"""What an account holds: its positions and its balance, as one record for the clients of either package."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from attrs import frozen

from trading_runtime import BaseClient
from trading_toolkit import portfolio
from trading_toolkit.errors import ToolkitError, check_client

POSITION_LIST = "positions.list"
"""The list of open positions, which only `trading_sdk_observed` has."""


@frozen(kw_only=True)
class AccountPosition:
    """A position of an account in one market."""

    symbol: str
    size: Decimal
    """Positive when long, negative when short. Unit: token."""

    entry_price: Decimal
    """Average entry price; 0 without a position. Unit: quote per token."""

    opened_at: int | None
    """When it was opened, in ms; None without a position."""

    updated_at: int
    """When it last changed. Unit: ms."""

    sure_since: int | None
    """From when on the size is certain, in ms. None: trades that do not reach back to its opening add up to it."""

    liquidation_price: Decimal | None = None
    """None where the service tells none. Unit: quote per token."""

    isolated: bool | None = None
    """Whether it is margined on its own; None where the service does not tell."""

    margin: Decimal | None = None
    """Its margin, if it is isolated. Unit: USDC."""

    funding: Decimal | None = None
    """Funding paid since it was opened. Unit: USDC."""


@frozen(kw_only=True)
class Balance:
    """The money of an account."""

    balance: Decimal
    """USDC, without the profit and loss of open positions."""

    equity: Decimal
    """USDC, with the profit and loss of open positions, and spot assets as collateral."""

    available_to_spend: Decimal
    """What new orders can use. Unit: USDC."""

    available_to_withdraw: Decimal
    """Unit: USDC."""

    pending: Decimal
    """Deposits that await confirmation. Unit: USDC."""

    margin_used: Decimal
    """Margin of all positions and orders. Unit: USDC."""

    spot: Mapping[str, Decimal]
    """Amount of each spot asset, in tokens."""

    updated_at: int
    """When the account last changed. Unit: ms."""


def positions(
    client: BaseClient, *, closed: bool = False, pnl_includes_fees: bool = False
) -> tuple[AccountPosition, ...]:
    """The positions of the account, by market.

    `trading_sdk_observed` has a list of them: one request. The interface document has none, so there all trades are read
    and added up; `sure_since` says whether that reaches back far enough.

    Args:
        client: Reads the list.
        closed: Also those of size 0, of every market that was traded. It reads all trades.
        pnl_includes_fees: As in `portfolio.positions`.

    Raises:
        ToolkitError: The service lists a side that this version does not know.
        TradingError: The list cannot be read.
    """
    check_client(client)
    reader: Any = client
    if POSITION_LIST not in client.api.operations:
        summed = portfolio.positions(reader.trades.history(), pnl_includes_fees=pnl_includes_fees)
        return tuple(_added_up(each) for each in summed.values() if closed or each.size)
    listed = {each.symbol: _listed(each) for each in reader.positions.list()}
    ended: dict[str, int] = {}
    for trade in reader.trades.history() if closed else ():
        if trade.symbol not in listed:
            ended[trade.symbol] = max(trade.created_at, ended.get(trade.symbol, 0))
    return (*listed.values(), *(_closed(symbol, at) for symbol, at in sorted(ended.items())))


def balance(client: BaseClient) -> Balance:
    """The money of the account, in one request.

    Raises:
        ToolkitError: It is a client of `trading_sdk`: the interface document has no balance.
        TradingError: It cannot be read.
    """
    check_client(client)
    if "account.info" not in client.api.operations:
        raise ToolkitError("trading_sdk has no balance: give a client of trading_sdk_observed")
    reader: Any = client
    found = reader.account.info()
    return Balance(
        balance=found.balance,
        equity=found.account_equity,
        available_to_spend=found.available_to_spend,
        available_to_withdraw=found.available_to_withdraw,
        pending=found.pending_balance,
        margin_used=found.total_margin_used,
        spot={each.symbol: each.amount for each in found.spot_balances or ()},
        updated_at=found.updated_at,
    )


def _added_up(found: portfolio.Position) -> AccountPosition:
    """A position that trades add up to."""
    return AccountPosition(
        symbol=found.symbol,
        size=found.size,
        entry_price=found.entry_price,
        opened_at=found.opened_at,
        updated_at=found.updated_at,
        sure_since=found.sure_since,
    )


def _listed(found: Any) -> AccountPosition:
    """A position that the service lists."""
    if found.side not in ("bid", "ask"):
        raise ToolkitError(f"the position in {found.symbol}: {str(found.side)!r} is no known side")
    return AccountPosition(
        symbol=found.symbol,
        size=found.amount if found.side == "bid" else found.amount.copy_negate(),
        entry_price=found.entry_price,
        opened_at=found.created_at,
        updated_at=found.updated_at,
        sure_since=found.created_at,
        liquidation_price=found.liquidation_price,
        isolated=found.isolated,
        margin=found.margin,
        funding=found.funding,
    )


def _closed(symbol: str, traded_at: int) -> AccountPosition:
    """A market that was traded, and in which the service lists no position."""
    return AccountPosition(
        symbol=symbol,
        size=portfolio.ZERO,
        entry_price=portfolio.ZERO,
        opened_at=None,
        updated_at=traded_at,
        sure_since=traded_at,
    )
