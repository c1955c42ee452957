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
  DecodeError,
  Keypair,
  OutcomeUnknownError,
  RequestError,
  type Transport,
  TransportError,
} from "../dist/index.js";
import { tellRefused, told } from "../dist/runtime/intent.js";

const KEY = await Keypair.generate();

const folder = mkdtempSync(join(tmpdir(), "trading-sdk-"));
after(() => rmSync(folder, { recursive: true }));

/** A client whose messages are lost, and whose lists the rate limit closes. */
function lossy(limit: Record<string, string> = {}): Client {
  const send: Transport["send"] = async ({ method }) => {
    if (method !== "GET") throw new TransportError("maybe_sent", "reset");
    return { status: 429, headers: new Headers(limit), body: new TextEncoder().encode("{}") };
  };
  return new Client("http://127.0.0.1:1", {
    signer: KEY,
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

const COMMON = { symbol: "BTC", side: "bid", amount: "1", reduce_only: false } as const;
const NEW = { ...COMMON, price: "1", tif: "ALO" } as const;
const GIVEN =
  "a list shows its id, but perhaps of another message that used it; if no other message had this id, this " +
  "one was executed";

/** A service that loses the answer to what is sent, unless one is given, and lists the records. */
function service() {
  const state = {
    records: [] as object[],
    answers: [] as [status: number, body: object][],
    /** What stands in place of the next pages. */
    pages: [] as [status: number, body: object][],
  };
  const send: Transport["send"] = async ({ method }) => {
    const whole = [200, { success: true, data: state.records, has_more: false }] as const;
    const listed = method === "GET" ? (state.pages.shift() ?? whole) : whole;
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

async function refused(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.catch((failure: unknown) => failure);
  assert.ok(error instanceof ApiError);
  return error;
}

/** Forget the ids that were told, as a new process has. */
function restart(): void {
  for (const ids of Object.values(told)) ids.clear();
}

test("an id that another message carries settles nothing", async () => {
  const stops = (client_order_id: string) => ({ stop_price: "2", client_order_id });
  const again: ((client: Client, id: string) => Promise<unknown>)[] = [
    (client, id) => lost(client.orders.create({ ...NEW, client_order_id: id })),
    (client, id) => lost(client.orders.create({ ...NEW, client_order_id: id.toUpperCase() })),
    (client, id) => lost(client.orders.create({ ...NEW, take_profit: stops(id) })),
    (client, id) => {
      const stop = { symbol: "BTC", side: "ask", stop_loss: stops(id) } as const;
      return lost(client.orders.setPositionTpsl(stop));
    },
    // The program may send what it was shown.
    (client, id) => client.explain("orders.create", { ...NEW, client_order_id: id }),
    (client, id) => client.explain("orders.create", { ...NEW, take_profit: stops(id) }),
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
      await send(opened({}, url), String(id));
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
  const error = await refused(client.orders.create(NEW));
  const id = String(error.intent?.messages[0]?.clientId);
  state.records.push(shown(id));
  const [before] = await client.reconcile(error);
  assert.equal(before?.reason, "the service refused it, but a list shows its id");
  await lost(client.orders.create({ ...NEW, client_order_id: id }));
  const [settled] = await client.reconcile(error);
  assert.deepEqual(
    [settled?.state, settled?.reason, settled?.records.length, settled?.restsOn],
    ["unsettled", `the service refused it; ${GIVEN}`, 1, ""],
  );
  state.records.splice(0, 1, { ...shown(id), initial_price: "2" });
  const [open] = await client.reconcile(error);
  const other = "the service refused it; a list shows its id, but with other values";
  assert.deepEqual([open?.state, open?.reason], ["unsettled", other]);
  // Without an id there is nothing to look for.
  state.answers.push([400, { error: "Invalid price", code: 400 }]);
  const nameless = await refused(client.orders.create({ ...NEW, client_order_id: null }));
  assert.equal(await reasonOf(client, nameless), "the service refused it");
});

test("ids are remembered: all of unknown outcomes and all that were given again, and the latest of refusals", async () => {
  const { state, opened } = service();
  const client = opened();
  const ofMany = () => tellRefused(Array.from({ length: 10_001 }, () => crypto.randomUUID()));
  const error = await lost(client.orders.create(NEW));
  state.answers.push([400, { error: "Invalid price", code: 400 }]);
  const refusal = await refused(client.orders.create(NEW));
  const ids = [error, refusal].map((each) => String(each.intent?.messages[0]?.clientId));
  await lost(client.orders.create({ ...NEW, client_order_id: ids[1] as string }));
  ofMany();
  await lost(client.orders.create({ ...NEW, client_order_id: ids[0] as string }));
  ofMany();
  state.records.push(...ids.map(shown));
  assert.equal(await reasonOf(client, error), GIVEN);
  assert.equal(await reasonOf(client, refusal), `the service refused it; ${GIVEN}`);
  assert.equal(told.refused.size, 10_000);
});

test("a 409 of an order is no final word: it is looked for like one whose outcome is unknown", async () => {
  const { state, opened } = service();
  const client = opened();
  const duplicate = [409, { error: "Duplicate client_order_id", code: 409 }] as const;
  state.answers.push([...duplicate], [...duplicate]);
  const error = await refused(client.orders.create(NEW));
  assert.match(
    await reasonOf(client, error),
    /^no list shows its id; the service can accept it until/,
  );
  state.records.push(shown(error.intent?.messages[0]?.clientId));
  const [settled] = await client.reconcile(error, { timeout: 0 });
  assert.deepEqual([settled?.state, settled?.reason], ["executed", "a list shows its id"]);
  // A message without an id is no duplicate, whatever the service means.
  const cancel = await refused(client.orders.cancel({ symbol: "BTC", order_id: 7 }));
  assert.equal(await reasonOf(client, cancel), "the service refused it");
});

test("an edit whose order was ended, but not replaced, is open", async () => {
  const { state, opened } = service();
  const client = opened();
  const edit = { symbol: "BTC", order_id: 7, price: "2", amount: "1" } as const;
  const settled = async (record: object) => {
    state.records.splice(0, 1, record);
    return reasonOf(client, await lost(client.orders.edit(edit)));
  };
  const open = /^the record that it should replace was ended, but no list shows a replacement; /;
  const order = { ...shown(crypto.randomUUID()), created_at: 1, order_status: "cancelled" };
  // Whenever that was, and whatever values it has.
  for (const more of [{ updated_at: 1 }, {}, { initial_price: "2" }]) {
    assert.match(await settled({ ...order, ...more }), open);
  }
  const unchanged = { ...order, order_status: "open", updated_at: 1 };
  assert.match(await settled(unchanged), /^the record that it should replace was not replaced; /);
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

test("a record that cannot be read counts when the looking goes on", async () => {
  const { state, opened } = service();
  const client = opened();
  const error = await lost(client.orders.create(NEW));
  state.records.push({ ...shown(undefined), created_at: null });
  const open = /cannot be read \(expected an integer.*\), perhaps its own/;
  assert.match(await reasonOf(client, error), open);
  assert.match(String(error.progress), /^look 1: 1 pages with 1 records of orders\.history$/);
  state.records.pop();
  assert.match(await reasonOf(client, error), open);
});

test("what was read is not written down: another process begins anew", async () => {
  const { state, opened } = service();
  const client = opened();
  const error = await lost(client.orders.create(NEW));
  state.records.push({ ...shown(undefined), created_at: null });
  assert.match(await reasonOf(client, error), /cannot be read/);
  const another = OutcomeUnknownError.fromJson(error.toJson());
  assert.equal(another.progress, null);
  state.records.pop();
  assert.match(await reasonOf(client, another), /^no list shows its id; /);
});

test("a record that cannot be read is another message's only if its id is, however it is written", async () => {
  const { state, opened } = service();
  const client = opened();
  const error = await lost(client.orders.create(NEW));
  const id = String(error.clientIds[0]);
  const bare = id.replaceAll("-", "");
  const own = [id, bare, `urn:uuid:${id}`, `URN:UUID:${id.toUpperCase()}`, ` {${bare}}\n`, 7];
  const others = [crypto.randomUUID(), bare.slice(1), `${bare}0`, "", null];
  for (const told of [...own, ...others]) {
    state.records.splice(0, 1, { ...shown(told), created_at: null });
    const isOwn = (await reasonOf(client, error)).includes("cannot be read");
    assert.equal(isOwn, own.includes(told as string), String(told));
    error.looks = null;
  }
});

test("a success that is no page of a list is read again", async () => {
  for (const status of [201, 202, 204, 205, 206, 207, 226, 299]) {
    const { state, opened } = service();
    const client = opened({ retry: { maxAttempts: 1 } });
    const error = await lost(client.orders.create(NEW));
    state.records.push(shown(error.clientIds[0]));
    const empty = [status, { success: true, data: [], has_more: false }] as [number, object];
    state.pages.push(empty);
    assert.equal(await reasonOf(client, error), "executed");
    state.pages.push(empty);
    const failure = await client.orders
      .history()
      .first()
      .catch((each: unknown) => each);
    assert.ok(failure instanceof DecodeError && !failure.isJson, String(status));
  }
  const { state, opened } = service();
  state.pages.push([203, { success: true, data: [shown(null)], has_more: false }]);
  assert.equal((await opened().orders.history().pages().next()).value?.items.length, 1);
});
