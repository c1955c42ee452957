/** What is said of a call that was lost: whose its id is, whether it is sent again, when to look again. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import {
  ApiError,
  Client,
  type ClientOptions,
  Keypair,
  OutcomeUnknownError,
  RequestError,
  type Transport,
  TransportError,
} from "../dist/index.js";
import { tell } from "../dist/runtime/minted.js";

const folder = mkdtempSync(join(tmpdir(), "trading-sdk-"));
after(() => rmSync(folder, { recursive: true }));

/** A client whose messages are lost, and whose lists the rate limit closes. */
function lossy(limit: Record<string, string> = {}): Client {
  const send: Transport["send"] = async ({ method }) => {
    if (method !== "GET") throw new TransportError("maybe_sent", "reset");
    return { status: 429, headers: new Headers(limit), body: new TextEncoder().encode("{}") };
  };
  return new Client("http://127.0.0.1:1", {
    signer: Keypair.generate(),
    transport: { send, close: () => {} },
  });
}

async function lost(call: Promise<unknown>): Promise<OutcomeUnknownError> {
  const error = await call.catch((failure: unknown) => failure);
  assert.ok(error instanceof OutcomeUnknownError);
  return error;
}

const WITHDRAW = { symbol: "SOL", amount: "1" } as const;
const TPSL = { symbol: "BTC", side: "ask", take_profit: { stop_price: "9" } } as const;
const LOOK = "if it was executed, it is then executed twice.";

test("an error promises resend only where resend sends again", async () => {
  const client = lossy();
  const withdrawal = await lost(client.spot.withdraw(WITHDRAW));
  assert.match(withdrawal.message, /client\.resend\(error\) sends it again with the same id/);
  await assert.rejects(client.resend(withdrawal), OutcomeUnknownError);

  const batch = await lost(client.orders.batch([{ type: "SetPositionTpsl", data: TPSL }]));
  // Of an operation that no list shows, and of a batch with the withdrawal in it.
  const written = withdrawal.toJson();
  const untraced = written.replace('"listed":false', '"listed":false,"traced":false');
  const inBatch = written.replace('"operation":"spot.withdraw"', '"operation":"orders.batch"');
  for (const text of [untraced, inBatch]) assert.notEqual(text, written);
  const others = [untraced, inBatch].map((text) => OutcomeUnknownError.fromJson(text));
  for (const error of [batch, ...others]) {
    assert.ok(error.message.includes("nothing can ever settle it. Unless"), error.message);
    assert.ok(!error.message.includes("resend"));
  }
  for (const error of others) assert.ok(error.message.includes(`${LOOK} Its client id: `));
  assert.ok(OutcomeUnknownError.fromJson(untraced).toJson().includes('"traced":false'));
  assert.equal(OutcomeUnknownError.fromJson(written).toJson(), written);
  const [settled] = await client.reconcile(batch);
  assert.match(
    settled?.reason ?? "",
    /nothing can ever settle it; look at what .* executed twice$/,
  );
  for (const error of [batch, others[1] as OutcomeUnknownError]) {
    await assert.rejects(client.resend(error), RequestError);
  }
});

