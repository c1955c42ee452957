// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

import type { CallOptions, Paginator } from "../../runtime/index.js";
import { Group } from "../../runtime/index.js";
import type { FundingHistoryQuery, FundingRecord } from "../models.js";
import { FUNDING_HISTORY } from "../operations.js";

/**
 * `client.funding`: Funding rates of a market.
 *
 * Every method may also throw the errors that `Client` lists.
 */
export class Funding extends Group {
  /**
   * List the funding records of a market.
   *
   * `GET /api/v1/funding_rate/history`. Section 4.15.
   *
   * @returns The records. Iterating over them fetches page after page.
   * @throws {@link RequestError} At once: an argument is wrong.
   * @throws {@link ApiError} On iteration: the service refused, with status 400, 401 or 500.
   * @throws {@link PaginationError} On iteration: the service contradicts itself about the next
   *   page.
   */
  history(request: FundingHistoryQuery, options?: CallOptions): Paginator<FundingRecord> {
    return this._caller.paginate(FUNDING_HISTORY, request, options);
  }
}
