/** What npm publishes installs into an empty project, and is typed there under every resolution. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";

const ROOT = join(import.meta.dirname, "..");
/** The npm that comes with this Node. */
const NPM = join(dirname(process.execPath), "..", "lib/node_modules/npm/bin/npm-cli.js");
const folder = mkdtempSync(join(tmpdir(), "trading-sdk-"));
after(() => rmSync(folder, { recursive: true }));

function npm(...words: string[]): string {
  return execFileSync(process.execPath, [NPM, ...words], { cwd: folder, encoding: "utf8" });
}

const PROGRAM = `
import { type ApiError, Client, Keypair, type CreateOrder, type Order, OutcomeUnknownError, type RefusalReason } from "trading-service-sdk";

const client = new Client("http://127.0.0.1:1", { signer: Keypair.generate(), timeout: 1_000 });
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

test("the packed files install into an empty project and are typed there", () => {
  npm("pack", ROOT, "--pack-destination", folder, "--ignore-scripts");
  const [archive] = readdirSync(folder);
  const project = { name: "user", private: true, type: "module" };
  writeFileSync(join(folder, "package.json"), JSON.stringify(project));
  npm("install", `./${archive}`, "--prefer-offline", "--no-audit", "--no-fund");
  const installed = join(folder, "node_modules", "trading-service-sdk");
  assert.deepEqual(readdirSync(installed).sort(), ["LICENSE", "README.md", "dist", "package.json"]);
  assert.deepEqual(
    readdirSync(join(installed, "dist")).filter((name) => name.includes("conformance")),
    [],
  );

  mkdirSync(join(folder, "node_modules", "@types"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules/@types/node"), join(folder, "node_modules/@types/node"));
  symlinkSync(join(ROOT, "node_modules/undici-types"), join(folder, "node_modules/undici-types"));
  writeFileSync(join(folder, "program.ts"), PROGRAM);
  for (const [module, resolution] of [
    ["node16", "node16"],
    ["esnext", "bundler"],
  ]) {
    const options = ["--strict", "--target", "es2022", "--skipLibCheck", "false"];
    const how = ["--module", `${module}`, "--moduleResolution", `${resolution}`];
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const given = [tsc, "program.ts", ...how, ...options, "--types", "node"];
    execFileSync(process.execPath, given, { cwd: folder, stdio: "inherit" });
  }
  const said = execFileSync(process.execPath, ["program.js"], { cwd: folder, encoding: "utf8" });
  assert.equal(said.trim(), "NotSentError");
});
