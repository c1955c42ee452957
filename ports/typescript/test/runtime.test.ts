/** What users notice of the runtime, and the conformance kit does not ask. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { createServer as createTcp } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { inspect } from "node:util";
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  type BatchError,
  Client,
  FetchTransport,
  Keypair,
  NotSentError,
  OutcomeUnknownError,
  RequestError,
  SigningError,
  type Transport,
  TransportError,
  type TransportRequest,
  toJson,
} from "../dist/index.js";

const folder = mkdtempSync(join(tmpdir(), "trading-sdk-"));
after(() => rmSync(folder, { recursive: true }));
const ORDER = {
  symbol: "BTC",
  side: "bid",
  price: "1",
  amount: 1,
  tif: "ALO",
  reduce_only: false,
} as const;

/** A transport that answers each request in its turn. */
function answering(...bodies: string[]): Transport & { readonly requests: TransportRequest[] } {
  const requests: TransportRequest[] = [];
  return {
    requests,
    send: async (request) => {
      requests.push(request);
      const body = new TextEncoder().encode(bodies.shift() ?? "");
      return { status: 200, headers: new Headers(), body };
    },
    close: () => {},
  };
}

test("a key goes into a file of its owner, and out of it again", async () => {
  const key = await Keypair.generate();
  const path = join(folder, "wallet.json");
  key.writeFile(path);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(Keypair.fromFile(path).address, key.address);
  assert.throws(() => key.writeFile(path), SigningError);
  chmodSync(path, 0o644);
  assert.throws(() => Keypair.fromFile(path), /is open to other users/);
});

test("nothing that is logged shows a secret", async () => {
  const key = await Keypair.generate();
  const secret = key.exportBase58();
  const transport = answering('{"success":true,"data":{"api_key":"SECRET"}}');
  const client = new Client("http://127.0.0.1:1", { signer: key, apiKey: "KEY-OF-API", transport });
  const made = await client.apiKeys.create();
  for (const each of [client, key, client.orders, made]) {
    const all = inspect(each, { depth: 20, showHidden: true });
    const shown = inspect(each, { depth: 20 }) + all + JSON.stringify(each);
    assert.ok(!shown.includes(secret) && !shown.includes("KEY-OF-API"), shown);
    assert.ok(!shown.includes("SECRET"), shown);
  }
  assert.equal(made.api_key, "SECRET");
  assert.match(toJson(made), /SECRET/);
});

test("a key given in place of a path or an API key is not repeated", async () => {
  const [secret, url] = [(await Keypair.generate()).exportBase58(), "http://127.0.0.1:1"];
  const seed = (await Keypair.generate()).address; // a seed looks the same
  const taken = join(folder, seed);
  const client = new Client(url, { signer: await Keypair.generate(), journal: taken });
  mkdirSync(taken);
  const calls: [string, string, () => unknown][] = [
    [secret, "apiKey is a private key", () => new Client(url, { apiKey: secret })],
    [secret, "is a private key", () => new Client(url, { journal: secret })],
    [secret, "is a private key", () => new Client(url, { journal: join(folder, secret, "j") })],
    [seed, "no folder", () => new Client(url, { journal: join(folder, "no", seed, "journal") })],
    [seed, "journal '", () => client.unsettled()],
    [seed, "was not sent: journal '", () => client.orders.create(ORDER)],
    [secret, "key file '", () => Keypair.fromFile(`${secret}.json`)],
  ];
  for (const [key, words, call] of calls) {
    const told = await (async () => call())().then(String, (error) => inspect(error));
    assert.ok(told.includes(words) && !told.includes(key), told);
  }
});

test("an abort before sending sends nothing; later, the outcome of a change is unknown", async () => {
  const server = createServer(() => {}).listen(0, "127.0.0.1");
  after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  const client = new Client(`http://127.0.0.1:${port}`, { signer: await Keypair.generate() });
  const early = client.orders.create(ORDER, { signal: AbortSignal.abort() });
  await assert.rejects(early, NotSentError);
  const late = client.orders.create(ORDER, { signal: AbortSignal.timeout(50) });
  await assert.rejects(late, OutcomeUnknownError);
  server.closeAllConnections();
});

