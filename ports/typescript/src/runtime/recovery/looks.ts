/**
 * Looks at the lists for the messages of one call: what they show, how far they are, and as of when.
 *
 * A look that was interrupted goes on where it was left, in this process or in another one: its progress is
 * part of the intent, with the records that may have to do with the messages.
 */

import type { Clock } from "../clock.js";
import { BadRequestError } from "../errors.js";
import { isWhole, type ListProgress, type Progress } from "../intent.js";
import { combined, DIFFERENT } from "./conclusion.js";
import { type Evidence, evidence } from "./evidence.js";
import { listNames } from "./lists.js";
import { type Kepts, Seen, type Sought, started, type Traces } from "./seen.js";

/** How far times of this machine and of the service may differ beyond their measured skew. */
const LEEWAY = 1_000;
const NOT_READ = "the lists were not read to their end";

/** The looks for one call: the latest two that were finished, and the one that is under way. */
export class Looks {
  readonly #sought: Sought;
  readonly #clock: Clock;
  /** When the messages were signed, by this machine's clock. */
  readonly #signed: number;
  readonly #report: (progress: Progress) => void;
  /** Whether an answer of the latest look told the service's time. */
  dated = true;
  /** Whether this machine's clock was not set during the latest look. */
  still = true;
  #whole: Seen[] = [];
  #current: Seen | null = null;
  #count = 0;
  /** When a whole look first showed what was done, by its message and its time: by this machine's clock. */
  readonly #sighted = new Map<string, number>();
  /** The places of the messages of which any whole look showed that they were carried out. */
  readonly #done = new Set<number>();
  /** Searches that no later look can make a difference to, by the place of their message. */
  readonly #settled = new Map<number, Kepts>();
  /** When this call began the look: by the clock that nobody sets, by this machine's, and its steps. */
  #began = { monotonic: 0, local: 0, steps: 0 };

  constructor(sought: Sought, clock: Clock, signed: number, report: (progress: Progress) => void) {
    this.#sought = sought;
    this.#clock = clock;
    this.#signed = signed;
    this.#report = report;
  }

