/** What one look at the lists saw: its searches, and how they are written down and made again. */

import { asJson, fromJson, type Listed } from "../call/lookup.js";
import { decimalFields, enumFields } from "../codec/values.js";
import type { Kept, Look, Message } from "../intent.js";
import type { ListOperation, Schema, Trace } from "../operation.js";
import type { Page } from "../pages.js";
import type { Search } from "./evidence.js";
import { type Lists, listNames } from "./lists.js";
import { searchFor } from "./targets.js";

/** How the lists show each message; null where none does. */
export type Traces = readonly (Trace | null)[];

/** A search, with the records that it kept. */
export interface Kepts {
  readonly search: Search;
  readonly kept: Kept;
}

/** What a look is for. */
export interface Sought {
  readonly messages: readonly Message[];
  readonly traces: Traces;
  readonly lists: Lists;
  readonly schema: Schema;
}

/** A look, and its searches, one for each message; null for a message that it does not look for. */
export class Seen {
  look: Look;
  readonly searches: (Search | null)[];
  /** The places of the messages that were settled before. */
  #done: ReadonlySet<number> = new Set();
  /** Where an earlier call left it: as of when what it had read is. Null if this call began it. */
  leftAsOf: number | null = null;

  private constructor(look: Look, sought: Sought) {
    this.look = look;
    this.searches = searches(sought, look.since);
  }

  /** A look that begins. What was settled before is taken over, and not looked for again. */
  static begun(look: Look, sought: Sought, settled: ReadonlyMap<number, Kepts>): Seen {
    const seen = new Seen(look, sought);
    seen.#done = new Set(settled.keys());
    for (const [place, { search, kept }] of settled) {
      seen.searches[place] = search;
      for (const [name, records] of kept) look.kept[place]?.set(name, records);
    }
    return seen;
  }

  /** A look as it was written down. Throws if it is not a look for these messages. */
  static restored(look: Look, sought: Sought): Seen {
    // It goes on, and what was written down stays as it is.
    const own = { ...look, kept: look.kept.map((kept) => copyOf(kept)) };
    const seen = new Seen(own, sought);
    seen.leftAsOf = look.asOf;
    if (look.kept.length !== seen.searches.length) throw new Error("it has other messages");
    for (const [place, search] of seen.searches.entries()) {
      for (const [name, records] of look.kept[place] ?? []) {
        if (!search?.trace.lists.includes(name)) {
          throw new Error(`nothing is looked for in ${name}`);
        }
        const { result } = sought.lists.operation(name);
        const type = result?.type ?? { kind: "json" };
        for (const each of records) search.lookAt(fromJson(each, type, sought.schema));
      }
    }
    seen.#done = new Set(seen.settled().keys());
    seen.#checkLists(sought.traces);
    return seen;
  }

  /** Throws unless it reads all lists that may show an open message, and no list but those of the messages. */
  #checkLists(traces: Traces): void {
    const read = this.look.lists;
    const open = listNames(traces.map((each, place) => (this.#done.has(place) ? null : each)));
    const all = listNames(traces);
    const isEnough = open.every((name) => read.has(name));
    if (!isEnough || [...read.keys()].some((name) => !all.includes(name))) {
      throw new Error("it reads other lists");
    }
  }

  /** Search a page of a list, the next one of which is at the cursor. */
  take({ name }: ListOperation<Listed>, page: Page<Listed>, cursor: string | null): void {
    for (const { search, kept } of this.#active()) {
      if (!search.trace.lists.includes(name)) continue;
      const found = page.items.filter((record) => search.lookAt(record));
      kept.set(name, [...(kept.get(name) ?? []), ...found.map(asJson)]);
    }
    const { pages = 0, records = 0 } = this.look.lists.get(name) ?? {};
    const read = {
      pages: pages + 1,
      records: records + page.items.length,
      cursor,
      atEnd: cursor === null,
    };
    const isOver = this.#active().every(({ search }) => search.isOver);
    const lists = [...this.look.lists, [name, read] as const].map(
      ([each, known]) => [each, isOver ? { ...known, atEnd: true } : known] as const,
    );
    this.look = { ...this.look, lists: new Map(lists) };
  }

  /** The searches that need to see more. */
  #active(): Kepts[] {
    return [...this.#all()].filter(([place]) => !this.#done.has(place)).map(([, each]) => each);
  }

  /** The searches that no later look can make a difference to, by the place of their message. */
  settled(): Map<number, Kepts> {
    return new Map([...this.#all()].filter(([, { search }]) => search.evidence().settled));
  }

  /** When that was done which it shows of each message that is open, by the place of the message. */
  changes(): Map<number, number | null> {
    const found = [...this.#all()].map(
      ([place, { search }]) => [place, search.evidence()] as const,
    );
    const open = found.filter(([, { settled }]) => !settled);
    return new Map(open.map(([place, { happened }]) => [place, happened]));
  }

  /** Note as of when the lists show what was read in this call. */
  date(asOf: number | null): void {
    const known = this.leftAsOf === null ? asOf : asOf && Math.min(this.leftAsOf, asOf);
    this.look = { ...this.look, asOf: known };
  }

  #all(): Map<number, Kepts> {
    const found = this.searches.map((search, place) => {
      return [place, { search, kept: this.look.kept[place] as Kept }] as const;
    });
    return new Map(found.filter((each): each is [number, Kepts] => each[1].search !== null));
  }
}

/** A look of which nothing was read yet, at the lists of these names. */
export function started(
  number: number,
  since: number,
  names: readonly string[],
  messages: number,
): Look {
  const nothing = { pages: 0, records: 0, cursor: null, atEnd: false };
  return {
    number,
    since,
    asOf: null,
    lists: new Map(names.map((name) => [name, nothing])),
    kept: Array.from({ length: messages }, () => new Map()),
  };
}

function searches({ messages, traces, lists, schema }: Sought, since: number): (Search | null)[] {
  return messages.map((message, place) => {
    const trace = traces[place] ?? null;
    if (trace === null) return null;
    const types = trace.lists.map((name) => lists.operation(name).result?.type);
    const shape = {
      decimals: new Set(types.flatMap((type) => [...decimalFields(schema, type)])),
      enums: new Map(types.flatMap((type) => [...enumFields(schema, type)])),
    };
    return searchFor(message, trace, since, shape);
  });
}

function copyOf(kept: Kept): Kept {
  return new Map([...kept].map(([name, records]) => [name, [...records]]));
}
