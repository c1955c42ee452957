/**
 * The fault of a failed attempt: what it shows about whether the request was sent and executed.
 *
 * An *attempt* is one request of a call. A *failure* is what a failed attempt ended with: no usable
 * answer (`TransportError`), a refusal (`ApiError`), or an answer that cannot be read (`DecodeError`).
 */

import { type ApiError, DecodeError } from "../errors.js";
import { faultOfStatus, REFUSALS, refuses } from "../statuses.js";

/**
 * - `not_sent`: certainly not sent: no connection, no DNS answer, or the deadline passed before.
 * - `not_trusted`: certainly not sent: the certificate of the service is not trusted.
 * - `maybe_sent`: may have been sent and executed: a reset, a timeout, most 5xx, and some 4xx that gateways
 *   give.
 * - `rate_limited`: refused for now, like a 429.
 * - `duplicate`: refused because its idempotency key was used before: a 409.
 * - `refused`: refused: most 4xx, a 501, or `success: false` with a code that refuses, or none.
 * - `unreadable`: a 2xx that was cut short, is a 206, is not JSON, or has a status that no page has. The
 *   next one may be whole.
 * - `unusable`: a whole answer that is neither a result nor a refusal: of the wrong shape, too long, or
 *   a 3xx.
 */
export type Fault =
  | "not_sent"
  | "not_trusted"
  | "maybe_sent"
  | "rate_limited"
  | "duplicate"
  | "refused"
  | "unreadable"
  | "unusable";

/** What a transport may report: a refusal is an answer, which it returns. */
export type TransportFault = Exclude<Fault, "rate_limited" | "duplicate" | "refused">;

/** There is no usable answer; `fault` says whether it may have been sent. */
export class TransportError extends Error {
  readonly fault: TransportFault;
  readonly reason: string;
  /** That of the answer, if its head was read. */
  readonly status: number | null;
  /** What was read of an answer. */
  readonly body: Uint8Array;

  constructor(
    fault: TransportFault,
    reason: string,
    answer: { status?: number; body?: Uint8Array } = {},
  ) {
    super(reason);
    this.name = "TransportError";
    this.fault = fault;
    this.reason = reason;
    this.status = answer.status ?? null;
    this.body = answer.body ?? new Uint8Array();
  }
}

/** What a failed attempt ended with. */
export type Failure = TransportError | ApiError | DecodeError;

/** The fault of the attempt that ended with this failure. */
export function faultOf(failure: Failure): Fault {
  if (failure instanceof TransportError) {
    // A fault that only an answer shows is none that a transport can report.
    return REFUSALS.includes(failure.fault) ? "maybe_sent" : failure.fault;
  }
  if (failure instanceof DecodeError) return failure.isJson ? "unusable" : "unreadable";
  // A 2xx is a refusal by its words alone. Codes are opaque, but a gateway may tell its status so.
  return faultOfStatus(failure.status) ?? (refuses(failure.code) ? "refused" : "maybe_sent");
}
