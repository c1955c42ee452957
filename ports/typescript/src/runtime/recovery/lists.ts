/**
 * Reads whole lists for `reconcile`: in few requests, patiently, past caches.
 *
 * A reading that ran out of time goes on from its last page, in another call for the same error.
 */

import type { Caller } from "../call/caller.js";
import { isRateLimited, isRefusal } from "../call/failures.js";
import type { Clock } from "../clock.js";
import type { Writable } from "../codec/json_text.js";
import { following, type Page } from "../codec/pages.js";
import type { Parsed } from "../codec/parser.js";
import { RequestError, TradingError } from "../errors.js";
import { fieldsOf, type Kind, type ListOperation, type Trace } from "../operation.js";
import { type Listed, type Search, type Sought, Unreadable } from "./evidence.js";

/** How many records to ask for where no maximum is documented. What comes is taken, more or fewer. */
const LARGE_PAGE = 1_000;
/** How often a page that fails is read, at most. */
const MAX_READS = 5;
/** Ten minutes: the longest wait for the rate limit where the caller gave no `timeout`, in ms. */
const MAX_WAIT = 600_000;
/** The waits after refusals that do not say how long, in ms; they double. */
const [FIRST_WAIT, LONGEST_WAIT] = [2_000, 64_000];

/** The time for looking is up; its message says what takes so long, and when to call again. */
export class OutOfTime extends Error {}

/** One reading of the lists, and how far it is. */
export class Reading {
  /** The first one is 1. */
  readonly number: number;
  /** The names of those that are not read to their end; the first of them is being read. */
  readonly lists: string[];
  /** When it began, by the monotonic clock, and by this machine's. */
  readonly monotonic: number;
  readonly local: number;
  cursor: string | null = null;
  seen = new Set<string | null>([null]);
  /** Of the list that is being read. */
  records = 0;
  pages = 0;
  /**
   * How far the service's clock was ahead of the monotonic one, as each page tells it, and the answer before; null of a
   * page that does not.
   */
  readonly offsets: (number | null)[] = [];
  /** Whether a cache gave a page, although it was told to ask the service. */
  isAged = false;

  constructor(number: number, lists: string[], { environment }: Clock) {
    this.number = number;
    this.lists = lists;
    this.monotonic = environment.monotonic();
    this.local = environment.now();
  }

  /** The least of its offsets, in ms; null if a page tells none, or comes from a cache. */
  get offset(): number | null {
    const known = this.offsets.filter((each) => each !== null);
    return this.isAged || known.length < this.offsets.length ? null : Math.min(...known);
  }

  toString(): string {
    return `reading ${this.number}: ${this.pages} pages`;
  }
}

/** The lists of the account that made a call. */
export class Lists {
  readonly caller: Caller;
  readonly #account: string;
  readonly #timeout: number;
  readonly #deadline: number;
  /** The lists that are read without a size. */
  readonly #unsized: Set<string>;

  /** Read for an account, and wait for so many ms in all. */
  constructor(caller: Caller, account: string, timeout: number, unsized: Set<string>) {
    const { headers, retry } = caller.settings;
    // Caches are asked to ask the service. One attempt, for whoever looks things up decides what is read again.
    this.caller = caller.with({
      headers: { ...headers, "Cache-Control": "no-cache" },
      retry: { ...retry, maxAttempts: 1 },
    });
    this.#account = account;
    this.#timeout = timeout;
    this.#deadline = this.clock.environment.monotonic() + timeout;
    this.#unsized = unsized;
  }

  get clock(): Clock {
    return this.caller.settings.clock;
  }

