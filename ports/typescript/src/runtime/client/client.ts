/** The base class of every generated client. */

import type { Caller } from "../call/caller.js";
import { ownIntent, type Reconcilable, withIntent } from "../call/failures.js";
import type { Journal } from "../call/journal.js";
import { checkedNumber, type Kind } from "../call/message.js";
import type { ActionOutcome, BatchResult } from "../codec/batch.js";
import { type ApiError, OutcomeUnknownError, RequestError } from "../errors.js";
import { type Api, methodsOf } from "../operation.js";
import type { RateBudget } from "../rate_limit.js";
import { reconcile } from "../recovery/reconcile.js";
import { resend } from "../recovery/resend.js";
import type { Settlement } from "../recovery/settlement.js";
import { hide } from "../shown.js";
import type { SignedRequest } from "../signing/request.js";
import {
  type ChangedOptions,
  type ClientOptions,
  changedSettings,
  checkNames,
  makeCaller,
} from "./config.js";
import { fromEnvironment } from "./environment.js";

/** A client of the service that an `Api` describes. The generated `Client` describes the errors. */
export class BaseClient {
  /** @internal */
  protected readonly _caller: Caller;
  /** Whether the connections and the journal are its own. */
  private readonly _isOwner: boolean = true;

  protected constructor(api: Api, baseUrl: string, options?: ClientOptions) {
    this._caller = makeCaller(api, baseUrl, options);
    hide(this, "_caller");
    hide(this, "_isOwner");
  }

  /**
   * A client from TRADING_BASE_URL, TRADING_PRIVATE_KEY or TRADING_KEY_FILE, TRADING_ACCOUNT and
   * TRADING_API_KEY. If TRADING_ADDRESS is set, it must be the address of the key.
   *
   * @throws {@link RequestError} A variable is missing, or two contradict each other.
   * @throws {@link SigningError} The key cannot be used.
   */
  static fromEnv<T>(
    this: new (
      baseUrl: string,
      options?: ClientOptions,
    ) => T,
    environ: Readonly<Record<string, string | undefined>> = globalThis.process?.env ?? {},
  ): T {
    const { baseUrl, options } = fromEnvironment(environ);
    return new this(baseUrl, options);
  }

  /**
   * The same client with other options, as in `client.withOptions({ timeout: 2_000 }).orders.create(...)`.
   *
   * It shares connections, clock, journal, rate limit and spent retries with this one, so make as many as you like. With another `apiKey` it counts a rate limit of its own; null sends
   * none. Closing it closes nothing: this client owns the connections and the journal, and closing it closes both.
   *
   * @throws {@link RequestError} An option is wrong, as in the constructor.
   */
  withOptions(options: ChangedOptions): this {
    const { settings } = this._caller;
    const caller = this._caller.with(changedSettings(settings.api, options));
    const made = Object.create(Object.getPrototypeOf(this)) as this;
    const members = Object.getOwnPropertyDescriptors<object>(this) as PropertyDescriptorMap;
    for (const [name, member] of Object.entries(members)) {
      const { value } = member;
      // Groups belong to the other client; what a class of the user's own has set stays.
      if (value instanceof Group) member.value = new (value.constructor as typeof Group)(caller);
      Object.defineProperty(made, name, member);
    }
    Object.defineProperty(made, "_caller", { value: caller });
    Object.defineProperty(made, "_isOwner", { value: false });
    return made;
  }

  /** Address of the account that calls are made for. */
  get accountAddress(): string | null {
    return this._caller.settings.account;
  }

  /** The rate-limit budget as of the latest answer that told it; null before one did. */
  get rateBudget(): RateBudget | null {
    return this._caller.settings.rateLimit.budget();
  }

  /**
   * How far the service's clock is ahead of this machine's, in ms; null before an answer.
   *
   * It comes from the `Date` of answers, so it is exact to a second or two.
   */
  get clockSkew(): number | null {
    return this._caller.settings.clock.skew;
  }

