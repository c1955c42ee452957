"""The endpoints that the interface document lacks, typed from observed-endpoints.md by hand.

Nothing here is derived from the overlay. An endpoint begins with a line of its name on the client, verb, path
without the prefix, and source: observed if two or more clients have it, else assumed. What is signed has its
signing type and its retry class behind that. The line below it is `SENT -> ANSWERED`, either of which may be missing:

- SENT: its query, or its own fields in the body.
- ANSWERED: `[...]` a list, `{...}` an object, `key: [...]` a list under a key, `page [...]` and `offset [...]` one page,
  `done` success and nothing else; where it is missing, parsed JSON.

`name? kind` is a field, optional with the `?`; `name[...]` a list of objects, `name[]` one of texts, `name{...}`
an object, `sides[...]` two lists of objects. A kind is str, dec, int, bool, uuid, any, own (the client's
account), auto (a uuid that the client makes), an enum by its name, or null, which a service may answer. `$WORD` stands
for fields that several endpoints share.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import Template

from attrs import frozen

PREFIX = "/api/v1"

_SHARED = {
    "LEG": (
        "stop_price dec, limit_price? dec, client_order_id? uuid, trigger_price_type? "
        "TriggerPriceType"
    ),
    "ORDER": (
        "order_id int, client_order_id uuid|null, symbol str, side Side, price dec, "
        "initial_amount dec, filled_amount dec, cancelled_amount dec, stop_price dec|null, "
        "order_type OrderType, stop_parent_order_id int|null, reduce_only bool, created_at "
        "int"
    ),
    "TWAP": (
        "order_id int, client_order_id? uuid|null, symbol str, side Side, amount? dec, "
        "total_amount? dec, filled_amount dec, reduce_only bool, created_at int"
    ),
    "RULES": (
        "deposit_cap dec, manager_profit_share dec, deposit_min_duration_ms int, "
        "manager_min_balance_portion dec, manager_liquidation_balance_portion dec, "
        "withdraw_window_s int, withdraw_duration_s int"
    ),
    "SYMBOLS": "lake str, symbols[]",
    "BRIDGE": (
        "symbol str, minimum_deposit dec, withdrawal_fee dec, bridge_program str, mint str, "
        "decimals int"
    ),
    "CANDLES": "symbol str, interval str, start_time int, end_time? int, limit? int",
    "CANDLE": "[t int, T int, s str, i str, o dec, c dec, h dec, l dec, v dec, n int]",
}

_ENDPOINTS = """
orders.create_market POST /orders/create_market observed create_market_order by-key
    symbol str, amount dec, side Side, slippage_percent dec, reduce_only bool, client_order_id?
        auto, take_profit? {$LEG}, stop_loss? {$LEG}, builder_code? str -> {order_id int}
orders.cancel POST /orders/cancel observed cancel_order idempotent
    symbol str, order_id? int, client_order_id? uuid -> done
orders.cancel_all POST /orders/cancel_all observed cancel_all_orders never
    all_symbols bool, exclude_reduce_only bool, symbol? str -> {cancelled_count int}
orders.set_position_tpsl POST /positions/tpsl observed set_position_tpsl never
    symbol str, side Side, take_profit? {$LEG, amount? dec}, stop_loss? {$LEG, amount? dec} ->
        done
orders.list GET /orders observed
    account own, symbol? str -> [$ORDER, updated_at int]
orders.history_by_id GET /orders/history_by_id observed
    order_id int -> [$ORDER, history_id int, event_type str, order_status OrderStatus]
twap.create POST /orders/twap/create assumed create_twap_order never
    symbol str, reduce_only bool, amount dec, side Side, slippage_percent dec,
        duration_in_seconds int, client_order_id? auto
twap.cancel POST /orders/twap/cancel assumed cancel_twap_order idempotent
    symbol str, order_id? int, client_order_id? uuid
twap.list GET /orders/twap observed
    account own -> [$TWAP]
twap.history GET /orders/twap/history observed
    account own, limit? int, cursor? str -> page [$TWAP]
twap.history_by_id GET /orders/twap/history_by_id observed
    order_id int -> [$TWAP]
positions.list GET /positions observed
    account own, symbol? str -> [symbol str, side Side, amount dec, entry_price dec, margin dec,
        funding dec, isolated bool, liquidation_price? dec|null, created_at int, updated_at int]
