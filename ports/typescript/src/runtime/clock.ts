/**
 * This machine's clock, and its skew: how far the service's clock is ahead of it.
 *
 * The service writes the `Date` of an answer between sending and receiving, in whole seconds, which may
 * be a second stale. So each answer gives a lower and an upper bound of the skew, and several answers
 * narrow them down. No bound lives longer than ten minutes, and none outlives a step of this machine's
 * clock.
 */

import type { AbortSignal, Headers } from "./platform.js";

const SECOND = 1_000;
/** An hour, in ms. A service that seems further behind is taken to send wrong dates. */
export const MAX_BEHIND = 3_600_000;
const MAX_SLEEP = 60 * SECOND;
/** The staleness of a `Date`, in ms: servers cut off the ms, and many renew it once a second. */
const MAX_STALENESS = 2 * SECOND;
/** Bounds are kept for this long at least, and for twice as long at most. */
const HALF_LIFE = 300 * SECOND;
/** In ms. A clock that went further astray between two looks was set. */
const MAX_SLEW = 500;
/**
 * A skew above it, in ms, is told: in refusals, and in what `reconcile` leaves open. A smaller one may be no
 * skew, but the `Date` of a busy server, which renews it late.
 */
export const TELL = 5 * SECOND;

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

/** The machine itself. */
export const machine: Environment = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      if (signal?.aborted) done();
      signal?.addEventListener("abort", done);
    }),
  random: () => Math.random(),
  uuid: () => crypto.randomUUID(),
};

/** How far the service's clock is ahead of this machine's, in ms: between `low` and `high`. */
export class Skew {
  readonly low: number;
  readonly high: number;
  /** The lowest bound of answers that contradict each other; null if they all agree. */
  readonly lowest: number | null;

  constructor(low: number, high: number, lowest: number | null = null) {
    this.low = low;
    this.high = high;
    this.lowest = lowest;
  }

  get middle(): number {
    return Math.floor((this.low + this.high) / 2);
  }

  /** The smallest skew that any of the answers allows. */
  get floor(): number {
    return this.lowest === null ? this.low : Math.min(this.low, this.lowest);
  }

  /** Whether the clocks differ by more than the stale `Date` of a busy server explains. */
  get isTold(): boolean {
    return this.low > TELL || this.high < -TELL;
  }

  /** The bounds that both allow; those of `other`, the later one, if a clock was set meanwhile. */
  narrowed(other: Skew): Skew {
    const [low, high] = [Math.max(this.low, other.low), Math.min(this.high, other.high)];
    if (low > high) return new Skew(other.low, other.high, Math.min(this.floor, other.floor));
    const known = [this.lowest, other.lowest].filter((each) => each !== null);
    return new Skew(low, high, known.length > 0 ? Math.min(...known) : null);
  }
}

