/**
 * What the service's histories show of a message: executed, absent, or unclear. No I/O.
 *
 * Nothing is guessed, because a wrong answer costs money: an executed order that is taken for absent
 * is sent twice, and an absent one that is taken for executed is never sent. A record that another
 * message may have caused is `unclear`, and so is one that belongs to the message only if the
 * clocks of the two sides are far apart.
 */

import { canonicalDecimal } from "../codec/decimals.js";
import { isObject, type Parsed } from "../codec/parser.js";
import { atMost, letters, same } from "../codec/values.js";
import type { Fields, Message } from "../intent.js";
import type { Target, Trace } from "../operation.js";
import { oneLine } from "../shown.js";

/** An hour: how far the times of a history may be behind those of messages without being noticed. */
export const MAX_UNSEEN_SKEW = 3_600_000;
/** Why a record does not prove that a message was executed whose id the caller gave. */
export const ANOTHERS = "a list shows its id, but perhaps of another message that used it";
const OTHER_VALUES = "a list shows its id, but with other values";
const IN_PLACE =
  "the record that it should replace has the new values itself, or was touched since it was signed: it may " +
  "have been changed in place";
const ENDED = "the record that it should replace was ended, but no list shows a replacement";
const UNKNOWN_STATE =
  "the record has a state that this version does not know, which proves nothing";

/** A record, by the names of its fields. */
export type Recorded = { readonly [name: string]: unknown };

/** A record that is not as the spec says. It matters only where it may belong to the message. */
export class Unreadable {
  /** Its fields of the plain types of JSON. */
  readonly fields: ReadonlyMap<string, Plain>;
  /** What is wrong with it. */
  readonly why: string;

  constructor(fields: ReadonlyMap<string, Plain>, why: string) {
    this.fields = fields;
    this.why = why;
  }
}

/** What a page of a list holds. */
export type Listed = Recorded | Unreadable;
type Plain = null | boolean | string | bigint;

/** What stands for a record that cannot be read, so that it does not hide the others of its page. */
export function unreadable(value: Parsed | undefined, why: string): Unreadable {
  const fields = isObject(value) ? [...value] : [];
  const plain = fields.flatMap(([name, each]) => (isPlain(each) ? [[name, each] as const] : []));
  return new Unreadable(new Map(plain), oneLine(why));
}

function isPlain(value: Parsed): value is Plain {
  return value === null || ["boolean", "string", "bigint"].includes(typeof value);
}

/** What the histories show of a message, why, and the records that show it. */
export interface Evidence {
  /** `absent`: no record shows that it was executed; `unclear`: it may be either. */
  readonly shows: "executed" | "absent" | "unclear";
  readonly reason: string;
  readonly records: readonly Recorded[];
  /** Whether no later look at the lists can make a difference: it rests on no record's absence. */
  readonly settled: boolean;
  /** When what it shows was done, in ms; null if that is not known. */
  readonly happened: number | null;
}

/** Evidence, of which most has no records and is open. */
export function evidence(
  shows: Evidence["shows"],
  reason: string,
  records: readonly Recorded[] = [],
  more: { readonly settled?: boolean; readonly happened?: number } = {},
): Evidence {
  return {
    shows,
    reason,
    records,
    settled: more.settled ?? false,
    happened: more.happened ?? null,
  };
}

/** A time in a record, in ms. */
export function timeIn(record: Recorded, field: string): number {
  return Number(record[field]);
}

/** What the spec says of the fields of records. */
export interface Shape {
  /** Those that hold decimals. */
  readonly decimals: ReadonlySet<string>;
  /** Those that hold enums, with the values that this version knows. */
  readonly enums: ReadonlyMap<string, readonly unknown[]>;
}

/** Collects the records that may belong to one message, and judges them. */
export abstract class Search {
  protected readonly message: Message;
  readonly trace: Trace;
  protected readonly since: number;
  protected readonly shape: Shape;
  protected records: Recorded[] = [];
  /** Whether it needs no further record, because what it has seen proves enough. */
  isOver = false;
  #unreadable: Unreadable[] = [];

  /** @param since When the message was signed, in ms, at the earliest. */
  constructor(message: Message, trace: Trace, since: number, shape: Shape) {
    this.message = message;
    this.trace = trace;
    this.since = since;
    this.shape = shape;
  }

  /** Keep a record if it may have to do with the message. */
  lookAt(record: Listed): void {
    if (record instanceof Unreadable) {
      if (this.mayConcern(record.fields)) this.#unreadable.push(record);
    } else if (this.concerns(record)) {
      this.records.push(record);
      this.isOver ||= this.isProof(record);
    }
  }

