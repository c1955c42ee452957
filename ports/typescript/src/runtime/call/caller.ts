/** One call, all the way: from arguments to the result or the error that the user sees. */

import type { ActionOutcome, BatchResult, GivenAction } from "../batch.js";
import type { Clock } from "../clock.js";
import { ActionReader, BatchReader, type Reader, ResultReader } from "../codec/answers.js";
import { type Instead, PageReader } from "../codec/page_answers.js";
import type { Filled } from "../codec/requests.js";
import { ApiError, DecodeError, NotSentError, RequestError } from "../errors.js";
import { faultOf, TransportError } from "../http/fault.js";
import type { Transport, TransportResponse } from "../http/transport.js";
import type { Action, Api, BatchOperation, ListOperation, Operation } from "../operation.js";
import { type Page, Paginator } from "../pages.js";
import type { RateLimit } from "../rate_limit.js";
import { hide } from "../shown.js";
import { checkedAddress, type Signer } from "../signing/keys.js";
import type { SignedRequest } from "../signing/request.js";
import {
  batchParts,
  type CallOptions,
  checkedOptions,
  checkedTimeout,
  type Draft,
  drafted,
  type Part,
  type Prepared,
  part,
} from "./draft.js";
import type { OnEvent } from "./events.js";
import { annotate, errorOf } from "./failures.js";
import type { GivenIds } from "./given.js";
import type { Journal } from "./journal.js";
import { checkOwn } from "./own.js";
import { preparedInTime, shownPart } from "./prepare.js";
import { decide, type NextAttempt, type RetryPolicy, type RetryQuota } from "./retry.js";
import { Watch } from "./watch.js";

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
  readonly rateLimit: RateLimit;
  readonly journal: Journal | null;
  /** How long the service may take to carry out what it accepted, and its lists to show it. */
  readonly historyLag: number;
  /** The ids that the user gave, if none is promised to be of two messages. */
  readonly uniqueIds: GivenIds | null;
  /** The latest ids that the service gave, and the messages that they were given to. */
  readonly issued: Map<string, string>;
  /** Is called with what happens in each call. */
  readonly onEvent: OnEvent | null;
}

/** One attempt of a call. */
interface Attempt extends Prepared {
  readonly draft: Draft;
  readonly number: number;
  /** Of the whole call. */
  readonly deadline: number;
  /** Tells the events of the call, if somebody wants to know them. */
  readonly watch: Watch | null;
}

