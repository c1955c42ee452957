/** What a client of the second spec sends, and what it makes of answers: conformance/second says of which kinds. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ApiError,
  Client,
  type CreatePlan,
  DecodeError,
  Keypair,
  OutcomeUnknownError,
  RequestError,
  type TransportRequest,
  toJson,
} from "../dist/second/index.js";

const KEY = await Keypair.generate();

const NOON = new Date("2027-01-31T10:00:00Z");
const LEAST = {
  name: "night",
  note: "",
  limits: { least: "1" },
  soils: [],
  floor: null,
  starts_at: NOON,
  number: 7,
  urgency: "low",
} as const;
const PLAN = { number: 7, starts_at: 1801389600123, urgency: "high" };
const VALVE = { name: "a", mark: "b" };

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}
const answer = (body: unknown, status = 200): Answer => ({ status, body });
const told = (data: unknown): Answer => answer({ success: true, data });

/** A service that gives one answer after the other, the last one again and again; and what it was sent. */
function service(...answers: Answer[]) {
  const sent: TransportRequest[] = [];
  const send = async (request: TransportRequest) => {
    sent.push(request);
    const { status, body, headers } =
      (answers.length > 1 ? answers.shift() : answers[0]) ?? answer(null);
    const text = status === 204 ? "" : JSON.stringify(body);
    return { status, headers: new Headers(headers), body: new TextEncoder().encode(text) };
  };
  return { transport: { send, close: () => {} }, sent };
}

/** A client of such a service. */
function garden(...answers: Answer[]) {
  const { transport, sent } = service(...answers);
  const signer = KEY;
  const client = new Client("http://127.0.0.1:1", { signer, transport, retry: { baseDelay: 0 } });
  return { client, sent };
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of list) found.push(each);
  return found;
}

const path = (request: TransportRequest | undefined) =>
  request?.url.replace("http://127.0.0.1:1", "");
const body = (request: TransportRequest | undefined) => JSON.parse(request?.body ?? "null");

const GIVEN: CreatePlan = {
  ...LEAST,
  limits: { least: 1n, "water-type": "tap" },
  legs: [{ plot: "a", class: 1 }],
  soils: ["sand", null],
  settings: { a: [1, null, true] },
  checks: [NOON, 0],
  number: 2n ** 63n - 1n,
  urgencies: ["low", "!"],
};
const SENT = {
  name: "night",
  note: "",
  limits: { least: "1", "water-type": "tap" },
  legs: [{ plot: "a", class: 1 }],
  soils: ["sand", null],
  settings: { a: [1, null, true] },
  floor: null,
  starts_at: NOON.getTime(),
  checks: [NOON.getTime(), 0],
  number: 2n ** 63n - 1n,
  urgency: "low",
  urgencies: ["low", "!"],
};

test("a value is sent as the spec writes it", async () => {
  const { client, sent } = garden(told(PLAN));
  await client.plans.create({
    ...GIVEN,
    dry: true,
  });
  const [request] = sent;
  const { account, signature, timestamp, expiry_window, plan_id, ...fields } = body(request);
  assert.equal(path(request), "/v2/plans?dry=true");
  assert.match(plan_id, /^[0-9a-f-]{36}$/);
  // JSON.parse rounds the integer that the text has in full.
  assert.match(request?.body ?? "", /"number":9223372036854775807/);
  assert.deepEqual(fields, { ...SENT, number: Number(SENT.number) });
});

test("what cannot be sent is refused with its place", async () => {
  const { client, sent } = garden(told(PLAN));
  const wrong = {
    starts_at: "2027-01-31",
    checks: [1801389600],
    number: 2n ** 63n,
    urgency: "soon",
    name: "far too long",
    limits: {},
    legs: [{ plot: "a", class: 3 }],
    settings: [0.5],
    within: 0,
  };
  for (const [name, value] of Object.entries(wrong)) {
    const given = { ...LEAST, [name]: value } as never;
    const place = new RegExp(`CreatePlan.*${name}`);
    await assert.rejects(client.plans.create(given), (error: Error) => place.test(error.message));
  }
  await assert.rejects(client.plans.due({ since: NOON, plots: [] }), RequestError);
  await assert.rejects(client.plans.one({ name: ".." }), RequestError);
  assert.deepEqual(sent, []);
});

test("parameters stand in the path and the query", async () => {
  const { client, sent } = garden(told(null), answer([]), answer(null, 204));
  assert.equal(await client.plans.one({ name: "a/b ü?.", trace: "t-1" }), null);
  await client.plans.due({ since: NOON, "sort-by": "end", plots: ["a", "b&c"] });
  await client.plans.delete({ name: "a" });
  assert.equal(path(sent[0]), "/v2/plans/a%2Fb%20%C3%BC%3F.?trace=t-1");
  assert.match(path(sent[1]) ?? "", /\?since=1801389600000&sort-by=end&plots=a&plots=b%26c$/);
  assert.deepEqual([sent[2]?.method, sent[2]?.body], ["DELETE", null]);
});