  /** What the records show, once all of them were looked at. */
  evidence(): Evidence {
    const { agrees = {}, atMost = {} } = this.trace;
    const compared = [...Object.values(agrees), ...Object.values(atMost)];
    if (compared.some((name) => !this.sent.has(name))) {
      const reason = "it lacks a field to compare with the lists";
      return evidence("unclear", reason, [], { settled: true });
    }
    const found = this.find();
    const [unread] = this.#unreadable;
    if (unread === undefined || found.settled) return found;
    const reason = `a list has a record that cannot be read (${unread.why}), perhaps its own`;
    return evidence("unclear", reason, found.records);
  }

  /** A search that has seen what this one and another one saw, of the same message. */
  joined(other: Search): Search {
    const kind = this.constructor as new (...given: ConstructorParameters<typeof Search>) => Search;
    const both = new kind(this.message, this.trace, this.since, this.shape);
    const known = new Set(this.records.map(textOf));
    const more = other.records.filter((each) => !known.has(textOf(each)));
    for (const each of [...this.records, ...more]) both.lookAt(each);
    both.#unreadable = [...this.#unreadable, ...other.#unreadable];
    return both;
  }

  /** What the records show of a message that has all fields to compare. */
  protected abstract find(): Evidence;

  /** Whether to keep a record. */
  protected concerns(record: Recorded): boolean {
    return this.mayBeNew(record);
  }

  /** Whether no other message can have made a record. */
  protected isProof(_record: Recorded): boolean {
    return false;
  }

  /** Whether a record that cannot be read may have to do with the message, by its fields as JSON. */
  protected abstract mayConcern(fields: Unreadable["fields"]): boolean;

  protected get sent(): Fields {
    return this.message.fields;
  }

  /** Whether a record was made since the message was signed. */
  protected isNew(record: Recorded): boolean {
    return this.madeAt(record) >= this.since;
  }

  /** Whether a record was made since then if the clocks are as far apart as they may be. */
  protected mayBeNew(record: Recorded): boolean {
    return this.madeAt(record) >= this.since - MAX_UNSEEN_SKEW;
  }

  protected madeAt(record: Recorded): number {
    return timeIn(record, this.trace.madeAt);
  }

  /** Whether a record has the values of the message, in the fields that the trace compares. */
  protected agrees(record: Recorded): boolean {
    const { agrees = {}, atMost: most = {} } = this.trace;
    return (
      Object.entries(agrees).every(([field, name]) =>
        this.same(record, field, this.sent.get(name)),
      ) && Object.entries(most).every(([field, name]) => atMost(record[field], this.sent.get(name)))
    );
  }

  protected same(record: Recorded, field: string, value: unknown): boolean {
    return same(record[field], value, this.shape.decimals.has(field));
  }
}

/** A record as text, the same for equal ones. */
export function textOf(record: Recorded): string {
  return JSON.stringify(Object.entries(record).map(([name, each]) => [name, String(each)]));
}

/** Looks for the record that a message created, by the id that both of them have. */
export class IdSearch extends Search {
  protected override find(): Evidence {
    const found = this.records;
    if (this.message.clientId === null) {
      return evidence("unclear", "it was sent without an id", [], { settled: true });
    }
    if (found.length === 0) return evidence("absent", "no list shows its id");
    // An edit makes a record with the same id and other values, which may be listed, too.
    if (this.isOver) return evidence("executed", "a list shows its id", found, { settled: true });
    const differing = this.message.minted ? this.#otherNumbers(found[0] as Recorded) : "";
    if (differing) {
      const reason = `a list shows its id, with other values: ${differing}`;
      return evidence("executed", reason, found, { settled: true });
    }
    if (!found.every((each) => this.agrees(each))) return evidence("unclear", OTHER_VALUES, found);
    // Their times prove nothing: the id may have been used just before as well, or just after.
    return evidence("unclear", ANOTHERS, found, { settled: true });
  }

  protected override concerns(record: Recorded): boolean {
    return this.same(record, this.trace.id ?? "", this.message.clientId);
  }

  protected override isProof(record: Recorded): boolean {
    return this.message.minted && this.agrees(record);
  }

  protected override mayConcern(fields: Unreadable["fields"]): boolean {
    const told = fields.get(this.trace.id ?? "");
    const { clientId } = this.message;
    if (told === null || clientId === null) return false;
    // It may be written in another way: without hyphens, or as `urn:uuid:...`.
    return typeof told !== "string" || letters(told).endsWith(letters(clientId));
  }

