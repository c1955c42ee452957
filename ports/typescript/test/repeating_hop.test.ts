/** A hop in front of a sandbox hands every POST on twice, and the answer to the second copy back. */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { after, before, beforeEach, test } from "node:test";
import {
  ApiError,
  Client,
  type ClientOptions,
  Keypair,
  OutcomeUnknownError,
} from "../dist/index.js";

const PYTHON = process.env.TRADING_PYTHON ?? "python";
const ORDER = {
  symbol: "BTC",
  side: "bid",
  price: "90000",
  amount: "0.01",
  tif: "GTC",
  reduce_only: false,
} as const;

const folder = mkdtempSync(join(tmpdir(), "trading-hop-"));
let sandbox: ChildProcess;
let service = "";
/** POSTs that the hop received, each of which the service received twice. */
let posts = 0;
/** A client of an account of its own whose messages take the hop, and one of the same account that does without. */
let hopped: Client;
let direct: Client;

const hop = createServer(async (asked, answer) => {
  const { method = "GET", url = "/" } = asked;
  const body = method === "GET" ? null : await text(asked);
  const send = () =>
    fetch(`${service}${url}`, { method, headers: { "Content-Type": "application/json" }, body });
  if (body !== null) {
    posts += 1;
    await (await send()).text();
  }
  const copy = await send();
  const headers = { "Content-Type": "application/json", Date: copy.headers.get("date") ?? "" };
  answer.writeHead(copy.status, headers).end(await copy.text());
});

before(async () => {
  const still = ["--no-maker", "--taker-delay", "0"];
  const words = ["-m", "trading_sandbox", "--port", "0", "--ready-json", ...still];
  sandbox = spawn(PYTHON, words, { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: sandbox.stdout as NodeJS.ReadableStream });
  service = JSON.parse((await lines[Symbol.asyncIterator]().next()).value as string).url;
  await new Promise<void>((resolve) => hop.listen(0, "127.0.0.1", resolve));
});

after(async () => {
  hop.close().closeAllConnections();
  const ended = once(sandbox, "exit");
  sandbox.kill();
  await ended;
  rmSync(folder, { recursive: true });
});

/** An account of a test's own. */
async function opened(): Promise<Keypair> {
  const body = JSON.stringify({ usdc: "10000", spot: { SOL: "5" } });
  const headers = { "Content-Type": "application/json" };
  const made = await fetch(`${service}/sandbox/v1/create_account`, {
    method: "POST",
    headers,
    body,
  });
  return Keypair.fromBase58((await made.json()).result.private_key);
}

beforeEach(async ({ name }) => {
  const signer = await opened();
  const options: ClientOptions = {
    signer,
    historyLag: 0,
    journal: join(folder, `${name.slice(0, 20)}.jsonl`),
  };
  const { port } = hop.address() as AddressInfo;
  hopped = new Client(`http://127.0.0.1:${port}`, options);
  direct = new Client(service, { signer });
  posts = 0;
});

/** The error that a call ends with, which the client itself sent once. */
async function failed<T extends Error>(
  kind: abstract new (...given: never[]) => T,
  call: Promise<unknown>,
): Promise<T> {
  const error = await call.catch((failure: unknown) => failure);
  assert.ok(error instanceof kind, String(error));
  assert.equal(posts, 1);
  return error;
}

/** What became of the messages of a call; then the journal holds nothing open. */
async function states(error: Parameters<Client["reconcile"]>[0]): Promise<string[]> {
  const settled = await hopped.reconcile(error, { timeout: 10_000 });
  assert.deepEqual(hopped.unsettled(), []);
  hopped.close();
  return settled.map(({ state }) => state);
}

async function ordersOf(id: unknown) {
  const orders = await direct.orders.history().toList();
  return orders.filter((each) => each.client_order_id === id);
}

test("create", async () => {
  const error = await failed(OutcomeUnknownError, hopped.orders.create(ORDER));
  assert.equal(hopped.unsettled().length, 1);
  assert.deepEqual(await states(error), ["executed"]);
  assert.equal((await ordersOf(error.clientIds[0])).length, 1);
});

test("create with an id that the program gave, after an answer told the clocks' difference", async () => {
  await hopped.account.settings();
  const client_order_id = crypto.randomUUID();
  const given = hopped.orders.create({ ...ORDER, client_order_id });
  assert.deepEqual(await states(await failed(OutcomeUnknownError, given)), ["executed"]);
});

test("an order that neither copy made is not said to be absent while it may still be accepted", async () => {
  const error = await failed(ApiError, hopped.orders.create({ ...ORDER, price: "1.5" }));
  assert.equal(error.reason, "invalid_price");
  const [settled] = await hopped.reconcile(error, { timeout: 0 });
  assert.equal(settled?.state, "unsettled");
  hopped.close();
});

test("cancel", async () => {
  const { order_id } = await direct.orders.create(ORDER);
  const error = await failed(ApiError, hopped.orders.cancel({ symbol: "BTC", order_id }));
  assert.deepEqual(await states(error), ["executed"]);
});

test("edit", async () => {
  const { order_id } = await direct.orders.create(ORDER);
  const values = { symbol: "BTC", price: "89000", amount: "0.02", order_id };
  const error = await failed(ApiError, hopped.orders.edit(values));
  assert.deepEqual(await states(error), ["executed"]);
});

test("batch", async () => {
  const { order_id } = await direct.orders.create(ORDER);
  const result = await hopped.orders.batch([
    { type: "Create", data: ORDER },
    { type: "Cancel", data: { symbol: "BTC", order_id } },
  ]);
  assert.equal(posts, 1);
  assert.deepEqual(
    result.results.map(({ success }) => success),
    [false, false],
  );
  assert.deepEqual(result.unclear, [0]);
  const [open] = hopped.unsettled();
  assert.deepEqual(await states(result), ["executed", "executed"]);
  assert.equal((await ordersOf(open?.clientIds[0])).length, 1);
});

test("withdraw", async () => {
  const call = hopped.spot.withdraw({ symbol: "SOL", amount: "1" });
  const error = await failed(OutcomeUnknownError, call);
  assert.deepEqual(await states(error), ["executed"]);
  assert.equal((await direct.spot.withdrawalHistory().toList()).length, 1);
});
