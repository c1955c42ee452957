"""Money, settings, subaccounts, vaults, markets and API keys: sections 4.6, 4.8 and 4.10 to 4.18."""

from __future__ import annotations

from tests.interface import records, samples
from tests.interface.model import Field, Limit, Trace, rows
from tests.interface.operation import Operation

# 2.3, 2.4: no record shows an idempotency key, and the fee is deducted from the amount (4.6).
_WITHDRAWN = Trace(
    lists=("spot.withdrawal_history", "spot.balance_history"),
    agrees={"symbol": "symbol"},
    at_most={"amount": "amount"},
)
_SOL = {"symbol": "SOL"}

_MONEY = (
    Operation(  # 4.6
        name="spot.withdraw",
        endpoint="POST /account/spot_asset/withdraw",
        signing_type="withdraw_spot_asset",
        retry="by-key",
        key="idempotency_key",
        statuses="200 400 401 409 500",
        request=rows("symbol string, amount decimal, idempotency_key? uuid"),
        result=records.wrapped(*records.RECEIPT),
        returns="WithdrawalReceipt",
        trace=_WITHDRAWN,
        samples={
            "minimal": {**_SOL, "amount": "1.0"},
            "maximal": {**_SOL, "amount": "1.50", "idempotency_key": samples.ID_A},
        },
    ),
    Operation(  # 4.10
        name="spot.balance_history",
        endpoint="GET /account/spot_balance/history",
        retry="safe",
        statuses="200 400 500",
        query=rows("account string, symbol? string, limit? integer, cursor? string"),
        result=records.page(records.BALANCE_EVENT),
        returns="SpotBalanceEvent[]",
        samples={"minimal": samples.OWN, "maximal": {**samples.PAGE, **_SOL}},
    ),
    Operation(  # 4.11
        name="spot.withdrawal_history",
        endpoint="GET /account/spot_asset/withdraw/history",
        retry="safe",
        statuses="200 400 401 500",
        query=rows("account string, limit? integer, cursor? string"),
        result=records.page(records.WITHDRAWAL),
        returns="SpotWithdrawal[]",
        samples={"minimal": samples.OWN, "maximal": samples.PAGE},
    ),
)

_SETTINGS = (
    Operation(  # 4.16
        name="account.settings",
        endpoint="GET /account/settings",
        retry="safe",
        statuses="200 400 401 500",
        query=rows("account string"),
        result=records.wrapped(*records.SETTINGS),
        returns="AccountSettings",
        samples={"minimal": samples.OWN, "maximal": {"account": samples.OTHER}},
    ),
    Operation(  # 4.14
        name="account.update_spot_settings",
        endpoint="POST /account/settings/spot",
        signing_type="update_account_spot_settings",
        retry="idempotent",
        statuses="200 400 401 500",
        request=rows("symbol string, unified_margin_excluded boolean"),
        result=records.DONE,
        samples={
            "True": {**_SOL, "unified_margin_excluded": True},
            "False": {**_SOL, "unified_margin_excluded": False},
        },
    ),
    Operation(  # 4.17
        name="account.set_auto_lend_disabled",
        endpoint="POST /account/settings/auto_lend_disabled",
        signing_type="set_auto_lend_disabled",
        retry="idempotent",
        statuses="200 400 401 500",
        request=rows("disabled? boolean|null"),
        result=records.DONE,
        samples={
            "absent": {},
            "None": {"disabled": None},
            "False": {"disabled": False},
            "True": {"disabled": True},
        },
    ),
)

_SUBACCOUNTS = (
    Operation(  # 4.12, note 11
        name="subaccounts.list",
        endpoint="POST /account/subaccount/list",
        signing_type="list_subaccounts",
        source="observed",
        retry="safe",
        statuses="200 400 401",
        result=records.wrapped(Field("subaccounts", "array", fields=records.SUBACCOUNT)),
        returns="Subaccount[]",
        errors={"400": records.LIST_ERROR, "401": records.LIST_ERROR},
        samples={"minimal": {}},
    ),
    Operation(  # 4.13, note 11
        name="subaccounts.transfer",
        endpoint="POST /account/subaccount/transfer",
        signing_type="transfer_funds",
        source="assumed",
        retry="never",
        statuses="200 400 500",
        request=rows("to_account string, amount decimal USDC"),
        result=records.wrapped(*rows("success boolean, error? string|null")),
        errors={"400": records.WRAPPED_ERROR},
        samples={"maximal": {"to_account": samples.OTHER, "amount": "250.50"}},
    ),
)

