/**
 * Decides what the service's lists show of a message: executed, not executed, or neither. No I/O.
 *
 * The message's `Trace` (`x-reconcile` in the spec) says which fields to compare. A message makes a record with its id, or
 * it changes or replaces one: then the state of that record counts, and of what took its place.
 *
 * Nothing is guessed, because a wrong answer costs money: an executed order that is taken for absent is sent twice, and
 * an absent one that is taken for executed is never sent.
 */

import { BOUND } from "../clock.js";
import { isObject, type Parsed } from "../codec/parser.js";
import { atMost, isUuid, plain, same } from "../codec/values.js";
import type { Message } from "../intent.js";
import type { Target, Trace } from "../operation.js";
import { oneLine } from "../shown.js";
import type { State } from "./settlement.js";

/** How far times are doubted where nothing told the clocks' difference when a message was signed, in ms. */
export const HOUR = 3_600_000;

const BY_ID = "No other message has this id, so a record that has it belongs to this one.";
const BY_TIME =
  "No other message was sent with this id since, or in the five seconds before it was signed.";
const BY_STATE = "The lists show this state; who brought it about, they do not show.";
const ANOTHERS = "a list shows its id, but perhaps of another message that used it";
const UNKNOWN_STATE =
  "its record has a state that this version does not know, which proves nothing";

/** A record, by the names of its fields. */
export type Recorded = { readonly [name: string]: unknown };

/** A record as text, the same for equal ones. */
export function textOf(record: Recorded): string {
  return JSON.stringify(Object.entries(record).map(([name, each]) => [name, String(each)]));
}

/** When a message was signed, by the service's clock, in ms. */
export interface Signing {
  /** At the earliest. */
  readonly since: number;
  /**
   * Whether the clocks' difference was known then, and each page tells the same: one wrong `Date` proves nothing.
   * Null while the pages are read.
   */
  readonly isCertain: boolean | null;
}

/** What the records show of a message, why, and the records that show it. */
export interface Evidence {
  readonly state: State;
  readonly reason: string;
  readonly records: readonly Recorded[];
  /** What has to be true for it; empty where it rests on absence. */
  readonly restsOn: string;
  /** Whether no later reading can change it. */
  readonly isFinal: boolean;
}

/** Evidence, of which most rests on absence and may change. */
export function evidence(
  state: State,
  reason: string,
  records: readonly Recorded[] = [],
  { restsOn = "", isFinal = false } = {},
): Evidence {
  return { state, reason, records, restsOn, isFinal };
}

// -- records that cannot be read ------------------------------------------------------------------

/** Values of a field in some records, ids in their plain spelling, and the types of these. */
interface Values {
  readonly values: ReadonlySet<string | null>;
  readonly kinds: ReadonlySet<string>;
}

function valuesOf(values: readonly unknown[]): Values {
  return { values: new Set(values.map(plain)), kinds: new Set(values.map(kindOf)) };
}

function kindOf(value: unknown): string {
  if (value == null) return "null";
  return typeof value === "bigint" ? "number" : typeof value;
}

/** A record that is not as the spec says, which does not hide the others of its page. */
export class Unreadable {
  /** Its fields of the plain types of JSON. */
  readonly fields: ReadonlyMap<string, Parsed>;
  /** What is wrong. */
  readonly why: string;

  constructor(value: Parsed, why: string) {
    const fields = isObject(value) ? [...value] : [];
    this.fields = new Map(fields.filter(([, each]) => each === null || typeof each !== "object"));
    this.why = oneLine(why);
  }

  /** Whether it may have this id in a field. One that is no id, like an empty text, is none. */
  mayHaveId(name: string, id: string): boolean {
    const stated = this.fields.has(name) ? this.fields.get(name) : id;
    return stated !== null && (typeof stated !== "string" || plain(stated) === plain(id));
  }

  /** Whether it may have one of these values in a field. */
  mayHave(name: string, { values, kinds }: Values): boolean {
    const stated = this.fields.get(name);
    if (stated === undefined) return true;
    if (typeof stated === "string" && kinds.has("string")) {
      return values.has(plain(stated)) || !isUuid(stated);
    }
    // A value of another kind than its field has stands for any.
    return values.has(plain(stated)) || (stated !== null && !kinds.has(kindOf(stated)));
  }
}

