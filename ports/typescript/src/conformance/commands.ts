/** The commands of the kit that send nothing. */

import { API } from "../generated/operations.js";
import { Keypair } from "../index.js";
import { decide as decideRetry } from "../runtime/call/retry.js";
import { actionReader, batchReader, type Reader, resultReader } from "../runtime/codec/answers.js";
import { batchBody, checkedActions } from "../runtime/codec/batch.js";
import type { Writable } from "../runtime/codec/json_text.js";
import { Paginator, pageReader } from "../runtime/codec/pages.js";
import { OutcomeUnknownError } from "../runtime/errors.js";
import type { Fault } from "../runtime/http/fault.js";
import type {
  Action,
  Api,
  BatchOperation,
  ListOperation,
  RetryClass,
} from "../runtime/operation.js";
import { type SignedRequest, signRequest } from "../runtime/signing/request.js";
import {
  batchOf,
  client,
  invoke,
  operation,
  outcome,
  policy,
  resultType,
  seconds,
  serviceOf,
} from "./clients.js";
import { budget, Script } from "./script.js";
import { described, type Given, number, settlement, tagged, value } from "./values.js";

function signed(given: Given, data: unknown, signingType: unknown): Promise<SignedRequest> {
  const fields = new Map(Object.entries(value(data) as { [name: string]: Writable }));
  return signRequest(fields, signingType as string, {
    signer: Keypair.fromBase58(given.private_key as string),
    account: given.account as string,
    timestamp: value(given.timestamp) as bigint,
    expiryWindow: value(given.expiry_window) as bigint,
  });
}

function stages({ address, canonical, signature, body }: SignedRequest): Writable {
  return { address, canonical, signature, body };
}

/** The signing step alone. */
export async function sign(given: Given): Promise<Writable> {
  if (!("data" in given)) {
    return { address: Keypair.fromBase58(given.private_key as string).address };
  }
  return stages(await signed(given, given.data, given.signing_type));
}

/** Several actions signed and wrapped. */
export async function batch(given: Given): Promise<Writable> {
  const kind = operation(API, "orders.batch") as BatchOperation<unknown>;
  const actions = given.actions as readonly { type: string; data: object; signing_type: string }[];
  checkedActions(
    kind.name,
    kind.batch,
    actions.map(({ type, data }) => ({ type, data })),
  );
  const types = actions.map(({ type }) => type);
  const requests = await Promise.all(
    actions.map(({ data, signing_type }) => signed(given, data, signing_type)),
  );
  const bodies = requests.map(({ body }) => body);
  return { body: batchBody(kind.batch.field, types, bodies) };
}

/** A client that sends nothing, and the script that it follows. */
async function scripted(given: Given) {
  const script = new Script(given);
  const service = await serviceOf(given);
  const made = client(service, (given.client ?? {}) as Given, script);
  return { script, made, api: service.api };
}

/** A call up to its first request. */
export async function encode(given: Given): Promise<Writable> {
  const { script, made, api } = await scripted({ ...given, answers: [{ fault: "not_trusted" }] });
  try {
    await outcome(api, made, given);
  } catch (error) {
    if (script.requests.length === 0) throw error;
  }
  return script.requests[0] ?? null;
}

/** The answer to an operation. */
export async function decode(given: Given): Promise<Writable> {
  const body = Uint8Array.from(Buffer.from(given.body as string, "base64"));
  const headers = new Headers(given.headers as Record<string, string>);
  const status = number(given.status, 0);
  const { api } = await serviceOf(given);
  const found = readerOf(api, given)(status, body, headers.get("content-type"));
  return tagged(found, resultType(api, given.operation), api.schema);
}

function readerOf(api: Api, { operation: name, actions }: Given): Reader<unknown> {
  const { schema } = api;
  const kind = operation(api, name);
  if (kind === undefined) {
    const [whole, type] = batchOf(api, name);
    return actionReader({ operation: whole, schema }, whole.batch.actions[type] as Action);
  }
  const asked = { operation: kind, schema };
  if (kind.pagination) {
    return pageReader({ ...asked, operation: kind as ListOperation<unknown> }, null);
  }
  if (!kind.batch) return resultReader(asked);
  const kinds = ((actions ?? []) as string[]).map((type) => kind.batch?.actions[type] as Action);
  return batchReader(asked, kinds);
}

/** What would be signed and sent. */
export async function explain(given: Given): Promise<Writable> {
  const { made } = await scripted(given);
  const found = value(given.arguments ?? {}) as object;
  return stages(await made.explain(given.operation as string, found));
}

/** The retry decision. */
export async function decide(given: Given): Promise<Writable> {
  const failed = {
    fault: given.fault as Fault,
    retryClass: given.retry_class as RetryClass,
    number: number(given.attempt, 1),
    timeLeft: number(given.time_left, 0),
    quotaLeft: number(given.quota_left, 0),
    retryAfter: given.retry_after === null ? null : number(given.retry_after, 0),
  };
  const rules = policy(given.policy as Given, 1);
  const found = decideRetry(failed, rules, number(given.jitter, 1));
  return "delay" in found
    ? { delay: { $float: String(found.delay) } }
    : { raise: found.error, reason: found.reason };
}

/** One client, under a script: several calls, one after another. */
export async function play(given: Given): Promise<Writable> {
  const { script, made, api } = await scripted(given);
  const outcomes: Writable[] = [];
  for (const each of given.calls as readonly Given[]) {
    try {
      const type = resultType(api, each.operation);
      outcomes.push({ result: tagged(await outcome(api, made, each), type, api.schema) });
    } catch (error) {
      outcomes.push({ error: described(error) });
    }
  }
  const { rateBudget, clockSkew } = made;
  const told = { rate_budget: budget(rateBudget as Given | null), clock_skew: tagged(clockSkew) };
  return { outcomes, ...script.record, ...told };
}

/** A list, iterated to its end. */
export async function pages(given: Given): Promise<Writable> {
  const { script, made, api } = await scripted(given);
  const type = resultType(api, given.operation);
  const items: Writable[] = [];
  let error: Writable = null;
  try {
    const found = invoke(api, made, given.operation as string, given.arguments);
    if (found instanceof Paginator)
      for await (const item of found) items.push(tagged(item, type, api.schema));
  } catch (problem) {
    error = described(problem);
  }
  return { items, requests: script.requests, error };
}

/** The reconciliation of an error that another process wrote down. */
export async function settle(given: Given): Promise<Writable> {
  const error = OutcomeUnknownError.fromJson(given.error as string);
  const { script, made } = await scripted(given);
  try {
    const found = await made.reconcile(error, { timeout: seconds(given.timeout) });
    const settlements = found.map(settlement);
    return { settlements, ...script.record, json: error.toJson() };
  } catch (problem) {
    return { error: described(problem), ...script.record, json: error.toJson() };
  }
}
