/**
 * Looking things up: reads that go past caches, and records that are written down and read again.
 *
 * An old record that cannot be read must not hide all the others: it is `Unreadable`, and matters only where
 * it may belong to the message that is looked for.
 */

import { ageMs } from "../clock.js";
import { isObject, type Parsed, parse } from "../codec/json.js";
import { jsonText, type Writable } from "../codec/json_text.js";
import { structure } from "../codec/records.js";
import type { Transport } from "../http/transport.js";
import type { Schema, Type } from "../operation.js";
import { oneLine } from "../shown.js";
import type { Caller } from "./caller.js";

/** A day. An answer that is older, or whose `Age` cannot be read, tells nothing of today. */
export const MAX_AGE = 86_400_000;

/** A transport that notes the greatest age of the answers that come through another one. */
export class AgeWatch implements Transport {
  readonly #transport: Transport;
  /** How old the oldest answer was since this was last set to 0, in ms. */
  age = 0;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  readonly send: Transport["send"] = async (request, options) => {
    const response = await this.#transport.send(request, options);
    const text = response.headers.get("age");
    if (text !== null) {
      const found = ageMs(text);
      // An age is cut off to whole seconds.
      this.age = Math.max(this.age, found === null ? 2 * MAX_AGE : found + 1_000);
    }
    return response;
  };

  /** Leave the other transport open: it is the client's. */
  close(): void {}
}

/**
 * A caller that asks caches to ask the service, and what notes whether they did.
 *
 * It makes one attempt, because whoever looks things up decides what is read again: so it takes nothing
 * from the client's retry quota, either.
 */
export function lookingUp(caller: Caller): { readonly caller: Caller; readonly watch: AgeWatch } {
  const { transport, headers, retry } = caller.settings;
  const watch = new AgeWatch(transport);
  const changes = {
    transport: watch,
    headers: { ...headers, "Cache-Control": "no-cache" },
    retry: { ...retry, maxAttempts: 1 },
  };
  return { caller: caller.with(changes), watch };
}

/** A record, by the names of its fields. */
export type Recorded = { readonly [name: string]: unknown };

/** A record that is not as the spec says. */
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
const UNREADABLE = "cannot be read";

/** What stands for a record that cannot be read: its fields of the plain types of JSON, and the problem. */
export function unreadable(value: Parsed | undefined, why: string): Unreadable {
  const fields = isObject(value) ? [...value] : [];
  const plain = fields.flatMap(([name, each]) => (isPlain(each) ? [[name, each] as const] : []));
  return new Unreadable(new Map(plain), oneLine(why));
}

function isPlain(value: Parsed): value is Plain {
  return value === null || ["boolean", "string", "bigint"].includes(typeof value);
}

/** A record as JSON-ready fields, from which `fromJson` makes it again. */
export function asJson(value: unknown): Writable {
  if (value instanceof Unreadable) return { [UNREADABLE]: value.why, fields: value.fields };
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== "object" || value === null) return value as Writable;
  const names = Object.getOwnPropertyNames(value);
  return new Map(names.map((name) => [name, asJson((value as Recorded)[name])]));
}

/** The record that `asJson` wrote. Throws if the fields are not of such a record. */
export function fromJson(fields: Writable, type: Type, schema: Schema): Listed {
  const found = parse(jsonText(fields));
  const why = isObject(found) ? found.get(UNREADABLE) : undefined;
  if (isObject(found) && why !== undefined) return unreadable(found.get("fields"), String(why));
  return structure(found, type, schema) as Recorded;
}