  /**
   * Find out from the histories whether a call was executed. Nothing is sent again.
   *
   * A message that no history shows may still be accepted until it expires, and shown later than
   * that. So this waits until both are over (`expiryWindow` and `historyLag`), and looks twice more. If
   * this ends before it is done, `error.progress` says how far it came, and the next call goes on there.
   *
   * @param error The error of the call, any refusal included; also one that was made by
   *   `OutcomeUnknownError.fromJson`; or the result of a batch.
   * @param options.timeout How long to wait at most, in ms; as long as it takes unless given. What is
   *   not known by then is `unsettled`.
   * @returns One settlement for the call, or one for each action of a batch, in order. Of a `BatchError` or the
   *   result of a batch: one for each action that failed.
   * @throws {@link RequestError} The call was another account's or service's, or it changed nothing.
   * @throws {@link TradingError} A history cannot be read to its end, also not again.
   */
  async reconcile(
    error: Reconcilable | BatchResult<ActionOutcome>,
    options: { readonly timeout?: number | undefined } = {},
  ): Promise<readonly Settlement[]> {
    checkNames("reconcile", options, ["timeout"]);
    const { timeout = Infinity } = options;
    const isBounded = timeout !== Infinity && timeout !== 0;
    const given = isBounded ? checkedNumber("timeout", timeout, { least: 100 }) : timeout;
    const failure = withIntent(error);
    const settlements = await reconcile(this._caller, failure, given);
    const isSettled = settlements.every((each) => each.state !== "unsettled");
    if (isSettled && failure.intent !== null) this._caller.settings.journal?.end(failure.intent);
    return settlements;
  }

  /**
   * Send the message of a call again, under the same idempotency key: it is executed once.
   *
   * It is signed anew, and so accepted for another `expiryWindow`. An answer that the key was used
   * before says that the first message was accepted, if the SDK made the key, for this message alone.
   *
   * @throws {@link RequestError} The operation takes no idempotency key, the message has none, or it
   *   was refused, so that nothing of it is unknown. Nothing was sent.
   * @throws {@link OutcomeUnknownError} Its outcome is unknown again: send it again.
   * @throws {@link NotSentError} It was not sent again.
   * @throws {@link ApiError} The service refused it, which says nothing of the first time.
   */
  async resend(error: OutcomeUnknownError | ApiError): Promise<Settlement> {
    const settled = await resend(this._caller, error);
    if (settled.state !== "unsettled" && error.intent !== null) {
      this._caller.settings.journal?.endAll(error.intent);
    }
    return settled;
  }

  /**
   * The calls of the journal whose outcome is not known, for `reconcile`, oldest first.
   *
   * @throws {@link RequestError} The client has no journal.
   * @throws {@link JournalError} The journal cannot be read.
   */
  unsettled(): OutcomeUnknownError[] {
    const reason = "the journal holds no outcome";
    return journalOf(this._caller)
      .unsettled()
      .map((intent) => new OutcomeUnknownError(intent, reason));
  }

  /**
   * Mark a call as settled in the journal, after finding out its outcome in another way.
   *
   * @throws {@link RequestError} The client has no journal, or it has no open entry of this call.
   * @throws {@link JournalError} The journal cannot be read.
   */
  acknowledge(error: Reconcilable): void {
    const { intent, operation } = withIntent(error);
    const journal = journalOf(this._caller);
    if (!journal.unsettled().some((each) => each.id === intent?.id)) {
      throw new RequestError(`${operation}: the journal has no open entry of this call`);
    }
    journal.end(ownIntent(error, this._caller.settings, "acknowledge"));
  }

  /**
   * Close the connections and the journal. Closing twice does no harm.
   *
   * A client that `withOptions` made has none of its own: closing it does nothing.
   */
  close(): void {
    if (!this._isOwner) return;
    this._caller.settings.transport.close();
    this._caller.settings.journal?.close();
  }

  /**
   * Show what would be signed and sent, as in `explain("orders.create", { symbol: "BTC", ... })`.
   *
   * That is the body: what stands in headers, the path or the query is not signed, and not shown.
   * Nothing is sent, and the result holds no private key.
   *
   * @throws {@link RequestError} There is no such operation, it is not signed, or an argument is wrong.
   */
  async explain(name: string, request?: object): Promise<SignedRequest> {
    const methods = methodsOf(this._caller.settings.api);
    const found = methods.get(name);
    const isSigned = (kind: Kind) =>
      kind.signing !== undefined && !("countersigned" in kind && kind.countersigned);
    if (found !== undefined && isSigned(found)) return this._caller.sign(found, request);
    const known = [...methods.values()].filter(isSigned).map((each) => each.name);
    const problem = found
      ? `${name} is not signed as a whole by one key`
      : `there is no operation '${name}'`;
    throw new RequestError(`${problem}; those that are signed are ${known.join(", ")}`);
  }
}

function journalOf(caller: Caller): Journal {
  const { journal } = caller.settings;
  if (journal !== null) return journal;
  throw new RequestError("this client has no journal: give it one, { journal: path }");
}

/** Operations that stand together on a client, like `client.orders`. */
export class Group {
  /** @internal */
  protected readonly _caller: Caller;

  constructor(caller: Caller) {
    this._caller = caller;
    hide(this, "_caller");
  }
}
