/**
 * Answers that are no results: refusals of a change, which may not be believed; plain success; no JSON.
 *
 * A refusal is not believed if anything in it speaks of execution. Members that nobody knows do not.
 */

import type { Code } from "../errors.js";
import type { Operation, Schema, Type } from "../operation.js";
import { oneLine } from "../shown.js";
import { isObject, type Parsed, type ParsedObject } from "./json.js";

/** What may differ inside and outside: an envelope of success may stand around a refusal. */
export const ENVELOPE: ReadonlySet<string> = new Set(["success", "error", "code"]);
/** What a refusal consists of. */
const WORDS: ReadonlySet<string> = new Set([...ENVELOPE, "data", "message"]);
/** What may tell that a message was taken, like `"state": "sent"`. */
const STATES: readonly string[] = ["state", "status"];
const CONTRADICTION = "it reports a failure, but also success, a result or a state";

/**
 * Why a refusal does not show that nothing was executed; undefined if it does, or if nothing can be.
 *
 * A status of failure is contradicted by `success: true` or a field of the result. Under a 2xx only the
 * words refuse, so a state and a code count, too. `content` is the payload without its envelope.
 */
export function doubt(
  operation: Operation<unknown>,
  schema: Schema,
  status: number,
  payload: Parsed,
  content: Parsed,
): string | undefined {
  if (operation.method === "GET") return undefined;
  const names = resultFields(operation, schema);
  if (Math.floor(status / 100) === 2 && isObject(payload)) {
    const isAnyJson = operation.result?.type.kind === "json" && content !== payload;
    // Any name in it may be of the result.
    const inData = isAnyJson && isObject(content) ? [...content.keys()] : [];
    const telling = [...names, ...inData.filter((name) => !WORDS.has(name)), ...STATES];
    return doubtIn2xx(operation, status, payload, content, telling);
  }
  const documented = [...(operation.errors?.members ?? []), ...Object.keys(operation.echoes ?? {})];
  const telling = names.filter((name) => !documented.includes(name));
  return speaksOfExecution(payload, telling) ? CONTRADICTION : undefined;
}

/** The same for an action that failed. It may name an order that is not new, and its own fields. */
export function doubtOfAction(
  operation: Operation<unknown>,
  schema: Schema,
  status: number,
  result: ParsedObject,
  newId: string | undefined,
): string | undefined {
  const own = jsonNames(operation.result?.type.items, schema);
  const names = [...STATES.filter((name) => !own.has(name)), ...(newId ? [newId] : [])];
  return doubtIn2xx(operation, status, result, result.get("data") ?? null, names);
}

/** Why a 2xx is no refusal: these names, its code or its status may say that it was executed. */
function doubtIn2xx(
  operation: Operation<unknown>,
  status: number,
  refusal: ParsedObject,
  content: Parsed,
  names: readonly string[],
): string | undefined {
  // An envelope of success may stand around a refusal, because the request was read.
  const inside = new Map([...refusal, ["success", null]]);
  if (speaksOfExecution(inside, names) || holdsValue(inside)) return CONTRADICTION;
  const { code } = textAndCode(operation, refusal, content);
  const codes = [...membersIn(inside)].filter(
    ([name, found]) => name === "code" && saysSomething(found),
  );
  if (!codes.every(([, found]) => isCode(found) && found === code)) {
    return "it reports a failure, but its code is neither an integer nor a text, or not its only one";
  }
  return status === 200 ? undefined : `it reports a failure under a status of ${status}`;
}

/**
 * Whether JSON holds, at any depth, a success or something in a field of these names.
 *
 * Several of them may stand in a field with the name in the plural, like `order_ids`.
 */
export function speaksOfExecution(value: Parsed, names: readonly string[]): boolean {
  const telling = new Set(["success", ...names, ...names.map((name) => `${name}s`)]);
  return [...membersIn(value)].some(([name, found]) => telling.has(name) && saysSomething(found));
}