  /** The prices and amounts of a record that are not as sent; empty if more than these differ. */
  #otherNumbers(record: Recorded): string {
    const pairs = Object.entries(this.trace.agrees ?? {});
    const differing = pairs.filter(
      ([field, name]) => !this.same(record, field, this.sent.get(name)),
    );
    if (!differing.every(([field]) => this.#isNumber(record, field))) return "";
    return differing
      .map(([field, name]) => `${field} is ${record[field]} (sent: ${this.sent.get(name)})`)
      .join(", ");
  }

  /** Whether a record has a price, an amount or another number there, which a service may round. */
  #isNumber(record: Recorded, field: string): boolean {
    const value = record[field] ?? null;
    const isInteger = typeof value === "bigint" || typeof value === "number";
    return isInteger || (value !== null && this.shape.decimals.has(field));
  }
}

/** Looks for a record with the values of the message, where the lists show no ids. */
export class LikenessSearch extends Search {
  protected override find(): Evidence {
    const matching = this.records.filter((each) => this.agrees(each));
    if (matching.length === 0) return evidence("absent", "no list shows a matching record");
    const reason = "a list shows a matching record, but another message may have made it";
    return evidence("unclear", reason, matching);
  }

  protected override mayConcern(): boolean {
    return false; // such records settle nothing
  }
}

// Not of all times at once: so many arguments have no room on the stack.
const later = (one: number, other: number) => Math.max(one, other);
const earlier = (one: number, other: number) => Math.min(one, other);

/** Looks for the targets of a message: the records that have every id it names. */
abstract class TargetSearch extends Search {
  protected get target(): Target {
    return this.trace.target as Target;
  }

  protected override concerns(record: Recorded): boolean {
    return this.isTarget(record) || this.mayBeNew(record) || this.wasTouched(record);
  }

  /** Whether a record shows any change since the message was signed. */
  protected wasTouched(record: Recorded): boolean {
    return this.changedAt(record) >= this.since;
  }

  protected override mayConcern(fields: Unreadable["fields"]): boolean {
    const { target, sent } = this;
    const times = [fields.get(this.trace.madeAt), fields.get(target.changedAt)];
    const isOld = (time: unknown) =>
      typeof time === "bigint" && time < this.since - MAX_UNSEEN_SKEW;
    // Too old for what replaced the target.
    if (times.some(isOld)) return this.#namesIn(fields);
    const { inherits } = target;
    const kept = Object.entries(this.trace.agrees ?? {}).filter(
      ([field]) => inherits === undefined || inherits.includes(field),
    );
    return kept.every(([field, name]) => {
      const told = fields.get(field);
      return typeof told !== "string" || same(told, sent.get(name), false);
    });
  }

  /** Whether a record that cannot be read may have every name that the message gives its target. */
  #namesIn(fields: Unreadable["fields"]): boolean {
    return this.namesGiven().every(([field, name]) => {
      const told = fields.get(field) ?? null;
      return told === null || same(told, name, false);
    });
  }

  protected targets(): Recorded[] {
    return this.records.filter((each) => this.isTarget(each));
  }

  protected isTarget(record: Recorded): boolean {
    const names = this.namesGiven();
    return names.length > 0 && names.every(([field, name]) => this.same(record, field, name));
  }

  /** The names by which the message calls its target, by the record field that holds them. */
  protected namesGiven(): (readonly [string, unknown])[] {
    const names = Object.entries(this.target.names);
    const given = names.map(([field, name]) => [field, this.sent.get(name) ?? null] as const);
    return given.filter(([, value]) => value !== null);
  }

  /** Whether a record is in the state that the message leads to, since whatever time. */
  protected isChanged(record: Recorded): boolean {
    const becomes = Object.entries(this.target.becomes);
    return becomes.every(([field, value]) => this.same(record, field, value));
  }

  /** Whether the state of a record is one that this version knows. */
  protected isKnown(record: Recorded): boolean {
    const isUnknown = (field: string) =>
      typeof record[field] === "string" && !this.shape.enums.get(field)?.includes(record[field]);
    return this.isChanged(record) || !Object.keys(this.target.becomes).some(isUnknown);
  }

  /** Whether a record got into that state since the message was signed. */
  protected wasChangedSince(record: Recorded): boolean {
    return this.isChanged(record) && this.changedAt(record) >= this.since;
  }

  protected changedAt(record: Recorded): number {
    return timeIn(record, this.target.changedAt);
  }

  /** Whether two records have the same value in a field; null is a value, too. */
  protected equalIn(field: string, one: Recorded, other: Recorded): boolean {
    const [a, b] = [one[field] ?? null, other[field] ?? null];
    return a === b || (this.shape.decimals.has(field) && this.same(one, field, b));
  }
}

