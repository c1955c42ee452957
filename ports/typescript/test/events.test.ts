/** What a client tells its callback of each call. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Client,
  type ClientEvent,
  type ClientOptions,
  Keypair,
  NotSentError,
  OutcomeUnknownError,
  RequestError,
  type Transport,
  TransportError,
} from "../dist/index.js";
import { Clock, machine } from "../dist/runtime/clock.js";

const KEY = await Keypair.generate();

const ORDER = {
  symbol: "BTC",
  side: "bid",
  price: "123456",
  amount: "7.5",
  tif: "ALO",
  reduce_only: false,
} as const;
const LIMIT = { ratelimit: '"credits";r=1195;t=32' };

type Answer = readonly [number, string, Record<string, string>?] | Error;

/** A client whose requests are answered in turn, and the events of its calls. */
function watched(answers: Answer[], options: ClientOptions = {}) {
  const events: ClientEvent[] = [];
  let sent = 0;
  const send: Transport["send"] = async () => {
    sent += 1;
    const answer = answers.shift() ?? new Error("no answer is left");
    if (answer instanceof Error) throw answer;
    const [status, text, headers] = answer;
    return { status, headers: new Headers(headers), body: new TextEncoder().encode(text) };
  };
  const client = new Client("http://127.0.0.1:1", {
    signer: KEY,
    apiKey: "KEY-OF-API",
    transport: { send, close: () => {} },
    retry: { baseDelay: 0 },
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { client, events, sent: () => sent };
}

function lines(events: readonly ClientEvent[]): string[] {
  return events.map(({ level, text }) =>
    `${level} ${text}`.replace(/\[[0-9a-f]{8}\]/, "[id]").replace(/[0-9.]+ s\b/g, "N s"),
  );
}

test("an order that succeeds tells three events, without an argument or a secret", async () => {
  const { client, events } = watched([[200, '{"order_id":987654}', LIMIT]]);
  const began = performance.now();
  await client.orders.create(ORDER);
  const took = performance.now() - began;
  assert.match(lines(events)[0] ?? "", /^debug orders\.create \[id\]: attempt 1, [0-9]{3} bytes$/);
  assert.deepEqual(lines(events).slice(1), [
    "debug orders.create [id]: attempt 1 was answered 200 after N s, 19 bytes, 119.5 credits left",
    "debug orders.create [id]: succeeded (200) after 1 attempt and N s",
  ]);
  assert.equal(new Set(events.map((each) => each.call)).size, 1);
  const [, answered, settled] = events;
  assert.ok(answered?.type === "AttemptAnswered" && answered.credits === "119.5");
  assert.ok(settled?.type === "CallEnded" && settled.error === null);
  assert.ok(answered.ms <= settled.ms && settled.ms <= took);
  assert.ok(events.every(Object.isFrozen));
  const told = JSON.stringify(events);
  for (const secret of [...Object.values(ORDER).slice(2, 4), "987654", "KEY-OF-API", "127.0.0.1"]) {
    assert.ok(!told.includes(`${secret}`), `${secret}`);
  }
});

test("a read that is repeated tells why, and a refusal its class", async () => {
  const cut = new TransportError("maybe_sent", "no answer came: ECONNRESET");
  const { client, events } = watched([cut, [404, '{"error":"a secret of the service"}']]);
  await assert.rejects(client.account.settings(), { name: "NotFoundError" });
  assert.deepEqual(lines(events), [
    "debug account.settings [id]: attempt 1, 0 bytes",
    "warning account.settings [id]: attempt 1 failed (no answer came: ECONNRESET); attempt 2 follows in N s",
    "debug account.settings [id]: attempt 2, 0 bytes",
    "debug account.settings [id]: attempt 2 was answered 404 after N s, 35 bytes",
    "debug account.settings [id]: failed with NotFoundError (404) after 2 attempts and N s",
  ]);
  const retried = events[1];
  assert.ok(retried?.type === "AttemptRetried" && retried.fault === "maybe_sent");
  const last = events.at(-1);
  assert.ok(last?.type === "CallEnded" && last.stopReason === "not_repeatable");
});

test("the last event of a change without an answer is a warning with the id of its intent", async () => {
  for (const failure of [new TransportError("maybe_sent", "reset"), new SyntaxError("a bug")]) {
    const { client, events } = watched([failure]);
    const error = await client.orders.create(ORDER).catch((each) => each);
    const last = events.at(-1);
    assert.ok(last?.type === "CallEnded" && last.isUnknown && last.level === "warning");
    const why = failure instanceof TransportError ? "reset" : "the transport threw SyntaxError";
    assert.equal(last.reason, why);
    if (error instanceof OutcomeUnknownError) assert.equal(error.intent.id, last.call);
    assert.equal(last.stopReason, failure instanceof TransportError ? error.stopReason : null);
  }
});

test("a refusal that a clock may have caused is told", async () => {
  const hourAhead = { Date: new Date(Date.now() + 3_600_000).toUTCString() };
  for (const space of ["", " ", "\r\n\t"]) {
    const body = `${space}{"error":"Invalid message"}`;
    const { client, events } = watched([[400, body, hourAhead]]);
    await assert.rejects(client.orders.create(ORDER), { name: "AuthenticationError" });
    const last = events.at(-1);
    assert.ok(last?.type === "CallEnded" && last.isSkewed && last.level === "warning");
    assert.match(String(last.reason), /had expired by the service's clock, which is 3[56]/);
  }
});

test("a Date that may be the stale one of a busy server explains no refusal", async () => {
  const now = 1_759_215_599_000;
  for (const [seconds, isTold] of [
    [-6, true],
    [-5, false],
    [29, false],
    [30, true],
  ] as const) {
    const environment = { ...machine, now: () => now, monotonic: () => now };
    const clock = new Clock("local", environment);
    clock.observe(new Headers({ Date: new Date(now + seconds * 1_000).toUTCString() }));
    assert.equal(clock.hint(now, now + 30_000) !== null, isTold, `${seconds}`);
  }
});

test("whatever the callback throws or rejects with changes no call", async (context) => {
  const said = context.mock.method(console, "error", () => {});
  const fails = () => {
    throw new Error("of the callback");
  };
  for (const onEvent of [fails, async () => fails()]) {
    const { client } = watched([[200, '{"order_id":1}']], { onEvent });
    assert.equal((await client.orders.create(ORDER)).order_id, 1n);
  }
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(said.mock.callCount(), 6);
  assert.match(`${said.mock.calls[0]?.arguments[0]}`, /onEvent failed at AttemptSent/);
});

test("the time that the callback takes before the sending is the call's own", async () => {
  const { client, sent } = watched([[200, '{"order_id":1}']], {
    timeout: 100,
    onEvent: () => {
      const until = Date.now() + 120;
      while (Date.now() < until);
    },
  });
  await assert.rejects(client.orders.create(ORDER), (error: Error) => {
    return error instanceof NotSentError && /onEvent took until the deadline/.test(error.message);
  });
  assert.equal(sent(), 0);
});

test("what is no function is refused", () => {
  const onEvent = "print" as unknown as () => void;
  assert.throws(() => watched([], { onEvent }), RequestError);
});
