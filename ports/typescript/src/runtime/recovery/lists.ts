/**
 * Reads pages of the lists that may show what became of a call.
 *
 * Long histories take few requests, because the largest pages are asked for. What the rate limit asks to
 * wait is waited, and a page that cannot be read is read again. Caches are asked to ask the service.
 */

import type { Caller } from "../call/caller.js";
import { isRateLimited, isRefusal } from "../call/failures.js";
import { ageMs } from "../clock.js";
import { following, type Page } from "../codec/pages.js";
import { type ApiError, RequestError, TradingError } from "../errors.js";
import type { ListOperation, Trace } from "../operation.js";
import { type Listed, unreadable } from "./evidence.js";

/** A day. An answer that is older, or whose `Age` cannot be read, tells nothing of today. */
export const MAX_AGE = 86_400_000;
/** How many records to ask for where no maximum is documented. What comes is taken, more or fewer. */
const LARGE_PAGE = 1_000;
/** How often a page is read that cannot be read. */
const MAX_READS = 5;
const REFUSALS = [400, 422];
/** Ten minutes: the longest wait for the rate limit that nobody asked for. */
const MAX_WAIT = 600_000;
/** Where the service does not say how long to wait, the waits double from 2 s to 64 s. */
const MAX_DOUBLINGS = 6;

/** The time for looking is up; its message says what takes so long, if that is known. */
export class OutOfTime extends Error {
  /** In so many ms another call may come further. */
  readonly ms: number;

  constructor(why = "", ms = 1_000) {
    super(why);
    this.ms = ms;
  }
}

/** The lists of the account that made a call. Caches are asked to ask the service. */
export class Lists {
  readonly #caller: Caller;
  readonly #account: string;
  readonly #deadline: number;
  /** The lists that refuse the size of a page. */
  readonly #refused = new Set<string>();
  /** The lists that gave a page of that size. */
  readonly #taken = new Set<string>();
  /** The lists of which the only page was read without a size, too. */
  readonly #confirmed = new Set<string>();

  /** How old the oldest page of this look was, in ms. */
  age = 0;

  /** Read for an account, and wait for so many ms in all. */
  constructor(caller: Caller, account: string, timeout: number) {
    const { headers, retry } = caller.settings;
    // One attempt, because whoever looks things up decides what is read again: so it takes nothing from the
    // client's retry quota, either.
    this.#caller = caller.with({
      headers: { ...headers, "Cache-Control": "no-cache" },
      retry: { ...retry, maxAttempts: 1 },
    });
    this.#account = account;
    this.#deadline = this.#environment.monotonic() + timeout;
  }

  /** What is left to wait, in ms. */
  get timeLeft(): number {
    return this.#deadline - this.#environment.monotonic();
  }

  /** Forget how old the pages of the look before were. */
  beginLook(): void {
    this.age = 0;
  }

  /** A list by its name. */
  operation(name: string): ListOperation<Listed> {
    const found = this.#caller.settings.api.operations.find((each) => each.name === name);
    if (found?.pagination) return found as ListOperation<Listed>;
    throw new RequestError(`${name} is no list of this service`);
  }

  /**
   * The page at a cursor, and the cursor of the next one, which is noted among those `seen`.
   *
   * @throws {@link OutOfTime} It takes longer than was given.
   * @throws {@link TradingError} It cannot be read.
   */
  async page(
    name: string,
    cursor: string | null,
    seen: Set<string | null>,
    { sized: asked = true } = {},
  ): Promise<readonly [Page<Listed>, string | null]> {
    for (let failures = 0, refusals = 0; ; ) {
      // What is read within the time of one call is read, even if nothing may be waited for.
      if (this.timeLeft < -this.#caller.settings.timeout) throw new OutOfTime();
      // It may cost more than the whole budget.
      if (refusals > 1 && !this.#taken.has(name)) this.#refused.add(name);
      const sized = asked && !this.#refused.has(name) && failures < MAX_READS - 1;
      try {
        const page = await this.#fetch(name, cursor, sized);
        if (sized) this.#taken.add(name);
        return [page, following(page, cursor, seen, name)];
      } catch (error) {
        if (!(error instanceof TradingError)) throw error;
        if (isRateLimited(error)) {
          refusals += 1;
          await this.#wait(error, 1_000 * 2 ** Math.min(refusals, MAX_DOUBLINGS));
        } else if (isRefusal(error)) {
          this.#fallBack(name, error, sized);
        } else {
          failures += 1;
          if (failures === MAX_READS) throw error;
          await this.#environment.sleep(Math.max(0, Math.min(failures * 1_000, this.timeLeft)));
        }
      }
    }
  }

  get #environment() {
    return this.#caller.settings.clock.environment;
  }

  /** Ask for the default page from now on, if the size of the page may be what was refused. */
  #fallBack(name: string, error: ApiError, sized: boolean): void {
    if (!sized || !REFUSALS.includes(error.status)) {
      this.#refused.delete(name);
      throw error;
    }
    this.#refused.add(name);
  }

  /** Wait for the rate limit, for so long if it does not ask for some time. */
  async #wait(error: ApiError, unasked: number): Promise<void> {
    const ms = Math.max(1_000, error.retryAfter ?? unasked);
    const seconds = Math.round(ms / 1000);
    const why =
      error.retryAfter === null
        ? `the rate limit does not say how long to wait, ${seconds} s may do`
        : `the rate limit asks to wait ${seconds} s`;
    if (ms > this.timeLeft) throw new OutOfTime(why, ms);
    if (ms > MAX_WAIT && this.timeLeft === Infinity) {
      error.add(`${why}; reconcile(error, { timeout }) waits so long`);
      throw error;
    }
    await this.#environment.sleep(ms);
  }

  /**
   * Whether a list holds the so many records of the only page that was read of it.
   *
   * A service that caps its pages may take one that it cut short for the only one. So the page is read without
   * a size, and from then on so are all pages of a list of which that shows more.
   */
  async isAll(name: string, records: number): Promise<boolean> {
    if (this.#refused.has(name) || records >= this.#size(name) || this.#confirmed.has(name)) {
      return true;
    }
    const [{ items }, following] = await this.page(name, null, new Set(), { sized: false });
    const isAll = following === null && items.length <= records;
    (isAll ? this.#confirmed : this.#refused).add(name);
    return isAll;
  }

  /** How many records to ask for; 0 where that cannot be asked. */
  #size(name: string): number {
    const { limit, maxLimit = LARGE_PAGE } = this.operation(name).pagination;
    return limit ? maxLimit : 0;
  }

  async #fetch(name: string, cursor: string | null, sized: boolean): Promise<Page<Listed>> {
    const operation = this.operation(name);
    const { limit } = operation.pagination;
    const asked = {
      ...(operation.account && { [operation.account]: this.#account }),
      ...(limit && sized && { [limit]: this.#size(name) }),
    };
    const call = this.#caller.pageCall(operation, asked, cursor, unreadable);
    try {
      return await this.#caller.carryOut(call);
    } finally {
      const text = call.response?.headers.get("age") ?? null;
      if (text !== null) {
        const found = ageMs(text);
        // An age is cut off to whole seconds.
        this.age = Math.max(this.age, found === null ? 2 * MAX_AGE : found + 1_000);
      }
    }
  }
}

/** The names of all lists to look in, each once. */
export function listNames(traces: readonly (Trace | null)[]): string[] {
  return [...new Set(traces.flatMap((trace) => trace?.lists ?? []))];
}
