/** One call, all the way: from arguments to the result or the error that the user sees. */

import type { Clock } from "../clock.js";
import { ActionReader, BatchReader, ResultReader } from "../codec/answers.js";
import { type ActionOutcome, BatchResult, batchBody, type GivenAction } from "../codec/batch.js";
import { jsonText } from "../codec/json_text.js";
import { type Instead, type Page, PageReader, Paginator } from "../codec/pages.js";
import { bodyOf, type Encoded, type Filled, pathAndQuery } from "../codec/requests.js";
import { ApiError, DecodeError, NotSentError, RequestError, TradingError } from "../errors.js";
import { type Failure, faultOf, TransportError } from "../http/fault.js";
import type { Transport, TransportRequest, TransportResponse } from "../http/transport.js";
import type { Fields } from "../intent.js";
import type { Action, Api, BatchOperation, ListOperation, Operation } from "../operation.js";
import type { RateLimit } from "../rate_limit.js";
import { hide } from "../shown.js";
import { checkedAddress, type Signer } from "../signing/keys.js";
import { countersign, type SignedRequest, signRequest } from "../signing/request.js";
import { nameOf, type OnEvent, tellAnswered, tellEnded, tellFailed, tellSent } from "./events.js";
import { annotate, errorOf, explain, noteDuplicate } from "./failures.js";
import type { Journal } from "./journal.js";
import {
  batchCall,
  type Call,
  type CallOptions,
  checkedOptions,
  checkedTimeout,
  encoded,
  isRead,
  type Kind,
  singleCall,
} from "./message.js";
import { decide, type NextAttempt, type RetryPolicy, type RetryQuota, type Stop } from "./retry.js";

/** The options of a client, already checked, and the state that its calls share. Times are in ms. */
export interface Settings {
  readonly api: Api;
  readonly baseUrl: string;
  readonly signer: Signer | null;
  readonly account: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly expiryWindow: number;
  readonly timeout: number;
  readonly signingTypes: ReadonlyMap<string, string>;
  readonly transport: Transport;
  readonly retry: RetryPolicy;
  readonly quota: RetryQuota;
  readonly clock: Clock;
  /** What tells the service's time before the first message is signed; null to sign by any clock. */
  readonly timeSource: Operation<unknown> | null;
  readonly rateLimit: RateLimit;
  readonly journal: Journal | null;
  /** How long the service may take to carry out what it accepted, and its lists to show it. */
  readonly historyLag: number;
  /** Is called with what happens in each call. */
  readonly onEvent: OnEvent | null;
}

/** Makes the calls of a client. `carryOut` is what each call passes; its steps follow it, in their order. */
export class Caller {
  readonly settings: Settings;

  constructor(settings: Settings) {
    this.settings = settings;
    // An API key is among them.
    hide(this, "settings");
  }

  /** A caller with other settings, which shares the state of this one. */
  with(changes: Partial<Settings>): Caller {
    return new Caller({ ...this.settings, ...changes });
  }

  // -- the calls that generated methods make --------------------------------------------------

