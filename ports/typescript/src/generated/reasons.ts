// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

import type { Recognition } from "../runtime/index.js";
import type { RefusalReason } from "./models.js";

/** Why the service refuses requests, and what shows it. */
export const REASONS: Readonly<Record<RefusalReason, Recognition>> = {
  insufficient_balance: {
    texts: ["Insufficient balance", "Over withdrawal"],
    codes: { "subaccounts.transfer": 5 },
  },
  order_not_found: {
    texts: [
      "Order not found",
      "Stop order not found",
      "Order history not found",
      "Failed to cancel order",
      "Unused client order id",
    ],
  },
  position_not_found: { texts: ["Position not found"] },
  account_not_found: { texts: ["Account not found"] },
  vault_not_found: { texts: ["Vault not found"] },
  api_key_not_found: { texts: ["API key not found"] },
  unknown_symbol: { texts: ["Unknown symbol", "Unknown spot asset", "Book not found"] },
  invalid_symbols: { texts: ["Invalid symbols"] },
  invalid_price: { texts: ["Invalid price", "Invalid limit_price", "Invalid tick level"] },
  invalid_amount: { texts: ["Invalid amount", "Invalid deposit_amount"] },
  invalid_stop: {
    texts: [
      "Invalid stop_price",
      "Invalid take_profit",
      "Invalid stop_loss",
      "Invalid stop tick",
      "Invalid stop order",
    ],
  },
  invalid_slippage: { texts: ["Invalid slippage_percent"] },
  invalid_leverage: { texts: ["Invalid max_leverage", "Invalid leverage"] },
  invalid_recipient: { texts: ["Invalid to_account", "Invalid transfer relationship"] },
  order_too_small: { texts: ["Order too small", "Order amount too low"] },
  reduce_only: {
    texts: ["Reduce-only", "Invalid reduce-only", "No position found for reduce-only order"],
  },
  duplicate_client_order_id: {
    texts: ["Duplicate client_order_id", "Duplicate client order id"],
    asStatus: 409,
  },
  duplicate_idempotency_key: {
    texts: ["Duplicate idempotency_key"],
    statuses: [409],
    operations: ["spot.withdraw"],
    asStatus: 409,
  },
  not_the_creator: { texts: ["Not the creator"] },
  vault_has_a_manager: { texts: ["Vault has a manager"] },
  too_many_api_keys: { texts: ["Too many API keys"] },
  invalid_signature: { texts: ["Invalid signature", "Verification failed"], asStatus: 401 },
  invalid_public_key: { texts: ["Invalid public key"] },
  invalid_message: { texts: ["Invalid message"], asStatus: 401 },
  expired_message: { texts: ["Invalid message: it expired"], asStatus: 401 },
  agent_not_bound: {
    texts: ["Unauthorized: agent wallet", "Agent not authorized for account"],
    asStatus: 401,
  },
  agent_not_allowed: { texts: ["Unauthorized: an agent wallet"], asStatus: 401 },
  access_required: { texts: ["Beta access required"] },
  unknown_api_key: { texts: ["Unauthorized: unknown API key"], asStatus: 401 },
  rate_limited: { texts: ["Rate limit exceeded"], statuses: [429] },
  not_implemented: { statuses: [501] },
};

declare module "../runtime/errors.js" {
  /** `ApiError.reason` is a value of this enum. */
  interface Registered {
    readonly reason: RefusalReason;
  }
}
