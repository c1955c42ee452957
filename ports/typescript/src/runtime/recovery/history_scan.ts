/**
 * Scans the histories for the messages of one call: what they show, as of when, and how far the scan is.
 *
 * A *look* is one reading of all lists that may show the messages. A scan that was cut off goes on from its
 * last page when the same error is reconciled again: the error keeps the `Looks`.
 */

import type { Clock } from "../clock.js";
import type { Page } from "../codec/pages.js";
import { decimalFields, enumFields } from "../codec/values.js";
import { BadRequestError } from "../errors.js";
import type { Message } from "../intent.js";
import type { Schema, Trace } from "../operation.js";
import { type Evidence, evidence, type Listed, type Search, searchFor } from "./evidence.js";
import { type Lists, listNames } from "./lists.js";

/** How far times of this machine and of the service may differ beyond their measured skew. */
const LEEWAY = 1_000;
const NOT_READ = "the lists were not read to their end";
const DIFFERENT = evidence("unclear", "two looks at the lists differ");

/** How the lists show each message; null where none does. */
export type Traces = readonly (Trace | null)[];

/** How far a look has read one list. */
interface ListRead {
  pages: number;
  records: number;
  /** Where its next page starts; null before the first one. */
  cursor: string | null;
  /** Whether nothing of it is left to read. */
  atEnd: boolean;
}

/** One reading of all lists: how far it is, and what it shows of each message. */
class Look {
  /** The first one is 1. */
  readonly number: number;
  readonly lists: ReadonlyMap<string, ListRead>;
  /** One for each message; null for a message that no list shows. */
  readonly searches: readonly (Search | null)[];
  /** The time of the service, in ms, that the lists show at the earliest; null if it is not certain. */
  asOf: number | null = null;
  /** `asOf` when an earlier call was cut off in this look; null if it began in this call. */
  leftAsOf: number | null = null;
  /** The places of the messages that were settled before the look. */
  readonly #done: ReadonlySet<number>;

  constructor(
    number: number,
    names: readonly string[],
    searches: readonly (Search | null)[],
    done: ReadonlySet<number>,
  ) {
    this.number = number;
    const nothing = { pages: 0, records: 0, cursor: null, atEnd: false };
    this.lists = new Map(names.map((name) => [name, { ...nothing }]));
    this.searches = searches;
    this.#done = done;
  }

  toString(): string {
    const counts = [...this.lists].map(
      ([name, { pages, records }]) => `${pages} pages with ${records} records of ${name}`,
    );
    return `look ${this.number}: ${counts.join(", ")}`;
  }

  /** Search a page of a list, the next one of which is at the cursor. */
  take(name: string, { items }: Page<Listed>, cursor: string | null): void {
    const active = this.#all().filter(([place]) => !this.#done.has(place));
    for (const [, search] of active) {
      if (!search.trace.lists.includes(name)) continue;
      for (const record of items) search.lookAt(record);
    }
    const read = this.lists.get(name) as ListRead;
    read.pages += 1;
    read.records += items.length;
    read.cursor = cursor;
    read.atEnd = cursor === null;
    if (!active.every(([, search]) => search.isOver)) return;
    for (const each of this.lists.values()) each.atEnd = true;
  }

  /** The searches whose evidence no later look can change, by the place of their message. */
  settled(): (readonly [number, Search])[] {
    return this.#all().filter(([, search]) => search.evidence().settled);
  }

  /** The time of the change that it shows of each open message, by the place of the message. */
  changes(): (readonly [number, number | null])[] {
    const found = this.#all().map(([place, search]) => [place, search.evidence()] as const);
    return found
      .filter(([, { settled }]) => !settled)
      .map(([place, { happened }]) => [place, happened]);
  }

  #all(): (readonly [number, Search])[] {
    return this.searches.flatMap((search, place) => (search ? [[place, search] as const] : []));
  }
}

/** The looks for one call: the latest two that were finished, and the one that is under way. */
export class Looks {
  readonly messages: readonly Message[];
  readonly traces: Traces;
  whole: Look[] = [];
  current: Look | null = null;
  #count = 0;
  /** When a whole look first showed what was done, by its message and its time: by this machine's clock. */
  readonly #sighted = new Map<string, number>();
  /** The places of the messages of which any whole look showed that they were carried out. */
  readonly #done = new Set<number>();
  /** The searches whose evidence no later look can change, by the place of their message. */
  readonly #settled = new Map<number, Search>();

