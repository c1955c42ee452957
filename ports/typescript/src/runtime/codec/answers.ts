/**
 * Answers in: the envelope off, then a typed result or a typed error.
 *
 * The *body* is bytes, the *payload* their JSON, the *content* the payload without its envelope.
 */

import { type ApiError, type Code, DecodeError } from "../errors.js";
import {
  type BatchOperation,
  type Method,
  makesRecord,
  type Operation,
  type Schema,
  type Type,
} from "../operation.js";
import { refuses } from "../statuses.js";
import { type ActionOutcome, BatchResult, NO_REASON } from "./batch.js";
import { asObject, plainJson, structure } from "./decoder.js";
import { acknowledges, notJson, opened, saysNothing, unwrap } from "./envelopes.js";
import { decodeUtf8, isObject, type Parsed, type ParsedObject, parse } from "./parser.js";
import {
  apiError,
  doubt,
  readRefusal,
  refusalReason,
  resultFields,
  saysSomething,
} from "./refusals.js";

/** Stands for a result where the answer says that the request was not executed. */
export const REFUSED = Symbol("refused");
const PART = "a 206 is a part of an answer, which nobody asked for";

/** Reads the answers to one operation. */
export interface Reader<T> {
  /**
   * The result in an answer of this status; `contentType` stands in errors alone.
   *
   * @throws {@link ApiError} The service refused, by its status or by `success: false`.
   * @throws {@link DecodeError} An answer that cannot be used, or contradicts itself.
   */
  read(status: number, body: Uint8Array, contentType?: string | null): T;
}

/** Takes the envelope off. */
export abstract class EnvelopeReader<T> implements Reader<T> {
  protected readonly operation: Operation<unknown>;
  protected readonly schema: Schema;

  constructor(operation: Operation<unknown>, schema: Schema) {
    this.operation = operation;
    this.schema = schema;
  }

  read(status: number, body: Uint8Array, contentType: string | null = null): T {
    if (status === 206) {
      throw new DecodeError(this.operation.name, PART, { body, status, isJson: false });
    }
    const { successes = [200] } = this.operation;
    if (status === 204 && successes.includes(status) && body.length === 0) return undefined as T;
    let payload: Parsed = null;
    try {
      payload = parse(decodeUtf8(body));
    } catch (error) {
      if (Math.floor(status / 100) === 2) {
        const wrong = notJson(body, contentType, (error as Error).message);
        const reason = wrong + this.#insteadOf(status);
        throw new DecodeError(this.operation.name, reason, { body, status, isJson: false });
      }
    }
    if (Math.floor(status / 100) === 2) {
      const found = this.#result(status, body, payload);
      if (found !== REFUSED) return found;
    }
    const content = unwrap(this.operation, this.schema, payload);
    const why = doubt(this.operation, this.schema, status, payload, content);
    if (why !== undefined) throw new DecodeError(this.operation.name, why, { body, status });
    throw this.#refusal(status, body, payload, content);
  }

  /** The result in an answer with a status of success. Throws an Error if it cannot be used. */
  protected abstract result(payload: Parsed, status: number): T | typeof REFUSED;

  /** Which statuses of success are declared, if this one is not; else an empty text. */
  #insteadOf(status: number): string {
    const { successes = [200] } = this.operation;
    if (successes.includes(status)) return "";
    return `; the spec declares the status ${successes.join(" or ")}, not ${status}`;
  }

  #result(status: number, body: Uint8Array, payload: Parsed): T | typeof REFUSED {
    try {
      return this.result(payload, status);
    } catch (error) {
      const reason = (error as Error).message + this.#insteadOf(status);
      throw new DecodeError(this.operation.name, reason, { body, status });
    }
  }

  /** The typed value of a member of the object at `path`. */
  protected member(level: Parsed, name: string, type: Type, path: string): unknown {
    const found = asObject(level, path).get(name);
    if (found === undefined && !type.nullable) {
      throw new Error(`required field missing @ ${path}.${name}`);
    }
    if (type.nullable && (found === undefined || found === null)) return null;
    return structure(found ?? null, type, this.schema, `${path}.${name}`);
  }

  #refusal(status: number, body: Uint8Array, payload: Parsed, content: Parsed): ApiError {
    const said = readRefusal(payload, content);
    const error = said.text ?? new TextDecoder().decode(body);
    return apiError(this.schema, this.operation.name, { ...said, status, error, body });
  }
}

const NOTHING = "it has neither an envelope nor a field of the result";

/** The type of a result, with whether it may be null. */
function typeOf(operation: Operation<unknown>): Type {
  const { type, nullable } = operation.result as { type: Type; nullable?: boolean };
  return nullable ? { ...type, nullable } : type;
}

/** Reads the result of a call. */
export class ResultReader<T> extends EnvelopeReader<T> {
  protected override result(payload: Parsed): T | typeof REFUSED {
    const { operation, schema } = this;
    const { content, failed } = opened(operation, schema, payload);
    if (failed) return REFUSED;
    if (operation.result === undefined) {
      if (acknowledges(operation, payload, content)) return undefined as T;
      throw new Error("expected an object with success: true");
    }
    const type = typeOf(operation);
    const path = content === payload ? "$" : "$.data";
    const { key } = operation.result;
    if (key !== undefined) return this.member(content, key, type, path) as T;
    if (payload === null && saysNothing(operation, schema, payload)) throw new Error(NOTHING);
    if (content === null && type.nullable) return null as T;
    const { secret = false } = operation.result;
    const found = secret ? plainJson(content, path, true) : structure(content, type, schema, path);
    if (content === payload && saysNothing(operation, schema, payload)) throw new Error(NOTHING);
    return found as T;
  }
}