/** An HTTP date in ms; null if the text is not a date. */
export function dateMs(text: string | null): number | null {
  const dated = /^\s*(?:[A-Za-z]{3,9},?\s+)?(?:[0-9]{1,2}[ -]|[A-Za-z]{3}\s)/.test(text ?? "");
  // HTTP dates are always in GMT; the oldest format does not name it.
  const zoned = /(GMT|UTC|[+-][0-9]{4})\s*$/.test(text ?? "") ? text : `${text} GMT`;
  const ms = dated ? Date.parse(zoned ?? "") : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** How old an answer is that a cache gave, in ms, from its `Age`; null if that is no number. */
export function ageMs(text: string | null): number | null {
  const digits = text === null ? "0" : text.trim();
  return /^[0-9]{1,9}$/.test(digits) ? Number(digits) * SECOND : null;
}

/** Tells the time to sign with. */
export class Clock {
  readonly environment: Environment;
  readonly name: ClockName;
  #recent: Skew | null = null;
  #older: Skew | null = null;
  /** When the recent bounds began, by the monotonic clock. */
  #turned = -Infinity;
  /** How far this machine's clock is ahead of the monotonic one. */
  #offset: number | null = null;
  /** When an answer told the service's time at last, by the monotonic clock. */
  datedAt = -Infinity;
  /** How often this machine's clock was seen to be set. */
  steps = 0;

  constructor(name: ClockName, environment: Environment) {
    this.name = name;
    this.environment = environment;
  }

  /** How far the service's clock is ahead; null before an answer that tells its time. */
  get skew(): Skew | null {
    const [recent, older] = [this.#recent, this.#older];
    const age = this.environment.monotonic() - this.#turned;
    if (recent === null) return null;
    // What is too old to hold something back is still good enough to sign by.
    if (age > 2 * HALF_LIFE) return new Skew(recent.low, recent.high);
    return older !== null && age <= HALF_LIFE ? older.narrowed(recent) : recent;
  }

  /** The time to sign with, in ms. */
  signMs(): number {
    const skew = this.name === "server" ? this.skew : null;
    return this.environment.now() + (skew?.middle ?? 0);
  }

  /**
   * The earliest time that the service's clock may show at a time of this machine's, in ms.
   *
   * It is never later than that time, because others wait for it: a wrong `Date` may make a wait
   * longer, never shorter.
   */
  earliestServiceTime(local: number): number {
    return local + Math.max(Math.min(0, this.skew?.floor ?? 0), -MAX_BEHIND);
  }

  /** When the service's clock certainly shows a time, by this machine's, in ms. */
  certainlyAt(serviceTime: number): number {
    return serviceTime - this.earliestServiceTime(0);
  }

  /**
   * A time that the service's clock certainly showed at one of this machine's, in ms, or later.
   *
   * Null if no answer told its time, or one so far off that no date of it can be trusted.
   */
  certainServiceTime(local: number): number | null {
    const skew = this.skew;
    return skew === null || skew.floor < -MAX_BEHIND ? null : this.earliestServiceTime(local);
  }

  /** Wait until the service's clock certainly shows a time; false if that takes longer than `timeout` ms. */
  async waitUntil(serviceTime: number, timeout: number): Promise<boolean> {
    const { monotonic, now, sleep } = this.environment;
    const began = monotonic();
    let slept = 0;
    for (;;) {
      const left = serviceTime - this.earliestServiceTime(now());
      if (left <= 0) break;
      const timeLeft = timeout - Math.max(slept, monotonic() - began);
      if (timeLeft <= 0) return false;
      const nap = Math.min(left, timeLeft, MAX_SLEEP);
      await sleep(nap);
      slept += nap;
    }
    // The dates of a service that seems further behind cannot be trusted: nothing is certain.
    const skew = this.skew;
    return skew === null || skew.floor >= -MAX_BEHIND;
  }

  /** Why the service may have taken a message for expired, or for one from the future. */
  hint(timestamp: number, acceptedUntil: number): string | null {
    const skew = this.skew;
    if (skew === null || !skew.isTold) return null;
    const now = this.environment.now();
    const isExpired = now + skew.low > acceptedUntil;
    if (!isExpired && now + skew.high >= timestamp) return null;
    const problem = isExpired ? "had expired" : "was from the future";
    const where = skew.middle > 0 ? "ahead of" : "behind";
    const seconds = (Math.abs(skew.middle) / SECOND).toFixed(1);
    return (
      `the message ${problem} by the service's clock, which is ${seconds} s ${where} this ` +
      "machine's; set this machine's clock, or give the client clock: \"server\""
    );
  }

  /** Look whether this machine's clock was set; return the time of the monotonic one. */
  look(): number {
    const now = this.environment.monotonic();
    const offset = this.environment.now() - Math.round(now);
    if (this.#offset !== null && Math.abs(offset - this.#offset) > MAX_SLEW) {
      this.steps += 1;
      this.#recent = null;
      this.#older = null;
      this.datedAt = -Infinity;
    }
    this.#offset = offset;
    return now;
  }

  /** Learn from the `Date` and the `Age` of an answer to a request of these times, in ms. */
  observe(headers: Headers, sent: number, received: number): void {
    const now = this.environment.monotonic();
    const astray = this.environment.now() - Math.round(now) - (this.#offset ?? -Infinity);
    if (Math.abs(astray) > MAX_SLEW) this.look();
    const date = dateMs(headers.get("date"));
    const behind = ageMs(headers.get("age"));
    if (received < sent || date === null || behind === null) return;
    const written = date + behind;
    // An age is cut off to whole seconds, too.
    const high = written + MAX_STALENESS + Math.min(behind, SECOND) - sent;
    const seen = new Skew(written - received, high);
    if (now - this.#turned > HALF_LIFE) {
      this.#older = now - this.#turned <= 2 * HALF_LIFE ? this.#recent : null;
      this.#recent = null;
      this.#turned = now;
    }
    this.#recent = this.#recent?.narrowed(seen) ?? seen;
    this.datedAt = now;
  }
}
