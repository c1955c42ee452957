/** One call, all the way: from arguments to the result or the error that the user sees. */

import { type Clock, endAfter } from "../clock.js";
import { actionReader, batchReader, resultReader } from "../codec/answers.js";
import {
  type ActionOutcome,
  BatchResult,
  batchBody,
  checkedActions,
  type GivenAction,
} from "../codec/batch.js";
import { firstByte } from "../codec/envelopes.js";
import { encode } from "../codec/fields.js";
import { jsonText } from "../codec/json_text.js";
import { type Instead, type Page, Paginator, pageReader } from "../codec/pages.js";
import { bodyOf, pathAndQuery } from "../codec/requests.js";
import { without } from "../codec/values.js";
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
import { annotate, errorOf } from "./failures.js";
import type { Journal } from "./journal.js";
import {
  type Call,
  type CallOptions,
  checkedOptions,
  checkedTimeout,
  isRead,
  type Kind,
  newCall,
  type Part,
} from "./message.js";
import { decide, type NextAttempt, type RetryPolicy, type RetryQuota, type Stop } from "./retry.js";

const ABORTED = "it was aborted before it was sent";

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
    const asked = this.#asked(operation);
    const parts = [this.#part(operation, given)];
    const found = await this.carryOut(newCall(asked, parts, resultReader<T>(asked), options));
    return operation.outcome ? ({ success: true, ...found } as T) : found;
  }

  /** Iterate over the records of a list, from the page at the cursor of the query on. */
  paginate<T>(operation: ListOperation<T>, given: unknown, options?: CallOptions): Paginator<T> {
    checkedOptions(operation, options);
    const { fields } = this.#part(operation, given);
    const start = fields.get(operation.pagination.cursor) ?? null;
    const fetch = (cursor: string | null) =>
      this.carryOut(this.pageCall(operation, fields, cursor, options));
    return new Paginator(fetch, start === null ? null : String(start), operation.name);
  }

  /** The call for the page at a cursor; `instead` makes what stands for a record that cannot be read. */
  pageCall<T>(
    operation: ListOperation<T>,
    query: Fields,
    cursor: string | null,
    options?: CallOptions,
    instead?: Instead<T>,
  ): Call<Page<T>> {
    const { cursor: name } = operation.pagination;
    const others = without(query, name);
    const fields = cursor ? new Map([...others, [name, cursor]]) : others;
    const asked = this.#asked(operation);
    const reader = pageReader(asked, cursor, instead);
    return newCall(asked, [{ kind: operation, fields }], reader, options);
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
    const asked = this.#asked(operation);
    const parts = [{ kind: operation, fields }];
    return this.carryOut(newCall(asked, parts, resultReader<T>(asked), options, other));
  }

  /** Send several actions in one request, each signed on its own. */
  async batch<R extends ActionOutcome>(
    operation: BatchOperation<R>,
    actions: readonly GivenAction[],
    options?: CallOptions,
  ): Promise<BatchResult<R>> {
    const asked = this.#asked(operation);
    const given = checkedActions(operation.name, operation.batch, actions);
    const parts = given.map(([kind, data]) => this.#part(kind, data));
    const kinds = given.map(([kind]) => kind);
    return this.carryOut(newCall(asked, parts, batchReader<R>(asked, kinds), options));
  }

  /** Send a batch of one action and return its result; a failed one is a BadRequestError. */
  async act<R extends ActionOutcome>(
    operation: BatchOperation<R>,
    type: string,
    data: object,
    options?: CallOptions,
  ): Promise<R> {
    const action = operation.batch.actions[type] as Action;
    const asked = this.#asked({ ...operation, name: action.name, retry: action.retry });
    const reader = actionReader<R>(asked, action);
    return this.carryOut(newCall(asked, [this.#part(action, data)], reader, options));
  }

  /** What an operation or action would send now. It is not sent here, but perhaps by whoever sees it. */
  async sign(kind: Kind, given: unknown): Promise<SignedRequest> {
    return this.#sign(this.#part(kind, given), this.settings.clock.signMs());
  }

  #asked<T extends Operation<unknown>>(operation: T) {
    return { operation, schema: this.settings.api.schema };
  }

  /** A message with the arguments that a caller gives. */
  #part(kind: Kind, given: unknown): Part {
    const { api, clock } = this.settings;
    const { uuid } = clock.environment;
    const filled = { uuid, account: (own: unknown) => this.#account(own) };
    if (kind.params !== undefined) {
      return { kind, ...encode(api.schema, kind.params, given ?? {}, filled) };
    }
    if (Object.keys(given ?? {}).length === 0) return { kind, fields: new Map() };
    throw new RequestError(`${kind.name} takes no arguments`);
  }

  #account(given: unknown): string {
    const account = given ?? this.settings.account;
    if (account !== null) return checkedAddress("account", account);
    throw new RequestError("account is missing: give one, or give the client one");
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
    const asked = this.#asked(source);
    const parts = [{ kind: source, fields }];
    const options = { ...waiting.options, timeout };
    let problem = "its answer has no Date";
    try {
      await this.carryOut(newCall(asked, parts, resultReader(asked), options));
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
    const left = call.deadline - this.settings.clock.environment.monotonic();
    const late = () =>
      new NotSentError(
        call.operation.name,
        signal?.aborted ? ABORTED : "the deadline passed before it was signed",
      );
    let stop = () => {};
    const tooLate = new Promise<never>((_, reject) => {
      stop = endAfter(left, signal, () => reject(late()));
    });
    try {
      if (signal?.aborted) throw late();
      return await Promise.race([tooLate, this.#prepare(call)]);
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
    const fields = operation.batch ? new Map() : (call.parts[0] as Part).fields;
    const type = operation.hasBody && { "Content-Type": "application/json" };
    const request = {
      method: operation.method,
      url: `${baseUrl}${pathAndQuery(operation, fields)}`,
      headers: { ...this.settings.headers, ...type },
      body: operation.hasBody ? await this.#body(call, timestamp) : null,
    };
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

  async #body({ operation, parts, otherSigner }: Call<unknown>, timestamp: number) {
    const sign = async (part: Part) => (await this.#sign(part, timestamp, otherSigner)).body;
    if (operation.batch) {
      const types = parts.map(({ kind }) => (kind as Action).type);
      return batchBody(operation.batch.field, types, await Promise.all(parts.map(sign)));
    }
    const part = parts[0] as Part;
    return operation.signing ? sign(part) : jsonText(bodyOf(operation, part.fields), true);
  }

  async #sign({ kind, fields }: Part, timestamp: number, other?: Signer): Promise<SignedRequest> {
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
      const result = call.read(status, body, headers.get("content-type"));
      clock.observe(headers);
      if (result instanceof BatchResult) result.explain(call.intent);
      quota.restore();
      return result;
    } catch (refusal) {
      if (refusal instanceof ApiError) {
        // A gateway that stands in for the service may have a clock of its own.
        if (status < 500 && firstByte(body) === 0x7b) clock.observe(headers);
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
