"""The endpoints that the interface document lacks, typed from observed-endpoints.md by hand.

Nothing here is derived from the overlay. `name? kind` is a field, optional with the `?`; `name[...]` a list of
objects, `name[]` one of texts, `name{...}` an object, `sides[...]` two lists of objects. A kind is str, dec, int, bool, uuid, any, own (the
client's account), auto (a uuid that the client makes), `enum:VALUE`, or null, which a service may answer.
"""

from __future__ import annotations

from attrs import field, frozen

PREFIX = "/api/v1"


@frozen
class Row:
    """One endpoint."""

    name: str
    """Where it stands on the client."""
    endpoint: str
    """Verb and path without the prefix."""
    source: str
    """observed if two or more clients have it, else assumed."""
    sends: str = ""
    """Its query, or its own fields in the body."""
    answers: str = "any"
    """`[...]` a list, `{...}` an object, `key: [...]` a list under a key, `page [...]` and `offset [...]` one
    page, `done` success and nothing else, `any` parsed JSON."""
    signing_type: str | None = None
    retry: str = "safe"
    acts: bool = field(default=False, kw_only=True)
    """Whether it is also an action of a batch, whose result the method returns."""
    or_else: str | None = field(default=None, kw_only=True)
    """What is sent instead, where fields exclude each other; else what is left without the optional ones."""

    @property
    def verb(self) -> str:
        return self.endpoint.split()[0]

    @property
    def path(self) -> str:
        return PREFIX + self.endpoint.split()[1]


_LEG = "stop_price dec, limit_price? dec, client_order_id? uuid, trigger_price_type? enum:mid_price"
_ORDER = (
    "order_id int, client_order_id uuid|null, symbol str, side enum:bid, price dec, initial_amount dec,"
    "filled_amount dec, cancelled_amount dec, stop_price dec|null, order_type enum:limit,"
    "stop_parent_order_id int|null, reduce_only bool, created_at int"
)
_TWAP = (
    "order_id int, client_order_id? uuid|null, symbol str, side enum:ask, amount? dec, total_amount? dec,"
    "filled_amount dec, reduce_only bool, created_at int"
)

_ORDERS = (
    Row(
        "orders.create_market",
        "POST /orders/create_market",
        "observed",
        "symbol str, amount dec, side enum:ask, slippage_percent dec, reduce_only bool,"
        f"client_order_id? auto, take_profit? {{{_LEG}}}, stop_loss? {{{_LEG}}}, builder_code? code",
        "{order_id int}",
        "create_market_order",
        "by-key",
        acts=True,
    ),
    Row(
        "orders.cancel",
        "POST /orders/cancel",
        "observed",
        "symbol str, order_id int",
        "done",
        "cancel_order",
        "idempotent",
        acts=True,
        or_else="symbol str, client_order_id uuid",
    ),
    Row(
        "orders.cancel_all",
        "POST /orders/cancel_all",
        "observed",
        "all_symbols bool, exclude_reduce_only bool, symbol? str",
        "{cancelled_count int}",
        "cancel_all_orders",
        "never",
    ),
    Row(
        "orders.set_position_tpsl",
        "POST /positions/tpsl",
        "observed",
        f"symbol str, side enum:ask, take_profit {{{_LEG}, amount? dec}}, stop_loss? {{{_LEG}, amount? dec}}",
        "done",
        "set_position_tpsl",
        "never",
        acts=True,
    ),
    Row(
        "orders.list",
        "GET /orders",
        "observed",
        "account own, symbol? str",
        f"[{_ORDER}, updated_at int]",
    ),
    Row(
        "orders.history_by_id",
        "GET /orders/history_by_id",
        "observed",
        "order_id int",
        f"[{_ORDER}, history_id int, event_type str, order_status enum:open]",
    ),
    Row(
        "twap.create",
        "POST /orders/twap/create",
        "assumed",
        "symbol str, reduce_only bool, amount dec, side enum:bid, slippage_percent dec,"
        "duration_in_seconds int, client_order_id? auto",
        "any",
        "create_twap_order",
        "never",
    ),
    Row(
        "twap.cancel",
        "POST /orders/twap/cancel",
        "assumed",
        "symbol str, order_id int",
        "any",
        "cancel_twap_order",
        "idempotent",
        or_else="symbol str, client_order_id uuid",
    ),
    Row("twap.list", "GET /orders/twap", "observed", "account own", f"[{_TWAP}]"),
    Row(
        "twap.history",
        "GET /orders/twap/history",
        "observed",
        "account own, limit? int, cursor? str",
        f"page [{_TWAP}]",
    ),
    Row(
        "twap.history_by_id",
        "GET /orders/twap/history_by_id",
        "observed",
        "order_id int",
        f"[{_TWAP}]",
    ),
)

