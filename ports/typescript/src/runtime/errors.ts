/**
 * Every error that the client throws.
 *
 *     TradingError
 *     ├── RequestError               refused before anything was sent
 *     ├── SigningError               cannot be signed: the key, or text that has no canonical form
 *     ├── NotSentError               certainly not sent, nothing was changed
 *     ├── NoResponseError            a read got no complete answer; nothing was changed
 *     ├── OutcomeUnknownError        may have been executed; client.reconcile(error) looks for it
 *     ├── DecodeError                an answer not of the documented form; carries the raw body
 *     ├── JournalError               the intent journal cannot be used; what it names was not sent
 *     ├── PaginationError            the service contradicts itself about the next page
 *     ├── BatchError                 actions of a batch failed; which ones, with the text of each
 *     └── ApiError                   the service refused; status, code, error, reason, body, operation
 *         ├── BadRequestError            400, and every refusal inside a 2xx (`success: false`)
 *         ├── AuthenticationError        401; and a 400 or 2xx whose reason says that the signature, the API
 *         │                              key or the agent wallet is wrong
 *         ├── PermissionDeniedError      403
 *         ├── NotFoundError              404
 *         ├── ConflictError              409
 *         ├── UnprocessableEntityError   422
 *         ├── RateLimitError             429
 *         └── InternalServerError        500 and every other 5xx; of a change, only a 501
 */

import { jsonText } from "./codec/json_text.js";
import { advice, asFields, fromErrorText, type Intent } from "./intent.js";
import type { RateBudget } from "./rate_limit.js";
import { hide, oneLine, SHOWN } from "./shown.js";

/** The code of a refusal, as received. */
export type Code = bigint | string | null;

/** What a generated package adds to the types of the runtime: its enum of reasons, as `reason`. */
// biome-ignore lint/suspicious/noEmptyInterface: a package adds to it by `declare module`.
export interface Registered {}

/** Why a request was refused: a value of the service's enum of reasons. */
export type Reason = Registered extends { readonly reason: infer R extends string } ? R : string;

/** The base of every error of this client. */
export class TradingError extends Error {
  /**
   * Why a call made no further attempt after the one that failed, like `max_attempts`; null of errors that
   * are no attempt's. docs/recovery.md lists them.
   */
  stopReason: string | null = null;
}

/** The request is wrong and was refused before anything was sent. */
export class RequestError extends TradingError {}

/** Something cannot be signed: the key is unusable or the text has no canonical form. */
export class SigningError extends TradingError {
  /** Where in the message it lies, like `data.price`; null if it is the key, or the signer. */
  readonly path: string | null;

  constructor(message: string, { path, cause }: { path?: string; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.path = path ?? null;
  }
}

/** The intent journal cannot be read or written; the call was not sent. */
export class JournalError extends TradingError {}

/** The service contradicts itself about the next page; the items yielded before are good. */
export class PaginationError extends TradingError {}

/** A call that has no usable answer. */
class NoResultError extends TradingError {
  /** Like `orders.create`. */
  readonly operation: string;
  readonly reason: string;

  constructor(operation: string, reason: string, text: string) {
    super(`${operation}: ${text}`);
    this.operation = operation;
    this.reason = reason;
  }
}

/** The request was certainly not sent: nothing was changed, it can be repeated. */
export class NotSentError extends NoResultError {
  constructor(operation: string, reason: string) {
    super(operation, reason, `not sent, nothing was changed (${reason})`);
  }
}

/** A read got no complete answer: nothing was changed, it can be repeated. */
export class NoResponseError extends NoResultError {
  constructor(operation: string, reason: string) {
    super(operation, reason, `no complete answer, nothing was changed (${reason})`);
  }
}

/** An error of a message that `client.reconcile` looks for. */
class ReconcilableError extends TradingError {
  /**
   * How far `client.reconcile` came; null before the first page and after the end. Another `reconcile` of the
   * same error goes on from there; the error in another process begins anew.
   */
  progress: string | null = null;
  /** What `client.reconcile` saw so far; null while it runs. */
  looks: unknown = null;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    hide(this, "looks");
  }
}

/** Why what was refused may have been executed nevertheless. */
export const OF_A_COPY =
  "if a proxy sent it twice, its first copy may have been executed: client.reconcile(error) looks";