test("what is posted is sent once, with its length, also after a 421, which fetch itself repeats", async () => {
  const seen: (string | undefined)[][] = [];
  const server = createServer((request, response) => {
    const { "content-length": length, "transfer-encoding": coding } = request.headers;
    seen.push([request.method, length, coding]);
    request.resume().on("end", () => response.writeHead(421).end('{"error":"no","code":421}'));
  }).listen(0, "127.0.0.1");
  after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  const client = new Client(`http://127.0.0.1:${port}`, { signer: await Keypair.generate() });
  const refused = (error: unknown) => {
    return error instanceof ApiError && error.status === 421 && error.intent !== null;
  };
  await assert.rejects(client.orders.create(ORDER), refused);
  assert.equal(seen.length, 1);
  assert.match(seen[0]?.join() ?? "", /^POST,[0-9]{3},$/);
  const url = `http://127.0.0.1:${port}/`;
  for (const [body, length] of [
    [null, "0"],
    ["{}", "2"],
    ["\u00e9", "2"],
  ] as const) {
    seen.length = 0;
    const request = { method: "POST", url, headers: {}, body };
    assert.equal((await new FetchTransport().send(request, { timeout: 5_000 })).status, 421);
    assert.deepEqual(seen, [["POST", length, undefined]]);
  }
});

test("a signer that never answers holds no call beyond its deadline or signal", async () => {
  const signed: unknown[] = [];
  const { address } = await Keypair.generate();
  const sign = (bytes: Uint8Array) => {
    signed.push(bytes);
    return new Promise<Uint8Array>(() => {});
  };
  const events: string[] = [];
  const transport = answering();
  const client = new Client("http://127.0.0.1:1", {
    signer: { address, sign },
    transport,
    journal: join(folder, "unsigned.jsonl"),
    onEvent: ({ text }) => events.push(text),
  });
  const told = (reason: RegExp) => (error: unknown) =>
    error instanceof NotSentError && reason.test(error.message);
  const late = told(/the deadline passed before it was signed/);
  const aborted = told(/it was aborted before it was sent/);
  await assert.rejects(client.orders.create(ORDER, { timeout: 100 }), late);
  assert.match(events.join(), /failed with NotSentError after 0 attempts/);
  const action = { type: "Create", data: ORDER } as const;
  await assert.rejects(client.orders.batch([action], { timeout: 100 }), late);
  const signal = AbortSignal.timeout(20);
  await assert.rejects(client.orders.create(ORDER, { signal }), aborted);
  assert.equal(signed.length, 3);
  await assert.rejects(client.orders.create(ORDER, { signal }), aborted);
  assert.equal(signed.length, 3, "no signature is asked for after an abort");
  assert.deepEqual(client.unsettled(), []);
  assert.deepEqual(transport.requests, []);
  client.close();
});

test("an option of a client that is none is refused: a misspelt journal would keep nothing", () => {
  const options = { jounral: "intents.jsonl" } as object;
  assert.throws(
    () => new Client("http://127.0.0.1:1", options),
    /a client has no option 'jounral'; it has signer, .*journal, /,
  );
});

