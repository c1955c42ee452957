/** How large one client is in the bundle of a page, minified and compressed, beside those that people use. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** No larger may ours be, in bytes. */
const MOST = 34_600;
const HERE = import.meta.dirname;
/** The files that npm publishes, by `python -m tests.release.npm`. */
const OURS = join(HERE, "..", "packed", "dist", "index.js");
const PEER = "@nktkas/hyperliquid";
const CLIENTS = {
  "trading-service-sdk": `export { Client, Keypair } from ${JSON.stringify(OURS)}`,
  stripe: 'export { default } from "stripe"',
  openai: 'export { default } from "openai"',
  [PEER]: `export { ExchangeClient, HttpTransport, InfoClient } from "${PEER}"`,
};

async function bundled(contents) {
  const entry = { contents, resolveDir: HERE };
  const form = { bundle: true, minify: true, format: "esm", platform: "browser", target: "es2022" };
  const { outputFiles } = await build({ stdin: entry, ...form, write: false, logLevel: "error" });
  return outputFiles[0].contents;
}

for (const [name, contents] of Object.entries(CLIENTS)) {
  const bytes = gzipSync(await bundled(contents), { level: 9 }).length;
  console.log(`${name.padEnd(20)} ${(bytes / 1000).toFixed(1).padStart(6)} kB`);
  if (name === "trading-service-sdk" && bytes > MOST) process.exitCode = 1;
}

// What the page of test/browser imports: `nox -s ports` opens it with this bundle.
mkdirSync(join(HERE, "..", "tested"), { recursive: true });
const page = await bundled(`export { Client, Keypair, toJson } from ${JSON.stringify(OURS)}`);
writeFileSync(join(HERE, "..", "tested", "bundle.js"), page);