_CREATOR_ONLY = "200 400 401 403 500"
_VAULTS = (  # 4.8
    Operation(
        name="vaults.add_max_leverage",
        endpoint="POST /lake/add_max_leverage",
        signing_type="add_lake_max_leverage",
        retry="idempotent",
        statuses=_CREATOR_ONLY,
        request=rows("lake string, symbols string[], max_leverage decimal"),
        result=records.wrapped(*records.DONE),
        samples={
            "minimal": {"lake": samples.LAKE, "symbols": [], "max_leverage": "5"},
            "maximal": {**samples.CAP, "max_leverage": "2.50"},
        },
    ),
    Operation(
        name="vaults.remove_max_leverage",
        endpoint="POST /lake/remove_max_leverage",
        signing_type="remove_lake_max_leverage",
        retry="idempotent",
        statuses=_CREATOR_ONLY,
        request=rows("lake string, symbols string[]"),
        result=records.wrapped(*records.DONE),
        samples={"maximal": samples.CAP},
    ),
    Operation(
        name="vaults.remove_blacklist",
        endpoint="POST /lake/remove_blacklist",
        signing_type="remove_lake_blacklist",
        retry="idempotent",
        statuses=_CREATOR_ONLY,
        request=rows("lake string, symbols string[]"),
        result=records.wrapped(*records.DONE),
        samples={"maximal": samples.CAP},
    ),
    Operation(
        name="vaults.claim_manager",
        endpoint="POST /lake/claim_manager",
        signing_type="claim_lake_manager",
        retry="never",
        statuses="200 400 401 500",
        request=rows("lake string, deposit_amount decimal"),
        result=records.wrapped(*rows("shares_minted decimal")),
        returns="SharesMinted",
        samples={"maximal": {"lake": samples.LAKE, "deposit_amount": "1000"}},
    ),
)

# What is nobody's.
_MARKETS = (
    Operation(  # 4.15
        name="funding.history",
        endpoint="GET /funding_rate/history",
        retry="safe",
        statuses="200 400 401 500",
        query=(
            *rows("symbol string, cursor? string"),
            Field("limit", "integer", False, default="100", limit=Limit(maximum=4000)),
        ),
        result=records.page(records.FUNDING),
        returns="FundingRecord[]",
        samples={
            "minimal": {"symbol": "BTC"},
            "maximal": {"symbol": "BTC", "limit": 1, "cursor": "9"},
        },
    ),
)

_API_KEYS = (  # 4.18, note 12
    Operation(
        name="api_keys.create",
        endpoint="POST /account/api_keys/create",
        signing_type="create_api_key",
        source="observed",
        retry="never",
        statuses="200",
        assumed_statuses="400 401",
        result=records.API_KEY,
        returns="ApiKey",
        prose="five|5",
        samples={"minimal": {}},
    ),
    Operation(
        name="api_keys.revoke",
        endpoint="POST /account/api_keys/revoke",
        signing_type="revoke_api_key",
        source="observed",
        retry="idempotent",
        statuses="200",
        assumed_statuses="400 401",
        request=rows("api_key string observed"),
        result=records.REVOKED_KEY,
        returns="RevokedApiKey",
        samples={"maximal": {"api_key": samples.KEY}},
    ),
    Operation(  # the list is any JSON
        name="api_keys.list",
        endpoint="POST /account/api_keys",
        signing_type="list_api_keys",
        source="observed",
        retry="safe",
        statuses="200",
        assumed_statuses="400 401",
        result=rows("data any observed"),
        returns="hidden",
        samples={"minimal": {}},
    ),
)

OPERATIONS = (*_MONEY, *_SETTINGS, *_SUBACCOUNTS, *_VAULTS, *_MARKETS, *_API_KEYS)