test("plain JavaScript is told of what would be passed over", async () => {
  const client = new Client("http://127.0.0.1:1", { signer: await Keypair.generate() });
  const asIs = (value: unknown) => value as never;
  const action = { type: "Create", data: ORDER, take_profit: { stop_price: "2" } };
  await assert.rejects(
    client.orders.batch(asIs([action])),
    /action 0: unknown key 'take_profit'; an action has 'type' and 'data'/,
  );
  const refused: [() => unknown, RegExp][] = [
    [
      () => new Client("http://127.0.0.1:1", asIs(null)),
      /takes its options as an object, not null/,
    ],
    [() => new FetchTransport(asIs({ fetsh: fetch })), /no option 'fetsh'; its options are fetch/],
    [() => new FetchTransport(asIs({ fetch: 5 })), /fetch must be a function/],
    [() => new Client("http://127.0.0.1:1", { historyLag: 15 }), /from 100 .*; 15 s are 15000/],
  ];
  for (const [make, words] of refused) assert.throws(make, words);
  const side = asIs({ toString: 0 }); // has no text
  await assert.rejects(client.orders.create({ ...ORDER, side }), RequestError);
  const lost = asIs(new Error("any"));
  await assert.rejects(client.reconcile(lost, asIs({ timeOut: 15 })), /has no option 'timeOut'/);
  await assert.rejects(client.reconcile(lost, { timeout: 15 }), /; 15 s are 15000/);
});

test("a fetch that returns nothing leaves the outcome unknown", async () => {
  const transport = new FetchTransport({ fetch: async () => undefined as never });
  const client = new Client("http://127.0.0.1:1", { signer: await Keypair.generate(), transport });
  await assert.rejects(client.orders.create(ORDER), OutcomeUnknownError);
});

test("a port that fetch does not open is told", async () => {
  const signer = await Keypair.generate();
  const client = new Client("http://127.0.0.1:6666", { signer, retry: { maxAttempts: 1 } });
  await assert.rejects(client.orders.create(ORDER), (error: Error) => {
    return (
      error instanceof NotSentError && /fetch opens no connection to this port/.test(error.message)
    );
  });
});

test("options of a call that are none are refused before anything is written", async () => {
  const transport = answering('{"order_id":1}', '{"order_id":2}');
  const journal = join(folder, "options.jsonl");
  const client = new Client("http://127.0.0.1:1", {
    signer: await Keypair.generate(),
    transport,
    journal,
  });
  const controller = new AbortController();
  const { signal } = controller;
  const wrong: [unknown, RegExp][] = [
    [signal, /an object like \{ signal, timeout \}, not AbortSignal/],
    [controller, /not AbortController/],
    [5_000, /not number/],
    [[], /not Array/],
    [() => {}, /not function/],
    [{ signal: controller }, /signal must be an AbortSignal, .* not AbortController/],
    [{ signal: "now" }, /not string/],
    [{ signal: Object.create(null) }, /not object/],
    [{ timeout: "5" }, /timeout must be/],
    [{ timeout: 30 }, /timeout must be a number from 100 to 600000 ms, not 30; 30 s are 30000/],
  ];
  for (const [options, why] of wrong) {
    const told = (error: unknown) => error instanceof RequestError && why.test(error.message);
    await assert.rejects(client.orders.create(ORDER, options as object), told);
  }
  assert.throws(() => client.trades.history({}, signal as object), /not AbortSignal/);
  assert.deepEqual([transport.requests, client.unsettled()], [[], []]);
  await client.orders.create(ORDER, { signal });
  await client.orders.create(ORDER, Object.assign(Object.create(null), { timeout: 5_000 }));
  client.close();
});

test("an answer without a body, and those whose end is not told", async () => {
  const heads = ["204 No Content\r\n\r\n", '200 OK\r\n\r\n{"success":true}'];
  for (const coding of ["gzip", "identity", "chunked, gzip"]) {
    heads.push(`200 OK\r\nTransfer-Encoding: ${coding}\r\n\r\n{"success":true}`);
  }
  const server = createTcp((socket) => {
    socket.once("data", () => socket.end(`HTTP/1.1 ${heads.shift()}`));
  }).listen(0, "127.0.0.1");
  after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  const transport = new FetchTransport();
  const url = `http://127.0.0.1:${port}/`;
  const request = { method: "POST", url, headers: {}, body: "{}" };
  const empty = await transport.send(request, { timeout: 5_000 });
  assert.deepEqual([empty.status, empty.body.length], [204, 0]);
  while (heads.length > 0) {
    const cut = transport.send(request, { timeout: 5_000 });
    const reason = "nothing says for certain where the body ends";
    await assert.rejects(cut, { fault: "unreadable", reason });
  }
});

