/** Checks of the options of a client. */

import { Caller, type Settings } from "../call/caller.js";
import type { OnEvent } from "../call/events.js";
import { Journal } from "../call/journal.js";
import { checkedNumber, checkedTimeout } from "../call/message.js";
import { DEFAULT_RETRY, type RetryOptions, type RetryPolicy, RetryQuota } from "../call/retry.js";
import { Clock, type ClockName, type Environment, machine } from "../clock.js";
import { RequestError } from "../errors.js";
import { FetchTransport, type Transport } from "../http/transport.js";
import { checkBaseUrl, isLocal } from "../http/urls.js";
import { type Api, methodsOf, type Operation } from "../operation.js";
import { RateLimit } from "../rate_limit.js";
import { checkedAddress, isPrivateKey, type Signer } from "../signing/keys.js";

/** Options of a client. All times are in ms. */
export interface ClientOptions {
  /** Signs requests, like a `Keypair`. Without one the client can only read. */
  readonly signer?: Signer | null | undefined;
  /**
   * Address of the account; the signer's own unless given. If it is another one, the signer is its agent
   * wallet.
   */
  readonly account?: string | null | undefined;
  /** API key, which selects a rate-limit class. */
  readonly apiKey?: string | null | undefined;
  /**
   * How long the service accepts a signature after it was made. Default: 30,000 ms. The client takes 100 ms to 24 h;
   * these bounds are its own, the service documents none.
   */
  readonly expiryWindow?: number | undefined;
  /** How long one whole call may take, with all its attempts: from 100 ms to ten minutes. Default: 10,000 ms. */
  readonly timeout?: number | undefined;
  /** How often a call is attempted, and with which delays, where a repetition is safe. */
  readonly retry?: RetryOptions | undefined;
  /**
   * Whose time is signed: this machine's (`local`), or the service's (`server`), as its responses show it.
   * Before the first of them, a call that signs makes a read to learn the time, within its timeout.
   */
  readonly clock?: ClockName | undefined;
  /**
   * File (Node alone) that holds each change before it is sent, so that `unsettled()` finds it after a
   * crash. One client at a time may use it.
   */
  readonly journal?: string | null | undefined;
  /** Replaces signing types that are not documented, by the names of their operations. */
  readonly signingTypes?: Readonly<Record<string, string>> | undefined;
  /** Sends the requests; a `FetchTransport` unless given. */
  readonly transport?: Transport | undefined;
  /**
   * How long the service may take to execute what it accepted and to show it in its lists. So long after
   * the expiry of a message `reconcile` says `not executed`. At most an hour. Default: 15,000 ms.
   */
  readonly historyLag?: number | undefined;
  /**
   * Is called with what happens in each call, for logs, metrics and traces. An event holds no argument of a call and
   * no secret. What it throws changes no call; the time that it takes before the sending is the call's own.
   */
  readonly onEvent?: OnEvent | null | undefined;
}

/** What an option is that is not given. */
const DEFAULTS = {
  signer: null,
  account: null,
  apiKey: null,
  expiryWindow: 30_000,
  timeout: 10_000,
  retry: {},
  clock: "local",
  journal: null,
  signingTypes: {},
  transport: undefined,
  historyLag: 15_000,
  onEvent: null,
} satisfies { [name in keyof ClientOptions]-?: ClientOptions[name] };

