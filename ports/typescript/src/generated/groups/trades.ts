// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

import type { CallOptions, Paginator } from "../../runtime/index.js";
import { Group } from "../../runtime/index.js";
import type { Trade, TradeHistoryQuery } from "../models.js";
import { TRADES_HISTORY } from "../operations.js";

/**
 * `client.trades`: The trade history of an account.
 *
 * Every method may also throw the errors that `Client` lists.
 */
export class Trades extends Group {
  /**
   * List the trades of an account.
   *
   * `GET /api/v1/trades/history`. Section 4.9.
   *
   * @returns The records. Iterating over them fetches page after page.
   * @throws {@link RequestError} At once: an argument is wrong.
   * @throws {@link ApiError} On iteration: the service refused, with status 400, 401 or 500.
   * @throws {@link PaginationError} On iteration: the service contradicts itself about the next
   *   page.
   */
  history(request: TradeHistoryQuery = {}, options?: CallOptions): Paginator<Trade> {
    return this._caller.paginate(TRADES_HISTORY, request, options);
  }
}
