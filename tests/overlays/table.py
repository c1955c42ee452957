"""The endpoints that the interface document lacks, typed from observed-endpoints.md by hand.

Nothing here is derived from the overlay: name on the client, verb, path without the prefix, and source, which is
observed if two or more clients have it, else assumed; of what is signed its signing type and its retry class, too.
"""

from __future__ import annotations

from attrs import frozen

PREFIX = "/api/v1"


@frozen
class Row:
    """One endpoint."""

    name: str
    verb: str
    endpoint: str
    source: str
    signing_type: str | None = None
    retry: str = "safe"

    @property
    def path(self) -> str:
        return PREFIX + self.endpoint


_ENDPOINTS = """
orders.create_market POST /orders/create_market observed create_market_order by-key
orders.cancel POST /orders/cancel observed cancel_order idempotent
orders.cancel_all POST /orders/cancel_all observed cancel_all_orders never
orders.set_position_tpsl POST /positions/tpsl observed set_position_tpsl never
orders.list GET /orders observed
orders.history_by_id GET /orders/history_by_id observed
twap.create POST /orders/twap/create assumed create_twap_order never
twap.cancel POST /orders/twap/cancel assumed cancel_twap_order idempotent
twap.list GET /orders/twap observed
twap.history GET /orders/twap/history observed
twap.history_by_id GET /orders/twap/history_by_id observed
positions.list GET /positions observed
positions.history GET /positions/history assumed
positions.add_isolated_margin POST /positions/add_isolated_margin assumed add_isolated_margin never
account.info GET /account observed
account.update_leverage POST /account/leverage observed update_leverage idempotent
account.update_margin_mode POST /account/margin observed update_margin_mode idempotent
account.withdraw POST /account/withdraw observed withdraw never
account.balance_history GET /account/balance/history observed
funding.payments GET /funding/history observed
account.portfolio GET /portfolio observed
account.loan GET /account/loan assumed
spot.deposit_history GET /account/spot_asset/deposit/history assumed
spot.pending_withdrawals GET /account/spot_asset/withdraw/pending assumed
subaccounts.create POST /account/subaccount/create observed subaccount_confirm never
subaccounts.transfer_spot POST /account/subaccount/spot_asset/transfer assumed subaccount_spot_transfer by-key
agents.bind POST /agent/bind observed bind_agent_wallet idempotent
agents.list POST /agent/list observed list_agent_wallets safe
agents.revoke POST /agent/revoke observed revoke_agent_wallet idempotent
agents.revoke_all POST /agent/revoke_all observed revoke_all_agent_wallets idempotent
agents.ip_whitelist POST /agent/ip_whitelist/list observed list_agent_ip_whitelist safe
agents.add_whitelisted_ip POST /agent/ip_whitelist/add observed add_agent_whitelisted_ip idempotent
agents.remove_whitelisted_ip POST /agent/ip_whitelist/remove observed remove_agent_whitelisted_ip idempotent
agents.set_ip_whitelist_enabled POST /agent/ip_whitelist/toggle observed set_agent_ip_whitelist_enabled idempotent
builder_codes.approve POST /account/builder_codes/approve observed approve_builder_code idempotent
builder_codes.revoke POST /account/builder_codes/revoke observed revoke_builder_code idempotent
builder_codes.approvals GET /account/builder_codes/approvals observed
vaults.list GET /lake/list assumed
vaults.create POST /lake/create assumed create_lake never
vaults.deposit POST /lake/deposit assumed deposit_to_lake by-key
vaults.withdraw POST /lake/withdraw assumed withdraw_from_lake by-key
vaults.add_whitelist POST /lake/add_whitelist assumed add_lake_whitelist idempotent
vaults.remove_whitelist POST /lake/remove_whitelist assumed remove_lake_whitelist idempotent
vaults.add_blacklist POST /lake/add_blacklist assumed add_lake_blacklist idempotent
vaults.update_deposit_cap POST /lake/update_deposit_cap assumed update_lake_deposit_cap idempotent
vaults.claim_referral_code POST /lake/claim_referral_code assumed claim_lake_referral never
markets.info GET /info observed
markets.prices GET /info/prices observed
markets.fees GET /info/fees assumed
markets.candles GET /kline observed
markets.mark_candles GET /kline/mark observed
markets.book GET /book observed
markets.trades GET /trades observed
markets.loan_pool GET /loan_pool assumed
spot.assets GET /spot_assets assumed
spot.bridges GET /spot_assets/bridge/info assumed
spot.bridge GET /spot_assets/bridge/parameters/{symbol} assumed
"""

ROWS = {row.name: row for row in (Row(*line.split()) for line in _ENDPOINTS.strip().splitlines())}
