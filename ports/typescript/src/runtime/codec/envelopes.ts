/**
 * Envelopes of answers: what stands around a result, and whether it reports a failure.
 *
 * The *payload* is the JSON of an answer, the *content* the payload without its envelope.
 */

import type { Asked, Operation } from "../operation.js";
import { oneLine } from "../shown.js";
import { jsonText, type Writable } from "./json_text.js";
import { isObject, type Parsed, type ParsedObject } from "./parser.js";
import { keyOf, namesOf, readRefusal, saysSomething } from "./refusals.js";
import { without } from "./values.js";

/** The content of an answer, and whether it reports a failure. Throws if it contradicts itself. */
export function opened(
  asked: Asked,
  payload: Parsed,
): { readonly content: Parsed; readonly failed: boolean } {
  const content = unwrap(asked, payload);
  const isWrapped = content !== payload && isObject(content);
  const inner = isWrapped ? without(content, ...ownWords(asked)) : null;
  const levels = [payload, inner].filter(isObject);
  checkSaidTwice(asked, payload);
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
function ownWords(asked: Asked): readonly string[] {
  const { pagination, result, method } = asked.operation;
  if (pagination || result?.key !== undefined) return [];
  const names = namesOf(asked);
  const own = ["success", "error"].filter((name) => names.includes(name));
  return own.includes("success") && method !== "GET" ? [] : own;
}

/** A field of the result that stands beside the envelope and inside it has one value. */
function checkSaidTwice(asked: Asked, payload: Parsed): void {
  const inner = isObject(payload) ? payload.get("data") : undefined;
  if (!isObject(payload) || !isObject(inner)) return;
  const { words } = asked.schema.refusals;
  for (const name of bareFields(asked).filter((each) => !words.includes(each))) {
    const values = [payload, inner].map((level) => level.get(name) ?? null);
    const [outside, inside] = values.map((each) => jsonText(each as Writable, true));
    if (!values.includes(null) && outside !== inside) {
      throw new Error(`${name} has two different values`);
    }
  }
}

/** Whether an answer without an envelope has no field of the result. */
export function saysNothing(asked: Asked, payload: Parsed): boolean {
  // A lone null does not say that a change was made.
  if (payload === null) return asked.operation.retry !== "safe";
  const isModel = asked.operation.result?.type.kind === "model";
  if (!isObject(payload) || payload.has("success") || !isModel) return false;
  return !hasAny(payload, namesOf(asked));
}

/** The payload without its envelope, if it has one. */
export function unwrap(asked: Asked, payload: Parsed): Parsed {
  if (!isObject(payload) || !payload.has("data")) return payload;
  const isBare = !payload.has("success") && hasAny(payload, bareFields(asked));
  return isBare ? payload : (payload.get("data") ?? null);
}

/** The fields that show that an answer has no envelope. */
function bareFields(asked: Asked): readonly string[] {
  const key = keyOf(asked.operation);
  return key === undefined ? namesOf(asked) : [key];
}

function hasAny(payload: ParsedObject, names: readonly string[]): boolean {
  return names.some((name) => payload.has(name));
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
export function notJson(body: Uint8Array, contentType: string | null, error: Error): string {
  const begin = new TextDecoder("latin1").decode(body.subarray(0, 100)).trimStart().toLowerCase();
  const isHtml = begin.startsWith("<!doctype html") || begin.startsWith("<html");
  const isEmpty = firstByte(body) === undefined;
  const what = isHtml ? "it is a page of HTML" : isEmpty ? "it is empty" : error.message;
  return `not JSON${contentType ? ` (${oneLine(contentType)})` : ""}: ${what}`;
}

/** The first byte of a body that is no white space. */
export function firstByte(body: Uint8Array): number | undefined {
  return body.find((byte) => ![9, 10, 11, 12, 13, 32].includes(byte));
}