/** Makes the calls of a client. */
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

  /** Carry out an operation and return its result. */
  async call<T>(operation: Operation<T>, given: unknown, options?: CallOptions): Promise<T> {
    const draft = drafted(operation, [this.#part(operation, given)], options);
    const found = await this.carryOut(draft, new ResultReader<T>(operation, this.#schema));
    return operation.outcome ? ({ success: true, ...found } as T) : found;
  }

  /** Iterate over the records of a list, from the page at the cursor of the query on. */
  paginate<T>(
    operation: ListOperation<T>,
    given: unknown,
    asked?: CallOptions,
    instead?: Instead<T>,
  ): Paginator<T> {
    const options = checkedOptions(operation, asked);
    const name = operation.pagination.cursor;
    const whole = this.#part(operation, given);
    const { [name]: start = null, ...rest } = Object.fromEntries(whole.fields);
    const query = new Map(Object.entries(rest));
    const fetch = (cursor: string | null): Promise<Page<T>> => {
      const fields = cursor ? new Map([...query, [name, cursor] as const]) : query;
      const draft = drafted(operation, [{ ...whole, fields }], options);
      return this.carryOut(draft, new PageReader(operation, this.#schema, cursor, instead));
    };
    return new Paginator(fetch, start === null ? null : String(start), operation.name);
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
    const both = { kind: operation, fields: new Map(), minted: new Set<string>(), other };
    const { address } = operation.countersigned?.other ?? { address: "" };
    const own = operation.countersigned?.own.address ?? "";
    const fields = new Map([
      [own, signer.address],
      [address, other.address],
    ]);
    const draft = drafted(operation, [{ ...both, fields }], options);
    return this.carryOut(draft, new ResultReader<T>(operation, this.#schema));
  }

  /** Send several actions in one request, each signed on its own. */
  async batch<R extends ActionOutcome>(
    operation: BatchOperation<R>,
    actions: readonly GivenAction[],
    options?: CallOptions,
  ): Promise<BatchResult<R>> {
    const parts = batchParts(this.#schema, operation, actions, this.#filled);
    const newIds = parts.map(({ kind }) => kind.newId);
    const reader = new BatchReader<R>(operation, this.#schema, newIds);
    return this.carryOut(drafted(operation, parts, options), reader);
  }

  /** Send a batch of one action and return its result; a failed one is a BadRequestError. */
  async act<R extends ActionOutcome>(
    operation: BatchOperation<R>,
    type: string,
    data: object,
    options?: CallOptions,
  ): Promise<R> {
    const { name, retry, newId } = operation.batch.actions[type] as Action;
    const alone = { ...operation, name, retry };
    const parts = batchParts(this.#schema, alone, [{ type, data }], this.#filled);
    const reader = new ActionReader<R>(alone, this.#schema, newId);
    return this.carryOut(drafted(alone, parts, options), reader);
  }

  /** What an operation or action would send now. */
  async sign(kind: Operation<unknown> | Action, given: unknown): Promise<SignedRequest> {
    return shownPart(this.settings, this.#part(kind, given));
  }

  get #schema() {
    return this.settings.api.schema;
  }

  #part(kind: Operation<unknown> | Action, given: unknown): Part {
    return part(this.#schema, kind, given ?? {}, this.#filled);
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

  // -- the attempts of one call ---------------------------------------------------------------

  /** Attempt a call until it is answered or must not be repeated. */
  async carryOut<T>(draft: Draft, reader: Reader<T>): Promise<T> {
    const { uniqueIds } = this.settings;
    const work = () => this.#attempts(draft, reader);
    return uniqueIds === null ? work() : uniqueIds.guard(draft, work);
  }

  async #attempts<T>(draft: Draft, reader: Reader<T>): Promise<T> {
    const { clock, timeout, quota, journal, onEvent } = this.settings;
    const { monotonic, sleep } = clock.environment;
    const deadline = monotonic() + checkedTimeout(draft.options.timeout ?? timeout);
    const watch = onEvent && new Watch(draft, this.settings, onEvent);
    for (let number = 1; ; number += 1) {
      const ready = await preparedInTime(this.settings, draft, deadline).catch((error) => {
        if (error instanceof NotSentError) watch?.ended(error, error.message);
        throw error;
      });
      const work = () => this.#result({ ...ready, draft, number, deadline, watch }, reader);
      const found = await (journal === null ? work() : journal.entry(ready.intent, work));
      if ("value" in found) {
        watch?.ended(null, "");
        return found.value;
      }
      quota.spend();
      await sleep(found.delay, draft.options.signal);
    }
  }

  /** The result of an attempt, or when the next one is due. */
  async #result<T>(
    attempt: Attempt,
    reader: Reader<T>,
  ): Promise<{ readonly value: T } | NextAttempt> {
    const { quota, retry, clock } = this.settings;
    const { draft, intent, number, deadline, watch } = attempt;
    const { operation, options } = draft;
    try {
      return { value: await this.#attempt(attempt, reader) };
    } catch (failure) {
      const isKnown = failure instanceof TransportError || failure instanceof ApiError;
      if (!isKnown && !(failure instanceof DecodeError)) {
        watch?.threw(failure);
        throw failure;
      }
      const left = options.signal?.aborted ? 0 : deadline - clock.environment.monotonic();
      const failed = {
        fault: faultOf(failure),
        retryClass: operation.retry,
        number,
        timeLeft: left,
        quotaLeft: quota.left(retry.quota),
        retryAfter: failure instanceof ApiError ? failure.retryAfter : null,
      };
      const decision = decide(failed, retry, clock.environment.random());
      const isAgain = "delay" in decision;
      const then = isAgain ? decision : errorOf(operation, intent, failure, decision);
      watch?.failed(failure, failed, then);
      if (isAgain) return decision;
      throw then;
    }
  }

  async #attempt<T>(
    { draft, request, intent, deadline, watch }: Attempt,
    reader: Reader<T>,
  ): Promise<T> {
    const { clock, transport, rateLimit, quota, api, issued } = this.settings;
    const { monotonic, now } = clock.environment;
    if (monotonic() >= deadline) {
      throw new TransportError("not_sent", "the deadline passed before it was sent");
    }
    watch?.sending(request.body);
    const timeout = deadline - monotonic();
    if (timeout <= 0) throw new TransportError("not_sent", "onEvent took until the deadline");
    const sent = now();
    const response = await transport.send(request, { timeout, signal: draft.options.signal });
    const received = now();
    checkResponse(response);
    watch?.answered(response);
    const { status, headers, body } = response;
    rateLimit.observe(headers);
    try {
      const result = reader.read(status, body, headers.get("content-type"));
      checkOwn(draft, result, response, api.schema, issued);
      clock.observe(headers, sent, received);
      quota.restore();
      return result;
    } catch (refusal) {
      if (refusal instanceof ApiError) {
        // A gateway that stands in for the service may have a clock of its own.
        if (status < 500 && startsWithBrace(body)) clock.observe(headers, sent, received);
        annotate(refusal, intent, response, clock, rateLimit);
      }
      throw refusal;
    }
  }
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