/**
 * Some actions of a batch failed. It is no ApiError, because others may have been executed.
 * `client.reconcile(error)` settles these actions.
 */
export class BatchError extends ReconcilableError {
  readonly operation: string;
  /** The service's error texts by the index of the action. */
  readonly failures: ReadonlyMap<number, string>;
  /** What these texts stand for, as `ApiError.reason` does, by the index of the action. */
  readonly reasons: ReadonlyMap<number, Reason | undefined>;
  /** How many actions the batch had. */
  readonly count: number;
  /** The refusal of each action that failed. */
  readonly refusals: ReadonlyMap<number, ApiError>;
  /** What was sent, of all actions. */
  readonly intent: Intent | null;

  constructor(
    operation: string,
    count: number,
    refusals: ReadonlyMap<number, ApiError>,
    intent: Intent | null,
  ) {
    const words = [...refusals].map(([index, { error }]) => `[${index}] ${oneLine(error)}`);
    const told = `${refusals.size} of ${count} actions failed: ${words.join("; ")}`;
    super(`${operation}: ${told} (${OF_A_COPY})`);
    this.operation = operation;
    this.failures = new Map([...refusals].map(([index, { error }]) => [index, error]));
    this.reasons = new Map([...refusals].map(([index, { reason }]) => [index, reason]));
    this.count = count;
    this.refusals = refusals;
    this.intent = intent;
    hide(this, "refusals");
  }

  /** The actions that may have been executed: those refused as duplicates of their own id, perhaps of a copy. */
  get unclear(): readonly number[] {
    const messages = this.intent?.messages ?? [];
    const isUnclear = ([index, { isDuplicate }]: readonly [number, ApiError]) =>
      isDuplicate && (messages[index]?.clientId ?? null) !== null;
    return [...this.refusals].filter(isUnclear).map(([index]) => index);
  }
}

/** The request may have been executed: `client.reconcile(error)` looks for it in the histories. */
export class OutcomeUnknownError extends ReconcilableError {
  /** What was sent: operation, account, the fields and client order id of each message. */
  readonly intent: Intent;
  readonly reason: string;
  /** That of the answer, if there was one. */
  readonly status: number | null;
  /** What was read of the answer. */
  readonly body: Uint8Array | null;
  /** @internal Whether the service said that the id of the message was used before. */
  readonly isDuplicate: boolean;

  constructor(
    intent: Intent,
    reason: string,
    answer: { status?: number | null; body?: Uint8Array | null; cause?: unknown } = {},
  ) {
    const { status = null, body = null, cause } = answer;
    const isDuplicate = status === 409 || (cause instanceof ApiError && cause.isDuplicate);
    const text = `${intent.operation}: it may have been executed (${reason}). ${advice(intent, isDuplicate)}`;
    super(text, cause === undefined ? undefined : { cause });
    this.intent = intent;
    this.reason = reason;
    this.status = status;
    this.body = body;
    this.isDuplicate = isDuplicate;
  }

  /** Like `orders.create`. */
  get operation(): string {
    return this.intent.operation;
  }

  /** The client order id or idempotency key of each message; null where it has none. */
  get clientIds(): readonly (string | null)[] {
    return this.intent.messages.map((each) => each.clientId);
  }

  /** When it was signed, in ms. */
  get timestamp(): number {
    return this.intent.timestamp;
  }

  /** How long its signature is accepted, in ms. */
  get expiryWindow(): number {
    return this.intent.expiryWindow;
  }

  /** All that `reconcile` needs, as text for any process. The body, which may hold a secret, is left out. */
  toJson(): string {
    const { reason, status } = this;
    return jsonText({ reason, status, intent: asFields(this.intent) });
  }

  /**
   * Read what `toJson` wrote.
   *
   * @throws {@link RequestError} The text is something else.
   */
  static fromJson(text: string): OutcomeUnknownError {
    try {
      const { intent, reason, status } = fromErrorText(text);
      return new OutcomeUnknownError(intent, reason, { status });
    } catch (error) {
      const problem = (error as Error).message;
      throw new RequestError(`this is not the JSON of an OutcomeUnknownError: ${problem}`);
    }
  }
}

