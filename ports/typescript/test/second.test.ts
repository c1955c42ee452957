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
  weights: {},
  floor: null,
  starts_at: NOON,
  number: 7,
  urgency: 1,
} as const;
const PLAN = { number: "7", starts_at: "2027-01-31T12:00:00.1234567+02:00", urgency: 2 };
const FLOWED = { event: "Flowed", valve: 7 };
const PAUSED = { event: "Paused", until: "2027-01-31T12:00:00Z" };
const STRANGE = { event: "Split", parts: [{ size: "1.5" }] };

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
  trigger: { by: "very dry", share: "5" },
  stop: null,
  others: [{ by: "time", at: NOON }],
  range: ["1.50", null],
  ladder: [["1", 2]],
  soils: ["sand", null],
  weights: { a: "0.5", b: null },
  parts: { a: [{ by: "time", at: NOON }] },
  settings: { a: [1, null, true] },
  pauses: [NOON],
  checks: [NOON, 0],
  marks: { a: NOON },
  expires_at: NOON,
  number: 2n ** 63n - 1n,
  step: 5,
  urgencies: [1, -1],
};
const at = "2027-01-31T10:00:00Z";
const SENT = {
  name: "night",
  note: "",
  limits: { least: "1", "water-type": "tap" },
  legs: [{ plot: "a", class: 1 }],
  trigger: { by: "very dry", share: "5" },
  stop: null,
  others: [{ by: "time", at }],
  range: ["1.50", null],
  ladder: [["1", 2]],
  soils: ["sand", null],
  weights: { a: "0.5", b: null },
  parts: { a: [{ by: "time", at }] },
  settings: { a: [1, null, true] },
  floor: null,
  starts_at: at,
  pauses: [at],
  checks: [NOON.getTime(), 0],
  marks: { a: NOON.getTime() },
  expires_at: String(NOON.getTime()),
  number: "9223372036854775807",
  step: "5",
  urgency: 1,
  urgencies: [1, -1],
};

test("a value is sent as the spec writes it", async () => {
  const { client, sent } = garden(told(PLAN));
  await client.plans.create({
    ...GIVEN,
    dry: true,
  });
  const [request] = sent;
  const { account, signature, timestamp, expiry_window, ...fields } = body(request);
  assert.equal(path(request), "/v2/plans?dry=true");
  assert.match(request?.headers["Idempotency-Key"] ?? "", /^[0-9a-f-]{36}$/);
  assert.deepEqual(fields, SENT);
});

test("what cannot be sent is refused with its place", async () => {
  const { client, sent } = garden(told(PLAN));
  const wrong = {
    starts_at: "2027-01-31",
    checks: [1801389600],
    number: 2n ** 63n,
    urgency: 3,
    name: "far too long",
    limits: {},
    legs: [{ plot: "a", class: 3 }],
    range: ["1"],
    weights: { a: 0.5 },
    trigger: { by: "wet" },
    within: 0,
  };
  for (const [name, value] of Object.entries(wrong)) {
    const given = { ...LEAST, [name]: value } as never;
    const place = new RegExp(`CreatePlan.*${name}`);
    await assert.rejects(client.plans.create(given), (error: Error) => place.test(error.message));
  }
  const conditions = [{ lasts: 5 }, { soil: "sand" }, { soil: "sand", note: "n" }] as const;
  for (const each of conditions) {
    const replaced = client.plans.replace({ name: "a", amount: "1", ...each });
    await assert.rejects(replaced, /must be given if/);
  }
  await assert.rejects(client.plans.due({ since: NOON, plots: [] }), RequestError);
  await assert.rejects(client.plans.one({ name: ".." }), RequestError);
  assert.deepEqual(sent, []);
});

test("parameters stand in the path, the query and the headers", async () => {
  const { client, sent } = garden(told(null), answer([]), answer(null, 204));
  assert.equal(await client.plans.one({ name: "a/b ü?.", x_trace_id: "t-1" }), null);
  await client.plans.due({ since: NOON, "sort-by": "end", plots: ["a", "b&c"] });
  await client.plans.delete({ name: "a" });
  assert.equal(path(sent[0]), "/v2/plans/a%2Fb%20%C3%BC%3F.");
  assert.match(path(sent[1]) ?? "", /\?since=2027.*&sort-by=end&plots=a&plots=b%26c$/);
  assert.deepEqual([sent[2]?.method, sent[2]?.body], ["DELETE", null]);
});

