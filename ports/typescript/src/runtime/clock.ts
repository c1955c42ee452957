/**
 * This machine's clock, and how far the service's is ahead of it: one offset, right to one bound.
 *
 * The service tells its time in the `Date` of its answers. The offset is kept against the monotonic clock, so that
 * setting this machine's clock changes nothing but the times that are signed.
 */

import { RequestError } from "./errors.js";
import type { AbortSignal, Headers } from "./platform.js";

/** How far the offset may be wrong, in ms: a `Date` is right to two seconds, and cut off to whole ones. */
export const BOUND = 2_500;
/** How far this machine's clock is taken to be wrong, at most, where no answer tells the service's time, in ms. */
export const UNDATED = 60_000;
/** An hour, in ms. A `Date` that is further behind this machine's clock is wrong, and passed over. */
const MAX_BEHIND = 3_600_000;
/** A skew above it, in ms, is told in refusals. A smaller one may be the `Date` of a busy server. */
const TELL = 5_000;
const HALF_SECOND = 500;

/** Whose time is signed: this machine's, or the service's as its answers show it. */
export type ClockName = "local" | "server";

/** What the runtime asks of the machine. Tests give their own. */
export interface Environment {
  /** The time of this machine, in ms. */
  readonly now: () => number;
  /** The monotonic clock, in ms. */
  readonly monotonic: () => number;
  /** Wait, unless the caller gives up. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** A new random UUID. */
  readonly uuid: () => string;
}

/**
 * Call `end` after so many ms, or when the caller gives up.
 *
 * @returns What stops that.
 */
export function endAfter(ms: number, signal: AbortSignal | undefined, end: () => void): () => void {
  const timer = setTimeout(end, ms);
  signal?.addEventListener("abort", end, { once: true });
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  };
}

/** The machine itself. */
export const machine: Environment = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const stop = endAfter(ms, signal, () => {
        stop();
        resolve();
      });
    }),
  random: () => Math.random(),
  uuid: () => {
    // A page that came by plain http has no such function.
    const id = globalThis.crypto?.randomUUID?.();
    if (id !== undefined) return id;
    throw new RequestError(
      "no id can be made here: a page must come by https, or from this machine; or give an id of your own",
    );
  },
};

/** An HTTP date in ms; null if the text is not a date. */
export function dateMs(text: string | null): number | null {
  const dated = /^\s*(?:[A-Za-z]{3,9},?\s+)?(?:[0-9]{1,2}[ -]|[A-Za-z]{3}\s)/.test(text ?? "");
  // HTTP dates are always in GMT; the oldest format does not name it.
  const zoned = /(GMT|UTC|[+-][0-9]{4})\s*$/.test(text ?? "") ? text : `${text} GMT`;
  const ms = dated ? Date.parse(zoned ?? "") : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** Tells the time to sign with. */
export class Clock {
  readonly environment: Environment;
  readonly name: ClockName;
  /** How far the service's clock is ahead of the monotonic one, in ms; null before a `Date`. */
  offset: number | null = null;
  /** The offset, if it has a second witness: the `Date` before, or this machine's clock. */
  #agreed: number | null = null;

  constructor(name: ClockName, environment: Environment) {
    this.name = name;
    this.environment = environment;
  }

  /** How far the service's clock is ahead of this machine's, in ms; null before a `Date`. */
  get skew(): number | null {
    const now = this.serviceMs();
    return now === null ? null : now - this.environment.now();
  }

  /**
   * How far the service's clock is ahead of a time, in ms; null where no two clocks agree.
   *
   * These are the latest two `Date`s, or the latest and this machine's clock: one wrong `Date` proves nothing.
   */
  aheadOf(timestamp: number): number | null {
    return this.#agreed === null ? null : this.#monotonic() + this.#agreed - timestamp;
  }

  /** The time of the service's clock, right to the bound, in ms; null before a `Date`. */
  serviceMs(): number | null {
    return this.offset === null ? null : this.#monotonic() + this.offset;
  }

  /** The time to sign with, in ms. */
  signMs(): number {
    const now = this.name === "server" ? this.serviceMs() : null;
    return now ?? this.environment.now();
  }

  /**
   * The offset that an answer tells which was just received, in ms.
   *
   * Null without a `Date`, and for one that is far behind, or of a cache (`Age`).
   */
  offsetOf(headers: Headers): number | null {
    const date = dateMs(headers.get("date"));
    const isOfCache = ![null, "0"].includes(headers.get("age"));
    if (date === null || isOfCache || date < this.environment.now() - MAX_BEHIND) return null;
    return date + HALF_SECOND - this.#monotonic();
  }

  /** Learn from the `Date` of an answer that was just received. */
  observe(headers: Headers): void {
    const offset = this.offsetOf(headers);
    if (offset === null) return;
    const witnesses = [this.offset, this.environment.now() - this.#monotonic()];
    const agree = witnesses.some((each) => each !== null && Math.abs(offset - each) <= 2 * BOUND);
    this.#agreed = agree ? offset : null;
    this.offset = offset;
  }

  /** Why the service may have taken a message for expired, or for one from the future. */
  hint(timestamp: number, acceptedUntil: number): string | null {
    const { skew } = this;
    const now = this.serviceMs();
    if (skew === null || now === null || Math.abs(skew) <= TELL) return null;
    if (now <= acceptedUntil && now >= timestamp) return null;
    const problem = now > acceptedUntil ? "had expired" : "was from the future";
    const where = skew > 0 ? "ahead of" : "behind";
    const seconds = (Math.abs(skew) / 1_000).toFixed(1);
    return (
      `the message ${problem} by the service's clock, which is ${seconds} s ${where} this ` +
      "machine's; set this machine's clock, or give the client clock: \"server\""
    );
  }

  #monotonic(): number {
    return Math.round(this.environment.monotonic());
  }
}
