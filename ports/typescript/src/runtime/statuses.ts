/** The fault that a status shows, and whether a code refuses as a status does. */

import { FAULTS } from "../generated/statuses.js";
import type { Code } from "./errors.js";
import type { Fault } from "./http/fault.js";

/** Whether a status is a 2xx. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The fault that a status stands for; null for a 2xx. */
export function faultOfStatus(status: number): Fault | null {
  if (isSuccess(status)) return null;
  const faults: Readonly<Record<string, Fault>> = FAULTS;
  return faults[status] ?? faults[`${Math.floor(status / 100)}XX`] ?? "maybe_sent";
}

/** The faults that are refusals: only an answer shows them. */
export const REFUSALS: readonly (Fault | null)[] = ["refused", "rate_limited", "duplicate"];

/** Whether a refusal in a 2xx with this code is one: three digits are a status, so most of them are not. */
export function refuses(code: Code): boolean {
  if (code === null) return true;
  const number = /^0*([1-9][0-9]*|0)$/.exec(String(code))?.[1];
  if (number?.length !== 3) return number !== undefined;
  return REFUSALS.includes(faultOfStatus(Number(number)));
}
