/** Values that a caller gives: each is checked, and becomes what is sent. */

import { RequestError } from "../errors.js";
import type { Fields } from "../intent.js";
import type { Field, Model, Schema, Type } from "../operation.js";
import { givenDecimal } from "./decimals.js";
import { givenInteger, givenTime } from "./integers.js";
import { membersOf, type Writable } from "./json_text.js";
import { letters } from "./values.js";

const MAX_DEPTH = 500;
const LAST_PAGE =
  "expected a saved nextCursor, not null: the list was read to its end, and a last page has no nextCursor; " +
  "to read it from the beginning, leave the cursor out, and compare ids with what you have";
const UUID_TEXT = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

/** JSON that a caller gives: any but a number with a fraction. */
export type JsonInput =
  | null
  | boolean
  | string
  | bigint
  | number
  | readonly JsonInput[]
  | { readonly [name: string]: JsonInput };

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

/** What the values of one message are converted with. */
interface Encoding {
  readonly schema: Schema;
  readonly filled: Filled;
  readonly minted: Set<string>;
}

/**
 * The fields of a message as they are sent. Those that were not given are left out.
 *
 * @throws {@link RequestError} An argument is wrong.
 */
export function encode(schema: Schema, name: string, given: unknown, filled: Filled): Encoded {
  const minted = new Set<string>();
  return { fields: modelFields({ schema, filled, minted }, name, given, ""), minted };
}

// -- models -----------------------------------------------------------------------------------

/** The fields of a model as they are sent. `path` is where it stands in the message. */
function modelFields(to: Encoding, name: string, value: unknown, path: string): Fields {
  const model = to.schema.models[name] as Model;
  const { body: called = name, fields = [] } = model;
  const given = plainObject(value, `the fields of a ${called}`);
  const names = fields.map((each) => each.name);
  const unknown = Object.keys(given).find((each) => !names.includes(each));
  if (unknown !== undefined) {
    const known = `a ${called} has ${names.join(", ")}${didYouMean(unknown, names)}`;
    throw new RequestError(`unknown field '${unknown}'; ${known}`);
  }
  const sent = new Map<string, Writable>();
  for (const field of fields) {
    const own = Object.hasOwn(given, field.name) ? given[field.name] : undefined;
    const here = path ? `${path}.${field.name}` : field.name;
    const found = located(`${called}.${field.name}`, () => fieldValue(to, field, own, here));
    if (found !== undefined) sent.set(field.name, found);
  }
  checkTogether(called, model, sent);
  return sent;
}

/** The value of a field as it is sent, held against its limits; undefined if it is left out. */
function fieldValue(
  to: Encoding,
  field: Field,
  value: unknown,
  path: string,
): Writable | undefined {
  if (field.auto === "account") return to.filled.account(value ?? undefined);
  if (field.auto === "uuid" && value === undefined) {
    to.minted.add(path);
    return to.filled.uuid();
  }
  const needed = field.required && field.auto === undefined;
  // The nextCursor of a last page: read as the beginning, it would fetch every record again.
  if (value === null && field.cursor) throw new RequestError(LAST_PAGE);
  if (value === undefined || (value === null && !field.nullable)) {
    if (!needed) return undefined;
    throw new RequestError(value === null ? "it cannot be null" : "it is missing");
  }
  if (value === null) return null;
  const sent = converted(field.type, value, to, path);
  const broken = brokenLimit(field, sent);
  if (broken !== undefined) throw new RequestError(`it must ${broken}`);
  return sent;
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

// -- values -----------------------------------------------------------------------------------

/** A value as it is sent. */
function converted(type: Type, value: unknown, to: Encoding, path: string): Writable {
  switch (type.kind) {
    case "string":
      return typeof value === "string" ? value : refuse("text", value);
    case "boolean":
      return typeof value === "boolean" ? value : refuse("true or false", value);
    case "integer":
      return type.time ? givenTime(value) : givenInteger(value);
    case "decimal":
      return givenDecimal(value);
    case "uuid":
      return givenUuid(value);
    case "json":
      return givenJson(value, 0);
    case "enum":
      return member(to.schema.enums[type.name ?? ""] ?? [], value);
    case "model":
      return modelFields(to, type.name ?? "", value, path);
    default:
      return list(type, value, to, path);
  }
}

function list(type: Type, value: unknown, to: Encoding, path: string): Writable {
  if (!Array.isArray(value)) return refuse("a list", value);
  const items = type.items as Type;
  return Array.from(value, (each, at) => {
    if (each === null && items.nullable) return null;
    return located(at, () => converted(items, each, to, path));
  });
}

/** An object with names of its own, or a Map: of no class. */
function plainObject(value: unknown, what: string): { readonly [name: string]: unknown } {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as { readonly [name: string]: unknown }) : refuse(what, value);
}

