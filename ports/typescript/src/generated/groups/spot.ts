// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

import type { CallOptions, Paginator } from "../../runtime/index.js";
import { Group } from "../../runtime/index.js";
import type {
  SpotBalanceEvent,
  SpotBalanceHistoryQuery,
  SpotWithdrawal,
  SpotWithdrawalHistoryQuery,
  WithdrawalReceipt,
  WithdrawSpotAsset,
} from "../models.js";
import { SPOT_BALANCE_HISTORY, SPOT_WITHDRAW, SPOT_WITHDRAWAL_HISTORY } from "../operations.js";

/**
 * `client.spot`: Withdrawals of spot assets and their histories.
 *
 * Every method may also throw the errors that `Client` lists.
 */
export class Spot extends Group {
  /**
   * Withdraw a spot asset.
   *
   * The fee is deducted from the withdrawal.
   *
   * `POST /api/v1/account/spot_asset/withdraw`, signed as `withdraw_spot_asset`. Section 4.6.
   *
   * @returns An accepted withdrawal.
   * @throws {@link ApiError} The service refused, with status 400, 401 or 409.
   * @throws {@link OutcomeUnknownError} It may have been executed: `client.reconcile(error)` looks
   *   for it.
   */
  withdraw(request: WithdrawSpotAsset, options?: CallOptions): Promise<WithdrawalReceipt> {
    return this._caller.call(SPOT_WITHDRAW, request, options);
  }

  /**
   * List the spot balance events of an account.
   *
   * `GET /api/v1/account/spot_balance/history`. Section 4.10.
   *
   * @returns The records. Iterating over them fetches page after page.
   * @throws {@link RequestError} At once: an argument is wrong.
   * @throws {@link ApiError} On iteration: the service refused, with status 400 or 500.
   * @throws {@link PaginationError} On iteration: the service contradicts itself about the next
   *   page.
   */
  balanceHistory(
    request: SpotBalanceHistoryQuery = {},
    options?: CallOptions,
  ): Paginator<SpotBalanceEvent> {
    return this._caller.paginate(SPOT_BALANCE_HISTORY, request, options);
  }

  /**
   * List the spot withdrawals of an account.
   *
   * `GET /api/v1/account/spot_asset/withdraw/history`. Section 4.11.
   *
   * @returns The records. Iterating over them fetches page after page.
   * @throws {@link RequestError} At once: an argument is wrong.
   * @throws {@link ApiError} On iteration: the service refused, with status 400, 401 or 500.
   * @throws {@link PaginationError} On iteration: the service contradicts itself about the next
   *   page.
   */
  withdrawalHistory(
    request: SpotWithdrawalHistoryQuery = {},
    options?: CallOptions,
  ): Paginator<SpotWithdrawal> {
    return this._caller.paginate(SPOT_WITHDRAWAL_HISTORY, request, options);
  }
}
