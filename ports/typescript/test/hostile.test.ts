/** Hostile answers, and calls where the stack is nearly full: neither stops a program, or hides an outcome. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Client,
  Keypair,
  OutcomeUnknownError,
  TradingError,
  type Transport,
} from "../dist/index.js";

const KEY = await Keypair.generate();

const SIZE = 256 * 1024;
/** Of processor time, which a busy machine does not change; what grows with the square takes more. */
const SECONDS = 10;
const LONG = "9".repeat(5_000);
/** What begins a body, what is repeated, and what ends it. */
const BODIES: Readonly<Record<string, readonly [string, string, string]>> = {
  "a text without an end": [`[${LONG},"`, '\\"', ""],
  "texts without an end": [`[${LONG},`, '"\\', ""],
  escapes: ['["', "\\u0041\\\\", '"]'],
  digits: ["[", "9", "]"],
  "digits of a fraction": ["[0.", "9", "]"],
  "lists in lists": ["", "[", ""],
  "objects in objects": ["", '{"a":', ""],
  "tiny tokens": ["[", "1,", "1]"],
  "white space": ["[", " \n", "]"],
  "a name again and again": ["{", '"success":false,', '"success":false}'],
  "a long error": ['{"success":false,"error":"', "actions[1", '"}'],
  "a long code": ['{"success":false,"code":"', "0", 'x"}'],
  "an id of braces": ['{"success":true,"data":[{"order_id":1,"client_order_id":"x', "{", 'x"}]}'],
  "bad records": ['{"success":true,"data":[', "{},", "{}]}"],
};
const HEADERS = ["date", "age", "retry-after", "ratelimit", "ratelimit-policy", "location"];
const TEXTS = ["9", "a ", ";", '"', ";r=1", '"a";r=1', "Mon, ", "GMT ", "\t;", "e1", "/"];
const ORDER = { symbol: "BTC", side: "bid", price: "1", amount: "1", tif: "ALO" } as const;
const CREATE = { ...ORDER, reduce_only: false } as const;

interface Asked {
  readonly client: Client;
  asked: boolean;
}

/** A client with one answer to everything. */
function answering(status: number, body: string, headers: Record<string, string> = {}): Asked {
  const bytes = new TextEncoder().encode(body);
  const send: Transport["send"] = async () => {
    found.asked = true;
    return { status, headers: new Headers(headers), body: bytes };
  };
  const transport = { send, close: () => {} };
  const client = new Client("http://127.0.0.1:1", {
    signer: KEY,
    transport,
    retry: { maxAttempts: 1 },
  });
  const found = { client, asked: false };
  return found;
}

const CALLS: readonly ((client: Client) => Promise<unknown>)[] = [
  (client) => client.orders.history().first(),
  (client) => client.account.settings(),
  (client) => client.orders.create(CREATE),
  (client) => client.orders.batch([{ type: "Create", data: CREATE }]),
];

/** Make the calls, in little processor time. */
async function answered(what: string, { client }: Asked): Promise<void> {
  for (const call of CALLS) {
    const before = process.cpuUsage();
    const error = await call(client).catch((failure: unknown) => failure);
    assert.ok(!(error instanceof Error) || error instanceof TradingError, `${what}: ${error}`);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < SECONDS * 1_000_000, what);
  }
}

test("what is read takes time that grows with its length alone", async () => {
  for (const [name, [begin, middle, end]] of Object.entries(BODIES)) {
    const body = `${begin}${middle.repeat(SIZE / middle.length)}${end}`;
    for (const status of [200, 400]) await answered(name, answering(status, body));
  }
  for (const header of HEADERS) {
    for (const text of TEXTS) {
      const headers = { [header]: `${text.repeat(SIZE / text.length)}x` };
      await answered(`${header}: ${text}`, answering(429, "{}", headers));
    }
  }
});

test("where the stack is nearly full, nothing is sent, or the outcome is told", async () => {
  const at = (depth: number, call: () => Promise<unknown>): Promise<unknown> =>
    depth > 0 ? at(depth - 1, call) : call();
  let deepest = 0;
  const descend = (depth: number): void => {
    deepest = depth;
    descend(depth + 1);
  };
  assert.throws(() => descend(0), RangeError);
  let [sent, unsent] = [0, 0];
  for (const call of CALLS) {
    for (let depth = deepest; depth > deepest / 2; depth -= 25) {
      const found = answering(200, "{}");
      const error = await Promise.resolve()
        .then(() => at(depth, () => call(found.client)))
        .catch((failure: unknown) => failure);
      if (found.asked) {
        sent += 1;
        assert.ok(error instanceof TradingError, String(error));
        const isRead = call === CALLS[0] || call === CALLS[1];
        assert.equal(error instanceof OutcomeUnknownError, !isRead);
      } else {
        unsent += 1;
        assert.ok(error instanceof RangeError || error instanceof TradingError, String(error));
      }
    }
  }
  assert.ok(sent > 0 && unsent > 0, `${sent} sent, ${unsent} not`);
});