/** The service sent an answer that cannot be used. */
export class DecodeError extends NoResultError {
  /** The answer, which may hold a secret. */
  readonly body: Uint8Array;
  /** A 2xx, or that of a refusal which says, nevertheless, that the request was executed. */
  readonly status: number | null;
  /** False if the answer was cut short or is not JSON; reads were then repeated in vain. */
  readonly isJson: boolean;

  constructor(
    operation: string,
    reason: string,
    answer: { body: Uint8Array; status: number | null; isJson?: boolean },
  ) {
    // An answer may hold a new API key, so the message shows nothing of the body.
    const size = `${answer.body.length} bytes, see .body`;
    super(operation, reason, `the answer cannot be used: ${reason} (${size})`);
    this.body = answer.body;
    hide(this, "body");
    this.status = answer.status;
    this.isJson = answer.isJson ?? true;
  }
}

/** What an answer says of a refusal. */
export interface Refusal {
  readonly status: number;
  readonly code: Code;
  readonly error: string;
  readonly body: Uint8Array;
  readonly reason?: Reason | undefined;
}

/** The service refused the request, or an action. */
export class ApiError extends ReconcilableError {
  readonly operation: string;
  /** A 2xx where only the body says that it refused. */
  readonly status: number;
  /** Its number or word, as received. */
  readonly code: Code;
  /** The service's text. */
  readonly error: string;
  /** Why, so that no program matches texts; undefined if it is not known. */
  readonly reason: Reason | undefined;
  /** The whole answer. */
  readonly body: Uint8Array;
  /** What was refused; null for a read. */
  intent: Intent | null = null;
  /** The rate-limit budget as of this answer; null if it does not tell it. */
  rateBudget: RateBudget | null = null;
  /** How long the service asks to wait, in ms; null if it does not ask. */
  retryAfter: number | null = null;
  /** Why the service may have taken the message for expired, or for one from the future. */
  clockHint: string | null = null;
  /**
   * Whether it says, by a 409 as status or code or by its reason, that the id of the message was used before:
   * perhaps by a copy of the message itself.
   */
  isDuplicate: boolean;

  constructor(operation: string, { status, code, error, body, reason }: Refusal) {
    const head = `${operation}: ${status}${code === null ? "" : ` (code ${oneLine(String(code))})`}`;
    // Four bytes is the longest character in UTF-8.
    const words = oneLine(error) || oneLine(new TextDecoder().decode(body.subarray(0, 4 * SHOWN)));
    super(words ? `${head}: ${words}` : head);
    this.operation = operation;
    this.status = status;
    this.code = code;
    this.error = error;
    this.reason = reason;
    this.body = body;
    hide(this, "body");
    this.isDuplicate = status === 409 || String(code) === "409";
  }

  /** Put more words behind the message. */
  add(words: string): void {
    this.message = `${this.message} (${words})`;
  }
}

/** 400, or `success: false` in a 2xx: a parameter is wrong, or the service cannot do it. */
export class BadRequestError extends ApiError {}

/** 401, or another status whose reason is one: unauthorized, or the signature is not the signer's. */
export class AuthenticationError extends ApiError {}

/** 403: the caller may not do this. */
export class PermissionDeniedError extends ApiError {}

/** 404: there is no such thing. */
export class NotFoundError extends ApiError {}

/** 409: it conflicts with what was done before, like a key that was used. */
export class ConflictError extends ApiError {}

/** 422: a business rule refuses it. */
export class UnprocessableEntityError extends ApiError {}

/** 429: too many requests. */
export class RateLimitError extends ApiError {}

/** 500 and every other 5xx of a read: the service failed. Of a change only a 501. */
export class InternalServerError extends ApiError {}

const NAMED = {
  TradingError,
  RequestError,
  SigningError,
  JournalError,
  PaginationError,
  BatchError,
  NotSentError,
  NoResponseError,
  OutcomeUnknownError,
  DecodeError,
  ApiError,
  BadRequestError,
  AuthenticationError,
  PermissionDeniedError,
  NotFoundError,
  ConflictError,
  UnprocessableEntityError,
  RateLimitError,
  InternalServerError,
};
// The name of a class would be another one in a bundle: minifiers rename classes.
for (const [value, { prototype }] of Object.entries(NAMED)) {
  Object.defineProperty(prototype, "name", { value, configurable: true, writable: true });
}
