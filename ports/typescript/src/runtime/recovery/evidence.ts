/**
 * What the service's histories show of a message: executed, absent, or unclear. No I/O.
 *
 * Nothing is guessed, because a wrong answer costs money: an executed order that is taken for absent
 * is sent twice, and an absent one that is taken for executed is never sent. A record that another
 * message may have caused is `unclear`, and so is one that belongs to the message only if the
 * clocks of the two sides are far apart.
 */

import { type Listed, type Recorded, Unreadable } from "../call/lookup.js";
import { atMost, letters, same } from "../codec/values.js";
import type { Fields, Message } from "../intent.js";
import type { Trace } from "../operation.js";

/** An hour: how far the times of a history may be behind those of messages without being noticed. */
export const MAX_UNSEEN_SKEW = 3_600_000;
/** Why a record does not prove that a message was executed whose id the caller gave. */
export const ANOTHERS = "a list shows its id, but perhaps of another message that used it";
const OTHER_VALUES = "a list shows its id, but with other values";

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

  /** Keep a record if it may have to do with the message; whether it was kept. */
  lookAt(record: Listed): boolean {
    if (record instanceof Unreadable) {
      const mayConcern = this.mayConcern(record.fields);
      if (mayConcern) this.#unreadable.push(record);
      return mayConcern;
    }
    const isKept = this.concerns(record);
    if (isKept) this.records.push(record);
    this.isOver ||= isKept && this.isProof(record);
    return isKept;
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
