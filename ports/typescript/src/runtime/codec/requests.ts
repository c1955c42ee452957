/** Requests out: from what a caller gives to the JSON fields of a body, or to the query of a URL. */

import { RequestError } from "../errors.js";
import type { Fields } from "../intent.js";
import type { Field, Model, Operation, Schema } from "../operation.js";
import { type Converter, fieldValue, located, plainObject } from "./fields.js";
import type { Writable } from "./json_text.js";

/** What the client fills in where a caller gives nothing. */
export interface Filled {
  /** A new random UUID. */
  readonly uuid: () => string;
  /** The account to read: the one given, else the client's. */
  readonly account: (given: unknown) => string;
}

/** The fields of a message, and the paths of the ids that were made for it. */
export interface Encoded {
  readonly fields: Fields;
  readonly minted: ReadonlySet<string>;
}

/**
 * The fields of a message as they are sent. Those that were not given are left out.
 *
 * @throws {@link RequestError} An argument is wrong.
 */
export function encode(schema: Schema, name: string, given: unknown, filled: Filled): Encoded {
  const encoder = new Encoder(schema, filled);
  return { fields: encoder.model(name, given, ""), minted: encoder.minted };
}

class Encoder implements Converter {
  readonly schema: Schema;
  readonly minted = new Set<string>();
  readonly #filled: Filled;

  constructor(schema: Schema, filled: Filled) {
    this.schema = schema;
    this.#filled = filled;
  }

  model(name: string, value: unknown, path: string): Fields {
    const model = this.schema.models[name] as Model;
    const { body: called = name, fields = [] } = model;
    const given = plainObject(value, `the fields of a ${called}`);
    const names = fields.map((each) => each.name);
    const unknown = Object.keys(given).find((each) => !names.includes(each));
    if (unknown !== undefined) {
      throw new RequestError(`unknown field '${unknown}'; a ${called} has ${names.join(", ")}`);
    }
    const sent = new Map<string, Writable>();
    for (const field of fields) {
      const found = located(`${called}.${field.name}`, () =>
        this.#field(field, own(given, field.name), path),
      );
      if (found !== undefined) sent.set(field.name, found);
    }
    checkTogether(called, model, sent);
    return sent;
  }

  /** The value of a field as it is sent; undefined if it is left out. */
  #field(field: Field, value: unknown, path: string): Writable | undefined {
    const here = path ? `${path}.${field.name}` : field.name;
    if (field.auto === "account") return this.#filled.account(value ?? undefined);
    if (field.auto === "uuid" && value === undefined) {
      this.minted.add(here);
      return this.#filled.uuid();
    }
    const needed = field.required && field.auto === undefined;
    if (value === undefined) return needed ? missing("it is missing") : undefined;
    if (value === null && field.cursor) {
      // The nextCursor of a last page: read as the beginning, it would fetch every record again.
      return missing(
        "expected a saved nextCursor, not null: the list was read to its end, and a last page has " +
          "no nextCursor; to read it from the beginning, leave the cursor out, and compare ids with what you have",
      );
    }
    if (value === null && !field.nullable) {
      return needed ? missing("it cannot be null") : undefined;
    }
    return value === null ? null : fieldValue(field, value, this, here);
  }
}

function own(given: { readonly [name: string]: unknown }, name: string): unknown {
  return Object.hasOwn(given, name) ? given[name] : undefined;
}

function missing(problem: string): never {
  throw new RequestError(problem);
}

/** Check which fields of a request must be given together. */
function checkTogether(called: string, model: Model, sent: Fields): void {
  const isGiven = (name: string) => sent.get(name) != null;
  const { fields = [], exactlyOne = [], atLeastOne = [] } = model;
  if (exactlyOne.length > 0 && exactlyOne.filter(isGiven).length !== 1) {
    const what = exactlyOne.some(isGiven) ? "both were given" : "none was given";
    throw new RequestError(
      `${called}: exactly one of ${exactlyOne.join(" and ")} is needed, ${what}`,
    );
  }
  if (atLeastOne.length > 0 && !atLeastOne.some(isGiven)) {
    throw new RequestError(`${called}: ${atLeastOne.join(" or ")} is needed`);
  }
  for (const { name: later, notBefore } of fields) {
    const first = notBefore && sent.get(notBefore);
    const last = sent.get(later);
    if (typeof first === "bigint" && typeof last === "bigint" && last < first) {
      throw new RequestError(
        `${called}: ${later} ${last} is before ${notBefore} ${first}; exchange the two`,
      );
    }
  }
}

/** The client's own id of a message, by the path of its field; null if it has none. */
export function clientId(path: string | undefined, fields: Fields): string | null {
  let value: Writable | undefined = path ? fields : undefined;
  for (const name of path?.split(".") ?? []) {
    value = value instanceof Map ? value.get(name) : undefined;
  }
  return typeof value === "string" ? value : null;
}

// -- what stands outside of a body ------------------------------------------------------------

/** The fields of a request that stand in its body. */
export function bodyOf({ inUrl = [] }: Operation<unknown>, fields: Fields): Fields {
  if (inUrl.length === 0) return fields;
  return new Map([...fields].filter(([name]) => !inUrl.includes(name)));
}

/** The path of a request with its query. */
export function pathAndQuery(operation: Operation<unknown>, fields: Fields): string {
  const inside = operation.hasBody ? bodyOf(operation, fields) : new Map();
  return target(
    operation.path,
    [...fields].filter(([name]) => !inside.has(name)),
  );
}

/** A path and its query: each field stands where the path names it, or else in the query. */
function target(template: string, fields: readonly (readonly [string, Writable])[]): string {
  let path = template;
  const query: string[] = [];
  for (const [name, value] of fields) {
    if (template.includes(`{${name}}`)) {
      const text = parameterText(value);
      if (["", ".", ".."].includes(text)) {
        throw new RequestError(`${name}: '${text}' cannot be a part of a path`);
      }
      path = path.replaceAll(`{${name}}`, percentEncoded(text));
    } else {
      query.push(...queryParts(name, value));
    }
  }
  return query.length > 0 ? `${path}?${query.join("&")}` : path;
}

function queryParts(name: string, value: Writable): string[] {
  if (Array.isArray(value) && value.length === 0) {
    // It would be sent like no list at all, which may ask for everything.
    throw new RequestError(`${name}: an empty list cannot stand in a query; leave it out`);
  }
  const texts = (Array.isArray(value) ? value : [value]).map(parameterText);
  const form = (text: string) => percentEncoded(text).replaceAll("%20", "+");
  return texts.map((text) => `${form(name)}=${form(text)}`);
}

function parameterText(value: Writable): string {
  return String(value);
}

function percentEncoded(text: string): string {
  if (!text.isWellFormed()) throw new RequestError("a text holds half of a surrogate pair");
  const hex = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(/[!'()*]/g, hex);
}
