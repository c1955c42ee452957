/**
 * Answers in: the envelope off, then a typed result or a typed error.
 *
 * The *body* is bytes, the *payload* their JSON, the *content* the payload without its envelope.
 */

import { type ApiError, DecodeError } from "../errors.js";
import {
  type Asked,
  type Field,
  type Method,
  makesRecord,
  type Operation,
  type Result,
} from "../operation.js";
import { isSuccess, refuses } from "../statuses.js";
import { type ActionOutcome, BatchResult } from "./batch.js";
import { member, plainJson, structure } from "./decoder.js";
import { acknowledges, notJson, opened, saysNothing, unwrap } from "./envelopes.js";
import { decodeUtf8, isObject, type Parsed, type ParsedObject, parse } from "./parser.js";
import { apiError, doubt, readRefusal, resultFields, saysSomething } from "./refusals.js";
import { without } from "./values.js";

/** Stands for a result where the answer says that the request was not executed. */
export const REFUSED = Symbol("refused");
const PART = "a 206 is a part of an answer, which nobody asked for";
/** What stands for the text of a refusal that has none. */
const NO_REASON = "no reason given";
const NOTHING = "it has neither an envelope nor a field of the result";

/**
 * Reads the answers to one operation: the result in an answer of this status; `contentType` stands in errors alone.
 *
 * Throws an ApiError where the service refused, by its status or by `success: false`, and a DecodeError for an answer
 * that cannot be used, or contradicts itself.
 */
export type Reader<T> = (status: number, body: Uint8Array, contentType?: string | null) => T;

/** Finds the result in an answer with a status of success. Throws an Error if it cannot be used. */
type ReadResult<T> = (payload: Parsed, status: number, body: Uint8Array) => T | typeof REFUSED;

/** Reads answers with an envelope or without. */
export function envelopeReader<T>(asked: Asked, readResult: ReadResult<T>): Reader<T> {
  const { name, successes = [200] } = asked.operation;
  return (status, body, contentType = null) => {
    const isDeclared = successes.includes(status);
    const unusable = (why: string, isJson = true) => {
      const instead = `; the spec declares the status ${successes.join(" or ")}, not ${status}`;
      return new DecodeError(name, isDeclared ? why : why + instead, { body, status, isJson });
    };
    if (status === 206) throw new DecodeError(name, PART, { body, status, isJson: false });
    if (status === 204 && isDeclared && body.length === 0) return undefined as T;
    let payload: Parsed = null;
    try {
      payload = parse(decodeUtf8(body));
    } catch (error) {
      if (isSuccess(status)) throw unusable(notJson(body, contentType, error as Error), false);
    }
    try {
      const found = isSuccess(status) ? readResult(payload, status, body) : REFUSED;
      if (found !== REFUSED) return found;
    } catch (error) {
      throw unusable((error as Error).message);
    }
    const content = unwrap(asked, payload);
    const why = doubt(asked, status, payload, content);
    if (why !== undefined) throw new DecodeError(name, why, { body, status });
    const said = readRefusal(payload, content);
    const error = said.text ?? new TextDecoder().decode(body);
    throw apiError(asked, { ...said, status, error, body });
  };
}

/** Reads the result of a call. */
export function resultReader<T>(asked: Asked): Reader<T> {
  const { operation, schema } = asked;
  return envelopeReader<T>(asked, (payload) => {
    const { content, failed } = opened(asked, payload);
    if (failed) return REFUSED;
    if (operation.result === undefined) {
      if (acknowledges(operation, payload, content)) return undefined as T;
      throw new Error("expected an object with success: true");
    }
    const { type, key, nullable = false, secret } = operation.result;
    const path = content === payload ? "$" : "$.data";
    if (key !== undefined) return member(content, resultField(operation), schema, path) as T;
    if (payload === null && saysNothing(asked, payload)) throw new Error(NOTHING);
    if (content === null && nullable) return null as T;
    const found = secret ? plainJson(content, path, true) : structure(content, type, schema, path);
    if (content === payload && saysNothing(asked, payload)) throw new Error(NOTHING);
    return found as T;
  });
}

/** The member of an answer that holds its result. */
function resultField({ result }: Operation<unknown>): Field {
  const { key = "", type, nullable = false } = result as Result;
  return { name: key, type, nullable, required: true };
}