function member(values: readonly string[], value: unknown): string {
  const found = values.find((each) => each === value);
  if (found !== undefined) return found;
  throw new RequestError(
    `${shown(value)} is not one of ${values.map(shown).join(", ")}${didYouMean(value, values)}`,
  );
}

/** A UUID, from its full text with hyphens. */
function givenUuid(value: unknown): string {
  if (typeof value !== "string") return refuse("the text of a UUID", value);
  if (UUID_TEXT.test(value)) return value.toLowerCase();
  const like = "a full UUID like '3f2b0c1e-8d5a-4e6f-9b7a-0c1d2e3f4a5b'";
  throw new RequestError(`${shown(value)} is not ${like}`);
}

/** A copy of JSON, so that nobody changes what will be sent. */
function givenJson(value: unknown, depth: number): Writable {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "bigint" || typeof value === "number") return givenInteger(value);
  if (depth > MAX_DEPTH) throw new RequestError("it is nested too deep, or contains itself");
  if (Array.isArray(value)) return Array.from(value, (each) => givenJson(each, depth + 1));
  const members = membersOf(plainObject(value, "JSON"));
  return new Map(members.map(([name, each]) => [name, givenJson(each, depth + 1)]));
}

// -- limits -----------------------------------------------------------------------------------

const patterns = new Map<string, RegExp>();

/** What a value must do and does not, in words. Amounts have no limits. */
function brokenLimit(field: Field, value: Writable): string | undefined {
  const { kind } = field.type;
  if (Array.isArray(value)) {
    return outside("have", value.length, field.minItems, field.maxItems, " items");
  }
  if (kind === "integer") return outside("be", value as bigint, field.minimum, field.maximum);
  if (kind !== "string" || typeof value !== "string") return undefined;
  const { pattern, minLength, maxLength } = field;
  if (pattern !== undefined && !compiled(pattern).test(value)) return `match ${pattern}`;
  // Characters, and not the halves of which JavaScript makes some.
  return outside("have", [...value].length, minLength, maxLength, " characters");
}

function outside(
  verb: string,
  value: number | bigint,
  least = -Infinity,
  most = Infinity,
  unit = "",
): string | undefined {
  if (value < least) return `${verb} at least ${least}${unit}`;
  return value > most ? `${verb} at most ${most}${unit}` : undefined;
}

function compiled(pattern: string): RegExp {
  const found = patterns.get(pattern) ?? new RegExp(`^(?:${pattern})$`, "u");
  patterns.set(pattern, found);
  return found;
}

// -- words ------------------------------------------------------------------------------------

/** Do something, and name the place in what it refuses. */
function located<T>(where: string | number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new RequestError(`${where}: ${error.message}`);
  }
}

function refuse(what: string, value: unknown): never {
  throw new RequestError(`expected ${what}, not ${shown(value)}`);
}

/** Words of trading, a list for each meaning: exchanges and libraries use different ones for the same. */
const SAME = [
  ["bid", "buy", "long"],
  ["ask", "sell", "short"],
  ["amount", "qty", "quantity", "size", "volume"],
  ["symbol", "market", "pair", "ticker", "instrument", "coin"],
  ["alo", "gtx", "postonly"],
];

/** The hint of an error, like `; did you mean 'bid'?`, or nothing if no known name has the same meaning or letters. */
function didYouMean(name: unknown, known: readonly string[]): string {
  if (typeof name !== "string") return "";
  const given = letters(name);
  const same = SAME.find((words) => words.includes(given)) ?? [given];
  const near = known.find((each) => same.includes(letters(each)));
  return near === undefined ? "" : `; did you mean '${near}'?`;
}

/** A value in the words of an error, cut. */
export function shown(value: unknown): string {
  const isObject = typeof value === "object" && value !== null;
  const text = isObject ? "an object" : typeof value === "string" ? `'${value}'` : String(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}