/** Reads the results of a batch, one for each action. */
export class BatchReader<R extends ActionOutcome> extends EnvelopeReader<BatchResult<R>> {
  readonly #kinds: readonly Method[];

  /** Read the answers to a batch of actions of these kinds. */
  constructor(operation: BatchOperation<R>, schema: Schema, kinds: readonly Method[]) {
    super(operation, schema);
    this.#kinds = kinds;
  }

  /** See {@link Reader}. One unclear action makes the outcome of the whole batch unknown. */
  override read(status: number, body: Uint8Array, contentType?: string | null): BatchResult<R> {
    const found = super.read(status, body, contentType);
    const index = found.codes.findIndex((code) => !refuses(code));
    if (index < 0) return found;
    const where = found.length > 1 ? `actions[${index}]: ` : "";
    const error = `${where}${found.results[index]?.error || NO_REASON}`;
    const code = found.codes[index] ?? null;
    throw apiError(this.schema, this.operation.name, { status, code, error, body });
  }

  protected override result(payload: Parsed, status: number): BatchResult<R> | typeof REFUSED {
    const { operation, schema } = this;
    const key = operation.result?.key ?? "";
    const { content, failed } = opened(operation, schema, payload);
    const listed = isObject(content) ? content.get(key) : undefined;
    if (failed && !(Array.isArray(listed) ? listed.length > 0 : listed)) return REFUSED;
    const path = content === payload ? "$" : "$.data";
    const told = isObject(content) ? withoutEmptyErrors(content, key) : content;
    const results = this.member(told, key, typeOf(operation), path) as R[];
    const raw = listed as readonly ParsedObject[];
    // Where some actions failed, the whole may be called a failure; the results count.
    if (results.some((each) => !each.success)) {
      this.#checkAround(status, payload, content as ParsedObject, failed);
    } else if (failed) throw new Error("it reports a failure, but every result says success");
    const count = this.#kinds.length;
    if (results.length !== count) throw new Error(`${results.length} results for ${count} actions`);
    const doubled = results.findIndex((each) => each.success && each.error !== null);
    if (doubled >= 0) throw new Error(`result ${doubled} says success beside an error`);
    const reasons = results.map(({ success, error }) =>
      success ? undefined : refusalReason(schema, operation.name, { error: error ?? "" }),
    );
    const codes = results.map((each, index) => (each.success ? null : this.#code(raw[index])));
    for (const [index, kind] of this.#kinds.entries()) {
      const refused = results[index]?.success ? undefined : raw[index];
      if (refused === undefined) continue;
      // A failed action may name an order, but not one that it made.
      const mayHave = makesRecord(kind) ? [] : resultFields(operation, schema);
      const data = refused.get("data") ?? null;
      const why = doubt(operation, schema, status, refused, data, mayHave);
      if (why !== undefined) throw new Error(`result ${index}: ${why}`);
    }
    return new BatchResult(operation.name, results, reasons, codes);
  }

  /** Judge what stands around the results, by the rules of any refusal. Throws if it speaks of execution. */
  #checkAround(status: number, payload: Parsed, content: ParsedObject, failed: boolean): void {
    // An envelope of success may stand around a failed action, on both levels.
    const known = [this.operation.result?.key, failed ? undefined : "success"];
    const others = [...content].filter(([name]) => !known.includes(name));
    let around: ParsedObject = new Map(others);
    if (content !== payload && isObject(payload)) around = new Map([...payload, ["data", around]]);
    const data = around.get("data") ?? null;
    const why = doubt(this.operation, this.schema, status, around, data);
    if (why !== undefined) throw new Error(why);
    if (!refuses(this.#code(around))) throw new Error("its code is none of a refusal");
  }

  #code(raw: ParsedObject | undefined): Code {
    return readRefusal(raw ?? null, raw?.get("data") ?? null).code;
  }
}

/** Reads the result of a batch of one action; a failed action is a BadRequestError. */
export class ActionReader<R extends ActionOutcome> implements Reader<R> {
  readonly #name: string;
  readonly #schema: Schema;
  readonly #batch: BatchReader<R>;

  constructor(operation: BatchOperation<R>, schema: Schema, kind: Method) {
    this.#name = operation.name;
    this.#schema = schema;
    this.#batch = new BatchReader(operation, schema, [kind]);
  }

  read(status: number, body: Uint8Array, contentType: string | null = null): R {
    const found = this.#batch.read(status, body, contentType);
    const [result] = found;
    if (result?.success) return result;
    const error = result?.error || NO_REASON;
    throw apiError(this.#schema, this.#name, { status, code: found.codes[0] ?? null, error, body });
  }
}

/** The content of a batch, without the errors of results that are null, false or empty. */
function withoutEmptyErrors(content: ParsedObject, key: string): ParsedObject {
  const listed = content.get(key);
  if (!Array.isArray(listed)) return content;
  const results = listed.map((each) =>
    isObject(each) && !saysSomething(each.get("error") ?? null)
      ? new Map([...each].filter(([name]) => name !== "error"))
      : each,
  );
  return new Map(content).set(key, results);
}
