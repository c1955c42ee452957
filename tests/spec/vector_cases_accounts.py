"""Signing cases for money, settings, vaults, subaccounts and API keys."""

from __future__ import annotations

from tests.spec.vector_cases_base import COUNTING, ORDER_UUID, RFC_1, RFC_3
from tests.spec.vector_cases_signing import VAULT, Signing

SPOT_CASES = (
    Signing(
        "withdraw-spot-asset-minimal",
        "A withdrawal without an idempotency key.",
        "withdraw_spot_asset",
        {"symbol": "SOL", "amount": "1.5"},
    ),
    Signing(
        "withdraw-spot-asset-maximal",
        "A withdrawal with its idempotency key.",
        "withdraw_spot_asset",
        {"symbol": "SOL", "amount": "0.000000001", "idempotency_key": ORDER_UUID},
    ),
    Signing(
        "withdraw-spot-asset-agent",
        "A withdrawal signed by an agent, with a window of its own.",
        "withdraw_spot_asset",
        {"symbol": "SOL", "amount": "1.5", "idempotency_key": ORDER_UUID},
        key=RFC_3,
        owner=RFC_1,
        window=5_000,
    ),
    Signing(
        "update-account-spot-settings-excluded",
        "An asset taken out of unified margin: true in JSON form.",
        "update_account_spot_settings",
        {"unified_margin_excluded": True, "symbol": "SOL"},
    ),
    Signing(
        "update-account-spot-settings-included",
        "An asset put back into unified margin: false is sent and signed, never left out.",
        "update_account_spot_settings",
        {"unified_margin_excluded": False, "symbol": "SOL"},
    ),
    Signing(
        "set-auto-lend-disabled-true",
        "Auto-lending switched off.",
        "set_auto_lend_disabled",
        {"disabled": True},
    ),
    Signing(
        "set-auto-lend-disabled-false",
        "Auto-lending switched on.",
        "set_auto_lend_disabled",
        {"disabled": False},
    ),
    Signing(
        "set-auto-lend-disabled-null",
        "The setting cleared: an explicit null is signed and sent.",
        "set_auto_lend_disabled",
        {"disabled": None},
    ),
    Signing(
        "set-auto-lend-disabled-absent",
        "The field left out: data is an empty object, which is not the same as null.",
        "set_auto_lend_disabled",
        {},
    ),
)

VAULT_CASES = (
    Signing(
        "add-lake-max-leverage-one-symbol",
        "A leverage cap for one symbol.",
        "add_lake_max_leverage",
        {"symbols": ["BTC"], "max_leverage": "10", "lake": VAULT},
    ),
    Signing(
        "add-lake-max-leverage-list-order",
        "A leverage cap for several symbols: the list is neither sorted nor made unique.",
        "add_lake_max_leverage",
        {"symbols": ["SOL", "BTC", "ETH", "BTC"], "max_leverage": "2.5", "lake": VAULT},
    ),
    Signing(
        "remove-lake-max-leverage",
        "A leverage cap removed.",
        "remove_lake_max_leverage",
        {"symbols": ["SOL", "BTC"], "lake": VAULT},
    ),
    Signing(
        "remove-lake-blacklist",
        "Symbols removed from a vault's blacklist.",
        "remove_lake_blacklist",
        {"symbols": ["DOGE", "BTC"], "lake": VAULT},
    ),
    Signing(
        "claim-lake-manager",
        "A vault claimed with a first deposit.",
        "claim_lake_manager",
        {"lake": VAULT, "deposit_amount": "1000.00"},
        key=RFC_1,
    ),
)

ACCOUNT_CASES = (
    Signing(
        "list-subaccounts",
        "A signed request with no field of its own: data is an empty object.",
        "list_subaccounts",
        {},
    ),
    Signing(
        "transfer-funds",
        "A transfer to a subaccount.",
        "transfer_funds",
        {"to_account": RFC_1.address, "amount": "250.75"},
    ),
    Signing(
        "transfer-funds-agent",
        "A transfer signed by an agent: the sender is still the owner.",
        "transfer_funds",
        {"to_account": RFC_1.address, "amount": "250.75"},
        key=RFC_3,
        owner=COUNTING,
    ),
    Signing("create-api-key", "An API config key asked for.", "create_api_key", {}),
    Signing(
        "revoke-api-key",
        "An API config key revoked.",
        "revoke_api_key",
        {"api_key": "AbCdEfGh_2VfUX1kcVgDnUyZ7xLqNbP"},
    ),
    Signing("list-api-keys", "The API config keys listed.", "list_api_keys", {}),
)

CASES = SPOT_CASES + VAULT_CASES + ACCOUNT_CASES