  constructor(messages: readonly Message[], traces: Traces) {
    this.messages = messages;
    this.traces = traces;
  }

  /** Whether they look for these messages, by the same traces. */
  areFor(messages: readonly Message[], traces: Traces): boolean {
    return (
      messages.length === this.messages.length &&
      messages.every((each, place) => {
        const own = this.messages[place];
        const isSame = own?.fields === each.fields && own.minted === each.minted;
        return isSame && traces[place] === this.traces[place];
      })
    );
  }

  /** Prepare to go on in another call. What is not certain to show the lists as of some time is forgotten. */
  goOn(): void {
    this.whole = this.whole.filter(({ asOf }) => asOf !== null);
    if (this.current?.asOf === null) this.drop();
    if (this.current !== null) this.current.leftAsOf = this.current.asOf;
  }

  // -- what they show -------------------------------------------------------------------------

  /** What the looks show of each message; null where no list shows its operation. */
  evidence(): (Evidence | null)[] {
    return this.messages.map((_, place) => this.#evidence(place));
  }

  #evidence(place: number): Evidence | null {
    const settled = this.#settled.get(place);
    if (settled !== undefined) return settled.evidence();
    if (this.traces[place] === null) return null;
    const searches = this.whole.map((look) => look.searches[place] ?? null);
    const [first, second] = searches.filter((search) => search !== null);
    if (first && second) {
      const both = first.joined(second).evidence();
      const now = combined(first.evidence(), second.evidence(), both);
      return now.shows === "absent" && this.#done.has(place) ? DIFFERENT : now;
    }
    if (first) return first.evidence();
    const unfinished = this.current?.searches[place] ?? null;
    return evidence("unclear", NOT_READ, unfinished?.evidence().records);
  }