/** Looks whether the target was changed. Of several records of its name, the latest counts. */
class ChangeSearch extends TargetSearch {
  protected override find(): Evidence {
    const targets = this.targets();
    if (targets.length === 0) {
      return evidence("unclear", "no list shows the record that it should change");
    }
    if (!targets.some((each) => this.isChanged(each))) {
      if (!targets.every((each) => this.isKnown(each))) {
        return evidence("unclear", UNKNOWN_STATE, targets);
      }
      const reason = "the record that it should change shows no change";
      return evidence("absent", reason, targets);
    }
    const latest = targets.map((each) => this.madeAt(each)).reduce(later);
    const now = targets.filter((each) => this.madeAt(each) === latest);
    if (!now.every((each) => this.wasChangedSince(each))) {
      return evidence("unclear", "the change may be older than the message", targets);
    }
    if (this.#mayBeReused(latest, targets)) {
      const reason = "a later record has its name, and the change may be that one's";
      return evidence("unclear", reason, targets);
    }
    // A replacement changes the target in the same way.
    const replacements = this.#possibleReplacements(now[0] as Recorded);
    if (replacements.length > 0) {
      const reason = "another message may have replaced the record instead";
      return evidence("unclear", reason, replacements);
    }
    const happened = now.map((each) => this.changedAt(each)).reduce(later);
    return evidence("executed", "a list shows the change", now, { happened });
  }

  /**
   * Whether the latest target may not be the one that the message names, but another one of that name.
   *
   * A replacement is made in the ms in which the record before it was changed.
   */
  #mayBeReused(latest: number, targets: readonly Recorded[]): boolean {
    const earlier = targets.filter((each) => this.madeAt(each) < latest);
    const ends = earlier.map((each) => this.changedAt(each));
    const isReplacement = latest < this.since || ends.includes(latest);
    const areChanged = earlier.every((each) => this.isChanged(each));
    return earlier.length > 0 && !(isReplacement && areChanged);
  }

  /** The records that may have replaced a target. */
  #possibleReplacements(target: Recorded): Recorded[] {
    return this.records.filter((each) => {
      if (this.isTarget(each)) return false;
      const isLater = this.isNew(each) && this.madeAt(each) >= this.madeAt(target);
      // Its time may be that of the record before it, or in another unit.
      const isOdd = this.wasTouched(each) && !this.isChanged(each) && this.#isAlike(target, each);
      return (isLater && this.#mayReplace(target, each)) || isOdd;
    });
  }

  /** Whether two records have a name in common. */
  #isAlike(target: Recorded, record: Recorded): boolean {
    const named = Object.keys(this.target.names).filter((field) => target[field] != null);
    return named.some((field) => this.equalIn(field, target, record));
  }

  #mayReplace(target: Recorded, record: Recorded): boolean {
    const fields = Object.keys(this.target.names);
    // Its replacement may have no name in common with it.
    if (fields.some((field) => (target[field] ?? null) === null)) return this.agrees(record);
    return fields.some((field) => this.equalIn(field, target, record));
  }
}

/** Looks whether the target was replaced by a record with the new values. */
class ReplacementSearch extends TargetSearch {
  protected override concerns(record: Recorded): boolean {
    // However old it seems: the times of the lists may be far behind.
    return super.concerns(record) || this.agrees(record);
  }

  protected override find(): Evidence {
    const targets = this.targets();
    if (targets.length === 0) {
      return evidence("unclear", "no list shows the record that it should replace");
    }
    const replacements = this.#replacements(targets);
    const isChanged = targets.some((each) => this.isChanged(each));
    if (!isChanged && !replacements.some((each) => this.agrees(each))) {
      if (!targets.every((each) => this.isKnown(each))) {
        return evidence("unclear", UNKNOWN_STATE, targets);
      }
      if (targets.some((each) => this.#mayBeChangedInPlace(each))) {
        return evidence("unclear", IN_PLACE, targets);
      }
      const reason = "the record that it should replace was not replaced";
      return evidence("absent", reason, targets);
    }
    const own = this.#replacementOfTheTarget(replacements, targets);
    if (own !== null && this.#tookOver(own, targets) && this.agrees(own)) {
      const happened = this.madeAt(own);
      return evidence("executed", "a list shows the replacement", [own], { happened });
    }
    const possible = replacements.length > 0 ? replacements : this.#similar();
    if (possible.length > 0) {
      return evidence("unclear", "another message may have made the replacement", possible);
    }
    return evidence("unclear", ENDED, targets);
  }

  /**
   * Whether a target has the new values, or was touched since the message was signed.
   *
   * After an edit in place another one may have changed the values again.
   */
  #mayBeChangedInPlace(record: Recorded): boolean {
    const touchedAt = this.changedAt(record);
    const wasTouched = touchedAt >= this.since && touchedAt !== this.madeAt(record);
    return wasTouched || this.#hasNewValues(record);
  }

