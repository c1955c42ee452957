/** The program with which this SDK passes the conformance kit: commands in, answers out, one a line. */

import { createInterface } from "node:readline";
import { client, outcome, resultType, seconds, serviceOf } from "./conformance/clients.js";
import * as commands from "./conformance/commands.js";
import { described, type Given, Skipped, settlement, tagged } from "./conformance/values.js";
import { API } from "./generated/operations.js";
import { ApiError, type Client, OutcomeUnknownError } from "./index.js";
import { jsonText, type Writable } from "./runtime/codec/json_text.js";

const SKIPS = {
  float: "JavaScript cannot tell 1.0 from 1",
};

type Command = (given: Given) => Promise<Writable>;
type Reconcilable = OutcomeUnknownError | ApiError;

const clients = new Map<string, Client>();
const kept = new Map<string, Reconcilable>();

async function hello(): Promise<Writable> {
  const told = { language: "typescript", runtime: `Node ${process.version}`, version: "0.3.0" };
  return { protocol: { $int: "1" }, ...told, skips: SKIPS };
}

/** Do something with a client: one that is open, or a new one for this alone. */
async function withClient<T>(given: Given, work: (made: Client) => Promise<T>): Promise<T> {
  if (typeof given.client === "string") return work(clients.get(given.client) as Client);
  const made = client(await serviceOf(given), (given.client ?? {}) as Given);
  try {
    return await work(made);
  } finally {
    made.close();
  }
}

function errorOf({ client: name, error }: Given): Reconcilable {
  if (typeof error === "string") return kept.get(`${name} ${error}`) as Reconcilable;
  return OutcomeUnknownError.fromJson((error as { readonly json: string }).json);
}

async function call(given: Given): Promise<Writable> {
  return withClient(given, async (made) => {
    try {
      return tagged(await outcome(API, made, given), resultType(API, given.operation));
    } catch (error) {
      const isKept = error instanceof OutcomeUnknownError || error instanceof ApiError;
      if (isKept && given.keep) kept.set(`${given.client} ${given.keep}`, error);
      throw error;
    }
  });
}

const SERVED: Readonly<Record<string, Command>> = {
  ...commands,
  hello,
  call,
  open: async (given) => {
    const made = client(await serviceOf(given), (given.client ?? {}) as Given);
    clients.set(given.as as string, made);
    return null;
  },
  reconcile: (given) =>
    withClient(given, async (made) => {
      const timeout = seconds(given.timeout);
      return (await made.reconcile(errorOf(given), { timeout })).map(settlement);
    }),
  resend: (given) =>
    withClient(given, async (made) => settlement(await made.resend(errorOf(given)))),
  unsettled: (given) =>
    withClient(given, async (made) =>
      made.unsettled().map((each) => {
        const { operation, clientIds } = each;
        return { operation, client_ids: clientIds, json: each.toJson() };
      }),
    ),
  acknowledge: (given) =>
    withClient(given, async (made) => {
      made.acknowledge(errorOf(given));
      return null;
    }),
  close: async (given) => {
    clients.get(given.client as string)?.close();
    clients.delete(given.client as string);
    return null;
  },
};

async function answer(given: Given): Promise<{ readonly [name: string]: Writable }> {
  const name = given.do as string;
  const command = Object.hasOwn(SERVED, name) ? SERVED[name] : undefined;
  if (command === undefined) return { error: { class: "escaped", text: "unknown command" } };
  try {
    return { result: await command(given) };
  } catch (error) {
    return error instanceof Skipped ? { skipped: error.message } : { error: described(error) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const given = JSON.parse(line) as Given;
  process.stdout.write(`${jsonText({ id: given.id as number, ...(await answer(given)) })}\n`);
}