  /** Go on from where an earlier call came, unless it is not certain what that saw, and when. */
  resume(progress: Progress | null): void {
    let found: Seen[];
    try {
      found = (progress?.looks ?? []).map((look) => Seen.restored(look, this.#sought));
    } catch {
      return; // it was read by another version, with another spec: begin again
    }
    for (const seen of found) {
      this.#count = seen.look.number;
      this.#current = seen.look.asOf === null ? null : seen;
      if (isWhole(seen.look)) this.#finish();
    }
  }

  // -- what they show -------------------------------------------------------------------------

  /** What the looks show of each message; null where no list shows its operation. */
  evidence(): (Evidence | null)[] {
    return this.#sought.messages.map((_, place) => this.#evidence(place));
  }

  #evidence(place: number): Evidence | null {
    const settled = this.#settled.get(place);
    if (settled !== undefined) return settled.search.evidence();
    if (this.#sought.traces[place] === null) return null;
    const searches = this.#whole.map((seen) => seen.searches[place] ?? null);
    const [first, second] = searches.filter((search) => search !== null);
    if (first && second) {
      const both = first.joined(second).evidence();
      const now = combined(first.evidence(), second.evidence(), both);
      return now.shows === "absent" && this.#done.has(place) ? DIFFERENT : now;
    }
    if (first) return first.evidence();
    const unfinished = this.#current?.searches[place] ?? null;
    return evidence("unclear", NOT_READ, unfinished?.evidence().records);
  }

  /**
   * When that was done which the looks show of open messages; null if it is not known.
   *
   * It was done before it was seen, whatever clock the times of the lists are of.
   */
  get changes(): (number | null)[] {
    const found = this.#whole.flatMap((seen) => [...seen.changes()]);
    return found.map(([place, done]) => {
      return done && Math.min(done, this.#sighted.get(`${place} ${done}`) ?? done);
    });
  }

  /** Whether two looks show the lists as of a time of the service's, or later. */
  show(time: number): boolean {
    const times = this.#whole.map((seen) => seen.look.asOf);
    return times.length === 2 && times.every((each) => each !== null && each >= time);
  }

  /** Whether the lists were read to their end. If one was not, the looks at them are forgotten. */
  async areWhole(): Promise<boolean> {
    const { lists } = this.#sought;
    for (const [name, read] of this.#whole.flatMap(({ look }) => [...look.lists])) {
      const isShort = read.pages === 1 && read.cursor === null;
      if (!isShort || (await lists.isAll(name, read.records))) continue;
      this.#whole = [];
      return false;
    }
    return true;
  }

  // -- one more look --------------------------------------------------------------------------

  /**
   * Look once more, or finish the look that is under way.
   *
   * @param isUseless Whether a look that began at a time of the service's need not be finished.
   */
  async read(isUseless: (began: number | null) => Promise<boolean>): Promise<void> {
    const { environment } = this.#clock;
    this.#sought.lists.beginLook();
    const monotonic = this.#clock.look();
    this.#began = { monotonic, local: environment.now(), steps: this.#clock.steps };
    const open = this.#sought.traces.map((each, place) => (this.#settled.has(place) ? null : each));
    for (const name of listNames(open)) {
      if (await this.#readList(name, open, isUseless)) continue;
      this.#drop();
      return;
    }
    this.#finish();
  }

  /** Whether a list was read as far as it matters; false if the look is of no use. */
  async #readList(
    name: string,
    open: Traces,
    isUseless: (began: number | null) => Promise<boolean>,
  ): Promise<boolean> {
    const seen = new Set([this.#progress(name)?.cursor ?? null]);
    while (!this.#progress(name)?.atEnd) {
      if (this.#current && (await isUseless(this.#beganAt(this.#current)))) return false;
      const cursor = this.#progress(name)?.cursor ?? null;
      try {
        await this.#readPage(name, cursor, seen, open);
      } catch (error) {
        // The cursor that an earlier call left has expired.
        const isStale = error instanceof BadRequestError && cursor !== null && seen.size === 1;
        if (isStale) return false;
        throw error;
      }
    }
    return true;
  }

  #progress(name: string): ListProgress | undefined {
    return this.#current?.look.lists.get(name);
  }

  async #readPage(
    name: string,
    cursor: string | null,
    seen: Set<string | null>,
    open: Traces,
  ): Promise<void> {
    const { lists, messages } = this.#sought;
    const [page, following] = await lists.page(name, cursor, seen);
    if (this.#current === null) {
      // Not earlier: any answer tells how far the clocks are apart.
      const since = this.#clock.earliestServiceTime(this.#signed) - LEEWAY;
      this.#count += 1;
      const look = started(this.#count, since, listNames(open), messages.length);
      this.#current = Seen.begun(look, this.#sought, this.#settled);
    }
    this.#current.take(lists.operation(name), page, following);
    this.#current.date(this.#asOf());
    this.#report({ looks: [...this.#whole, this.#current].map((each) => each.look) });
  }

  /** When a look began, by the service's clock, at the earliest; null if that is not certain. */
  #beganAt(seen: Seen): number | null {
    return seen.leftAsOf ?? this.#clock.certainServiceTime(this.#began.local);
  }

  /** The time, by the service's clock, that the pages read in this call show at the earliest. */
  #asOf(): number | null {
    const { monotonic, local, steps } = this.#began;
    this.#clock.look();
    this.dated = this.#clock.datedAt >= monotonic;
    this.still = this.#clock.steps === steps;
    const certain = this.#clock.certainServiceTime(local);
    return certain !== null && this.dated && this.still ? certain - this.#sought.lists.age : null;
  }

  #finish(): void {
    if (this.#current !== null) {
      this.#whole = [...this.#whole.slice(-1), this.#current];
      for (const change of this.#current.changes()) {
        const [place, done] = change;
        if (done !== null) this.#done.add(place);
        const key = change.join(" ");
        if (!this.#sighted.has(key)) this.#sighted.set(key, this.#clock.environment.now());
      }
    }
    this.#drop();
  }

  /** End the look under way, and keep the searches that it settled. */
  #drop(): void {
    for (const [place, each] of this.#current?.settled() ?? []) this.#settled.set(place, each);
    this.#current = null;
  }
}
