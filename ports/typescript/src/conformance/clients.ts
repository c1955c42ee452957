/** Clients of the kit, and calls of their operations by name. */

import { API } from "../generated/operations.js";
import { Client, Keypair } from "../index.js";
import type { Caller } from "../runtime/call/caller.js";
import type { RetryPolicy } from "../runtime/call/retry.js";
import type { ClientOptions } from "../runtime/client/config.js";
import { Clock, type ClockName } from "../runtime/clock.js";
import { Paginator } from "../runtime/codec/pages.js";
import type { Api, BatchOperation, Operation, Type } from "../runtime/operation.js";
import type { Script } from "./script.js";
import { type Given, number, value } from "./values.js";

const CLOSED = "http://127.0.0.1:9";

/** What was generated from a spec. */
export interface Service {
  readonly Client: typeof Client;
  readonly api: Api;
}

const EXCHANGE: Service = { Client, api: API };

/** What was generated from the spec that a command names; without a name, from that of the exchange. */
export async function serviceOf({ spec }: Given): Promise<Service> {
  if (spec === undefined) return EXCHANGE;
  const [index, operations] = await Promise.all([
    import(`../${spec}/index.js`),
    import(`../${spec}/operations.js`),
  ]);
  return { Client: index.Client, api: operations.API };
}

/** The operation of a name; undefined if only batches have it. */
export function operation(api: Api, name: unknown): Operation<unknown> | undefined {
  return api.operations.find((each) => each.name === name);
}

/** The type of a result, or of a record of a list. */
export function resultType(api: Api, name: unknown): Type | undefined {
  return (operation(api, name) ?? batchOf(api, name)[0]).result?.type;
}

/** The batch that has an action of this name, and its type there. */
export function batchOf(api: Api, name: unknown): readonly [BatchOperation<never>, string] {
  for (const each of api.operations) {
    const action = Object.values(each.batch?.actions ?? {}).find((one) => one.name === name);
    if (action !== undefined) return [each as BatchOperation<never>, action.type];
  }
  throw new Error(`no operation ${name}`);
}

/** A new client of these options; with a script, nothing is sent and no time passes. */
export function client(service: Service, given: Given, script?: Script): Client {
  const { base_url = CLOSED, private_key, account, api_key, clock, journal, retry } = given;
  const options: ClientOptions = {
    signer: private_key === undefined ? null : Keypair.fromBase58(private_key as string),
    account: account as string | undefined,
    apiKey: api_key as string | undefined,
    expiryWindow: numberOption(given.expiry_window),
    timeout: seconds(given.timeout),
    retry: retry === undefined ? undefined : policy(retry as Given),
    clock: clock as ClockName | undefined,
    journal: journal as string | undefined,
    signingTypes: given.signing_types as Record<string, string> | undefined,
    historyLag: seconds(given.history_lag),
    transport: script,
  };
  const made = new service.Client(base_url as string, options);
  if (script !== undefined) {
    const { operations } = service.api;
    script.operationAt = (path) => operations.find((each) => each.path === path)?.name ?? "";
    // Users cannot give a clock of their own, so a part that is not public is replaced.
    const { settings } = (made as unknown as { readonly _caller: Caller })._caller;
    Object.assign(settings, { clock: new Clock(settings.clock.name, script) });
  }
  return made;
}

/** A number of the kit; what is none is left to the SDK to refuse. */
function numberOption(given: unknown, unit = 1): number | undefined {
  if (given === undefined || given === null) return undefined;
  return typeof given === "object" ? number(given, 0) * unit : (given as number);
}

/** Seconds of the kit in ms. */
export function seconds(given: unknown): number | undefined {
  return numberOption(given, 1000);
}

/** A retry policy of the kit, in ms. */
export function policy(given: Given, unit = 1000): RetryPolicy {
  const time = (name: string) => numberOption(given[name], unit);
  return {
    maxAttempts: numberOption(given.max_attempts),
    baseDelay: time("base_delay"),
    maxDelay: time("max_delay"),
    maxRetryAfter: time("max_retry_after"),
    quota: numberOption(given.quota),
  } as RetryPolicy;
}

type Called = Promise<unknown> | Paginator<unknown>;

/** Call an operation by its name, as a user would; a list is not read yet. */
export function invoke(api: Api, made: Client, name: string, given: unknown): Called {
  const [group = "", method = ""] = name.split(".").map(camel);
  const methods = made[group as keyof Client] as unknown as Record<
    string,
    (...given: unknown[]) => Called
  >;
  const kind = operation(api, name);
  const found = value(given ?? {}) as Given;
  if (kind?.batch) return methods[method]?.(actions(found[kind.batch.field])) as Called;
  return kind?.params === undefined && kind !== undefined && Object.keys(found).length === 0
    ? (methods[method]?.() as Called)
    : (methods[method]?.(found) as Called);
}

function actions(given: unknown): unknown {
  if (!Array.isArray(given)) return given;
  return given.map((each: Given | null) => ({ type: each?.type, data: each?.arguments ?? {} }));
}

/** Call an operation; of a list, the records of all pages. */
export async function outcome(api: Api, made: Client, command: Given): Promise<unknown> {
  const found = invoke(api, made, command.operation as string, command.arguments);
  return found instanceof Paginator ? found.toList() : found;
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
