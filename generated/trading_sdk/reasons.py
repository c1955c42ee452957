# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""Why the service refuses requests, and what shows it."""

from __future__ import annotations

from collections.abc import Mapping

from trading_runtime import Recognition
from trading_sdk.models import RefusalReason

REASONS: Mapping[str, Recognition] = {
    RefusalReason.INSUFFICIENT_BALANCE: Recognition(
        texts=("Insufficient balance", "Over withdrawal"), codes={"subaccounts.transfer": 5}
    ),
    RefusalReason.ORDER_NOT_FOUND: Recognition(
        texts=(
            "Order not found",
            "Stop order not found",
            "Order history not found",
            "Failed to cancel order",
            "Unused client order id",
        )
    ),
    RefusalReason.POSITION_NOT_FOUND: Recognition(texts=("Position not found",)),
    RefusalReason.ACCOUNT_NOT_FOUND: Recognition(texts=("Account not found",)),
    RefusalReason.VAULT_NOT_FOUND: Recognition(texts=("Vault not found",)),
    RefusalReason.API_KEY_NOT_FOUND: Recognition(texts=("API key not found",)),
    RefusalReason.UNKNOWN_SYMBOL: Recognition(
        texts=("Unknown symbol", "Unknown spot asset", "Book not found")
    ),
    RefusalReason.INVALID_SYMBOLS: Recognition(texts=("Invalid symbols",)),
    RefusalReason.INVALID_PRICE: Recognition(
        texts=("Invalid price", "Invalid limit_price", "Invalid tick level")
    ),
    RefusalReason.INVALID_AMOUNT: Recognition(texts=("Invalid amount", "Invalid deposit_amount")),
    RefusalReason.INVALID_STOP: Recognition(
        texts=(
            "Invalid stop_price",
            "Invalid take_profit",
            "Invalid stop_loss",
            "Invalid stop tick",
            "Invalid stop order",
        )
    ),
    RefusalReason.INVALID_SLIPPAGE: Recognition(texts=("Invalid slippage_percent",)),
    RefusalReason.INVALID_LEVERAGE: Recognition(texts=("Invalid max_leverage", "Invalid leverage")),
    RefusalReason.INVALID_RECIPIENT: Recognition(
        texts=("Invalid to_account", "Invalid transfer relationship")
    ),
    RefusalReason.ORDER_TOO_SMALL: Recognition(texts=("Order too small", "Order amount too low")),
    RefusalReason.REDUCE_ONLY: Recognition(
        texts=("Reduce-only", "Invalid reduce-only", "No position found for reduce-only order")
    ),
    RefusalReason.DUPLICATE_CLIENT_ORDER_ID: Recognition(
        texts=("Duplicate client_order_id", "Duplicate client order id"), as_status=409
    ),
    RefusalReason.DUPLICATE_IDEMPOTENCY_KEY: Recognition(
        texts=("Duplicate idempotency_key",),
        statuses=(409,),
        operations=("spot.withdraw",),
        as_status=409,
    ),
    RefusalReason.NOT_THE_CREATOR: Recognition(texts=("Not the creator",)),
    RefusalReason.VAULT_HAS_A_MANAGER: Recognition(texts=("Vault has a manager",)),
    RefusalReason.TOO_MANY_API_KEYS: Recognition(texts=("Too many API keys",)),
    RefusalReason.INVALID_SIGNATURE: Recognition(
        texts=("Invalid signature", "Verification failed"), as_status=401
    ),
    RefusalReason.INVALID_PUBLIC_KEY: Recognition(texts=("Invalid public key",)),
    RefusalReason.INVALID_MESSAGE: Recognition(texts=("Invalid message",), as_status=401),
    RefusalReason.EXPIRED_MESSAGE: Recognition(
        texts=("Invalid message: it expired",), as_status=401
    ),
    RefusalReason.AGENT_NOT_BOUND: Recognition(
        texts=("Unauthorized: agent wallet", "Agent not authorized for account"), as_status=401
    ),
    RefusalReason.AGENT_NOT_ALLOWED: Recognition(
        texts=("Unauthorized: an agent wallet",), as_status=401
    ),
    RefusalReason.ACCESS_REQUIRED: Recognition(texts=("Beta access required",)),
    RefusalReason.UNKNOWN_API_KEY: Recognition(
        texts=("Unauthorized: unknown API key",), as_status=401
    ),
    RefusalReason.RATE_LIMITED: Recognition(texts=("Rate limit exceeded",), statuses=(429,)),
    RefusalReason.NOT_IMPLEMENTED: Recognition(statuses=(501,)),
}