/** What a page of a list holds. */
export type Listed = Recorded | Unreadable;

// -- the search for one message -------------------------------------------------------------------

/** The message that is looked for, and what the spec says of its records. */
export interface Sought {
  readonly message: Message;
  readonly trace: Trace;
  /** Whether the service refused the message because its id was used before. */
  readonly isDuplicate: boolean;
  /** The field of its records with the time of their last change; null if they have none. */
  readonly changedAt: string | null;
  /** The fields of its records that hold decimals. */
  readonly decimals: ReadonlySet<string>;
  /** Those that hold enums, with the values that this version knows. */
  readonly enums: ReadonlyMap<string, readonly unknown[]>;
}

// Not of all times at once: so many arguments have no room on the stack.
const later = (one: number, other: number) => Math.max(one, other);

/** The records that have to do with one message, of all readings, in their latest versions. */
export class Search {
  readonly #sought: Sought;
  readonly #message: Message;
  readonly trace: Trace;
  signing: Signing;
  /** Whether its lists were read to their end, once at least. */
  wasRead = false;
  /** Whether no further reading is needed. */
  isSettled = false;
  /** The records of the change that the latest reading showed, if what took their place may be listed later. */
  shown: readonly Recorded[] = [];
  /** When a reading began that first showed this change, by the monotonic clock. */
  shownAt = 0;
  readonly #records = new Map<string, Recorded>();
  readonly #unreadable: Unreadable[] = [];

  constructor(sought: Sought, signing: Signing) {
    this.#sought = sought;
    this.#message = sought.message;
    this.trace = sought.trace;
    this.signing = signing;
  }