test("what has no exact value is refused before anything is sent", async () => {
  const transport = answering();
  const client = new Client("http://127.0.0.1:1", { signer: await Keypair.generate(), transport });
  for (const bad of [{ price: 0.1 }, { amount: 2 ** 53 }, { side: "buy" }, { colour: "red" }]) {
    await assert.rejects(client.orders.create({ ...ORDER, ...(bad as object) }), RequestError);
  }
  for (const [own, right] of [
    [{ side: "buy" }, "'bid', 'ask'; did you mean 'bid'?"],
    [{ tif: "post_only" }, "did you mean 'ALO'?"],
    [{ clientOrderId: "1" }, "did you mean 'client_order_id'?"],
  ] as const) {
    const told = (error: Error) => error.message.includes(right);
    await assert.rejects(client.orders.create({ ...ORDER, ...(own as object) }), told);
  }
  assert.throws(() => client.trades.history({ start_time: 1_748_970_123 }), /give ms: 17489701/);
  const least = 10n ** 17n;
  for (const [time, unit] of [
    [least - 1n, "microseconds"],
    [least, "nanoseconds"],
  ] as const) {
    assert.throws(() => client.trades.history({ start_time: time }), new RegExp(`only be ${unit}`));
  }
  const misplaced = { symbol: "BTC" } as object;
  await assert.rejects(client.subaccounts.list(misplaced), /none called 'symbol'/);
  assert.throws(() => client.trades.history({}, misplaced), /none called 'symbol'/);
  assert.deepEqual(transport.requests, []);
});

test("what a transport of one's own may do wrong after sending leaves the outcome unknown", async () => {
  const signer = await Keypair.generate();
  const wrong = [
    async () => undefined,
    async () => ({ status: 200, headers: {}, body: "{}" }),
    async () => {
      throw new TransportError("refused" as "maybe_sent", "it said no");
    },
  ];
  for (const send of wrong as unknown as Transport["send"][]) {
    const client = new Client("http://127.0.0.1:1", {
      signer,
      transport: { send, close: () => {} },
    });
    await assert.rejects(client.orders.create(ORDER), OutcomeUnknownError);
  }
});

test("fetch is called as a plain function, because that of a browser refuses anything else", async () => {
  let holder: unknown = "none";
  async function fetch(this: unknown): Promise<Response> {
    holder = this;
    return new Response("{}", { headers: { "Content-Length": "2" } });
  }
  const request = { method: "GET", url: "http://127.0.0.1:1/", headers: {}, body: null };
  const answer = await new FetchTransport({ fetch }).send(request, { timeout: 1_000 });
  assert.deepEqual([holder, answer.body.length], [undefined, 2]);
});

test("a refusal tells its reason, which may tell more than its status", async () => {
  const refused = (error: string) => JSON.stringify({ success: false, error, code: 400 });
  const results = [
    { success: true, order_id: null, error: null },
    { success: false, order_id: null, error: "Order not found: 7" },
  ];
  const transport = answering(
    refused("Invalid price: 1.5"),
    refused("Verification failed"),
    JSON.stringify({ success: true, data: { results } }),
    JSON.stringify({ results: results.slice(1) }),
  );
  const client = new Client("http://127.0.0.1:1", { signer: await Keypair.generate(), transport });
  const told = (kind: typeof ApiError, reason: string) => (error: unknown) =>
    error instanceof kind && error.reason === reason;
  const create = () => client.orders.create(ORDER);
  await assert.rejects(create, told(BadRequestError, "invalid_price"));
  await assert.rejects(create, told(AuthenticationError, "invalid_signature"));
  const cancel = { symbol: "BTC", order_id: 7 };
  const action = { type: "Cancel", data: cancel } as const;
  const batch = await client.orders.batch([
    action,
    { ...action, data: { ...cancel, order_id: 8 } },
  ]);
  assert.deepEqual(batch.reasons, [undefined, "order_not_found"]);
  const failed = (error: unknown) =>
    (error as BatchError).reasons.get(1) === "order_not_found" &&
    /if a proxy sent it twice/.test((error as Error).message);
  assert.throws(() => batch.throwOnFailure(), failed);
  await assert.rejects(client.orders.cancel(cancel), told(BadRequestError, "order_not_found"));
});