  /** Carry out an operation and return its result. */
  async call<T>(operation: Operation<T>, given: unknown, options?: CallOptions): Promise<T> {
    const reader = new ResultReader<T>(operation, this.#schema);
    const own = this.#encoded(operation, given);
    const found = await this.carryOut(singleCall(this.#schema, operation, own, reader, options));
    return operation.outcome ? ({ success: true, ...found } as T) : found;
  }

  /** Iterate over the records of a list, from the page at the cursor of the query on. */
  paginate<T>(operation: ListOperation<T>, given: unknown, asked?: CallOptions): Paginator<T> {
    const options = checkedOptions(operation, asked);
    const { fields } = this.#encoded(operation, given);
    const start = fields.get(operation.pagination.cursor) ?? null;
    const fetch = (cursor: string | null) =>
      this.carryOut(this.#page(operation, fields, cursor, options));
    return new Paginator(fetch, start === null ? null : String(start), operation.name);
  }

  /** The call for the page at a cursor; `instead` makes what stands for a record that cannot be read. */
  pageCall<T>(
    operation: ListOperation<T>,
    given: unknown,
    cursor: string | null,
    instead: Instead<T>,
  ): Call<Page<T>> {
    return this.#page(operation, this.#encoded(operation, given).fields, cursor, {}, instead);
  }

  #page<T>(
    operation: ListOperation<T>,
    asked: Fields,
    cursor: string | null,
    options: CallOptions,
    instead?: Instead<T>,
  ): Call<Page<T>> {
    const fields = new Map(asked);
    fields.delete(operation.pagination.cursor);
    if (cursor) fields.set(operation.pagination.cursor, cursor);
    const reader = new PageReader(operation, this.#schema, cursor, instead);
    const own = { fields, minted: new Set<string>() };
    return singleCall(this.#schema, operation, own, reader, options);
  }

  /** Carry out an operation whose message another key signs, too, and return its result. */
  async countersigned<T>(
    operation: Operation<T>,
    other: Signer,
    options?: CallOptions,
  ): Promise<T> {
    const { signer, account } = this.settings;
    if (signer === null || signer.address !== account) {
      throw new RequestError(`${operation.name}: give the client the account's own key as signer`);
    }
    checkedAddress("the other signer", other?.address);
    const { own, other: second } = operation.countersigned ?? {};
    const fields = new Map([
      [own?.address ?? "", signer.address],
      [second?.address ?? "", other.address],
    ]);
    const reader = new ResultReader<T>(operation, this.#schema);
    const both = { fields, minted: new Set<string>() };
    return this.carryOut(singleCall(this.#schema, operation, both, reader, options, other));
  }

  /** Send several actions in one request, each signed on its own. */
  async batch<R extends ActionOutcome>(
    operation: BatchOperation<R>,
    actions: readonly GivenAction[],
    options?: CallOptions,
  ): Promise<BatchResult<R>> {
    const readerOf = (kinds: readonly Action[]) =>
      new BatchReader<R>(operation, this.#schema, kinds);
    const call = batchCall(this.#schema, operation, actions, this.#filled, readerOf, options);
    return this.carryOut(call);
  }

  /** Send a batch of one action and return its result; a failed one is a BadRequestError. */
  async act<R extends ActionOutcome>(
    operation: BatchOperation<R>,
    type: string,
    data: object,
    options?: CallOptions,
  ): Promise<R> {
    const action = operation.batch.actions[type] as Action;
    const alone = { ...operation, name: action.name, retry: action.retry };
    const readerOf = () => new ActionReader<R>(alone, this.#schema, action);
    const actions = [{ type, data }];
    const call = batchCall(this.#schema, alone, actions, this.#filled, readerOf, options);
    return this.carryOut(call);
  }

  /** What an operation or action would send now. It is not sent here, but perhaps by whoever sees it. */
  async sign(kind: Kind, given: unknown): Promise<SignedRequest> {
    const { fields } = this.#encoded(kind, given);
    return this.#sign(kind, fields, this.settings.clock.signMs());
  }

  get #schema() {
    return this.settings.api.schema;
  }

  #encoded(kind: Kind, given: unknown): Encoded {
    return encoded(this.#schema, kind, given ?? {}, this.#filled);
  }

  get #filled(): Filled {
    return {
      uuid: this.settings.clock.environment.uuid,
      account: (given) => {
        if (given !== undefined) return checkedAddress("account", given);
        if (this.settings.account !== null) return this.settings.account;
        throw new RequestError("account is missing: give one, or give the client one");
      },
    };
  }

  // -- a call, step by step ---------------------------------------------------------------------

  /** Attempt a call until it is answered or must not be repeated. */
  async carryOut<T>(call: Call<T>): Promise<T> {
    const { clock, timeout, timeSource, signer, quota, journal } = this.settings;
    const { monotonic, sleep } = clock.environment;
    const given = checkedTimeout(call.options.timeout ?? timeout);
    call.began = monotonic();
    call.deadline = call.began + given;
    if (timeSource !== null && signer !== null && call.operation.method !== "GET") {
      await this.#learnTime(timeSource, call, given);
      call.began = monotonic();
    }
    while (true) {
      const request = await this.#preparedInTime(call);
      call.number += 1;
      const work = () => this.#outcome(call, request);
      const found = await (journal === null ? work() : journal.entry(call.intent, work, isUnclear));
      if ("value" in found) {
        this.#tellEnded(call, null, null);
        return found.value;
      }
      quota.spend();
      await sleep(found.delay, call.options.signal);
    }
  }

  /**
   * Read the service's time, unless an answer has told it.
   *
   * @throws {@link NotSentError} It is not known, so nothing was signed.
   */
  async #learnTime(
    source: Operation<unknown>,
    waiting: Call<unknown>,
    timeout: number,
  ): Promise<void> {
    const { clock, account } = this.settings;
    if (clock.skew !== null) return;
    const fields = new Map([[source.account ?? "", account ?? ""]]);
    const own = { fields, minted: new Set<string>() };
    const reader = new ResultReader(source, this.#schema);
    const options = { ...waiting.options, timeout };
    let problem = "its answer has no Date";
    try {
      await this.carryOut(singleCall(this.#schema, source, own, reader, options));
    } catch (error) {
      if (!(error instanceof TradingError)) throw error;
      // A refusal may have told the time nevertheless.
      problem = error.message;
    }
    if (clock.skew === null) {
      const why = `${source.name} did not tell the service's time: ${problem}`;
      throw new NotSentError(waiting.operation.name, why);
    }
  }

  /**
   * The request of an attempt, unless the deadline passes or the caller gives up before it is signed.
   *
   * @throws {@link NotSentError} A signer may ask a person or another machine, and never answer.
   */
  async #preparedInTime(call: Call<unknown>): Promise<TransportRequest> {
    const { signal } = call.options;
    const { monotonic } = this.settings.clock.environment;
    let stop = () => {};
    const late = new Promise<never>((_, reject) => {
      const end = (why: string) => reject(new NotSentError(call.operation.name, why));
      const aborted = () => end("it was aborted before it was sent");
      if (signal?.aborted) return aborted();
      const left = call.deadline - monotonic();
      const timer = setTimeout(end, left, "the deadline passed before it was signed");
      signal?.addEventListener("abort", aborted, { once: true });
      stop = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", aborted);
      };
    });
    try {
      return await Promise.race(signal?.aborted ? [late] : [late, this.#prepare(call)]);
    } catch (error) {
      if (error instanceof NotSentError) this.#tellEnded(call, error, error.message);
      throw error;
    } finally {
      stop();
    }
  }

  /** Sign the messages of a call anew, with the same ids, and write its request and its intent. */
  async #prepare(call: Call<unknown>): Promise<TransportRequest> {
    const { operation, id, messages } = call;
    const { clock, baseUrl, account, expiryWindow } = this.settings;
    const isGet = operation.method === "GET";
    const timestamp = isGet ? 0 : clock.signMs();
    const request = await this.#request(call, timestamp);
    if (isRead(operation)) return request;
    call.intent = {
      id,
      operation: operation.name,
      baseUrl,
      account: account ?? "",
      timestamp,
      expiryWindow,
      messages,
      signed: operation.signing !== undefined || operation.batch !== undefined,
      skew: clock.aheadOf(timestamp),
    };
    return request;
  }

  async #request(call: Call<unknown>, timestamp: number): Promise<TransportRequest> {
    const { operation, kinds, fields, otherSigner } = call;
    const own = fields[0] ?? new Map();
    const path = pathAndQuery(operation, operation.batch ? new Map() : own);
    const headers = {
      ...this.settings.headers,
      ...(operation.hasBody && { "Content-Type": "application/json" }),
    };
    const at = { method: operation.method, url: `${this.settings.baseUrl}${path}`, headers };
    if (!operation.hasBody) return { ...at, body: null };
    if (operation.batch) {
      const signed = await Promise.all(
        kinds.map((kind, index) => this.#sign(kind, fields[index] ?? new Map(), timestamp)),
      );
      const types = kinds.map((kind) => (kind as Action).type);
      const actions = signed.map(({ body }, index) => ({ type: types[index] ?? "", body }));
      return { ...at, body: batchBody(operation.batch.field, actions) };
    }
    if (operation.signing === undefined)
      return { ...at, body: jsonText(bodyOf(operation, own), true) };
    return { ...at, body: (await this.#sign(operation, own, timestamp, otherSigner)).body };
  }

  async #sign(
    kind: Kind,
    fields: Fields,
    timestamp: number,
    other?: Signer,
  ): Promise<SignedRequest> {
    const { signer, account, expiryWindow, signingTypes } = this.settings;
    if (signer === null || account === null) {
      throw new RequestError(`${kind.name} must be signed: give the client a signer`);
    }
    const type = signingTypes.get(kind.name) ?? "";
    const stamp = { signer, account, timestamp, expiryWindow };
    if (other !== undefined && "countersigned" in kind && kind.countersigned) {
      return countersign(kind.countersigned, type, other, stamp);
    }
    const own = "path" in kind ? bodyOf(kind as Operation<unknown>, fields) : fields;
    return signRequest(own, type, stamp);
  }

  /** The result of an attempt, or when the next one is due. */
  async #outcome<T>(
    call: Call<T>,
    request: TransportRequest,
  ): Promise<{ readonly value: T } | NextAttempt> {
    try {
      return { value: await this.#attempt(call, request) };
    } catch (failure) {
      const isKnown = failure instanceof TransportError || failure instanceof ApiError;
      if (isKnown || failure instanceof DecodeError) return this.#decide(call, failure);
      this.#tellEnded(call, failure, `the transport threw ${nameOf(failure)}`);
      throw failure;
    }
  }

  /** Send the request of a call, and read its answer. */
  async #attempt<T>(call: Call<T>, request: TransportRequest): Promise<T> {
    const { clock, transport, rateLimit, quota, onEvent } = this.settings;
    const { monotonic } = clock.environment;
    call.response = null;
    if (monotonic() >= call.deadline) {
      throw new TransportError("not_sent", "the deadline passed before it was sent");
    }
    if (onEvent) tellSent(onEvent, call, request.body);
    const began = monotonic();
    const timeout = call.deadline - began;
    if (timeout <= 0) throw new TransportError("not_sent", "onEvent took until the deadline");
    const response = await transport.send(request, { timeout, signal: call.options.signal });
    checkResponse(response);
    call.response = response;
    const { status, headers, body } = response;
    if (onEvent) {
      tellAnswered(onEvent, call, response, monotonic() - began, rateLimit.budget(headers));
    }
    rateLimit.observe(headers);
    try {
      const result = call.reader.read(status, body, headers.get("content-type"));
      clock.observe(headers);
      if (result instanceof BatchResult) explain(this.#schema, call, result, response);
      quota.restore();
      return result;
    } catch (refusal) {
      if (refusal instanceof ApiError) {
        // A gateway that stands in for the service may have a clock of its own.
        if (status < 500 && startsWithBrace(body)) clock.observe(headers);
        noteDuplicate(this.#schema, refusal);
        annotate(call, refusal, response, clock, rateLimit);
      }
      throw refusal;
    }
  }

  /** When the next attempt after a failed one is due. Throws the error of the call if no other one follows. */
  #decide(call: Call<unknown>, failure: Failure): NextAttempt {
    const { quota, retry, clock, onEvent } = this.settings;
    const { monotonic, random } = clock.environment;
    const { operation, options, number, deadline } = call;
    const failed = {
      fault: faultOf(failure),
      retryClass: operation.retry,
      number,
      timeLeft: options.signal?.aborted ? 0 : deadline - monotonic(),
      quotaLeft: quota.left(retry.quota),
      retryAfter: failure instanceof ApiError ? failure.retryAfter : null,
    };
    // A hop may have sent it twice, and this be the answer to the second copy.
    const isCopy = failure instanceof ApiError && failure.isDuplicate && hasId(call);
    const decision: NextAttempt | Stop = isCopy
      ? { error: "outcome_unknown", reason: "not_repeatable" }
      : decide(failed, retry, random());
    const isAgain = "delay" in decision;
    const then = isAgain ? decision : errorOf(operation, call.intent, failure, decision);
    if (onEvent) {
      tellFailed(onEvent, call, failure, failed.fault, then, monotonic() - call.began);
    }
    if (isAgain) return decision;
    throw then;
  }

  #tellEnded(call: Call<unknown>, error: unknown, reason: string | null): void {
    const { onEvent, clock } = this.settings;
    if (onEvent)
      tellEnded(onEvent, call, error, reason, clock.environment.monotonic() - call.began);
  }
}

/** Whether a call is of one message, and that has an id. */
function hasId({ messages: [first, ...others] }: Call<unknown>): boolean {
  return others.length === 0 && first !== undefined && first.clientId !== null;
}

/** Whether an action of a batch may have been executed although it was refused. */
function isUnclear(found: object): boolean {
  const value = "value" in found ? found.value : null;
  return value instanceof BatchResult && value.unclear.length > 0;
}

/** Whoever writes a transport may not have a compiler. */
function checkResponse(found: TransportResponse | undefined): void {
  const isOne =
    typeof found?.status === "number" &&
    found.body instanceof Uint8Array &&
    typeof found.headers?.get === "function";
  if (!isOne) throw new TransportError("unusable", "the transport returned no response");
}

function startsWithBrace(body: Uint8Array): boolean {
  return body.find((byte) => ![9, 10, 11, 12, 13, 32].includes(byte)) === 0x7b;
}
