/**
 * One signed order, from its arguments to the text that is sent and back from its answer: this SDK, the
 * TypeScript client of an exchange of the same kind that people use most, and the shortest code by hand.
 *
 * `npm ci && node signed_order.js`, after `npm ci && npx tsc` above. The network is a function that answers. It ends
 * with 1 if ours is slower than the client.
 */

import { ExchangeClient } from "@nktkas/hyperliquid";
import bs58 from "bs58";
import nacl from "tweetnacl";
import { privateKeyToAccount } from "viem/accounts";
import { Client, Keypair } from "../dist/index.js";

const ROUNDS = 21;
const CALLS = 40;

async function ours() {
  let id = 0;
  const transport = {
    send: async () => {
      id += 1;
      const body = new TextEncoder().encode(`{"success":true,"data":{"order_id":${id}}}`);
      return { status: 200, headers: new Headers(), body };
    },
    close: () => {},
  };
  const client = new Client("http://127.0.0.1:1", { signer: await Keypair.generate(), transport });
  const order = {
    symbol: "BTC",
    side: "bid",
    price: "100",
    amount: "1",
    tif: "GTC",
    reduce_only: false,
  };
  return () => client.orders.create(order);
}

function peer() {
  const resting = {
    status: "ok",
    response: { type: "order", data: { statuses: [{ resting: { oid: 1 } }] } },
  };
  const transport = { isTestnet: true, request: async () => resting };
  const wallet = privateKeyToAccount(`0x${"11".repeat(32)}`);
  const client = new ExchangeClient({ transport, wallet });
  const order = { a: 0, b: true, p: "100", s: "1", r: false, t: { limit: { tif: "Gtc" } } };
  return () => client.order({ orders: [order], grouping: "na" });
}

function byHand() {
  const key = nacl.sign.keyPair();
  return async () => {
    const data = { amount: "1", client_order_id: crypto.randomUUID(), price: "100", side: "bid" };
    const text = JSON.stringify({
      data,
      expiry_window: 30000,
      timestamp: Date.now(),
      type: "create_order",
    });
    const signature = nacl.sign.detached(new TextEncoder().encode(text), key.secretKey);
    return JSON.stringify({
      account: bs58.encode(key.publicKey),
      signature: bs58.encode(signature),
      ...data,
    });
  };
}

/** The processor time of a call, in us, on average of so many. */
async function measured(call) {
  const before = process.cpuUsage();
  for (let index = 0; index < CALLS; index += 1) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}

/** The times of every way, round by round. Each round measures all of them, the next one in the opposite order. */
async function rounds(ways) {
  const found = Object.keys(ways).map((name) => [name, []]);
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, times] of round % 2 ? found : found.toReversed()) {
      const time = await measured(ways[name]);
      if (round > 0) times.push(time);
    }
  }
  return Object.fromEntries(found);
}

function quartiles(values) {
  const sorted = values.toSorted((one, other) => one - other);
  return [1, 2, 3].map((part) => sorted[Math.round(((sorted.length - 1) * part) / 4)]);
}

const OURS = "trading-service-sdk";
const PEER = "@nktkas/hyperliquid";
const found = await rounds({ [OURS]: await ours(), [PEER]: peer(), "tweetnacl by hand": byHand() });
for (const [name, times] of Object.entries(found)) {
  const [, time] = quartiles(times);
  const [low, ratio, high] = quartiles(times.map((each, index) => found[OURS][index] / each));
  const beside = `${ratio.toFixed(2)} x ± ${(high - low).toFixed(2)}`;
  console.log(
    `${name.padEnd(20)} ${time.toFixed(0).padStart(6)} us${name === OURS ? "" : `, ours is ${beside} of it`}`,
  );
}
const [, ratio] = quartiles(found[PEER].map((each, index) => found[OURS][index] / each));
process.exitCode = ratio > 1 ? 1 : 0;