test("a client with other options shares all the rest, and closing it closes nothing", async () => {
  const transport = answering('{"order_id":1}', '{"order_id":1}', "", "", "", "", "");
  const signer = await Keypair.generate();
  const journal = join(folder, "shared.jsonl");
  const client = new Client("http://127.0.0.1:1", { signer, transport, journal, apiKey: "KEY" });
  const other = client.withOptions({
    expiryWindow: 5_000,
    apiKey: null,
    retry: { maxAttempts: 1 },
  });
  assert.ok(other instanceof Client);
  await client.orders.create(ORDER);
  await other.orders.create(ORDER);
  const [first, second] = transport.requests;
  assert.match(first?.body ?? "", /"expiry_window":30000/);
  assert.match(second?.body ?? "", /"expiry_window":5000/);
  assert.equal(first?.headers["PF-API-KEY"], "KEY");
  assert.equal(second?.headers["PF-API-KEY"], undefined);
  await assert.rejects(other.account.settings(), { name: "DecodeError" });
  assert.equal(transport.requests.length, 3, "one attempt");
  other.close();
  assert.equal(other.unsettled().length, 0);
  assert.equal(client.unsettled().length, 0);
  client.close();
  assert.ok(!inspect(other, { depth: 9 }).includes("KEY"));
  for (const wrong of [{ timeout: 0 }, { expiryWindow: 1 }, { signer }, { retry: { times: 2 } }]) {
    assert.throws(() => client.withOptions(wrong as object), RequestError);
  }
});

test("numbers are sent in full", async () => {
  const transport = answering('{"order_id":1}', '{"order_id":2}');
  const client = new Client("http://127.0.0.1:1", { signer: await Keypair.generate(), transport });
  await client.orders.create({ ...ORDER, amount: 3 });
  await client.orders.edit({
    symbol: "BTC",
    price: 2n ** 60n,
    amount: "1.50",
    order_id: 2 ** 53 - 1,
  });
  const [first, second] = transport.requests.map((each) => each.body ?? "");
  assert.match(first ?? "", /"amount":"3"/);
  assert.match(second ?? "", /"order_id":9007199254740991,"price":"1152921504606846976"/);
});

test("an answer that is no JSON is told by its kind", async () => {
  const kinds = {
    "it is empty": ["", "\t", " \r\n\v\f\t"],
    "it is a page of HTML": ["<html>", "\n<!DOCTYPE html>"],
    "at character 0": ["hello"],
  };
  for (const [kind, bodies] of Object.entries(kinds)) {
    const transport = answering(...bodies);
    const client = new Client("http://127.0.0.1:1", {
      signer: await Keypair.generate(),
      transport,
      retry: { maxAttempts: 1 },
    });
    for (const _ of bodies) {
      await assert.rejects(client.account.settings(), new RegExp(`not JSON: .*${kind}`));
    }
  }
});

test("a list that is absent is empty; one that is null cannot be read", async () => {
  const settings = '{"success":true,"data":{"auto_lend_disabled":null,"margin_settings":null}}';
  const transport = answering(settings.replace(',"margin_settings":null', ""), settings);
  const client = new Client("http://127.0.0.1:1", { signer: await Keypair.generate(), transport });
  const found = await client.account.settings();
  assert.deepEqual(found, { auto_lend_disabled: null, margin_settings: [], spot_settings: [] });
  await assert.rejects(
    client.account.settings(),
    /expected a list, not null @ \$\.data\.margin_settings/,
  );
});