  /**
   * Whether a target has the new values itself, in the fields to compare or in those of the same name.
   *
   * An order that was changed in place keeps its initial price.
   */
  #hasNewValues(record: Recorded): boolean {
    return Object.entries(this.trace.agrees ?? {}).every(([field, name]) =>
      [field, name].some((each) => this.same(record, each, this.sent.get(name))),
    );
  }

  /** The records that may have replaced a target since, or replaced its replacement. */
  #replacements(targets: readonly Recorded[]): Recorded[] {
    const oldest = this.#oldest(targets);
    return this.records.filter(
      (each) =>
        (this.mayBeNew(each) || this.agrees(each)) &&
        oldest
          .get(this.#inherited(each))
          ?.some((old) => this.madeAt(old) <= this.madeAt(each) && textOf(old) !== textOf(each)),
    );
  }

  /** The oldest two targets of those that are alike: one may be the record that is compared with them. */
  #oldest(targets: readonly Recorded[]): Map<string, Recorded[]> {
    const found = new Map<string, Recorded[]>();
    for (const target of [...targets].sort((one, other) => this.madeAt(one) - this.madeAt(other))) {
      const alike = found.get(this.#inherited(target)) ?? [];
      const isNew = alike.length < 2 && !alike.some((each) => textOf(each) === textOf(target));
      found.set(this.#inherited(target), isNew ? [...alike, target] : alike);
    }
    return found;
  }

  /** What a record has in common with the one that it replaced, as text. */
  #inherited(record: Recorded): string {
    const values = (this.target.inherits ?? []).map((field) => {
      const text = record[field] == null ? null : String(record[field]);
      return text !== null && this.shape.decimals.has(field) ? canonicalDecimal(text) : text;
    });
    return JSON.stringify(values);
  }

  /** Records with the new values that did not take over all that a replacement should. */
  #similar(): Recorded[] {
    return this.records.filter(
      (each) => !this.isTarget(each) && this.mayBeNew(each) && this.agrees(each),
    );
  }

  /** What replaced the very record that the message means; null if that is not certain. */
  #replacementOfTheTarget(
    replacements: readonly Recorded[],
    targets: readonly Recorded[],
  ): Recorded | null {
    const fresh = replacements.filter((each) => this.isNew(each));
    // A name that a replacement takes over means the latest record but one that has it; any
    // other name means one record, and the first replacement is its own.
    const { inherits = [] } = this.target;
    const byKeptName = this.namesGiven().some(([field]) => inherits.includes(field));
    const times = (byKeptName ? targets : fresh).map((each) => this.madeAt(each));
    const time = times.length === 0 ? this.since : times.reduce(byKeptName ? later : earlier);
    const found = (byKeptName ? targets : fresh).filter((each) => this.madeAt(each) === time);
    const before = targets.filter((each) => this.madeAt(each) < time);
    const wasReplaced = before.some((each) => this.wasChangedSince(each));
    // Of two records of the same ms nobody knows which came first.
    const [only] = found;
    const isOne = found.length === 1 && only !== undefined && wasReplaced;
    return isOne && fresh.some((each) => textOf(each) === textOf(only)) ? only : null;
  }

  /** Whether a replacement has a name of its target, which no later message gave it again. */
  #tookOver(record: Recorded, targets: readonly Recorded[]): boolean {
    const { inherits = [], names } = this.target;
    const kept = Object.keys(names).filter((field) => inherits.includes(field));
    const others = targets.filter((each) => textOf(each) !== textOf(record));
    const ends = others.map((each) => this.changedAt(each));
    const isAtOnce = this.message.minted || ends.includes(this.madeAt(record));
    return isAtOnce && kept.some((field) => (record[field] ?? null) !== null);
  }
}

/** The search for the records that a message caused. There is one for each kind of message. */
export function searchFor(message: Message, trace: Trace, since: number, shape: Shape): Search {
  if (trace.id !== undefined) return new IdSearch(message, trace, since, shape);
  if (trace.target === undefined) return new LikenessSearch(message, trace, since, shape);
  const kind = trace.target.inherits ? ReplacementSearch : ChangeSearch;
  return new kind(message, trace, since, shape);
}
