/**
 * Parsed JSON to typed values.
 *
 * Strict where a value would have to be converted, and open where a service may grow: "1" is no integer,
 * an unknown field is ignored, an unknown value of an enum is kept as it is.
 */

import type { Field, Model, Schema, Type } from "../operation.js";
import { hide } from "../shown.js";
import { receivedDecimal } from "./decimals.js";
import { is64 } from "./integers.js";
import { isObject, JsonNumber, type Parsed } from "./parser.js";

/** A value of an enum that may be one that this version does not know. */
export type Open<T extends string> = T | (string & {});

/** JSON as it is handed over: integers as bigint, other numbers as JavaScript has them. */
export type Json =
  | null
  | boolean
  | string
  | bigint
  | number
  | readonly Json[]
  | { readonly [name: string]: Json };

const INSPECT = Symbol.for("nodejs.util.inspect.custom");
const HIDDEN = "<hidden, it may hold secrets>";
const UUID = /^[0-9a-f]{32}$/;

/** Build a typed value from the parsed JSON that stands at `path`. Throws if it does not fit. */
export function structure(value: Parsed, type: Type, schema: Schema, path = "$"): unknown {
  switch (type.kind) {
    case "string":
      return typeof value === "string" ? value : refuse("a string", value, path);
    case "boolean":
      return typeof value === "boolean" ? value : refuse("a boolean", value, path);
    case "integer":
      return integer(value, path);
    case "decimal":
      return decimal(value, path);
    case "uuid":
      return uuid(value, path);
    case "json":
      return plainJson(value, path);
    case "enum":
      return text(value, path);
    case "model":
      return record(value, schema.models[type.name ?? ""] as Model, schema, path);
    default:
      return several(value, type, schema, path);
  }
}

/** A list or a tuple. */
function several(value: Parsed, type: Type, schema: Schema, path: string): unknown {
  const one = (each: Parsed, inner: Type, where: string) =>
    each === null && inner.nullable ? null : structure(each, inner, schema, where);
  const items = type.items as Type;
  if (!isList(value)) return refuse("a list", value, path);
  if (type.kind === "list") return value.map((each, i) => one(each, items, `${path}[${i}]`));
  const { members = [] } = type;
  if (value.length < members.length) {
    throw new Error(`expected ${members.length} members, not ${value.length} @ ${path}`);
  }
  return members.map((each, i) => one(value[i] ?? null, each, `${path}[${i}]`));
}

function isList(value: Parsed): value is readonly Parsed[] {
  return Array.isArray(value);
}

function record(value: Parsed, model: Model, schema: Schema, path: string): object {
  const made: Record<string, unknown> = {};
  if (!isObject(value)) return refuse("an object", value, path);
  for (const field of model.fields ?? []) {
    made[field.name] = member(value, field, schema, path);
    if (field.secret) hide(made, field.name);
  }
  return made;
}

/** The typed value of a member of the object at `path`. */
export function member(object: Parsed, field: Field, schema: Schema, path: string): unknown {
  if (!isObject(object)) return refuse("an object", object, path);
  const { name, type, required } = field;
  const value = object.get(name);
  const isEmptyList = type.kind === "list" && !required;
  if (value === undefined && isEmptyList) return [];
  if (field.nullable || !(required || isEmptyList)) {
    if (value === undefined || value === null) return null;
  }
  if (value === undefined) throw new Error(`required field missing @ ${path}.${name}`);
  return structure(value, type, schema, `${path}.${name}`);
}

// -- scalars ----------------------------------------------------------------------------------

function integer(value: Parsed, path: string): bigint {
  if (typeof value === "bigint") return is64(value) ? value : tooLong(path);
  // Digits without a point and an exponent, but too many.
  const isLong = value instanceof JsonNumber && /^-?[0-9]+$/.test(value.text);
  return isLong ? tooLong(path) : refuse("an integer", value, path);
}

function tooLong(path: string): never {
  throw new Error(`expected an integer of 64 bits @ ${path}`);
}

/** The text of a decimal, or the digits of a number. */
function decimal(value: Parsed, path: string): string {
  const isNumber = value instanceof JsonNumber || typeof value === "bigint";
  const given = isNumber ? String(value) : text(value, path);
  const found = receivedDecimal(given);
  if (found !== undefined) return found;
  throw new Error(`'${given.slice(0, 60)}' is not a decimal @ ${path}`);
}

function text(value: Parsed, path: string): string {
  return typeof value === "string" ? value : refuse("a string", value, path);
}

function uuid(value: Parsed, path: string): string {
  const given = text(value, path);
  const plain = given.replace("urn:", "").replace("uuid:", "");
  const digits = without("{}", plain).replaceAll("-", "").toLowerCase();
  if (!UUID.test(digits)) throw new Error(`badly formed UUID text @ ${path}`);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** A text without some letters at its begin and end. A pattern would look for its end from each of them. */
function without(letters: string, text: string): string {
  let [begin, end] = [0, text.length];
  while (begin < end && letters.includes(text.charAt(begin))) begin += 1;
  while (begin < end && letters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(begin, end);
}

/** Parsed JSON to hand over as it is. Throws if a number is out of range. */
export function plainJson(value: Parsed, path: string, hide = false): Json {
  const one = (each: Parsed, where: string) => plainJson(each, where, hide);
  if (value instanceof JsonNumber) return numberOf(value, path);
  if (isList(value)) {
    const items = value.map((each, index) => one(each, `${path}[${index}]`));
    return hide ? hidden(items) : items;
  }
  if (!isObject(value)) return value;
  const members = [...value].map(([name, each]) => [name, one(each, `${path}.${name}`)]);
  const found = Object.fromEntries(members);
  return hide ? hidden(found) : found;
}

function numberOf({ text }: JsonNumber, path: string): number {
  const number = Number(text);
  if (Number.isFinite(number)) return number;
  throw new Error(`${text.slice(0, 60)} is out of range @ ${path}`);
}

// -- words ------------------------------------------------------------------------------------

function refuse(what: string, value: Parsed, path: string): never {
  throw new Error(`expected ${what}, not ${kindOf(value)} @ ${path}`);
}

function kindOf(value: Parsed): string {
  if (value === null) return "null";
  if (isList(value)) return "a list";
  if (value instanceof JsonNumber) return "another number";
  if (isObject(value)) return "an object";
  return { string: "a string", boolean: "a boolean", bigint: "an integer" }[
    typeof value as "string"
  ];
}

/** Make `console.log` show nothing of an object or a list. */
function hidden<T extends object>(value: T): T {
  return Object.defineProperty(value, INSPECT, { value: () => HIDDEN, enumerable: false });
}