test("answers have the types that the spec names", async () => {
  const layer = ["1.50", "2", "sand", "new"];
  const reading = {
    layers: [layer],
    grid: [["1"], []],
    fees: { success: "0.1" },
    top: null,
    depths: ["1", null],
    soils: ["sand", null, "clay"],
    notes: { any: [1] },
  };
  const { client } = garden(told({ ...PLAN, step: "5", urgencies: [1, 7] }), told(reading));
  const plan = await client.plans.one({ name: "a" });
  assert.deepEqual(
    [plan?.starts_at.toISOString(), plan?.number, plan?.step, plan?.urgency, plan?.urgencies],
    ["2027-01-31T10:00:00.123Z", 7n, 5n, 2, [1, 7]],
  );
  const { layers, fees, top, depths, soils } = await client.readings.now();
  assert.deepEqual(JSON.parse(toJson([layers, fees, top, depths, soils])), [
    [["1.50", "2", "sand"]],
    { success: "0.1" },
    null,
    ["1", null],
    ["sand", null, "clay"],
  ]);
});

test("an object of a union is told apart, and an unknown one survives", async () => {
  const { client } = garden(answer({ ...FLOWED, before: PAUSED }), answer(STRANGE));
  const event = await client.plans.lastEvent();
  assert.equal(JSON.parse(toJson(event)).before.event, "Paused");
  assert.deepEqual(JSON.parse(toJson(await client.plans.lastEvent())), STRANGE);
});

test("an answer that cannot be read is told with its place", async () => {
  const reasons: [unknown, RegExp][] = [
    [{ valve: 7 }, /event/],
    [{ event: "Flowed" }, /\$\.valve/],
    [{ ...FLOWED, before: { event: "Paused" } }, /\$\.before\.until/],
    [[FLOWED], /@ \$/],
  ];
  for (const [wrong, reason] of reasons) {
    const { client } = garden(answer(wrong));
    await assert.rejects(client.plans.lastEvent(), (error: Error) => {
      return error instanceof DecodeError && reason.test(error.message);
    });
  }
});

test("pages are followed by their own names, by integers, and by counting", async () => {
  const alarm = { plot: "a", share: "1.50", soil: "sand", raised_at: 1 };
  const rain = { t: 1, T: 2, from: "1M", "24h-volume": "1.50", $score: "hidden" };
  const { client, sent } = garden(
    answer({ alarms: [alarm], next: "p 2", more: true }),
    answer({ alarms: [alarm], more: false }),
    told({ events: [FLOWED], next: 9_007_199_254_740_991 }),
    told({ events: [STRANGE], next: null }),
    told([rain, rain]),
    told([]),
  );
  assert.equal((await all(client.valves.alarms())).length, 2);
  assert.equal((await all(client.plans.events())).length, 2);
  assert.equal((await all(client.readings.rain({ from: 1 }))).length, 2);
  assert.match(path(sent[1]) ?? "", /after=p(%20|\+)2$/);
  assert.equal(path(sent[3]), "/v2/events?after=9007199254740991");
  assert.equal(path(sent[5]), "/v2/readings/rain?from=1&skip=2");
});

test("a refusal is read where the spec says, and one that holds a result is not believed", async () => {
  const full = { message: "Every plot has a plan.", reason: "E_FULL" };
  const problem = { type: "https://garden.example/full", title: "Full" };
  const { client } = garden(
    answer({ error: full }, 400),
    answer(problem, 400),
    answer({ ...problem, number: "7" }, 400),
  );
  const found = (error: unknown) => error instanceof ApiError && [error.error, error.code];
  const caught = async (call: Promise<unknown>) => call.then(() => null, found);
  assert.deepEqual(await caught(client.plans.create(LEAST)), [full.message, full.reason]);
  const replace = () => client.plans.replace({ name: "a", amount: "1" });
  assert.deepEqual(await caught(replace()), ["Full", problem.type]);
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
  assert.equal((await client.valves.open({ valve: 1, x_signature_version: "2" })).success, true);
  assert.equal(sent[1]?.headers["X-Signature-Version"], "2");
  assert.equal(body(sent[1]).x_signature_version, undefined);
});

test("the rate limit is read from the headers that the spec names", async () => {
  const headers = { "X-Budget": '"c";r=7;t=3', "X-Budget-Policy": '"c";q=125;w=60' };
  const { client } = garden({ ...answer(FLOWED), headers: { ...headers, ratelimit: '"c";r=9' } });
  await client.plans.lastEvent();
  assert.deepEqual(client.rateBudget, { remaining: "7", resetsIn: 3, quota: "125", window: 60 });
});

test("a server is chosen by its name", async () => {
  const { transport, sent } = service(answer([]));
  await new Client("trial", { transport }).plans.due({ since: NOON });
  assert.match(sent[0]?.url ?? "", /^https:\/\/trial\.example\/garden\/v2\/plans\?/);
  assert.throws(() => new Client("mains"), /those are main, trial/);
});