/** Plain JavaScript can give names that there are none of. */
export function checkNames(what: string, options: object, known: readonly string[]): void {
  if (typeof options !== "object" || options === null) {
    throw new RequestError(`${what} takes its options as an object, not ${options}`);
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new RequestError(`${what} has no option '${unknown}'; it has ${known.join(", ")}`);
}

/** Options, with the defaults of those that are undefined. */
function withDefaults<T extends object>(what: string, defaults: T, options: Partial<T>): T {
  checkNames(what, options, Object.keys(defaults));
  const given = Object.entries(options).filter(([, each]) => each !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}

function callback(given: unknown): OnEvent | null {
  if (given == null) return null;
  if (typeof given === "function") return given as OnEvent;
  throw new RequestError("onEvent must be a function, which is called with every event");
}

/** The options that `withOptions` changes. */
export type ChangedOptions = Pick<ClientOptions, "apiKey" | "expiryWindow" | "retry" | "timeout">;

/**
 * The settings that differ from those of another client: what is undefined does not.
 *
 * @throws {@link RequestError} An option is wrong.
 */
export function changedSettings(api: Api, options: ChangedOptions): Partial<Settings> {
  checkNames("withOptions", options, ["apiKey", "expiryWindow", "retry", "timeout"]);
  const { apiKey, expiryWindow: window, retry, timeout } = options;
  return {
    // The rate limit is that of the key.
    ...(apiKey !== undefined && {
      headers: commonHeaders(api, apiKey),
      rateLimit: new RateLimit(api.rateScale, api.rateHeaders),
    }),
    ...(window !== undefined && { expiryWindow: expiryWindow(window) }),
    ...(retry !== undefined && { retry: retryPolicy(retry) }),
    ...(timeout !== undefined && { timeout: checkedTimeout(timeout) }),
  };
}

/**
 * What makes the calls of a client.
 *
 * @throws {@link RequestError} An option is wrong.
 */
export function makeCaller(
  api: Api,
  baseUrl: string,
  options: ClientOptions = {},
  environment: Environment = machine,
): Caller {
  const given = withDefaults<Required<ClientOptions>>("a client", DEFAULTS, options);
  const { account, clock } = given;
  const signer = checkedSigner(given.signer ?? null);
  if (clock !== "local" && clock !== "server") {
    throw new RequestError(`clock must be "local" or "server", not ${clock}`);
  }
  const url = serverUrl(api, baseUrl);
  return new Caller({
    api,
    baseUrl: url,
    signer,
    account: account == null ? (signer?.address ?? null) : checkedAddress("account", account),
    headers: commonHeaders(api, given.apiKey),
    expiryWindow: expiryWindow(given.expiryWindow),
    timeout: checkedTimeout(given.timeout),
    signingTypes: signingTypes(api, given.signingTypes ?? {}),
    transport: checkedTransport(given.transport) ?? new FetchTransport(),
    retry: retryPolicy(given.retry),
    quota: new RetryQuota(),
    clock: new Clock(clock, environment),
    timeSource: clock === "server" ? timeSource(api) : null,
    rateLimit: new RateLimit(api.rateScale, api.rateHeaders),
    journal: given.journal === null ? null : new Journal(given.journal),
    historyLag: historyLag(given.historyLag, url),
    onEvent: callback(given.onEvent),
  });
}

/** What tells the time of a service: its first read of one object that needs the account alone. */
function timeSource(api: Api): Operation<unknown> {
  const found = api.operations.find(({ account, pagination, params }) => {
    const fields = api.schema.models[params ?? ""]?.fields ?? [];
    const needed = fields.filter((each) => each.required && each.name !== account);
    return account !== undefined && pagination === undefined && needed.length === 0;
  });
  if (found !== undefined) return found;
  throw new RequestError('clock "server": this service has no read that could tell its time');
}

/** The URL of a service, given as such or as the name of a server. */
function serverUrl(api: Api, given: unknown): string {
  const { servers = {} } = api;
  if (typeof given !== "string" || given.includes("/") || Object.keys(servers).length === 0) {
    return checkBaseUrl(given);
  }
  if (Object.hasOwn(servers, given)) return checkBaseUrl(servers[given]);
  const known = Object.keys(servers).join(", ");
  throw new RequestError(`base URL: it is neither a URL nor a server; those are ${known}`);
}

/** What is outside of these bounds was meant in other units. */
function expiryWindow(value: unknown): number {
  return checkedNumber("expiryWindow", value, { least: 100, isWhole: true });
}

/** A service on this machine, which is a sandbox or a mock as a rule, may be without a lag. */
function historyLag(value: unknown, baseUrl: string): number {
  if (value === 0 && isLocal(baseUrl)) return 0;
  const least = isLocal(baseUrl) ? 100 : 1_000;
  return checkedNumber("historyLag", value, { least, most: 3_600_000 });
}

function retryPolicy(given: RetryOptions = {}): RetryPolicy {
  const policy = withDefaults("retry", DEFAULT_RETRY, given);
  const count = { isWhole: true, most: Number.MAX_SAFE_INTEGER, unit: "" };
  checkedNumber("retry.maxAttempts", policy.maxAttempts, { ...count, least: 1 });
  checkedNumber("retry.quota", policy.quota, count);
  for (const name of ["baseDelay", "maxDelay", "maxRetryAfter"] as const) {
    checkedNumber(`retry.${name}`, policy[name]);
  }
  return policy;
}

function checkedSigner(signer: Signer | null): Signer | null {
  if (signer === null) return null;
  if (typeof signer?.address === "string" && typeof signer.sign === "function") {
    checkedAddress("the signer", signer.address);
    return signer;
  }
  const why = signer instanceof Promise ? ", not be a promise of one: await it" : "";
  throw new RequestError(`signer must have an address and a sign(message)${why}`);
}

function checkedTransport(given: Transport | undefined): Transport | undefined {
  const isOne = typeof given?.send === "function" && typeof given.close === "function";
  if (given === undefined || isOne) return given;
  throw new RequestError("transport must be an object with send(request, options) and close()");
}

function commonHeaders(api: Api, apiKey: unknown): Record<string, string> {
  const common = { Accept: "application/json" };
  if (apiKey === null) return common;
  if (api.apiKeyHeader === null) throw new RequestError("this service takes no apiKey");
  if (typeof apiKey !== "string" || !/^[!-~]([ -~]*[!-~])?$/.test(apiKey)) {
    throw new RequestError("apiKey must be printable ASCII without spaces around it");
  }
  if (isPrivateKey(apiKey)) {
    throw new RequestError("apiKey is a private key, which no request may hold: give the API key");
  }
  return { ...common, [api.apiKeyHeader]: apiKey };
}

/** The signing type of each operation and action by its name, with the caller's own applied. */
function signingTypes(api: Api, given: Readonly<Record<string, string>>): Map<string, string> {
  const methods = [...methodsOf(api).values()];
  const signed = methods.flatMap(({ name, signing }) => (signing ? [{ name, ...signing }] : []));
  const open = signed.filter(({ source }) => source !== "documented").map(({ name }) => name);
  const types = new Map(signed.map(({ name, type }) => [name, type]));
  for (const [name, type] of Object.entries(given)) {
    if (typeof type !== "string" || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(type)) {
      throw new RequestError(`signingTypes: '${type}' is not a signing type`);
    }
    if (!open.includes(name)) {
      const which = `operations whose type is not documented: ${open.join(", ")}`;
      throw new RequestError(`signingTypes: '${name}' is none of the ${which}`);
    }
    types.set(name, type);
  }
  return types;
}
