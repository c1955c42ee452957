/**
 * Envelopes of answers: what stands around a result, and whether it reports a failure.
 *
 * The *payload* is the JSON of an answer, the *content* the payload without its envelope.
 */

import type { Operation, Schema } from "../operation.js";
import { oneLine } from "../shown.js";
import { isObject, JsonNumber, type Parsed } from "./parser.js";
import { jsonNames, keyOf, readRefusal, saysSomething } from "./refusals.js";

/** The content of an answer, and whether it reports a failure. Throws if it contradicts itself. */
export function opened(
  operation: Operation<unknown>,
  schema: Schema,
  payload: Parsed,
): { readonly content: Parsed; readonly failed: boolean } {
  const content = unwrap(operation, schema, payload);
  const levels = [payload, content].filter(isObject);
  const own = ownWords(operation, schema);
  if (content !== payload && isObject(content)) {
    levels[levels.length - 1] = new Map([...content].filter(([name]) => !own.includes(name)));
  }
  checkSaidTwice(operation, schema, payload);
  if (levels.some((level) => level.get("success") === false)) return { content, failed: true };
  const said = levels.filter((level) => level.has("success"));
  if (said.some((level) => level.get("success") !== true)) {
    throw new Error("success is neither true nor false");
  }
  if (levels.some((level) => saysSomething(level.get("error") ?? null))) {
    // The refusal of the document is an error and a code, without a `success`.
    const { text, code } = readRefusal(payload, content);
    if (said.length > 0 || text === null || code === null) {
      throw new Error("there is an error beside a success");
    }
    return { content, failed: true };
  }
  const code = isObject(payload) ? (payload.get("code") ?? null) : null;
  if (content !== payload && said.length === 0 && code !== null) {
    throw new Error("there is a code, but no success");
  }
  return { content, failed: false };
}

/**
 * Which of `success` and `error` are fields of the result.
 *
 * A result of a change with a field `success` is an envelope itself, so there the fields count as words.
 */
function ownWords(operation: Operation<unknown>, schema: Schema): readonly string[] {
  const words = ["success", "error"];
  if (operation.pagination || operation.result?.key !== undefined) return [];
  const names = jsonNames(operation.result?.type, schema);
  const own = words.filter((name) => names.has(name));
  return own.includes("success") && operation.method !== "GET" ? [] : own;
}

/** A field of the result that stands beside the envelope and inside it has one value. */
function checkSaidTwice(operation: Operation<unknown>, schema: Schema, payload: Parsed): void {
  const inner = isObject(payload) ? payload.get("data") : undefined;
  if (!isObject(payload) || !isObject(inner)) return;
  const bare = bareFields(operation, schema);
  for (const [name, outside] of payload) {
    const inside = inner.get(name) ?? null;
    const isOfResult = !schema.refusals.words.includes(name) && bare.has(name);
    if (isOfResult && outside !== null && inside !== null && !equal(outside, inside)) {
      throw new Error(`${name} has two different values`);
    }
  }
}

/** Whether two values of JSON are the same, digit for digit. */
export function equal(a: Parsed, b: Parsed): boolean {
  if (a instanceof JsonNumber) return b instanceof JsonNumber && a.text === b.text;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((each, i) => equal(each, b[i]));
  }
  if (!isObject(a)) return a === b;
  const has = (name: string) => isObject(b) && b.has(name);
  return (
    isObject(b) &&
    a.size === b.size &&
    [...a].every(([name, each]) => has(name) && equal(each, b.get(name) ?? null))
  );
}

/** Whether an answer without an envelope has no field of the result. */
export function saysNothing(
  operation: Operation<unknown>,
  schema: Schema,
  payload: Parsed,
): boolean {
  // A lone null does not say that a change was made.
  if (payload === null) return operation.retry !== "safe";
  const isModel = operation.result?.type.kind === "model";
  if (!isObject(payload) || payload.has("success") || !isModel) return false;
  return !hasAny(payload, jsonNames(operation.result?.type, schema));
}

/** The payload without its envelope, if it has one. */
export function unwrap(operation: Operation<unknown>, schema: Schema, payload: Parsed): Parsed {
  if (!isObject(payload) || !payload.has("data")) return payload;
  const isBare = !payload.has("success") && hasAny(payload, bareFields(operation, schema));
  return isBare ? payload : (payload.get("data") ?? null);
}

/** The fields that show that an answer has no envelope. */
function bareFields(operation: Operation<unknown>, schema: Schema): ReadonlySet<string> {
  const { key } = keyOf(operation);
  return key === undefined ? jsonNames(operation.result?.type, schema) : new Set([key]);
}

function hasAny(payload: ReadonlyMap<string, Parsed>, names: ReadonlySet<string>): boolean {
  return [...names].some((name) => payload.has(name));
}

/**
 * Whether the answer is exactly `success: true`, on one level or on both. Of an operation that ignores
 * data, `data` alone says success, too.
 */
export function acknowledges(
  operation: Operation<unknown>,
  payload: Parsed,
  content: Parsed,
): boolean {
  if (operation.ignoresData) return success(payload) === true || content !== payload;
  const isEmpty = content === null || (isObject(content) && content.size === 0);
  return success(payload) === true && (isEmpty || success(content) === true);
}

function success(level: Parsed): Parsed {
  return isObject(level) ? (level.get("success") ?? null) : null;
}

/** What an answer is that is no JSON. The body may hold a secret, so the text shows nothing of it. */
export function notJson(body: Uint8Array, contentType: string | null, problem: string): string {
  const begin = new TextDecoder("latin1").decode(body.subarray(0, 100)).trimStart().toLowerCase();
  const isHtml = begin.startsWith("<!doctype html") || begin.startsWith("<html");
  const isEmpty = body.every((byte) => [9, 10, 11, 12, 13, 32].includes(byte));
  const what = isHtml ? "it is a page of HTML" : isEmpty ? "it is empty" : problem;
  return `not JSON${contentType ? ` (${oneLine(contentType)})` : ""}: ${what}`;
}
