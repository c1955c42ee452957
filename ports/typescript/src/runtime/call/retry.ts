/**
 * The retry policy: what a failed attempt leads to, another attempt or an error. Pure, no I/O.
 *
 * `decide` reads no clock, no socket and no random numbers: everything is an argument. It works in
 * whatever unit all times have.
 */

import type { Fault } from "../http/fault.js";
import type { RetryClass } from "../operation.js";
import { REFUSALS } from "../statuses.js";

/** How often, and after what delays, a call is attempted again. Only what is safe to repeat is repeated. */
export interface RetryPolicy {
  /** Attempts of a call, the first one included; 1 repeats nothing. */
  readonly maxAttempts: number;
  /** Longest delay before the second attempt, in ms; it doubles with each further one. */
  readonly baseDelay: number;
  /** Longest delay of the client's own choice, in ms. A delay is random, up to its bound. */
  readonly maxDelay: number;
  /** Longest wait that a service may ask for, in ms; beyond it the error is thrown at once. */
  readonly maxRetryAfter: number;
  /** Retries that all calls of a client may make together. Ten calls that succeed restore one. */
  readonly quota: number;
}

/** The retry policy of a client. What is left out has its default. */
export type RetryOptions = Partial<RetryPolicy>;

export const DEFAULT_RETRY: RetryPolicy = {
  maxAttempts: 3,
  baseDelay: 50,
  maxDelay: 2_000,
  maxRetryAfter: 5_000,
  quota: 10,
};

/** A failed attempt, and what is left for another one. */
export interface FailedAttempt {
  readonly fault: Fault;
  readonly retryClass: RetryClass;
  /** Which attempt it was; the first is 1. */
  readonly number: number;
  /** Until the deadline of the call. */
  readonly timeLeft: number;
  /** Retries that the client's quota still allows. */
  readonly quotaLeft: number;
  /** How long the service asked to wait; null if it did not. */
  readonly retryAfter: number | null;
}

/** Make another attempt, after a delay. */
export interface NextAttempt {
  readonly delay: number;
}

/**
 * The error to throw: `typed` is the ApiError or DecodeError of the answer, or a NoResponseError if there
 * was none; `outcome_unknown` is an OutcomeUnknownError, caused by that of the answer.
 */
export type Raise = "not_sent" | "typed" | "outcome_unknown";

/** Why a call makes no further attempt; docs/recovery.md says what each of them means. */
export type StopReason = "not_repeatable" | "max_attempts" | "quota" | "wait";

/** Make no further attempt. */
export interface Stop {
  readonly error: Raise;
  readonly reason: StopReason;
}

/** The retry classes for which an attempt with this fault is repeated. */
export const REPEATED: Readonly<Partial<Record<Fault, readonly RetryClass[]>>> = {
  not_sent: ["safe", "idempotent", "by-key", "never"],
  maybe_sent: ["safe"],
  rate_limited: ["safe", "idempotent"],
  unreadable: ["safe"],
};

/** What a failed attempt leads to; `jitter`, from 0 to 1, is the share of a random delay. */
export function decide(
  failed: FailedAttempt,
  policy: RetryPolicy,
  jitter: number,
): NextAttempt | Stop {
  const bound = Math.min(policy.maxDelay, policy.baseDelay * 2 ** (failed.number - 1));
  const delay = (failed.retryAfter ?? 0) + jitter * bound;
  const reason = stopReason(failed, policy, delay);
  return reason === null ? { delay } : { error: errorAfter(failed), reason };
}

function stopReason(failed: FailedAttempt, policy: RetryPolicy, delay: number): StopReason | null {
  if (!REPEATED[failed.fault]?.includes(failed.retryClass)) return "not_repeatable";
  if (failed.number >= policy.maxAttempts) return "max_attempts";
  if (failed.quotaLeft < 1) return "quota";
  const isInTime = delay < failed.timeLeft;
  // Not the other way round: a wait that is no number is too long.
  return isInTime && (failed.retryAfter ?? 0) <= policy.maxRetryAfter ? null : "wait";
}

function errorAfter({ fault, retryClass, number }: FailedAttempt): Raise {
  if (fault === "not_sent" || fault === "not_trusted") return "not_sent";
  if (retryClass === "safe") return "typed";
  // The attempt before, which seemed not to have been sent, was accepted.
  if (fault === "duplicate" && number > 1) return "outcome_unknown";
  return REFUSALS.includes(fault) ? "typed" : "outcome_unknown";
}

/** What a retry takes and a success restores, in tenths of a retry. */
const RETRY = 10;
const SUCCESS = 1;

/**
 * A token bucket that all calls of a client share: a retry takes a token, a success a tenth back.
 *
 * A service that fails for everybody thus sees few more requests than calls. The size of the bucket is the
 * `quota` of a call's retry policy, so that clients with other policies can share what was taken.
 */
export class RetryQuota {
  #spent = 0;

  /** How many retries a bucket of this size allows now; below 1 it allows none. */
  left(size: number): number {
    return size - Math.ceil(this.#spent / RETRY);
  }

  /** Take a token for a retry. */
  spend(): void {
    this.#spent += RETRY;
  }

  /** A call succeeded. */
  restore(): void {
    this.#spent = Math.max(0, this.#spent - SUCCESS);
  }
}