_POSITIONS = (
    Row(
        "positions.list",
        "GET /positions",
        "observed",
        "account own, symbol? str",
        "[symbol str, side enum:bid, amount dec, entry_price dec, margin dec, funding dec, isolated bool,"
        "liquidation_price? dec|null, created_at int, updated_at int]",
    ),
    Row(
        "positions.history",
        "GET /positions/history",
        "assumed",
        "account own, symbol? str, start_time? int, end_time? int, limit? int, offset? int",
        "offset [history_id int, order_id int, client_order_id uuid|null, symbol str, amount dec, price dec,"
        "entry_price dec, fee dec, pnl dec, event_type enum:fulfill_taker, side enum:open_long, created_at int,"
        "cause enum:normal]",
    ),
    Row(
        "positions.add_isolated_margin",
        "POST /positions/add_isolated_margin",
        "assumed",
        "symbol str, amount dec",
        "any",
        "add_isolated_margin",
        "never",
    ),
)

_ACCOUNT = (
    Row(
        "account.info",
        "GET /account",
        "observed",
        "account own",
        "{balance dec, fee_level int, account_equity dec, available_to_spend dec, available_to_withdraw dec,"
        "pending_balance dec, total_margin_used dec, positions_count int, orders_count int,"
        "stop_orders_count int, updated_at int, cross_mmr? dec, use_ltp_for_stop_orders? bool, maker_fee? dec,"
        "taker_fee? dec, pending_interest? dec, spot_collateral? dec, cross_account_equity? dec,"
        "spot_market_value? dec, spot_balances? [symbol str, amount dec, available_to_withdraw dec,"
        "pending_balance dec, daily_withdraw_amount_usd dec]}",
    ),
    Row(
        "account.update_leverage",
        "POST /account/leverage",
        "observed",
        "symbol str, leverage int",
        "done",
        "update_leverage",
        "idempotent",
    ),
    Row(
        "account.update_margin_mode",
        "POST /account/margin",
        "observed",
        "symbol str, is_isolated bool",
        "done",
        "update_margin_mode",
        "idempotent",
    ),
    Row(
        "account.withdraw",
        "POST /account/withdraw",
        "observed",
        "amount dec",
        "done",
        "withdraw",
        "never",
    ),
    Row(
        "account.balance_history",
        "GET /account/balance/history",
        "observed",
        "account own, limit? int, cursor? str",
        "page [amount dec, balance dec, pending_balance dec, event_type str, created_at int]",
    ),
    Row(
        "funding.payments",
        "GET /funding/history",
        "observed",
        "account own, symbol? str, limit? int, cursor? str",
        "page [history_id int, symbol str, side enum:bid, amount dec, payout dec, rate dec, created_at int]",
    ),
    Row(
        "account.portfolio",
        "GET /portfolio",
        "observed",
        "account own, time_range str, start_time? int, end_time? int, limit? int, granularity_in_minutes? int",
        "[account_equity dec, pnl dec, timestamp int]",
    ),
    Row(
        "account.loan",
        "GET /account/loan",
        "assumed",
        "account own",
        "{borrowed dec, pending_interest dec, collateral_utilization dec, total_interest_earned dec,"
        "total_interest_paid dec, spot_balances [symbol str, amount dec, ltv_ratio dec, market_value dec,"
        "collateral_value dec], updated_at int}",
    ),
    Row(
        "spot.deposit_history",
        "GET /account/spot_asset/deposit/history",
        "assumed",
        "account own, limit? int, cursor? str",
        "page [symbol str, amount dec, transaction_id str, created_at int]",
    ),
    Row(
        "spot.pending_withdrawals",
        "GET /account/spot_asset/withdraw/pending",
        "assumed",
        "account own",
        "[symbol str, amount dec, amount_requested dec, fee_amount dec, batch_nonce int, created_at int]",
    ),
    Row(
        "subaccounts.create",
        "POST /account/subaccount/create",
        "observed",
        "",
        "done",
        "subaccount_confirm",
        "never",
    ),
    Row(
        "subaccounts.transfer_spot",
        "POST /account/subaccount/spot_asset/transfer",
        "assumed",
        "to_account str, symbol str, amount dec, idempotency_key? auto",
        "any",
        "subaccount_spot_transfer",
        "by-key",
    ),
)

