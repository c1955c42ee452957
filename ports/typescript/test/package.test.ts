/** What npm publishes installs into an empty project, and is typed there in every way that a program may ask. */

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";

const ROOT = join(import.meta.dirname, "..");
/** The npm that comes with this Node. */
const NPM = join(dirname(process.execPath), "..", "lib/node_modules/npm/bin/npm-cli.js");
/** Written by `python -m tests.release.npm`. */
const PACKAGE = join(ROOT, "packed");
const TSC = join(ROOT, "node_modules/typescript/bin/tsc");
const folder = mkdtempSync(join(tmpdir(), "trading-sdk-"));
const installed = join(folder, "node_modules", "trading-service-sdk");
after(() => rmSync(folder, { recursive: true }));

function npm(...words: string[]): string {
  return execFileSync(process.execPath, [NPM, ...words], { cwd: folder, encoding: "utf8" });
}

const PROGRAM = `
import { type ApiError, Client, Keypair, type CreateOrder, type Order, OutcomeUnknownError, type RefusalReason } from "trading-service-sdk";

const client = new Client("http://127.0.0.1:1", { signer: await Keypair.generate(), timeout: 1_000 });
export const order: CreateOrder = {
  symbol: "BTC", side: "bid", price: "1", amount: 1n, tif: "ALO", reduce_only: false,
};
export async function all(): Promise<bigint[]> {
  const found: Order[] = await client.orders.history({ limit: 10 }).toList(5);
  return found.map((each) => each.order_id);
}
// @ts-expect-error a fraction cannot be an id
export const wrong: bigint = 1.5;
// @ts-expect-error enums are closed on write
export const bad: CreateOrder = { ...order, side: "buy" };
export function explained(error: ApiError): string {
  switch (error.reason) {
    case "order_not_found": return "gone";
    // @ts-expect-error the reasons are closed
    case "order_not_there": return "gone";
    case undefined: return error.error;
    default: return error.reason satisfies RefusalReason;
  }
}
try {
  await client.orders.create(order);
} catch (error) {
  console.log(error instanceof OutcomeUnknownError ? "unknown" : (error as Error).name);
}
`;

/** What a program without the types of a browser or of Node can use. */
const PLAIN = `
import { Client, Keypair, toJson } from "trading-service-sdk";
export async function text(): Promise<string> {
  const signer = await Keypair.generate();
  const client = new Client("http://127.0.0.1:1", { signer, timeout: 1_000 });
  return toJson(await client.orders.history().toList());
}
`;

/** What one with either of them passes on. */
const PLATFORM = `
import { Client, type CallOptions, FetchTransport, type Transport } from "trading-service-sdk";
export const options: CallOptions = { signal: AbortSignal.timeout(5) };
export const own: Transport = {
  send: async () => ({ status: 200, headers: new Headers(), body: new Uint8Array() }),
  close: () => undefined,
};
export const proxied = new FetchTransport({ fetch: (input, init) => fetch(input, init) });
export const clients = [own, proxied].map((transport) => new Client("http://127.0.0.1:1", { transport }));
// @ts-expect-error it is no signal
export const wrong: CallOptions = { signal: 5 };
`;

const COMMONJS = `
const { Client, Keypair } = require("trading-service-sdk");
Keypair.generate().then((signer) => {
  console.log(typeof new Client("http://127.0.0.1:1", { signer }).orders.create);
});
`;

/** Compile a program of the project. */
function typed(program: string, ...options: string[]): void {
  const strict = ["--strict", "--target", "es2022", "--skipLibCheck", "false", "--ignoreConfig"];
  const given = [TSC, program, ...strict, ...options];
  execFileSync(process.execPath, given, { cwd: folder, encoding: "utf8" });
}

before(() => {
  npm("pack", PACKAGE, "--pack-destination", folder, "--ignore-scripts");
  const [archive] = readdirSync(folder);
  const project = { name: "user", private: true, type: "module" };
  writeFileSync(join(folder, "package.json"), JSON.stringify(project));
  npm("install", `./${archive}`, "--prefer-offline", "--no-audit", "--no-fund");
  mkdirSync(join(folder, "node_modules", "@types"), { recursive: true });
  for (const types of ["@types/node", "undici-types"]) {
    symlinkSync(join(ROOT, "node_modules", types), join(folder, "node_modules", types));
  }
});