  get #timeLeft(): number {
    return this.#deadline - this.clock.environment.monotonic();
  }

  /** Wait so many ms, if there is time for it. */
  async wait(ms: number, why: string): Promise<void> {
    if (ms > this.#timeLeft) {
      const seconds = Math.max(1, Math.ceil(ms / 1_000));
      throw new OutOfTime(`${why}; call client.reconcile(error) again in ${seconds} s`);
    }
    await this.clock.environment.sleep(ms);
  }

  /** A reading of the lists that may show something. */
  begin(number: number, searches: readonly Search[]): Reading {
    const names = new Set(searches.flatMap((each) => each.trace.lists));
    return new Reading(number, [...names], this.clock);
  }

  /** What the spec says of the fields of the records that a trace names. */
  shape({ lists }: Trace): Pick<Sought, "decimals" | "enums"> {
    const { schema } = this.caller.settings.api;
    const fields = lists.flatMap((name) => fieldsOf(schema, this.#operation(name).result?.type));
    const of = (kind: Kind) => fields.filter(({ type }) => type.kind === kind);
    return {
      decimals: new Set(of("decimal").map(({ name }) => name)),
      enums: new Map(
        of("enum").map(({ name, type }) => [name, schema.enums[type.name ?? ""] ?? []]),
      ),
    };
  }

  /**
   * Read the lists to their ends.
   *
   * @throws {@link OutOfTime} That takes too long; the reading knows how far it is.
   * @throws {@link TradingError} A page cannot be read.
   */
  async read(reading: Reading, searches: readonly Search[]): Promise<void> {
    for (let [name] = reading.lists; name !== undefined; [name] = reading.lists) {
      const list = name;
      const takers = searches.filter((each) => each.trace.lists.includes(list));
      const size = this.#size(list);
      const page = await this.#page(reading, list, size);
      for (const record of page.items) for (const each of takers) each.take(record);
      reading.pages += 1;
      reading.records += page.items.length;
      reading.cursor = following(page, reading.cursor, reading.seen, list);
      if (reading.cursor !== null) continue;
      const isShort = reading.records < size && !this.#unsized.has(list);
      if (isShort && !takers.every((each) => each.evidence().isFinal)) {
        // A service that caps its pages may take one that it cut short for the last one.
        this.#unsized.add(list);
      } else {
        reading.lists.shift();
      }
      reading.seen = new Set([null]);
      reading.records = 0;
    }
  }

  /** The next page. What fails is read again; what the rate limit asks to wait is waited. */
  async #page(reading: Reading, name: string, asked: number): Promise<Page<Listed>> {
    let size = asked;
    let unasked = FIRST_WAIT;
    for (let failures = 0, refusals = 0; ; ) {
      if (this.#timeLeft < -this.caller.settings.timeout) {
        const why = "reading takes longer than `timeout`; call client.reconcile(error) again";
        throw new OutOfTime(why);
      }
      const before = this.clock.offset;
      try {
        let found = await this.#fetch(name, reading.cursor, size);
        if (found.age !== "0") found = await this.#fetch(name, reading.cursor, size);
        reading.offsets.push(...(before === null ? [] : [before]), found.offset);
        reading.isAged ||= found.age !== "0";
        return found.page;
      } catch (error) {
        if (!(error instanceof TradingError)) throw error;
        if (isRateLimited(error)) {
          const ms = Math.max(1_000, error.retryAfter ?? unasked);
          const seconds = Math.round(ms / 1_000);
          if (ms > MAX_WAIT && this.#timeout === Infinity) {
            error.add(`asks to wait ${seconds} s; reconcile(error, { timeout }) waits so long`);
            throw error;
          }
          await this.wait(ms, `the rate limit asks to wait ${seconds} s`);
          refusals += 1;
          unasked = Math.min(LONGEST_WAIT, 2 * unasked);
          // The largest page may cost more than the whole budget.
          if (refusals === 2 && reading.pages === 0) size = this.#withoutSize(name);
        } else if (isRefusal(error)) {
          if (size === 0 || ![400, 422].includes(error.status)) throw error;
          size = this.#withoutSize(name);
        } else {
          failures += 1;
          if (failures === MAX_READS) throw error;
          if (failures === MAX_READS - 1) size = 0;
          const pause = Math.max(0, Math.min(failures * 1_000, this.#timeLeft));
          await this.clock.environment.sleep(pause);
        }
      }
    }
  }

  #withoutSize(name: string): 0 {
    this.#unsized.add(name);
    return 0;
  }

  /** A page, how far the service's clock is ahead of the monotonic one, and how old the page is. */
  async #fetch(name: string, cursor: string | null, size: number) {
    const operation = this.#operation(name);
    const { limit } = operation.pagination;
    const query = new Map<string, Writable>();
    if (operation.account) query.set(operation.account, this.#account);
    if (limit && size > 0) query.set(limit, size);
    const instead = (value: Parsed, why: string) => new Unreadable(value, why);
    const call = this.caller.pageCall<Listed>(operation, query, cursor, {}, instead);
    const page = await this.caller.carryOut(call);
    const headers = call.response?.headers;
    const offset = headers ? this.clock.offsetOf(headers) : null;
    return { page, offset, age: headers?.get("age") ?? "0" };
  }

  /** How many records to ask for; 0 where that cannot be asked. */
  #size(name: string): number {
    const { limit, maxLimit = LARGE_PAGE } = this.#operation(name).pagination;
    return limit && !this.#unsized.has(name) ? maxLimit : 0;
  }

  #operation(name: string): ListOperation<Listed> {
    const found = this.caller.settings.api.operations.find((each) => each.name === name);
    if (found?.pagination) return found as ListOperation<Listed>;
    throw new RequestError(`${name} is no list of this service`);
  }
}
