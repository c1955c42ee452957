// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

import type { ClientOptions } from "../runtime/index.js";
import { BaseClient } from "../runtime/index.js";
import { Account } from "./groups/account.js";
import { ApiKeys } from "./groups/api_keys.js";
import { Funding } from "./groups/funding.js";
import { Orders } from "./groups/orders.js";
import { Spot } from "./groups/spot.js";
import { Subaccounts } from "./groups/subaccounts.js";
import { Trades } from "./groups/trades.js";
import { Vaults } from "./groups/vaults.js";
import { API } from "./operations.js";

/**
 * Client of the trading service. Making one sends nothing and opens no file.
 *
 * Where the service is. Plain http is refused unless it stays on this machine. `ClientOptions` says
 * what else it takes. The option `signingTypes` replaces signing types that are not documented:
 * those of subaccounts.list, subaccounts.transfer, api_keys.create, api_keys.revoke, api_keys.list,
 * orders.create_market, orders.cancel, orders.set_position_tpsl.
 *
 * Every call may throw these errors; its own comment says what is special about it. All of them are
 * `TradingError`s.
 *
 * - `RequestError`: an argument is wrong. Nothing was sent.
 *
 * - `SigningError`: a text is not ASCII (refused by choice: clients of the service escape it
 * differently), or the signer failed. Nothing was sent.
 *
 * - `NotSentError`: the request was certainly not sent. Nothing was changed.
 *
 * - `ApiError`: the service refused. Each documented status has a subclass, like `RateLimitError`.
 * A refusal inside a 200, like that of a failed action, is a `BadRequestError`, as under 400.
 *
 * - `NoResponseError`: a read got no complete answer. Repeat it at will.
 *
 * - `DecodeError`: the answer to a read is not of the documented form.
 *
 * - `OutcomeUnknownError`: a change may have been executed. `reconcile(error)` looks for it in the
 * lists of the service.
 *
 * - `JournalError`: the journal cannot be written. Nothing was sent.
 *
 * A call that returns a `Paginator` sends nothing. All errors come on iteration, when a page is
 * fetched.
 */
export class Client extends BaseClient {
  /** Order entry, edits, cancels, batches and the order history. */
  readonly orders: Orders;

  /** The trade history of an account. */
  readonly trades: Trades;

  /** Withdrawals of spot assets and their histories. */
  readonly spot: Spot;

  /** Margin, leverage, spot and lending settings of an account. */
  readonly account: Account;

  /** Subaccounts and transfers between them and their main account. */
  readonly subaccounts: Subaccounts;

  /** Vaults, which the wire calls `lake`. */
  readonly vaults: Vaults;

  /** Funding rates of a market. */
  readonly funding: Funding;

  /** API config keys, which select a rate-limit class. */
  readonly apiKeys: ApiKeys;

  /**
   * @param baseUrl Where the service is.
   * @throws {@link RequestError} An option is wrong.
   */
  constructor(baseUrl: string, options?: ClientOptions) {
    super(API, baseUrl, options);
    this.orders = new Orders(this._caller);
    this.trades = new Trades(this._caller);
    this.spot = new Spot(this._caller);
    this.account = new Account(this._caller);
    this.subaccounts = new Subaccounts(this._caller);
    this.vaults = new Vaults(this._caller);
    this.funding = new Funding(this._caller);
    this.apiKeys = new ApiKeys(this._caller);
  }
}
