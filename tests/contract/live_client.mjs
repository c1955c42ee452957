// A client of the live dialect in another language, written from the field notes alone, with nothing but
// what Node has. Usage: node live_client.mjs URL PRIVATE_KEY; it trades, and prints what it saw as JSON.
import { createPrivateKey, sign } from "node:crypto";

const [url, secret] = process.argv.slice(2);
const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

function decode(text) {
  let number = 0n;
  for (const char of text) number = number * 58n + BigInt(ALPHABET.indexOf(char));
  return Buffer.from(number.toString(16).padStart(128, "0"), "hex"); // 64 bytes: note 2
}

function encode(bytes) {
  let number = BigInt("0x" + bytes.toString("hex"));
  let text = "";
  for (; number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)] + text;
  return "1".repeat(bytes.findIndex((byte) => byte !== 0)) + text;
}

const pair = decode(secret);
const account = encode(pair.subarray(32)); // note 1: the address is the public key
const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), pair.subarray(0, 32)]);
const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]));
}

async function answered(response) {
  const { success, data, error } = await response.json();
  if (!success) throw new Error(`${response.status}: ${error}`);
  return data; // note 13: the envelope is everywhere
}

async function read(path, query = {}) {
  return answered(await fetch(`${url}/api/v1${path}?${new URLSearchParams(query)}`));
}

async function send(path, type, data, window = 30000) {
  const header = { timestamp: Date.now(), expiry_window: window, type };
  const message = JSON.stringify(sorted({ ...header, data }));
  const signature = encode(sign(null, Buffer.from(message), key));
  // Note 29: a null window is signed, and left out of the body.
  const times = window === null ? {} : { expiry_window: window };
  const body = { account, signature, timestamp: header.timestamp, ...times, ...data };
  const headers = { "content-type": "application/json" };
  return answered(await fetch(`${url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) }));
}

const symbol = "BTC";
const { tick_size } = (await read("/info")).find((market) => market.symbol === symbol);
const { mark } = (await read("/info/prices")).find((price) => price.symbol === symbol);
const [bids, asks] = (await read("/book", { symbol })).l;
await send("/account/leverage", "update_leverage", { symbol, leverage: 10 });
const bought = await send("/orders/create_market", "create_market_order",
  { symbol, side: "bid", amount: "0.1", slippage_percent: "1", reduce_only: false }, null);
const price = String(Number(bids[0].p) - 1000);
const resting = await send("/orders/create", "create_order",
  { symbol, side: "bid", price, amount: "0.01", tif: "ALO", reduce_only: false });
await send("/positions/tpsl", "set_position_tpsl", { symbol, side: "ask", stop_loss: { stop_price: "90000" } });
const open = await read("/orders", { account });
const [position] = await read("/positions", { account });
await send("/orders/cancel", "cancel_order", { symbol, order_id: resting.order_id });
const { cancelled_count } = await send("/orders/cancel_all", "cancel_all_orders",
  { all_symbols: true, exclude_reduce_only: false });
const refused = await send("/account/margin", "update_margin_mode", { symbol, is_isolated: true }).catch(String);
await send("/orders/create_market", "create_market_order",
  { symbol, side: "ask", amount: "0.1", slippage_percent: "1", reduce_only: true });
const events = await read("/orders/history_by_id", { order_id: bought.order_id });
const { positions_count, balance } = await read("/account", { account });
// Below its own stand those of strangers, which are older.
const trades = (await read("/trades", { symbol, limit: 2 })).map((trade) => [trade.side, trade.price]);
console.log(JSON.stringify({ tick_size, mark, touch: [bids[0].p, asks[0].p], position, refused, balance,
  open: open.map((order) => order.order_type), cancelled_count, positions_count, trades,
  events: events.map((event) => event.order_status) }));