test("an answer of another success than the declared one says both", async () => {
  const { client } = garden(answer({ id: 7 }, 201), answer(null, 204));
  const removed = /success: true; the spec declares the status 204, not 201/;
  await assert.rejects(client.plans.delete({ name: "a" }), removed);
  const one = /it is empty; the spec declares the status 200, not 204/;
  await assert.rejects(client.plans.one({ name: "a" }), one);
});

test("answers have the types that the spec names", async () => {
  const layer = ["1.50", "2", "sand", "new"];
  const reading = {
    layers: [layer],
    grid: [["1"], []],
    top: null,
    depths: ["1", null],
    soils: ["sand", null, "clay"],
    notes: { any: [1] },
  };
  const { client } = garden(told({ ...PLAN, urgencies: ["low", "lost"] }), told(reading));
  const plan = await client.plans.one({ name: "a" });
  assert.deepEqual(
    [plan?.starts_at, plan?.number, plan?.urgency, plan?.urgencies],
    [1801389600123n, 7n, "high", ["low", "lost"]],
  );
  const { layers, top, depths, soils } = await client.readings.now();
  assert.deepEqual(JSON.parse(toJson([layers, top, depths, soils])), [
    [["1.50", "2", "sand"]],
    null,
    ["1", null],
    ["sand", null, "clay"],
  ]);
});

test("an answer that cannot be read is told with its place", async () => {
  const reasons: [unknown, RegExp][] = [
    [{ mark: "b" }, /\$\.name/],
    [{ ...VALVE, rank: "1" }, /\$\.rank/],
    [[VALVE], /@ \$/],
  ];
  for (const [wrong, reason] of reasons) {
    const { client } = garden(answer(wrong));
    await assert.rejects(client.valves.one({ name: "a" }), (error: Error) => {
      return error instanceof DecodeError && reason.test(error.message);
    });
  }
});

test("pages are followed by their own names, and by counting", async () => {
  const alarm = { plot: "a", share: "1.50", soil: "sand", raised_at: 1 };
  const rain = { t: 1, T: 2, span: "1M", volume: "1.50", score: "hidden" };
  const { client, sent } = garden(
    answer({ alarms: [alarm], next: "p 2", more: true }),
    answer({ alarms: [alarm], more: false }),
    told([rain, rain]),
    told([]),
  );
  assert.equal((await all(client.valves.alarms())).length, 2);
  assert.equal((await all(client.readings.rain({ from: 1 }))).length, 2);
  assert.match(path(sent[1]) ?? "", /after=p(%20|\+)2$/);
  assert.equal(path(sent[3]), "/v2/readings/rain?from=1&skip=2");
});

test("a refusal is read at the top, and one that holds a result is not believed", async () => {
  const { client } = garden(
    answer({ error: "Full", code: "E_FULL" }, 400),
    answer({ error: "Full", number: 7 }, 400),
  );
  const found = (error: unknown) => error instanceof ApiError && [error.error, error.code];
  const caught = async (call: Promise<unknown>) => call.then(() => null, found);
  assert.deepEqual(await caught(client.plans.create(LEAST)), ["Full", "E_FULL"]);
  const replace = () => client.plans.replace({ name: "a", amount: "1" });
  await assert.rejects(replace(), OutcomeUnknownError);
});

test("a field of the result is no word of an envelope", async () => {
  const { client } = garden(
    told({ ...PLAN, error: "no rain" }),
    answer({ success: false, error: "no" }),
  );
  assert.equal((await client.plans.one({ name: "a" }))?.error, "no rain");
  await assert.rejects(client.plans.one({ name: "a" }), ApiError);
});

test("a batch has results, and an action with an endpoint returns its own", async () => {
  const { client, sent } = garden(
    answer({ results: [{ success: true }, { success: false, error: "stuck" }] }),
    answer(null, 204),
  );
  const open = { type: "Open", data: { valve: 1 } } as const;
  const done = await client.valves.batch([open, open]);
  assert.deepEqual(
    [...done].map((each) => each.success),
    [true, false],
  );
  assert.equal(body(sent[0]).changes[1].data.valve, 1);
  assert.equal((await client.valves.open({ valve: 1 })).success, true);
  assert.equal(body(sent[1]).valve, 1);
});

test("the rate limit is read from the headers that the spec names", async () => {
  const headers = { "X-Budget": '"c";r=7;t=3', "X-Budget-Policy": '"c";q=125;w=60' };
  const { client } = garden({ ...answer(VALVE), headers: { ...headers, ratelimit: '"c";r=9' } });
  await client.valves.one({ name: "a" });
  assert.deepEqual(client.rateBudget, { remaining: "7", resetsIn: 3, quota: "125", window: 60 });
});

test("a server is chosen by its name", async () => {
  const { transport, sent } = service(answer([]));
  await new Client("trial", { transport }).plans.due({ since: NOON });
  assert.match(sent[0]?.url ?? "", /^https:\/\/trial\.example\/garden\/v2\/plans\?/);
  assert.throws(() => new Client("mains"), /those are main, trial/);
});