_AGENTS = (
    Row(
        "agents.bind",
        "POST /agent/bind",
        "observed",
        "agent_wallet str",
        "done",
        "bind_agent_wallet",
        "idempotent",
    ),
    Row(
        "agents.list",
        "POST /agent/list",
        "observed",
        "",
        "agent_wallets: []",
        "list_agent_wallets",
    ),
    Row(
        "agents.revoke",
        "POST /agent/revoke",
        "observed",
        "agent_wallet str",
        "any",
        "revoke_agent_wallet",
        "idempotent",
    ),
    Row(
        "agents.revoke_all",
        "POST /agent/revoke_all",
        "observed",
        "",
        "any",
        "revoke_all_agent_wallets",
        "idempotent",
    ),
    Row(
        "agents.ip_whitelist",
        "POST /agent/ip_whitelist/list",
        "observed",
        "api_agent_key str",
        "any",
        "list_agent_ip_whitelist",
    ),
    Row(
        "agents.add_whitelisted_ip",
        "POST /agent/ip_whitelist/add",
        "observed",
        "agent_wallet str, ip_address str",
        "any",
        "add_agent_whitelisted_ip",
        "idempotent",
    ),
    Row(
        "agents.remove_whitelisted_ip",
        "POST /agent/ip_whitelist/remove",
        "observed",
        "agent_wallet str, ip_address str",
        "any",
        "remove_agent_whitelisted_ip",
        "idempotent",
    ),
    Row(
        "agents.set_ip_whitelist_enabled",
        "POST /agent/ip_whitelist/toggle",
        "observed",
        "agent_wallet str, enabled bool",
        "any",
        "set_agent_ip_whitelist_enabled",
        "idempotent",
    ),
)

_RULES = (
    "deposit_cap dec, manager_profit_share dec, deposit_min_duration_ms int, manager_min_balance_portion dec,"
    "manager_liquidation_balance_portion dec, withdraw_window_s int, withdraw_duration_s int"
)
_SYMBOLS = "lake str, symbols[]"

_VAULTS = (
    Row(
        "vaults.list",
        "GET /lake/list",
        "assumed",
        "",
        "lakes: [address str, creator str, manager? str|null, nickname str, lp_shares dec, manager_shares dec,"
        "lp_balance dec, manager_balance dec, last_checked_equity dec, high_watermark dec, created_at int,"
        f"referrer? str|null, user_share? dec|null, config {{{_RULES}, manager_loss_share dec}}]",
    ),
    Row(
        "vaults.create",
        "POST /lake/create",
        "assumed",
        f"nickname str, initial_deposit dec, referral_code? str, {_RULES}",
        "{lake_address str}",
        "create_lake",
        "never",
    ),
    Row(
        "vaults.deposit",
        "POST /lake/deposit",
        "assumed",
        "lake str, amount dec, idempotency_key? auto",
        "any",
        "deposit_to_lake",
        "by-key",
    ),
    Row(
        "vaults.withdraw",
        "POST /lake/withdraw",
        "assumed",
        "lake str, shares dec, idempotency_key? auto",
        "any",
        "withdraw_from_lake",
        "by-key",
    ),
    Row(
        "vaults.add_whitelist",
        "POST /lake/add_whitelist",
        "assumed",
        _SYMBOLS,
        "any",
        "add_lake_whitelist",
        "idempotent",
    ),
    Row(
        "vaults.remove_whitelist",
        "POST /lake/remove_whitelist",
        "assumed",
        _SYMBOLS,
        "any",
        "remove_lake_whitelist",
        "idempotent",
    ),
    Row(
        "vaults.add_blacklist",
        "POST /lake/add_blacklist",
        "assumed",
        _SYMBOLS,
        "any",
        "add_lake_blacklist",
        "idempotent",
    ),
    Row(
        "vaults.update_deposit_cap",
        "POST /lake/update_deposit_cap",
        "assumed",
        "lake str, deposit_cap dec",
        "any",
        "update_lake_deposit_cap",
        "idempotent",
    ),
    Row(
        "vaults.claim_referral_code",
        "POST /lake/claim_referral_code",
        "assumed",
        "lake str, code str",
        "any",
        "claim_lake_referral",
        "never",
    ),
)