positions.history GET /positions/history assumed
    account own, symbol? str, start_time? int, end_time? int, limit? int, offset? int -> offset
        [history_id int, order_id int, client_order_id uuid|null, symbol str, amount dec, price dec,
        entry_price dec, fee dec, pnl dec, event_type TradeEventType, side TradeSide,
        created_at int, cause TradeCause]
positions.add_isolated_margin POST /positions/add_isolated_margin assumed add_isolated_margin never
    symbol str, amount dec
account.info GET /account observed
    account own -> {balance dec, fee_level int, account_equity dec, available_to_spend dec,
        available_to_withdraw dec, pending_balance dec, total_margin_used dec, positions_count int,
        orders_count int, stop_orders_count int, updated_at int, cross_mmr? dec,
        use_ltp_for_stop_orders? bool, maker_fee? dec, taker_fee? dec, pending_interest? dec,
        spot_collateral? dec, cross_account_equity? dec, spot_market_value? dec, spot_balances?
        [symbol str, amount dec, available_to_withdraw dec, pending_balance dec,
        daily_withdraw_amount_usd dec]}
account.update_leverage POST /account/leverage observed update_leverage idempotent
    symbol str, leverage int -> done
account.update_margin_mode POST /account/margin observed update_margin_mode idempotent
    symbol str, is_isolated bool -> done
account.withdraw POST /account/withdraw observed withdraw never
    amount dec -> done
account.balance_history GET /account/balance/history observed
    account own, limit? int, cursor? str -> page [amount dec, balance dec, pending_balance dec,
        event_type str, created_at int]
funding.payments GET /funding/history observed
    account own, symbol? str, limit? int, cursor? str -> page [history_id int, symbol str, side
        Side, amount dec, payout dec, rate dec, created_at int]
account.portfolio GET /portfolio observed
    account own, time_range str, start_time? int, end_time? int, limit? int, granularity_in_minutes?
        int -> [account_equity dec, pnl dec, timestamp int]
account.loan GET /account/loan assumed
    account own -> {borrowed dec, pending_interest dec, collateral_utilization dec,
        total_interest_earned dec, total_interest_paid dec, spot_balances [symbol str, amount dec,
        ltv_ratio dec, market_value dec, collateral_value dec], updated_at int}
spot.deposit_history GET /account/spot_asset/deposit/history assumed
    account own, limit? int, cursor? str -> page [symbol str, amount dec, transaction_id str,
        created_at int]
spot.pending_withdrawals GET /account/spot_asset/withdraw/pending assumed
    account own -> [symbol str, amount dec, amount_requested dec, fee_amount dec, batch_nonce int,
        created_at int]
subaccounts.create POST /account/subaccount/create observed subaccount_confirm never
    -> done
subaccounts.transfer_spot POST /account/subaccount/spot_asset/transfer assumed subaccount_spot_transfer by-key
    to_account str, symbol str, amount dec, idempotency_key? auto
agents.bind POST /agent/bind observed bind_agent_wallet idempotent
    agent_wallet str -> done
agents.list POST /agent/list observed list_agent_wallets safe
    -> agent_wallets: []
agents.revoke POST /agent/revoke observed revoke_agent_wallet idempotent
    agent_wallet str
agents.revoke_all POST /agent/revoke_all observed revoke_all_agent_wallets idempotent
agents.ip_whitelist POST /agent/ip_whitelist/list observed list_agent_ip_whitelist safe
    api_agent_key str
agents.add_whitelisted_ip POST /agent/ip_whitelist/add observed add_agent_whitelisted_ip idempotent
    agent_wallet str, ip_address str
agents.remove_whitelisted_ip POST /agent/ip_whitelist/remove observed remove_agent_whitelisted_ip idempotent
    agent_wallet str, ip_address str
agents.set_ip_whitelist_enabled POST /agent/ip_whitelist/toggle observed set_agent_ip_whitelist_enabled idempotent
    agent_wallet str, enabled bool
builder_codes.approve POST /account/builder_codes/approve observed approve_builder_code idempotent
    builder_code str, max_fee_rate dec
builder_codes.revoke POST /account/builder_codes/revoke observed revoke_builder_code idempotent
    builder_code str
builder_codes.approvals GET /account/builder_codes/approvals observed
    account own -> [builder_code str, max_fee_rate dec]
