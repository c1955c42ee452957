// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

import type { CallOptions } from "../../runtime/index.js";
import { Group } from "../../runtime/index.js";
import type {
  AddLakeMaxLeverage,
  ClaimLakeManager,
  RemoveLakeBlacklist,
  RemoveLakeMaxLeverage,
  SharesMinted,
} from "../models.js";
import {
  VAULTS_ADD_MAX_LEVERAGE,
  VAULTS_CLAIM_MANAGER,
  VAULTS_REMOVE_BLACKLIST,
  VAULTS_REMOVE_MAX_LEVERAGE,
} from "../operations.js";

/**
 * `client.vaults`: Vaults, which the wire calls `lake`.
 *
 * Every method may also throw the errors that `Client` lists.
 */
export class Vaults extends Group {
  /**
   * Cap the leverage of a vault on the listed symbols.
   *
   * Only the creator of the vault may call this; anyone else is answered 403.
   *
   * `POST /api/v1/lake/add_max_leverage`, signed as `add_lake_max_leverage`. Section 4.8.
   *
   * @throws {@link ApiError} The service refused, with status 400, 401 or 403.
   * @throws {@link OutcomeUnknownError} It may have been executed; it can safely be sent again.
   */
  addMaxLeverage(request: AddLakeMaxLeverage, options?: CallOptions): Promise<void> {
    return this._caller.call(VAULTS_ADD_MAX_LEVERAGE, request, options);
  }

  /**
   * Remove the leverage caps of a vault from the listed symbols.
   *
   * Only the creator of the vault may call this; anyone else is answered 403.
   *
   * `POST /api/v1/lake/remove_max_leverage`, signed as `remove_lake_max_leverage`. Section 4.8.
   *
   * @throws {@link ApiError} The service refused, with status 400, 401 or 403.
   * @throws {@link OutcomeUnknownError} It may have been executed; it can safely be sent again.
   */
  removeMaxLeverage(request: RemoveLakeMaxLeverage, options?: CallOptions): Promise<void> {
    return this._caller.call(VAULTS_REMOVE_MAX_LEVERAGE, request, options);
  }

  /**
   * Remove the listed symbols from the blacklist of a vault.
   *
   * Only the creator of the vault may call this; anyone else is answered 403.
   *
   * `POST /api/v1/lake/remove_blacklist`, signed as `remove_lake_blacklist`. Section 4.8.
   *
   * @throws {@link ApiError} The service refused, with status 400, 401 or 403.
   * @throws {@link OutcomeUnknownError} It may have been executed; it can safely be sent again.
   */
  removeBlacklist(request: RemoveLakeBlacklist, options?: CallOptions): Promise<void> {
    return this._caller.call(VAULTS_REMOVE_BLACKLIST, request, options);
  }

  /**
   * Become the manager of a vault that was created without one.
   *
   * Any account may claim a fresh vault; manager shares are minted for the initial deposit.
   *
   * `POST /api/v1/lake/claim_manager`, signed as `claim_lake_manager`. Sections 3 and 4.8.
   *
   * @returns The shares of a new vault manager.
   * @throws {@link ApiError} The service refused, with status 400 or 401.
   * @throws {@link OutcomeUnknownError} It may have been executed, and `client.reconcile` cannot
   *   tell; check before you repeat it.
   */
  claimManager(request: ClaimLakeManager, options?: CallOptions): Promise<SharesMinted> {
    return this._caller.call(VAULTS_CLAIM_MANAGER, request, options);
  }
}