test("where Node is not, keys sign by WebCrypto, and files are refused", () => {
  const program = `
    const { log } = console;
    delete globalThis.process;
    const { Client, Keypair } = await import("${import.meta.dirname}/../dist/index.js");
    const client = new Client("http://127.0.0.1:1", { signer: await Keypair.generate() });
    log((await client.explain("orders.cancel", { symbol: "BTC", order_id: 1 })).signature.length > 80);
    try { Keypair.fromFile("x"); } catch (error) { log(error.name); }
  `;
  const given = ["--input-type=module", "--eval", program];
  const said = execFileSync(process.execPath, given, { encoding: "utf8" });
  assert.equal(said, "true\nRequestError\n");
});

test("explain says what is missing, and which operations are signed", async () => {
  const client = new Client("http://127.0.0.1:1", { signer: await Keypair.generate() });
  await assert.rejects(client.explain("orders.cancel"), /CancelOrder\.symbol: it is missing/);
  await assert.rejects(client.explain("orders.make"), (error: Error) => {
    assert.match(error.message, /there is no operation 'orders\.make'; those that are signed are /);
    assert.match(error.message, /orders\.create, /);
    assert.doesNotMatch(error.message, /orders\.history/);
    return true;
  });
});

test("a call that may have been executed is in the journal of the next client", async () => {
  const journal = join(folder, "intents.jsonl");
  const signer = await Keypair.generate();
  const first = new Client("http://127.0.0.1:1", {
    signer,
    journal,
    transport: answering("<html>"),
  });
  await assert.rejects(first.orders.create(ORDER), OutcomeUnknownError);
  assert.equal(statSync(journal).mode & 0o777, 0o600);
  const other = new Client("http://127.0.0.1:1", { signer, journal });
  assert.throws(() => other.unsettled(), /belongs to another client/);
  first.close();
  const [error] = other.unsettled();
  assert.equal(error?.operation, "orders.create");
  other.acknowledge(error as OutcomeUnknownError);
  assert.deepEqual(other.unsettled(), []);
  other.close();
  const text = readFileSync(journal, "latin1");
  const reopened = (content: string) => {
    writeFileSync(journal, content);
    const client = new Client("http://127.0.0.1:1", { signer, journal });
    try {
      return client.unsettled().length;
    } finally {
      client.close();
    }
  };
  assert.throws(
    () => reopened(text.replace("BTC", "ETH")),
    /line 1 is damaged, or the file is no journal \(it was changed\); give the client/,
  );
  assert.throws(() => reopened(`${text}{"ended":"a"}\n`), /line 3 is of version 0\.1: settle what/);
  assert.throws(() => reopened(`${text}rubbish\0\0`), /it has no end/);
  assert.equal(reopened(`${text}{"crc":\0\0`), 0, "a power cut may leave zeros");
  assert.equal(statSync(journal).size, 0, "what holds no open call is emptied when it is read");
});

test("the members of a body stand in the order of their names, at any depth", async () => {
  const transport = answering();
  const account = (await Keypair.generate()).address;
  const client = new Client("http://127.0.0.1:1", {
    signer: await Keypair.generate(),
    account,
    transport,
  });
  const stop_loss = { trigger_price_type: "last_trade_price", stop_price: "1" } as const;
  const order = {
    tif: "ALO",
    symbol: "BTC",
    side: "bid",
    price: "2",
    amount: "1",
    stop_loss,
  } as const;
  const data = { ...order, reduce_only: false };
  await assert.rejects(client.orders.create(data));
  await assert.rejects(client.orders.batch([{ type: "Create", data }]));
  const sorted = (_: string, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value;
  for (const { body } of transport.requests) {
    assert.match(String(body), /"account":.*"agent_wallet":.*"signature":/);
    assert.equal(body, JSON.stringify(JSON.parse(String(body)), sorted));
  }
  assert.equal(transport.requests.length, 2);
});
