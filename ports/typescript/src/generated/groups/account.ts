// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

import type { CallOptions } from "../../runtime/index.js";
import { Group } from "../../runtime/index.js";
import type {
  AccountSettings,
  AccountSettingsQuery,
  SetAutoLendDisabled,
  UpdateSpotSettings,
} from "../models.js";
import {
  ACCOUNT_SET_AUTO_LEND_DISABLED,
  ACCOUNT_SETTINGS,
  ACCOUNT_UPDATE_SPOT_SETTINGS,
} from "../operations.js";

/**
 * `client.account`: Margin, leverage, spot and lending settings of an account.
 *
 * Every method may also throw the errors that `Client` lists.
 */
export class Account extends Group {
  /**
   * Read the settings of an account.
   *
   * An older form of the answer, a list of margin settings, is refused as unusable (observed).
   *
   * `GET /api/v1/account/settings`. Section 4.16.
   *
   * @returns The settings of an account that differ from the defaults.
   * @throws {@link ApiError} The service refused, with status 400, 401 or 500.
   */
  settings(request: AccountSettingsQuery = {}, options?: CallOptions): Promise<AccountSettings> {
    return this._caller.call(ACCOUNT_SETTINGS, request, options);
  }

  /**
   * Include a spot asset in unified-margin collateral, or exclude it.
   *
   * `POST /api/v1/account/settings/spot`, signed as `update_account_spot_settings`. Section 4.14.
   *
   * @throws {@link ApiError} The service refused, with status 400 or 401.
   * @throws {@link OutcomeUnknownError} It may have been executed; it can safely be sent again.
   */
  updateSpotSettings(request: UpdateSpotSettings, options?: CallOptions): Promise<void> {
    return this._caller.call(ACCOUNT_UPDATE_SPOT_SETTINGS, request, options);
  }

  /**
   * Disable auto-lending, enable it, or go back to the default.
   *
   * `POST /api/v1/account/settings/auto_lend_disabled`, signed as `set_auto_lend_disabled`. Section
   * 4.17.
   *
   * @throws {@link ApiError} The service refused, with status 400 or 401.
   * @throws {@link OutcomeUnknownError} It may have been executed; it can safely be sent again.
   */
  setAutoLendDisabled(request: SetAutoLendDisabled = {}, options?: CallOptions): Promise<void> {
    return this._caller.call(ACCOUNT_SET_AUTO_LEND_DISABLED, request, options);
  }
}
