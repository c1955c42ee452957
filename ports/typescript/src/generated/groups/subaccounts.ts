// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

import type { CallOptions } from "../../runtime/index.js";
import { Group } from "../../runtime/index.js";
import type { Subaccount, TransferFunds } from "../models.js";
import { SUBACCOUNTS_LIST, SUBACCOUNTS_TRANSFER } from "../operations.js";

/**
 * `client.subaccounts`: Subaccounts and transfers between them and their main account.
 *
 * Every method may also throw the errors that `Client` lists.
 */
export class Subaccounts extends Group {
  /**
   * List the subaccounts of the main account that signs.
   *
   * `POST /api/v1/account/subaccount/list`, signed as `list_subaccounts` (observed). Section 4.12.
   *
   * @returns All subaccounts of the account.
   * @throws {@link ApiError} The service refused, with status 400 or 401.
   */
  list(options?: CallOptions): Promise<readonly Subaccount[]> {
    return this._caller.call(SUBACCOUNTS_LIST, undefined, options);
  }

  /**
   * Transfer USDC between a main account and one of its subaccounts.
   *
   * The sender is the account that signs. Working clients sign with `transfer_funds` (observed); an
   * older page of the service says `subaccount_transfer` (assumed).
   *
   * `POST /api/v1/account/subaccount/transfer`, signed as `transfer_funds` (assumed). Section 4.13.
   *
   * @throws {@link ApiError} The service refused, with status 400.
   * @throws {@link OutcomeUnknownError} It may have been executed, and `client.reconcile` cannot
   *   tell; check before you repeat it.
   */
  transfer(request: TransferFunds, options?: CallOptions): Promise<void> {
    return this._caller.call(SUBACCOUNTS_TRANSFER, request, options);
  }
}