test("a rate limit that ends the looking names the time to call again", async () => {
  for (const [limit, why, seconds] of [
    [{ "Retry-After": "100000" }, "the rate limit asks to wait 100000 s", 100_000],
    [{}, "the rate limit does not say how long to wait, 2 s may do", 2],
  ] as const) {
    const client = lossy(limit);
    const order = { symbol: "BTC", side: "bid", price: "1", amount: "1" } as const;
    const error = await lost(client.orders.create({ ...order, tif: "ALO", reduce_only: false }));
    const before = Date.now();
    const [settled] = await client.reconcile(error, { timeout: 0 });
    const said = `; ${why}; nothing was read yet; call client.reconcile(error) again in ${seconds} s, at `;
    assert.equal(settled?.state, "unsettled");
    const [, after] = settled.reason.split(said);
    assert.ok(after, settled.reason);
    assert.match(after, /^[-0-9]{10} [:0-9]{8} UTC by this machine's clock; the service can/);
    assert.ok(Date.parse(`${after.slice(0, 19).replace(" ", "T")}Z`) >= before + seconds * 1_000);
  }
});

// -- ids that the SDK made, and the program gave again ------------------------------------------

const KEY = Keypair.generate();
const COMMON = { symbol: "BTC", side: "bid", amount: "1", reduce_only: false } as const;
const NEW = { ...COMMON, price: "1", tif: "ALO" } as const;
const GIVEN =
  "a list shows its id, but perhaps of another message that used it; if no other message had this id, this " +
  "one was executed";

/** A service that loses the answer to what is sent, unless one is given, and lists the records. */
function service() {
  const state = { records: [] as object[], answers: [] as [status: number, body: object][] };
  const send: Transport["send"] = async ({ method }) => {
    const listed = [200, { success: true, data: state.records, has_more: false }] as const;
    const answer = method === "GET" ? listed : state.answers.shift();
    if (answer === undefined) throw new TransportError("maybe_sent", "reset");
    const body = new TextEncoder().encode(JSON.stringify(answer[1]));
    const headers = new Headers({ Date: new Date().toUTCString() });
    return { status: answer[0], headers, body };
  };
  const opened = (options: ClientOptions = {}, url = "http://127.0.0.1:1") =>
    new Client(url, { signer: KEY, transport: { send, close: () => {} }, ...options });
  return { state, opened };
}

/** The order that a list shows under an id. */
function shown(id: unknown): object {
  const prices = { initial_price: NEW.price, average_filled_price: "0", stop_price: null };
  const status = { order_status: "open", order_type: "limit", reason: null };
  const times = { created_at: Date.now(), updated_at: Date.now() };
  const ids = { order_id: 7, client_order_id: id, stop_parent_order_id: null };
  return { ...COMMON, ...ids, ...prices, filled_amount: "0", ...status, ...times };
}

async function reasonOf(client: Client, error: OutcomeUnknownError | ApiError): Promise<string> {
  const [settled] = await client.reconcile(error, { timeout: 0 });
  return settled?.state === "executed" ? "executed" : (settled?.reason ?? "");
}

/** Forget the ids that were told, as a new process has. */
function restart(): void {
  tell(Array.from({ length: 10_000 }, () => crypto.randomUUID()));
}

test("an id that another message carries settles nothing", async () => {
  const stops = (client_order_id: string) => ({ stop_price: "2", client_order_id });
  const again: ((client: Client, id: string) => Promise<unknown>)[] = [
    (client, id) => client.orders.create({ ...NEW, client_order_id: id }),
    (client, id) => client.orders.create({ ...NEW, client_order_id: id.toUpperCase() }),
    (client, id) => client.orders.create({ ...NEW, take_profit: stops(id) }),
    (client, id) => {
      return client.orders.setPositionTpsl({ symbol: "BTC", side: "ask", stop_loss: stops(id) });
    },
  ];
  for (const send of again) {
    for (const url of ["http://127.0.0.1:1", "http://localhost:1"]) {
      const { state, opened } = service();
      const client = opened();
      const error = await lost(client.orders.create(NEW));
      const written = error.toJson();
      const [id] = error.clientIds;
      state.records.push(shown(id));
      assert.equal(await reasonOf(client, error), "executed");
      await lost(send(opened({}, url), String(id)));
      const later = OutcomeUnknownError.fromJson(error.toJson());
      assert.equal(later.intent.messages[0]?.minted, false);
      for (const each of [error, OutcomeUnknownError.fromJson(written), later]) {
        assert.equal(await reasonOf(client, each), GIVEN);
      }
    }
  }
});

test("a message that was refused told its id as well", async () => {
  const { state, opened } = service();
  const client = opened();
  state.answers.push([400, { error: "Invalid price", code: 400 }]);
  const error = await client.orders.create(NEW).catch((failure: unknown) => failure);
  assert.ok(error instanceof ApiError);
  const id = String(error.intent?.messages[0]?.clientId);
  state.records.push(shown(id));
  const [before] = await client.reconcile(error);
  assert.equal(before?.reason, "the service refused it, but a list shows its id");
  await lost(client.orders.create({ ...NEW, client_order_id: id }));
  const [settled] = await client.reconcile(error);
  const another =
    "the service refused it, but a list shows its id: another message with it was executed";
  assert.equal(settled?.reason, another);
  state.records.splice(0, 1, { ...shown(id), initial_price: "2" });
  const [open] = await client.reconcile(error);
  const other = "the service refused it; a list shows its id, but with other values";
  assert.deepEqual([open?.state, open?.reason], ["unsettled", other]);
});

test("after a restart the journal knows that an id of it was given again", async () => {
  for (const [leg, isLookedUp] of [
    [false, true],
    [false, false],
    [true, false],
  ]) {
    const { state, opened } = service();
    const journal = join(folder, `${leg}-${isLookedUp}.jsonl`);
    const first = opened({ journal });
    const error = await lost(first.orders.create(NEW));
    const id = String(error.clientIds[0]);
    state.records.push(shown(id));
    first.close();

    restart();
    const second = opened({ journal });
    const [open] = isLookedUp ? second.unsettled() : [];
    const taken = { stop_price: "2", client_order_id: id };
    state.answers.push([200, { order_id: 8 }]);
    await second.orders.create(
      leg ? { ...NEW, take_profit: taken } : { ...NEW, client_order_id: id },
    );
    // What it looks up is written down, too, and must not make the id its own again.
    if (open !== undefined) assert.equal(await reasonOf(second, open), GIVEN);
    second.close();

    restart();
    const third = opened({ journal });
    const reasons = third.unsettled().map((each) => reasonOf(third, each));
    assert.deepEqual(await Promise.all(reasons), [GIVEN]);
    third.close();
  }
});

test("a record that cannot be read is written down, and counts when the looking goes on", async () => {
  const { state, opened } = service();
  const client = opened();
  const error = await lost(client.orders.create(NEW));
  state.records.push({ ...shown(undefined), created_at: null });
  const open = /cannot be read \(expected an integer.*\), perhaps its own/;
  assert.match(await reasonOf(client, error), open);
  const written = error.toJson();
  assert.match(written, /"kept":\[{"orders.history":\[{"cannot be read":"expected an integer/);
  state.records.pop();
  assert.match(await reasonOf(client, OutcomeUnknownError.fromJson(written)), open);
});