vaults.list GET /lake/list assumed
    -> lakes: [address str, creator str, manager? str|null, nickname str, lp_shares dec,
        manager_shares dec, lp_balance dec, manager_balance dec, last_checked_equity dec,
        high_watermark dec, created_at int, referrer? str|null, user_share? dec|null, config
        {$RULES, manager_loss_share dec}]
vaults.create POST /lake/create assumed create_lake never
    nickname str, initial_deposit dec, referral_code? str, $RULES -> {lake_address str}
vaults.deposit POST /lake/deposit assumed deposit_to_lake by-key
    lake str, amount dec, idempotency_key? auto
vaults.withdraw POST /lake/withdraw assumed withdraw_from_lake by-key
    lake str, shares dec, idempotency_key? auto
vaults.add_whitelist POST /lake/add_whitelist assumed add_lake_whitelist idempotent
    $SYMBOLS
vaults.remove_whitelist POST /lake/remove_whitelist assumed remove_lake_whitelist idempotent
    $SYMBOLS
vaults.add_blacklist POST /lake/add_blacklist assumed add_lake_blacklist idempotent
    $SYMBOLS
vaults.update_deposit_cap POST /lake/update_deposit_cap assumed update_lake_deposit_cap idempotent
    lake str, deposit_cap dec
vaults.claim_referral_code POST /lake/claim_referral_code assumed claim_lake_referral never
    lake str, code str
markets.info GET /info observed
    -> [symbol str, tick_size dec, min_tick dec, max_tick dec, lot_size dec, max_leverage int,
        isolated_only bool, min_order_size dec, max_order_size dec, funding_rate dec|null,
        next_funding_rate dec|null, created_at? int, instrument_type? str, base_asset? str]
markets.prices GET /info/prices observed
    -> [symbol str, mark dec, mid dec, oracle dec, funding dec|null, next_funding dec|null,
        open_interest dec, volume_24h dec, yesterday_price dec, timestamp int]
markets.fees GET /info/fees assumed
    -> [level int, maker_fee_rate dec, taker_fee_rate dec]
markets.candles GET /kline observed
    $CANDLES -> $CANDLE
markets.mark_candles GET /kline/mark observed
    $CANDLES -> $CANDLE
markets.book GET /book observed
    symbol str, agg_level? int, depth? int -> {s str, l sides[p dec, a dec, n int], t int}
markets.trades GET /trades observed
    symbol str, limit? int -> [event_type TradeEventType, price dec, amount dec, side
        TradeSide, cause TradeCause, created_at int]
markets.loan_pool GET /loan_pool assumed
    -> {total_borrowed dec, total_borrowable dec, utilization dec, borrow_rate_apr dec,
        borrow_rate_apy dec, lend_rate_apr dec, lend_rate_apy dec, utilization_max dec,
        auto_lender_entry_threshold dec, last_interest_accrual_at int, last_interest_payout_at int,
        updated_at int}
spot.assets GET /spot_assets assumed
    include_inactive? bool, collateral_enabled_only? bool -> [symbol str, tick_size dec, lot_size
        dec, active bool, collateral_enabled bool, ltv_ratio dec, created_at int, updated_at int]
spot.bridges GET /spot_assets/bridge/info assumed
    -> [$BRIDGE]
spot.bridge GET /spot_assets/bridge/parameters/{symbol} assumed
    symbol str -> {$BRIDGE}
"""


@frozen(kw_only=True)
class Row:
    """One endpoint, as the words of its text say it."""

    name: str
    verb: str
    endpoint: str
    source: str
    sends: str
    answers: str
    signing_type: str | None = None
    retry: str = "safe"

    @property
    def path(self) -> str:
        return PREFIX + self.endpoint


def _rows(text: str) -> Iterator[Row]:
    # Whatever is indented goes on with the endpoint before it.
    whole = Template(text.strip().replace("\n        ", " ")).substitute(_SHARED)
    for described in whole.replace("\n    ", "\t").split("\n"):
        head, _, exchange = described.partition("\t")
        sends, _, answers = exchange.partition("->")
        name, verb, endpoint, source, *signed = head.split()
        yield Row(
            name=name,
            verb=verb,
            endpoint=endpoint,
            source=source,
            sends=sends.strip(),
            answers=answers.strip() or "any",
            **dict(zip(("signing_type", "retry"), signed, strict=False)),
        )


ROWS = {row.name: row for row in _rows(_ENDPOINTS)}