test("it holds the modules with their sources, the pages, and nothing of the tests", () => {
  const pages = ["CHANGELOG.md", "LICENSE", "README.md", "docs", "package.json"];
  assert.deepEqual(readdirSync(installed).sort(), [...pages, "dist", "src"].sort());
  assert.deepEqual(readdirSync(join(installed, "src")).sort(), [
    "generated",
    "index.ts",
    "runtime",
  ]);
  const files = readdirSync(join(installed, "dist"), { recursive: true }) as string[];
  const maps = files.filter((name) => name.endsWith(".map"));
  assert.equal(maps.length, files.filter((name) => /\.(js|d\.ts)$/.test(name)).length);
  for (const name of maps) {
    const map = JSON.parse(readFileSync(join(installed, "dist", name), "utf8"));
    const [source] = map.sources as string[];
    readFileSync(join(installed, "dist", dirname(name), source as string));
  }
});

test("a bundle for a page has modules that refuse in the place of those that need Node", async () => {
  const { browser } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const stands: Record<string, unknown> = await import(join(installed, "dist/runtime/in_page.js"));
  for (const [module, instead] of Object.entries(browser)) {
    assert.equal(instead, "./dist/runtime/in_page.js");
    for (const name of Object.keys(await import(join(installed, module)))) {
      assert.equal(typeof stands[name], "function", `${module}: ${name}`);
    }
  }
  const { faultAndReason } = stands as { faultAndReason: (error: unknown) => [string, string] };
  assert.deepEqual(faultAndReason(new TypeError("no")), [
    "maybe_sent",
    "no answer came: TypeError",
  ]);
  assert.equal(faultAndReason(null)[0], "maybe_sent");
});

test("no page of it links to a file that is not there", () => {
  for (const page of ["README.md", "CHANGELOG.md", "docs/recovery.md"]) {
    const text = readFileSync(join(installed, page), "utf8");
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((each) => each[1] ?? "");
    assert.notEqual(links.length, 0, page);
    assert.deepEqual(
      links.filter((link) => !/^(https:\/\/|#)/.test(link)),
      [],
      page,
    );
  }
});

test("it is typed under every resolution, and runs", () => {
  writeFileSync(join(folder, "program.ts"), PROGRAM);
  for (const [module, resolution] of [
    ["node16", "node16"],
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ]) {
    typed(
      "program.ts",
      "--module",
      `${module}`,
      "--moduleResolution",
      `${resolution}`,
      "--types",
      "node",
    );
  }
  const said = execFileSync(process.execPath, ["program.js"], { cwd: folder, encoding: "utf8" });
  assert.equal(said.trim(), "NotSentError");
});

test("its types need neither the DOM nor those of Node, and take those of either", () => {
  writeFileSync(join(folder, "plain.ts"), PLAIN);
  writeFileSync(join(folder, "platform.ts"), PLATFORM);
  const how = ["--module", "node16", "--noEmit"];
  typed("plain.ts", ...how, "--lib", "es2022", "--types", "");
  typed("platform.ts", ...how, "--lib", "es2022", "--types", "node");
  typed("platform.ts", ...how, "--lib", "es2022,dom", "--types", "");
});

test("CommonJS requires it where Node can, and is told how to import it elsewhere", () => {
  writeFileSync(join(folder, "typed.cts"), PLAIN);
  // Of what node16 stands for, no Node can require a module.
  assert.throws(
    () => typed("typed.cts", "--module", "node16", "--noEmit", "--types", "node"),
    ({ stdout }) => /writing a dynamic 'import\("trading-service-sdk"\)' call/.test(stdout),
  );
  typed("typed.cts", "--module", "nodenext", "--noEmit", "--types", "node");
  writeFileSync(join(folder, "old.cjs"), COMMONJS);
  const ran = spawnSync(process.execPath, ["old.cjs"], { cwd: folder, encoding: "utf8" });
  if (ran.status === 0) assert.equal(ran.stdout.trim(), "function");
  else assert.match(ran.stderr, /require\(\) of ES Module .* to a dynamic import\(\)/s);
});