_BRIDGE = "symbol str, minimum_deposit dec, withdrawal_fee dec, bridge_program str, mint str, decimals int"
_CANDLES = "symbol str, interval str, start_time int, end_time? int, limit? int"
_CANDLE = "[t int, T int, s str, i str, o dec, c dec, h dec, l dec, v dec, n int]"

_MARKETS = (
    Row(
        "markets.info",
        "GET /info",
        "observed",
        "",
        "[symbol str, tick_size dec, min_tick dec, max_tick dec, lot_size dec, max_leverage int,"
        "isolated_only bool, min_order_size dec, max_order_size dec, funding_rate dec|null,"
        "next_funding_rate dec|null, created_at? int, instrument_type? str, base_asset? str]",
    ),
    Row(
        "markets.prices",
        "GET /info/prices",
        "observed",
        "",
        "[symbol str, mark dec, mid dec, oracle dec, funding dec|null, next_funding dec|null, open_interest dec,"
        "volume_24h dec, yesterday_price dec, timestamp int]",
    ),
    Row(
        "markets.fees",
        "GET /info/fees",
        "assumed",
        "",
        "[level int, maker_fee_rate dec, taker_fee_rate dec]",
    ),
    Row("markets.candles", "GET /kline", "observed", _CANDLES, _CANDLE),
    Row("markets.mark_candles", "GET /kline/mark", "observed", _CANDLES, _CANDLE),
    Row(
        "markets.book",
        "GET /book",
        "observed",
        "symbol str, agg_level? int, depth? int",
        "{s str, l sides[p dec, a dec, n int], t int}",
    ),
    Row(
        "markets.trades",
        "GET /trades",
        "observed",
        "symbol str, limit? int",
        "[event_type enum:fulfill_maker, price dec, amount dec, side enum:close_short, cause enum:settlement,"
        "created_at int]",
    ),
    Row(
        "markets.loan_pool",
        "GET /loan_pool",
        "assumed",
        "",
        "{total_borrowed dec, total_borrowable dec, utilization dec, borrow_rate_apr dec, borrow_rate_apy dec,"
        "lend_rate_apr dec, lend_rate_apy dec, utilization_max dec, auto_lender_entry_threshold dec,"
        "last_interest_accrual_at int, last_interest_payout_at int, updated_at int}",
    ),
    Row(
        "spot.assets",
        "GET /spot_assets",
        "assumed",
        "include_inactive? bool, collateral_enabled_only? bool",
        "[symbol str, tick_size dec, lot_size dec, active bool, collateral_enabled bool, ltv_ratio dec,"
        "created_at int, updated_at int]",
    ),
    Row("spot.bridges", "GET /spot_assets/bridge/info", "assumed", "", f"[{_BRIDGE}]"),
    Row(
        "spot.bridge",
        "GET /spot_assets/bridge/parameters/{symbol}",
        "assumed",
        "symbol str",
        f"{{{_BRIDGE}}}",
    ),
)

ROWS = {row.name: row for row in (*_ORDERS, *_POSITIONS, *_ACCOUNT, *_AGENTS, *_VAULTS, *_MARKETS)}
