/** The promise of `uniqueIds`, as far as the conformance kit does not ask. */

import assert from "node:assert/strict";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import {
  Client,
  type ClientOptions,
  JournalError,
  Keypair,
  OutcomeUnknownError,
  RequestError,
  type Transport,
  TransportError,
} from "../dist/index.js";

const KEY = await Keypair.generate();

const folder = mkdtempSync(join(tmpdir(), "trading-sdk-"));
after(() => rmSync(folder, { recursive: true }));
const ORDER = {
  symbol: "BTC",
  side: "bid",
  price: "1",
  amount: 1,
  tif: "ALO",
  reduce_only: false,
} as const;
const MINE = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11";

/** A client with the promise, to which every order is placed, and the number of its requests. */
function promised(options: ClientOptions = {}) {
  let [sent, orders] = [0, 0];
  const send: Transport["send"] = async ({ url }) => {
    sent += 1;
    const results = Array.from({ length: 10 }, () => ({ success: true, order_id: ++orders }));
    const found = url.endsWith("/batch") ? { success: true, data: { results } } : results[0];
    const body = new TextEncoder().encode(JSON.stringify(found));
    return { status: 200, headers: new Headers(), body };
  };
  const client = new Client("http://127.0.0.1:1", {
    signer: KEY,
    transport: { send, close: () => {} },
    uniqueIds: true,
    ...options,
  });
  return { client, sent: () => sent };
}

function order(id: string) {
  return { ...ORDER, client_order_id: id };
}

function isTaken(error: Error, operation = "orders.create"): boolean {
  const why = `${MINE} was given to another message, which was executed or may be, and uniqueIds promises`;
  assert.ok(error instanceof RequestError);
  const what = `${operation}: ${why} that no id is; reconcile that one, or give a new id`;
  assert.equal(error.message, what);
  return true;
}

test("clients that withOptions makes share the ids, and other clients have their own", async () => {
  const { client, sent } = promised();
  const slow = client.withOptions({ timeout: 5_000 });
  await slow.orders.create(order(MINE));
  await assert.rejects(client.orders.create(order(MINE)), (error: Error) => isTaken(error));
  const again = client.withOptions({ apiKey: "KEY" }).orders;
  const batch = [
    { type: "Create" as const, data: ORDER },
    { type: "Create" as const, data: order(MINE) },
  ];
  await assert.rejects(again.batch(batch), (error: Error) => isTaken(error, "orders.batch"));
  assert.equal(sent(), 1);
  await promised().client.orders.create(order(MINE));
});

test("of two calls at the same time with one id, one is sent", async () => {
  for (const clock of ["local", "server"] as const) {
    const answers: (() => void)[] = [];
    const send: Transport["send"] = ({ method }) => {
      if (method === "GET") {
        const headers = new Headers({ Date: new Date().toUTCString() });
        return Promise.resolve({ status: 400, headers, body: new TextEncoder().encode("{}") });
      }
      return new Promise((_, reject) => {
        answers.push(() => reject(new TransportError("maybe_sent", "reset")));
      });
    };
    const { client } = promised({ clock, transport: { send, close: () => {} } });
    const first = client.orders.create(order(MINE));
    await assert.rejects(client.orders.create(order(MINE)), (error: Error) => isTaken(error));
    while (answers.length === 0) await new Promise((resolve) => setImmediate(resolve));
    for (const answer of answers) answer();
    await assert.rejects(first, OutcomeUnknownError);
    assert.equal(answers.length, 1);
  }
});

test("an order that could not be written down frees its id", async () => {
  const journal = join(folder, "intents.jsonl");
  const { client, sent } = promised({ journal });
  await client.orders.create(ORDER);
  renameSync(journal, `${journal}.away`);
  await assert.rejects(client.orders.create(order(MINE)), JournalError);
  renameSync(`${journal}.away`, journal);
  await client.orders.create(order(MINE));
  assert.equal(sent(), 2);
  client.close();
});

test("the latest 10,000 ids are remembered", async () => {
  const { client } = promised();
  await client.orders.create(order(MINE));
  const others = async (count: number) => {
    for (let sent = 0; sent < count; sent += 10) {
      const actions = Array.from({ length: 10 }, () => {
        return { type: "Create" as const, data: order(crypto.randomUUID()) };
      });
      await client.orders.batch(actions);
    }
  };
  await others(9_990);
  await assert.rejects(client.orders.create(order(MINE)), (error: Error) => isTaken(error));
  await others(10);
  await client.orders.create(order(MINE));
  await assert.rejects(client.orders.create(order(MINE)), (error: Error) => isTaken(error));
});
