// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

import type { CallOptions, Json } from "../../runtime/index.js";
import { Group } from "../../runtime/index.js";
import type { ApiKey, RevokeApiKey, RevokedApiKey } from "../models.js";
import { API_KEYS_CREATE, API_KEYS_LIST, API_KEYS_REVOKE } from "../operations.js";

/**
 * `client.apiKeys`: API config keys, which select a rate-limit class.
 *
 * Every method may also throw the errors that `Client` lists.
 */
export class ApiKeys extends Group {
  /**
   * Create an API config key.
   *
   * An account may have five keys at most. An agent wallet cannot manage keys; one client was seen
   * to make and list them with one (assumed).
   *
   * `POST /api/v1/account/api_keys/create`, signed as `create_api_key` (observed). Sections 2.9 and
   * 4.18.
   *
   * @returns An API config key.
   * @throws {@link ApiError} The service refused, with status 400 or 401.
   * @throws {@link OutcomeUnknownError} It may have been executed, and `client.reconcile` cannot
   *   tell; check before you repeat it.
   */
  create(options?: CallOptions): Promise<ApiKey> {
    return this._caller.call(API_KEYS_CREATE, undefined, options);
  }

  /**
   * Revoke an API config key.
   *
   * The result has the key, as the interface document shows it, if the answer holds it. The live
   * service was seen to answer with empty data (observed). An agent wallet cannot manage keys
   * (observed).
   *
   * `POST /api/v1/account/api_keys/revoke`, signed as `revoke_api_key` (observed). Sections 2.9 and
   * 4.18.
   *
   * @returns The key that was revoked.
   * @throws {@link ApiError} The service refused, with status 400 or 401.
   * @throws {@link OutcomeUnknownError} It may have been executed; it can safely be sent again.
   */
  revoke(request: RevokeApiKey, options?: CallOptions): Promise<RevokedApiKey | null> {
    return this._caller.call(API_KEYS_REVOKE, request, options);
  }

  /**
   * List the API config keys of the account.
   *
   * The fields of the listed keys are not documented, so the `data` of the response is returned as
   * parsed JSON. An agent wallet cannot manage keys; one client was seen to make and list them with
   * one (assumed).
   *
   * `POST /api/v1/account/api_keys`, signed as `list_api_keys` (observed). Sections 2.9 and 4.18.
   *
   * @returns The listed keys as parsed JSON, of an undocumented form. Its repr shows none.
   * @throws {@link ApiError} The service refused, with status 400 or 401.
   */
  list(options?: CallOptions): Promise<Json> {
    return this._caller.call(API_KEYS_LIST, undefined, options);
  }
}