/** Reads the results of a batch, one for each action of these kinds. */
export function batchReader<R extends ActionOutcome>(
  asked: Asked,
  kinds: readonly Method[],
): Reader<BatchResult<R>> {
  const read = envelopeReader<BatchResult<R>>(asked, (payload, status, body) =>
    batchResult(asked, kinds, payload, { status, body }),
  );
  return (status, body, contentType) => {
    const found = read(status, body, contentType);
    // One unclear action makes the outcome of the whole batch unknown.
    const refusals = [...(found.failure?.refusals ?? [])];
    const [unclear] = refusals.filter(([, { code }]) => !refuses(code));
    if (unclear === undefined) return found;
    const [index, { code, error }] = unclear;
    const where = found.length > 1 ? `actions[${index}]: ` : "";
    throw apiError(asked, { status, code, error: where + error, body });
  };
}

/** Reads the result of a batch of one action; a failed action is a BadRequestError. */
export function actionReader<R extends ActionOutcome>(asked: Asked, kind: Method): Reader<R> {
  const read = batchReader<R>(asked, [kind]);
  return (...answer) => {
    const { results, failure } = read(...answer);
    for (const refusal of failure?.refusals.values() ?? []) throw refusal;
    return results[0] as R;
  };
}

function batchResult<R extends ActionOutcome>(
  asked: Asked,
  kinds: readonly Method[],
  payload: Parsed,
  { status, body }: { readonly status: number; readonly body: Uint8Array },
): BatchResult<R> | typeof REFUSED {
  const { operation, schema } = asked;
  const { content, failed } = opened(asked, payload);
  const field = resultField(operation);
  const listed = isObject(content) ? content.get(field.name) : undefined;
  if (failed && !saysSomething(listed ?? null)) return REFUSED;
  const told = isObject(content) ? withoutEmptyErrors(content, field.name) : content;
  const path = content === payload ? "$" : "$.data";
  const results = member(told, field, schema, path) as R[];
  // Where some actions failed, the whole may be called a failure; the results count.
  if (results.some((each) => !each.success)) {
    checkAround(asked, status, payload, content as ParsedObject, failed);
  } else if (failed) throw new Error("it reports a failure, but every result says success");
  if (results.length !== kinds.length) {
    throw new Error(`${results.length} results for ${kinds.length} actions`);
  }
  const refusals = new Map<number, ApiError>();
  for (const [index, { success, error }] of results.entries()) {
    const raw = (listed as readonly ParsedObject[])[index] as ParsedObject;
    const data = raw.get("data") ?? null;
    if (success && error !== null) throw new Error(`result ${index} says success beside an error`);
    if (success) continue;
    // A failed action may name an order, but not one that it made.
    const mayHave = makesRecord(kinds[index] as Method) ? [] : resultFields(asked);
    const why = doubt(asked, status, raw, data, mayHave);
    if (why !== undefined) throw new Error(`result ${index}: ${why}`);
    const { code } = readRefusal(raw, data);
    refusals.set(index, apiError(asked, { status, code, error: error || NO_REASON, body }));
  }
  return new BatchResult(operation.name, results, refusals);
}

/** Judge what stands around the results, by the rules of any refusal. Throws if it speaks of execution. */
function checkAround(
  asked: Asked,
  status: number,
  payload: Parsed,
  content: ParsedObject,
  failed: boolean,
): void {
  // An envelope of success may stand around a failed action, on both levels.
  const inside = without(
    content,
    resultField(asked.operation).name,
    ...(failed ? [] : ["success"]),
  );
  const isWhole = content === payload || !isObject(payload);
  const around: ParsedObject = isWhole ? inside : new Map([...payload, ["data", inside]]);
  const data = around.get("data") ?? null;
  const why = doubt(asked, status, around, data);
  if (why !== undefined) throw new Error(why);
  if (!refuses(readRefusal(around, data).code)) throw new Error("its code is none of a refusal");
}

/** The content of a batch, without the errors of results that are null, false or empty. */
function withoutEmptyErrors(content: ParsedObject, key: string): ParsedObject {
  const listed = content.get(key);
  if (!Array.isArray(listed)) return content;
  const isEmpty = (each: ParsedObject) => !saysSomething(each.get("error") ?? null);
  const results = listed.map((each) =>
    isObject(each) && isEmpty(each) ? without(each, "error") : each,
  );
  return new Map(content).set(key, results);
}