  /** Keep a record that may have to do with the message. */
  take(record: Listed): void {
    if (record instanceof Unreadable) {
      this.#unreadable.push(record);
    } else if (this.#isNamed(record) || this.#mayBeNew(record)) {
      const key = this.#key(record);
      const known = this.#records.get(key);
      if (known === undefined || this.#isLater(record, known)) this.#records.set(key, record);
    }
  }

  /** What the records show. */
  evidence(): Evidence {
    const { agrees = {}, atMost: most = {}, id, target } = this.trace;
    const compared = [...Object.values(agrees), ...Object.values(most)];
    if (compared.some((name) => !this.#message.fields.has(name))) {
      return final("unsettled", "it lacks a field to compare with the lists");
    }
    if (id !== undefined) return this.#ofId(id);
    return target === undefined ? this.#ofLikeness() : this.#ofTarget(target);
  }

  // -- a message that makes a record --------------------------------------------------------------

  #ofId(name: string): Evidence {
    const { clientId, minted } = this.#message;
    if (clientId === null) return final("unsettled", "it was sent without an id");
    const own = [...this.#records.values()].sort(
      (one, other) => this.#made(one) - this.#made(other),
    );
    const [first] = own;
    if (first === undefined) {
      const doubtful = this.#unreadable.filter((each) => each.mayHaveId(name, clientId));
      return perhaps(evidence("not executed", "no list shows its id"), doubtful);
    }
    if (!minted) {
      const { since, isCertain } = this.signing;
      if (this.#sought.isDuplicate && own.every((each) => this.#made(each) < this.#early)) {
        const reason = "an older order has its id, perhaps an earlier sending of the same one";
        return evidence("not executed", reason, own);
      }
      if (!isCertain || own.some((each) => this.#made(each) < since)) {
        return evidence("unsettled", ANOTHERS, own, { isFinal: isCertain !== null });
      }
      if (own.some((each) => this.#mayHaveEnded(each))) return final("unsettled", ANOTHERS, own);
    }
    const agreeing = own.filter((each) => this.#agrees(each));
    const differing = agreeing.length > 0 ? "" : this.#otherNumbers(first);
    if (agreeing.length === 0 && !(minted && differing)) {
      return final("unsettled", "a list shows its id, but with other values", own);
    }
    let reason = "a list shows its id";
    if (differing) reason = `a list shows its id, with other values: ${differing}`;
    // A replacement keeps the id, and is no second execution.
    const changed = own.filter((each) => this.#touched(each) !== this.#made(each));
    const freed = new Set(changed.map((each) => this.#touched(each)));
    const doubled = agreeing.filter((each) => !freed.has(this.#made(each)));
    if (doubled.length > 1) {
      reason = `the order doubled: a list shows its id on ${doubled.length} orders`;
    }
    return final("executed", reason, own, minted ? BY_ID : BY_TIME);
  }

  /** Whether the id of a record may have been free again when the message was signed. */
  #mayHaveEnded(record: Recorded): boolean {
    const [made, touched] = [this.#made(record), this.#touched(record)];
    const late = this.signing.since + 2 * BOUND;
    return made < late && made !== touched && touched < late;
  }

  /** The records that it may have made, where no list shows its id. */
  #ofLikeness(): Evidence {
    const { atMost: most = {} } = this.trace;
    const alike = [...this.#records.values()].filter(
      (each) =>
        this.#mayBeNew(each) &&
        this.#agrees(each) &&
        Object.entries(most).every(([f, name]) => atMost(each[f], this.#message.fields.get(name))),
    );
    const reason =
      alike.length > 0
        ? "a list shows a matching record, but another message may have made it"
        : "no list shows a matching record";
    return final("unsettled", reason, alike);
  }

  /** The prices and amounts that a service changed, as it may round them; empty if more than these differ. */
  #otherNumbers(record: Recorded): string {
    const differing = this.#agreed.filter(([f, sent]) => !this.#same(record, f, sent));
    const { decimals } = this.#sought;
    if (differing.some(([f]) => record[f] == null || !decimals.has(f))) return "";
    return differing.map(([f, sent]) => `${f} is ${record[f]} (sent: ${sent})`).join(", ");
  }

  // -- a message that changes or replaces a record ------------------------------------------------

  #ofTarget(target: Target): Evidence {
    const named = [...this.#records.values()].filter((each) => this.#isNamed(each));
    const chain = this.#chain(named);
    const names = this.#names().map(([f, name]) => [f, valuesOf([name])] as const);
    const own = Object.keys(target.names).map((name) => [name, name] as const);
    const places = [...own, ...this.#parents].map(
      ([f, name]) => [f, valuesOf(chain.map((each) => each[name]))] as const,
    );
    const ends = valuesOf(chain.map((each) => this.#touched(each)));
    const doubtful = this.#unreadable.filter((each) => this.#mayBeOf(each, names, places, ends));
    if (named.length === 0) {
      const reason = "no list shows the record that it should change";
      return perhaps(evidence("unsettled", reason), doubtful);
    }
    if (!chain.every((each) => this.#isKnown(each))) {
      return evidence("unsettled", UNKNOWN_STATE, chain);
    }
    const isEdit = (target.inherits ?? []).length > 0;
    return perhaps(isEdit ? this.#edited(chain, target) : this.#ended(chain), doubtful);
  }

  /** Of a cancel. A replacement ends a record, too, so that all that took its place must have ended. */
  #ended(chain: readonly Recorded[]): Evidence {
    if (!chain.every((each) => this.#isEnded(each))) {
      return chain.length > 1
        ? evidence("unsettled", "another record took its place since", chain)
        : evidence("not executed", "the record shows no change", chain);
    }
    const changed = chain.map((each) => this.#touched(each)).reduce(later);
    if (changed >= this.signing.since) {
      return evidence("executed", "a list shows the change", chain, { restsOn: BY_STATE });
    }
    return changed >= this.#early - HOUR
      ? evidence("unsettled", "the change may be older than the message", chain)
      : evidence("not executed", "the record was changed long before", chain);
  }

  /** Of an edit, which replaces a record, or changes it in place. The latest of its name counts. */
  #edited(chain: readonly Recorded[], target: Target): Evidence {
    const first = chain[0] as Recorded;
    const last = chain.at(-1) as Recorded;
    const isNew = this.#made(last) >= this.signing.since;
    const inherits = (target.inherits ?? []).every((f) => plain(last[f]) === plain(first[f]));
    if (inherits && this.#hasNewValues(last) && (isNew || !this.#isEnded(last))) {
      return evidence("executed", "a list shows the new values", [last], { restsOn: BY_STATE });
    }
    if (chain.length > 1) {
      return evidence("unsettled", "another record took its place since", chain);
    }
    const touched = this.#touched(last);
    if (this.#isEnded(last)) {
      return touched < this.#early
        ? evidence("not executed", "the record had ended before", chain)
        : evidence("unsettled", "it ended, and no list shows a replacement", chain);
    }
    return touched >= this.#early && touched !== this.#made(last)
      ? evidence("unsettled", "it was touched since: perhaps changed, and changed back", chain)
      : evidence("not executed", "it has the old values", chain);
  }

  /**
   * The record that had the name when the message was signed, and what took its place since, oldest first.
   *
   * A record takes the place of another if it has an id of that one; or if that one has none, or is named as what
   * it came of, and it was made in the ms in which that one ended. An edit keeps what a replacement inherits.
   * Indexed, so that a long list takes no more than linear time.
   */
  #chain(named: readonly Recorded[]): readonly Recorded[] {
    const heirs = new Map<string, Recorded[]>();
    for (const each of this.#records.values()) {
      if (this.#made(each) < this.#early || this.#isNamed(each)) continue;
      for (const key of this.#taken(each)) {
        const known = heirs.get(key);
        if (known === undefined) heirs.set(key, [each]);
        else known.push(each);
      }
    }
    const chain = new Set<Recorded>();
    const waiting = [...named];
    for (let old = waiting.pop(); old !== undefined; old = waiting.pop()) {
      chain.add(old);
      for (const key of this.#freed(old)) {
        for (const heir of heirs.get(key) ?? []) if (!chain.has(heir)) waiting.push(heir);
        heirs.delete(key);
      }
    }
    const found = [...chain].sort(
      (one, other) =>
        this.#made(one) - this.#made(other) ||
        Number(this.#isEnded(other)) - Number(this.#isEnded(one)) ||
        this.#touched(one) - this.#touched(other),
    );
    const since = found.findIndex((each) => this.#made(each) >= this.#early);
    return since < 0 ? found.slice(-1) : found.slice(Math.max(0, since - 1));
  }

  /** What identifies the place of a record: its ids, and for one that it lacks a time. */
  #places(record: Recorded, time: number): string[] {
    const kept = (this.#target.inherits ?? []).map((each) => plain(record[each]));
    return Object.keys(this.#target.names).map((name) => {
      const value = plain(record[name]);
      return JSON.stringify(value === null ? [name, time, kept] : [name, null, value, kept]);
    });
  }

  /** The places that a record takes. */
  #taken(record: Recorded): string[] {
    const made = this.#made(record);
    const named = this.#parents.map(([name]) => JSON.stringify([name, made, plain(record[name])]));
    return [...this.#places(record, made), ...named];
  }

  /** The places that another record may take: that of this one, and of what comes of it. */
  #freed(record: Recorded): string[] {
    const touched = this.#touched(record);
    const named = this.#parents.map(([name, own]) =>
      JSON.stringify([name, touched, plain(record[own])]),
    );
    return [...this.#places(record, touched), ...named];
  }

  /** Whether a record that cannot be read may be the one with these names, or have taken one of these places. */
  #mayBeOf(
    record: Unreadable,
    names: readonly (readonly [string, Values])[],
    places: readonly (readonly [string, Values])[],
    ends: Values,
  ): boolean {
    if (names.every(([f, name]) => record.mayHave(f, name))) return true;
    const { madeAt } = this.trace;
    const times = [madeAt, this.#target.changedAt].map((each) => record.fields.get(each));
    const isOld = (time: unknown) => typeof time === "bigint" && time < this.signing.since - HOUR;
    if (times.some(isOld)) return false;
    return places.some(([name, known]) => {
      const needsTime =
        (known.values.size === 1 && known.values.has(null)) ||
        this.#parents.some(([parent]) => parent === name);
      return record.mayHave(name, known) && (!needsTime || record.mayHave(madeAt, ends));
    });
  }

  /** Whether a record has the values of the message; one that was changed in place keeps its first price. */
  #hasNewValues(record: Recorded): boolean {
    return this.#agreed.every(([f, sent, name]) =>
      this.#same(record, record[name] == null ? f : name, sent),
    );
  }

  // -- one record -----------------------------------------------------------------------------------

  get #target(): Target {
    return this.trace.target as Target;
  }

  /** The fields of a record that name what it came of, each with the field of that one. */
  get #parents(): [string, string][] {
    return Object.entries(this.#target.parent ?? {});
  }

  /** The fields of a record that agree with the message, each with the value that was sent, and its name there. */
  get #agreed(): (readonly [string, unknown, string])[] {
    const pairs = Object.entries(this.trace.agrees ?? {});
    return pairs.map(([f, name]) => [f, this.#sent(name), name]);
  }

  /** When it was signed at the earliest even if that is not certain. */
  get #early(): number {
    return this.signing.isCertain ? this.signing.since : this.signing.since - HOUR;
  }

  #sent(name: string): unknown {
    return this.#message.fields.get(name);
  }

  /** The names that the message gives its record, each with the field of the record that holds it. */
  #names(): (readonly [string, unknown])[] {
    const { id, target } = this.trace;
    if (id !== undefined) return [[id, this.#message.clientId]];
    const names = Object.entries(target?.names ?? {}).map(
      ([f, name]) => [f, this.#sent(name)] as const,
    );
    return names.filter(([, value]) => value != null);
  }

  #isNamed(record: Recorded): boolean {
    const names = this.#names();
    return names.length > 0 && names.every(([f, value]) => this.#same(record, f, value));
  }

  /** Whether a record may be one that took the place of another, or that a message without an id made. */
  #mayBeNew(record: Recorded): boolean {
    return this.trace.id === undefined && this.#made(record) >= this.signing.since - HOUR;
  }

  /** What the versions of a record have in common. */
  #key(record: Recorded): string {
    const { id, target } = this.trace;
    if (id !== undefined) return String(this.#made(record));
    if (target === undefined) return textOf(record);
    return JSON.stringify(Object.keys(target.names).map((name) => plain(record[name])));
  }

  /** Whether a version of a record is later than another: the one that ended, whatever their times say. */
  #isLater(record: Recorded, known: Recorded): boolean {
    if (this.trace.target === undefined) return true;
    const [now, before] = [this.#isEnded(record), this.#isEnded(known)];
    return now !== before ? now : this.#touched(record) >= this.#touched(known);
  }

  #made(record: Recorded): number {
    return Number(record[this.trace.madeAt]);
  }

  /** When a record was last changed, in ms; when it was made, where no field tells. */
  #touched(record: Recorded): number {
    return Number(record[this.#sought.changedAt ?? this.trace.madeAt]);
  }

  /** Whether a record is in the state that the message leads to. */
  #isEnded(record: Recorded): boolean {
    const becomes = Object.entries(this.#target.becomes);
    return becomes.every(([f, value]) => this.#same(record, f, value));
  }

  /** Whether this version knows the state of a record. */
  #isKnown(record: Recorded): boolean {
    return Object.keys(this.#target.becomes).every((f) => {
      const known = this.#sought.enums.get(f);
      return known === undefined || record[f] == null || known.includes(record[f]);
    });
  }

  #agrees(record: Recorded): boolean {
    return this.#agreed.every(([f, sent]) => this.#same(record, f, sent));
  }

  #same(record: Recorded, field: string, value: unknown): boolean {
    return same(record[field], value, this.#sought.decimals.has(field));
  }
}

/** Evidence that no later reading can change. */
function final(
  state: State,
  reason: string,
  records: readonly Recorded[] = [],
  restsOn = "",
): Evidence {
  return evidence(state, reason, records, { restsOn, isFinal: true });
}

/** What was found, unless a record that cannot be read may say otherwise. */
function perhaps(found: Evidence, doubtful: readonly Unreadable[]): Evidence {
  const [first] = doubtful;
  if (first === undefined || found.isFinal) return found;
  const why = `a list has a record that cannot be read (${first.why}), perhaps its own`;
  return evidence("unsettled", why, found.records);
}
