/** What is said of a call that was lost: whose its id is, whether it is sent again, when to look again. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
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
    [{}, "the rate limit asks to wait 2 s", 2],
  ] as const) {
    const client = lossy(limit);
    const order = { symbol: "BTC", side: "bid", price: "1", amount: "1" } as const;
    const error = await lost(client.orders.create({ ...order, tif: "ALO", reduce_only: false }));
    const [settled] = await client.reconcile(error, { timeout: 0 });
    const said = `; ${why}; call client.reconcile(error) again in ${seconds} s; reading 1: 0 pages; client.rec`;
    assert.equal(settled?.state, "unsettled");
    assert.ok(settled.reason.includes(said), settled.reason);
  }
});

// -- what the lists show ------------------------------------------------------------------------

const COMMON = { symbol: "BTC", side: "bid", amount: "1", reduce_only: false } as const;
const NEW = { ...COMMON, price: "1", tif: "ALO" } as const;
const MINUTE = 60_000;

/** A service that loses the answer to what is sent, unless one is given, and lists the records. */
function service() {
  const state = {
    records: [] as object[],
    answers: [] as [status: number, body: object][],
    /** What stands in place of the next pages. */
    pages: [] as [status: number, body: object][],
    /** The `Date`s of the next answers, in ms; then that of this machine. */
    dates: [] as number[],
  };
  const send: Transport["send"] = async ({ method }) => {
    const whole = [200, { success: true, data: state.records, has_more: false }] as const;
    const listed = method === "GET" ? (state.pages.shift() ?? whole) : whole;
    const answer = method === "GET" ? listed : state.answers.shift();
    if (answer === undefined) throw new TransportError("maybe_sent", "reset");
    const body = new TextEncoder().encode(JSON.stringify(answer[1]));
    const headers = new Headers({
      Date: new Date(state.dates.shift() ?? Date.now()).toUTCString(),
    });
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

const DUPLICATE = { error: "Duplicate client_order_id", code: 409 } as const;

test("a refusal as duplicate of the own id may answer a copy: the outcome is unknown", async () => {
  for (const [status, body] of [
    [409, DUPLICATE],
    [400, { error: "Duplicate client_order_id", code: null }],
    [200, { success: false, ...DUPLICATE }],
  ] as const) {
    const { state, opened } = service();
    const journal = join(folder, `${status}.jsonl`);
    const client = opened({ journal });
    state.answers.push([status, body]);
    const error = await lost(client.orders.create(NEW));
    assert.ok(error.cause instanceof ApiError);
    assert.equal(client.unsettled().length, 1);
    assert.match(await reasonOf(client, error), /^no list shows its id; the service may accept it/);
    state.records.push(shown(error.clientIds[0]));
    assert.equal(await reasonOf(client, error), "executed");
    assert.deepEqual(client.unsettled(), []);
    client.close();
  }
});

test("a message without an id is no duplicate, whatever the service means", async () => {
  const { state, opened } = service();
  const client = opened();
  state.answers.push([409, DUPLICATE]);
  const cancel = await refused(client.orders.cancel({ symbol: "BTC", order_id: 7 }));
  assert.match(await reasonOf(client, cancel), /^the service refused it; no list shows the record/);
});

test("a batch names the actions that may have been executed, and reconciles what failed", async () => {
  const { state, opened } = service();
  const client = opened({ journal: join(folder, "batch.jsonl") });
  const actions = [NEW, NEW].map((data) => ({ type: "Create", data }) as const);
  const { error } = DUPLICATE;
  const results = [
    { success: true, order_id: 7 },
    { success: false, error },
  ];
  state.answers.push([200, { success: true, data: { results } }]);
  const result = await client.orders.batch(actions);
  assert.deepEqual(result.unclear, [1]);
  const [open] = client.unsettled();
  state.records.push(shown(open?.clientIds[1]));
  const { failure } = result;
  assert.ok(failure !== null);
  for (const each of [result, failure]) {
    const settled = await client.reconcile(each, { timeout: 0 });
    assert.deepEqual(
      settled.map(({ state: found }) => found),
      ["executed"],
    );
  }
  assert.deepEqual(client.unsettled(), []);
  client.close();
});

test("a record that cannot be read counts when the looking goes on, and not in another process", async () => {
  const { state, opened } = service();
  const client = opened();
  const error = await lost(client.orders.create(NEW));
  state.records.push({ ...shown(undefined), created_at: null });
  const open = /cannot be read \(expected an integer.*\), perhaps its own/;
  assert.match(await reasonOf(client, error), open);
  assert.equal(error.progress, "1 readings");
  const another = OutcomeUnknownError.fromJson(error.toJson());
  assert.equal(another.progress, null);
  state.records.pop();
  assert.match(await reasonOf(client, error), open);
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

test("an order that was replaced under its id did not double, and two that live did", async () => {
  const { state, opened } = service();
  const client = opened();
  const error = await lost(client.orders.create(NEW));
  const first = { ...shown(error.clientIds[0]), created_at: Date.now() };
  const edited = first.created_at + 9;
  const second = { ...first, order_id: 8, created_at: edited, updated_at: edited };
  for (const [older, reason] of [
    [{ ...first, order_status: "cancelled", updated_at: edited }, /^a list shows its id$/],
    [{ ...first, updated_at: first.created_at }, /^the order doubled: .* on 2 orders$/],
  ] as const) {
    state.records = [second, older];
    const [settled] = await client.reconcile(error, { timeout: 0 });
    assert.equal(settled?.state, "executed");
    assert.match(settled.reason, reason);
  }
});

test("two wrong Dates that agree prove nothing of a given id beside a right one", async () => {
  for (const wrong of [0, 1]) {
    const { state, opened } = service();
    const client = opened();
    const id = crypto.randomUUID();
    state.dates = [Date.now() - MINUTE, Date.now() - MINUTE];
    for (const _ of state.dates.slice()) await client.orders.history().first();
    const error = await lost(client.orders.create({ ...NEW, client_order_id: id }));
    const older = { ...shown(id), created_at: Date.now() - MINUTE / 2 };
    const page = (records: object[], cursor: string | null) =>
      [200, { success: true, data: records, next_cursor: cursor, has_more: cursor !== null }] as [
        number,
        object,
      ];
    state.pages.push(page([], "1"), page([{ ...older, updated_at: older.created_at }], null));
    state.dates = [0, 1, 1, 1].map((place) => Date.now() - (place === wrong ? MINUTE : 0));
    const [settled] = await client.reconcile(error, { timeout: 0 });
    assert.equal(settled?.state, "unsettled", settled?.reason);
    assert.match(settled.reason, /perhaps of another message that used it/);
  }
});

/** Set this machine's clock, which stands still then. */
function setClock(context: TestContext, now: number): void {
  context.mock.timers.reset();
  context.mock.timers.enable({ apis: ["Date"], now });
}

test("Dates that are as wrong as this machine's clock make no message late", async (context) => {
  // In minutes; the service accepts the message for half a minute still.
  for (const ahead of [
    [1, 1, -60, 0, 0],
    [0, 1, 1, 1],
  ]) {
    context.mock.timers.reset();
    const { state, opened } = service();
    const client = opened();
    const error = await lost(client.orders.create(NEW));
    const now = Date.now();
    setClock(context, now + MINUTE);
    state.dates = ahead.map((minutes) => now + minutes * MINUTE);
    for (const _ of [1, 2]) {
      const [settled] = await client.reconcile(error, { timeout: 0 });
      assert.equal(settled?.state, "unsettled", `${ahead}`);
    }
  }
});

test("a wrong Date at signing is not confirmed by setting this machine's clock", async (context) => {
  const { state, opened } = service();
  const client = opened();
  const now = Date.now();
  state.dates = [now + MINUTE];
  await client.orders.history().first();
  const change = { symbol: "BTC", order_id: 7, price: "2", amount: "2" } as const;
  const error = await lost(client.orders.edit(change));
  // It ran, and another program edited the order back.
  state.records = [{ ...shown(null), created_at: now - MINUTE, updated_at: now + MINUTE / 3 }];
  setClock(context, now - MINUTE);
  state.dates = [now, now];
  assert.match(await reasonOf(client, error), /^it was touched since/);
});

test("setting this machine's clock makes no older order the message's own", async (context) => {
  const { state, opened } = service();
  const client = opened();
  const id = crypto.randomUUID();
  const now = Date.now();
  state.dates = [now, now];
  for (const _ of state.dates.slice()) await client.orders.history().first();
  const error = await lost(client.orders.create({ ...NEW, client_order_id: id }));
  const made = now - 5_101;
  state.records = [{ ...shown(id), created_at: made, updated_at: made }];
  setClock(context, now + 4_000);
  state.dates = [now, now];
  assert.match(await reasonOf(client, error), /^a list shows its id, but perhaps of another/);
});
