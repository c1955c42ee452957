/**
 * The SDK in a real browser, which `nox -s browser` starts: the modules as they are built, against a sandbox.
 *
 * The sandbox lets no page of another origin in. So a relay serves the page, the modules and the sandbox under one.
 */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";

const ROOT = join(import.meta.dirname, "..", "..");
const BROWSER = process.env.TRADING_BROWSER ?? "chromium";
const PYTHON = process.env.TRADING_PYTHON ?? "python";
/** What the page imports as the SDK: the modules as they are, unless a bundle is given. */
const MODULE = process.env.TRADING_BUNDLE ?? join(ROOT, "dist", "index.js");

/** What a call of the page returned, or the error that it ended with. */
interface Told {
  readonly error?: string;
  readonly reason?: string;
  readonly [name: string]: unknown;
}
type Report = Readonly<Record<string, Told & readonly Told[]>>;

const profile = mkdtempSync(join(tmpdir(), "trading-browser-"));
const started: ChildProcess[] = [];
const servers: Server[] = [];
let told: Report = {};

after(async () => {
  for (const each of servers) each.close().closeAllConnections();
  // A browser writes into its profile until it has ended.
  const ended = started.map((each) => once(each, "exit"));
  for (const each of started) each.kill();
  await Promise.all(ended);
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
});

function start(program: string, ...words: string[]): ChildProcess {
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "ignore"] });
  started.push(child);
  return child;
}

async function listening(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Hand a request on to the sandbox. */
function relay(sandbox: URL, asked: IncomingMessage, answer: ServerResponse): void {
  const { method = "GET", url: path = "/", headers } = asked;
  const { hostname: host, port } = sandbox;
  const sent = { host, port, path, method, headers: { ...headers, host: sandbox.host } };
  const passed = request(sent, (found) => {
    answer.writeHead(found.statusCode ?? 502, found.headers);
    found.pipe(answer);
  });
  passed.on("error", () => answer.destroy());
  asked.pipe(passed);
}

/** What a service or a gateway may do to an order, by the path that stands before its own. */
const BROKEN: Readonly<Record<string, (answer: ServerResponse) => void>> = {
  "/cut/": (answer) => {
    answer.writeHead(200, { "Content-Length": "50" }).flushHeaders();
    answer.write('{"order_id":7}', () => answer.destroy());
  },
  "/long/": (answer) => answer.end(" ".repeat(2 ** 21)),
  "/redirect/": (answer) => answer.writeHead(307, { Location: "/" }).end(),
};

/** Hand a request on twice, and the answer to the second copy back: a hop, or Chromium itself, may do that. */
async function relayTwice(sandbox: URL, asked: IncomingMessage, answer: ServerResponse) {
  const url = new URL((asked.url ?? "/").replace("/twice", ""), sandbox);
  const { method = "GET" } = asked;
  const body = method === "GET" ? null : await text(asked);
  const send = () => fetch(url, { method, headers: { "Content-Type": "application/json" }, body });
  if (body !== null) await send();
  const copy = await send();
  const headers = { "Content-Type": "application/json", Date: copy.headers.get("date") ?? "" };
  answer.writeHead(copy.status, headers).end(await copy.text());
}

function serve(sandbox: URL, report: (found: Report) => void) {
  return async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const { pathname } = new URL(asked.url ?? "/", sandbox);
    const broken = Object.entries(BROKEN).find(([begin]) => pathname.startsWith(begin));
    if (broken !== undefined) return broken[1](answer);
    if (pathname.startsWith("/twice/")) return relayTwice(sandbox, asked, answer);
    if (pathname === "/") {
      const page = readFileSync(join(import.meta.dirname, "page.html"));
      answer.writeHead(200, { "Content-Type": "text/html" }).end(page);
    } else if (pathname.startsWith("/files/")) {
      const path = pathname.slice("/files/".length);
      const file = readFileSync(path === "dist/index.js" ? MODULE : join(ROOT, path));
      answer.writeHead(200, { "Content-Type": "text/javascript" }).end(file);
    } else if (pathname === "/report") {
      report(JSON.parse(await text(asked)) as Report);
      answer.end();
    } else {
      relay(sandbox, asked, answer);
    }
  };
}

before(
  async () => {
    const sandbox = start(PYTHON, "-m", "trading_sandbox", "--port", "0", "--ready-json");
    const lines = createInterface({ input: sandbox.stdout as NodeJS.ReadableStream });
    const ready = JSON.parse((await lines[Symbol.asyncIterator]().next()).value as string);
    const url = new URL(ready.url);
    const foreign = await listening(createServer((asked, answer) => relay(url, asked, answer)));
    const closed = createServer();
    const nobody = await listening(closed);
    await new Promise((resolve) => closed.close(resolve));
    told = await new Promise<Report>((resolve) => {
      const query = new URLSearchParams({
        key: ready.accounts[0].private_key,
        foreign,
        closed: nobody,
      });
      listening(createServer(serve(url, resolve))).then((own) => {
        const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"];
        start(BROWSER, ...flags, `--user-data-dir=${profile}`, `${own}/?${query}`);
      });
    });
  },
  { timeout: 60_000 },
);

test("it signs with WebCrypto, sends and reads", () => {
  const { placed, taken, orders, trades, batch } = told;
  assert.ok(Number(placed?.order_id) > 0, JSON.stringify(placed));
  assert.ok(orders?.some((each) => each.order_id === placed?.order_id));
  assert.ok(
    trades?.some((each) => each.order_id === taken?.order_id),
    JSON.stringify(taken),
  );
  assert.equal(batch?.[0]?.success, true);
  assert.equal(told.refused?.reason, "invalid_price");
  assert.equal(typeof told.skew, "number");
  assert.match(String(told.made), /^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
});

test("files are refused", () => {
  for (const { error, text } of [told.file, told.journal] as Told[]) {
    assert.equal(error, "RequestError");
    assert.match(String(text), /needs the file system of Node, which is not there$/);
  }
});

test("an order without a whole answer has an unknown outcome, and is found", () => {
  const broken = { cut: "cut", long: "longer", redirect: "redirect", aborted: "aborted" };
  for (const [name, word] of Object.entries(broken)) {
    assert.equal(told[name]?.error, "OutcomeUnknownError", name);
    assert.match(`${told[name]?.reason}`, new RegExp(word), name);
  }
  assert.equal(told.settled?.[0]?.state, "executed", JSON.stringify(told.settled));
});

test("the refusal of a copy is an unknown outcome, and the order of the first one is found", () => {
  assert.equal(told.copied?.error, "OutcomeUnknownError", JSON.stringify(told.copied));
  assert.match(String(told.copied?.reason), /Duplicate/);
  assert.equal(told.found?.[0]?.state, "executed", JSON.stringify(told.found));
});

test("what was not sent counts as maybe sent, because browsers do not say why", () => {
  assert.equal(told.closed?.error, "OutcomeUnknownError", "nobody listens");
  assert.equal(
    told.foreign?.error,
    "OutcomeUnknownError",
    "a service that names no foreign origin",
  );
});
