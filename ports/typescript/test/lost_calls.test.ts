/** What is said of a call that was lost: whether it is sent again, and when to look for it again. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Client,
  Keypair,
  OutcomeUnknownError,
  RequestError,
  type Transport,
  TransportError,
} from "../dist/index.js";

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