/** The fields that an executed request fills in, and a refused one cannot. */
function resultFields(operation: Operation<unknown>, schema: Schema): string[] {
  const type = operation.result?.type;
  // Of a batch, those of each result.
  const names = [...jsonNames(operation.batch ? type?.items : type, schema)];
  const { key } = keyOf(operation);
  const all = key === undefined ? names : [...names, key];
  return all.filter((name) => !WORDS.has(name));
}

/** The property of an answer that holds its result. A page has none: its names are those of the pagination. */
export function keyOf(operation: Operation<unknown>): { readonly key: string | undefined } {
  return { key: operation.pagination ? undefined : operation.result?.key };
}

/** The fields of a model, or of all that a union may be. Another type has none. */
export function jsonNames(type: Type | undefined, schema: Schema): ReadonlySet<string> {
  if (type?.kind === "union") {
    const models = Object.values(schema.unions[type.name ?? ""]?.variants ?? {});
    return new Set(models.flatMap((name) => [...fieldNames(schema, name)]));
  }
  return new Set(type?.kind === "model" ? fieldNames(schema, type.name) : []);
}

function fieldNames(schema: Schema, model: string | undefined): string[] {
  return (schema.models[model ?? ""]?.fields ?? []).map((field) => field.name);
}

/** Whether `data`, the place of a result, holds anything but an object, at any depth. */
function holdsValue(refusal: Parsed): boolean {
  const data = [...membersIn(refusal)].filter(([name]) => name === "data");
  return data.some(([, found]) => saysSomething(found) && !isObject(found));
}

/** Whether a member of an answer holds anything; null, false and what is empty do not. */
export function saysSomething(value: Parsed): boolean {
  if (value === null || value === false || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? value.size > 0 : true;
}

/** Each member of each object in parsed JSON. */
function* membersIn(payload: Parsed): Generator<[string, Parsed]> {
  if (Array.isArray(payload)) {
    for (const each of payload) yield* membersIn(each);
  } else if (isObject(payload)) {
    yield* payload;
    for (const each of payload.values()) yield* membersIn(each);
  }
}

/** What an answer is instead of JSON. It may hold a secret, so nothing of it is shown. */
export function notJson(body: Uint8Array, contentType: string | null, problem: string): string {
  const begin = new TextDecoder("latin1").decode(body.subarray(0, 100)).trimStart().toLowerCase();
  const isHtml = begin.startsWith("<!doctype html") || begin.startsWith("<html");
  const isEmpty = body.every((byte) => [9, 10, 11, 12, 13, 32].includes(byte));
  const what = isHtml ? "it is a page of HTML" : isEmpty ? "it is empty" : problem;
  return `not JSON${contentType ? ` (${oneLine(contentType)})` : ""}: ${what}`;
}

/** What a refusal says, and its code; null for what it does not have. */
export function textAndCode(
  operation: Operation<unknown>,
  payload: Parsed,
  content: Parsed,
): { readonly text: string | null; readonly code: Code } {
  const { text = ["error"], code = ["code"] } = operation.errors ?? {};
  const texts = found(text, payload, content).filter((each) => typeof each === "string");
  const codes = found(code, payload, content).filter(isCode);
  return { text: texts[0] ?? null, code: codes[0] ?? null };
}

/** What the paths lead to, on the outer level and then on the inner one. */
function found(paths: readonly string[], ...levels: readonly Parsed[]): Parsed[] {
  return paths.flatMap((path) =>
    levels.map((level) => {
      let value: Parsed = level;
      for (const name of path.split("."))
        value = isObject(value) ? (value.get(name) ?? null) : null;
      return value;
    }),
  );
}

function isCode(value: Parsed): value is bigint | string {
  return typeof value === "bigint" || (typeof value === "string" && value !== "");
}

/** Whether an answer that reports no failure says success, and nothing that nobody expects. */
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