  /**
   * The times of the changes that the looks show of open messages; null if one is not known.
   *
   * A change was made before it was seen, whatever clock the times of the lists are of.
   */
  get changes(): (number | null)[] {
    const found = this.whole.flatMap((look) => look.changes());
    return found.map(([place, done]) => {
      return done && Math.min(done, this.#sighted.get(`${place} ${done}`) ?? done);
    });
  }

  /** Whether two looks show the lists as of a time of the service's, or later. */
  show(time: number): boolean {
    const times = this.whole.map((look) => look.asOf);
    return times.length === 2 && times.every((each) => each !== null && each >= time);
  }

  // -- one more look --------------------------------------------------------------------------

  /** The names of the lists that may show a message which is not settled. */
  openLists(): string[] {
    return listNames(this.traces.map((each, place) => (this.#settled.has(place) ? null : each)));
  }

  /** Begin a look; `search` makes the search for a message by its trace. */
  begin(search: (message: Message, trace: Trace) => Search): Look {
    this.#count += 1;
    const searches = this.messages.map((message, place) => {
      const trace = this.traces[place] ?? null;
      return this.#settled.get(place) ?? (trace && search(message, trace));
    });
    const done = new Set(this.#settled.keys());
    this.current = new Look(this.#count, this.openLists(), searches, done);
    return this.current;
  }

  /** The look under way has read all lists, at a time of this machine's clock. */
  finish(now: number): void {
    if (this.current !== null) {
      this.whole = [...this.whole.slice(-1), this.current];
      for (const change of this.current.changes()) {
        const [place, done] = change;
        if (done !== null) this.#done.add(place);
        const key = change.join(" ");
        if (!this.#sighted.has(key)) this.#sighted.set(key, now);
      }
    }
    this.drop();
  }

  /** End the look under way, and keep the searches that it settled. */
  drop(): void {
    for (const [place, each] of this.current?.settled() ?? []) this.#settled.set(place, each);
    this.current = null;
  }
}

/** Reads the lists, look by look. */
export class HistoryScan {
  readonly looks: Looks;
  readonly lists: Lists;
  readonly #schema: Schema;
  readonly #clock: Clock;
  /** When the messages were signed, by this machine's clock. */
  readonly #signed: number;
  /** Called after each page, with how far the look is. */
  readonly #report: (progress: string) => void;
  /** Whether an answer of the latest look told the service's time. */
  dated = true;
  /** Whether this machine's clock was not set during the latest look. */
  still = true;
  /** When this call began the look: by the monotonic clock, by this machine's, and the steps of the latter. */
  #began = { monotonic: 0, local: 0, steps: 0 };

  constructor(
    looks: Looks,
    lists: Lists,
    settings: { readonly clock: Clock; readonly api: { readonly schema: Schema } },
    signed: number,
    report: (progress: string) => void,
  ) {
    this.looks = looks;
    this.lists = lists;
    this.#schema = settings.api.schema;
    this.#clock = settings.clock;
    this.#signed = signed;
    this.#report = report;
  }

  /**
   * Look once more, or finish the look that is under way.
   *
   * @param isUseless Whether a look that began at a time of the service's need not be finished.
   */
  async read(isUseless: (began: number | null) => Promise<boolean>): Promise<void> {
    const { environment } = this.#clock;
    this.lists.beginLook();
    const monotonic = this.#clock.look();
    this.#began = { monotonic, local: environment.now(), steps: this.#clock.steps };
    for (const name of this.looks.openLists()) {
      if (await this.#readList(name, isUseless)) continue;
      this.looks.drop();
      return;
    }
    this.looks.finish(environment.now());
  }

  /** Whether the lists were read to their end. If one was not, the looks at them are forgotten. */
  async areWhole(): Promise<boolean> {
    for (const [name, read] of this.looks.whole.flatMap(({ lists }) => [...lists])) {
      const isShort = read.pages === 1 && read.cursor === null;
      if (!isShort || (await this.lists.isAll(name, read.records))) continue;
      this.looks.whole = [];
      return false;
    }
    return true;
  }

  /** Whether a list was read as far as it matters; false if the look is of no use. */
  async #readList(
    name: string,
    isUseless: (began: number | null) => Promise<boolean>,
  ): Promise<boolean> {
    const { looks } = this;
    const read = () => looks.current?.lists.get(name);
    const seen = new Set([read()?.cursor ?? null]);
    while (!read()?.atEnd) {
      if (looks.current && (await isUseless(this.#beganAt(looks.current)))) return false;
      const cursor = read()?.cursor ?? null;
      try {
        await this.#readPage(name, cursor, seen);
      } catch (error) {
        // The cursor that an earlier call left has expired.
        const isStale = error instanceof BadRequestError && cursor !== null && seen.size === 1;
        if (isStale) return false;
        throw error;
      }
    }
    return true;
  }

  async #readPage(name: string, cursor: string | null, seen: Set<string | null>): Promise<void> {
    const [page, following] = await this.lists.page(name, cursor, seen);
    // Begun no earlier: any answer tells how far the clocks are apart.
    const look = this.looks.current ?? this.#begun();
    look.take(name, page, following);
    const asOf = this.#asOf();
    look.asOf = look.leftAsOf === null ? asOf : asOf && Math.min(look.leftAsOf, asOf);
    this.#report(String(look));
  }

  #begun(): Look {
    const since = this.#clock.earliestServiceTime(this.#signed) - LEEWAY;
    return this.looks.begin((message, trace) => {
      const types = trace.lists.map((name) => this.lists.operation(name).result?.type);
      const shape = {
        decimals: new Set(types.flatMap((type) => [...decimalFields(this.#schema, type)])),
        enums: new Map(types.flatMap((type) => [...enumFields(this.#schema, type)])),
      };
      return searchFor(message, trace, since, shape);
    });
  }

  /** When a look began, by the service's clock, at the earliest; null if that is not certain. */
  #beganAt(look: Look): number | null {
    return look.leftAsOf ?? this.#clock.certainServiceTime(this.#began.local);
  }

  /** The time, by the service's clock, that the pages read in this call show at the earliest. */
  #asOf(): number | null {
    const { monotonic, local, steps } = this.#began;
    this.#clock.look();
    this.dated = this.#clock.datedAt >= monotonic;
    this.still = this.#clock.steps === steps;
    const certain = this.#clock.certainServiceTime(local);
    return certain !== null && this.dated && this.still ? certain - this.lists.age : null;
  }
}

/**
 * The evidence of two looks that settle nothing each for itself.
 *
 * @param both What the two looks show together: one may have hidden what explains the other.
 */
function combined(first: Evidence, second: Evidence, both: Evidence): Evidence {
  if (first.shows === "unclear") return first;
  if (second.shows === "unclear") return second;
  const isSame = first.shows === second.shows;
  return isSame && (both.shows === first.shows || both.shows === "unclear") ? both : DIFFERENT;
}
