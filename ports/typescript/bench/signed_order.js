/**
 * One signed order, from its arguments to the text that is sent and back from its answer: this SDK, the
 * TypeScript client of an exchange of the same kind that people use most, and the shortest code by hand.
 *
 * `npm install && node signed_order.js`, after `npx tsc` beside it. The network is a function that answers.
 */

import { ExchangeClient } from "@nktkas/hyperliquid";
import bs58 from "bs58";
import nacl from "tweetnacl";
import { privateKeyToAccount } from "viem/accounts";
import { Client, Keypair } from "../dist/index.js";

const ROUNDS = 7;
const CALLS = 40;

function ours() {
  let id = 0;
  const transport = {
    send: async () => {
      id += 1;
      const body = new TextEncoder().encode(`{"success":true,"data":{"order_id":${id}}}`);
      return { status: 200, headers: new Headers(), body };
    },
    close: () => {},
  };
  const client = new Client("http://127.0.0.1:1", { signer: Keypair.generate(), transport });
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

async function median(call) {
  const times = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const began = performance.now();
    for (let index = 0; index < CALLS; index += 1) await call();
    times.push(((performance.now() - began) / CALLS) * 1000);
  }
  // The first round warms up.
  return times.slice(1).sort((a, b) => a - b)[ROUNDS >> 1];
}

const own = await median(ours());
console.log(`trading-service-sdk    ${own.toFixed(0).padStart(7)} us`);
for (const [name, made] of Object.entries({
  "@nktkas/hyperliquid": peer,
  "tweetnacl by hand": byHand,
})) {
  const time = await median(made());
  console.log(
    `${name.padEnd(22)} ${time.toFixed(0).padStart(7)} us, ratio ${(own / time).toFixed(2)}`,
  );
}
