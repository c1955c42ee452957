/** The arrows between the rooms, as in Python. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const SOURCE = join(import.meta.dirname, "..", "src");
const WINGS: Readonly<Record<string, readonly string[]>> = {
  signing: ["codec"],
  codec: [],
  http: [],
  call: ["signing", "codec", "http"],
  recovery: ["call", "codec", "http"],
};

function modules(folder: string): string[] {
  const found = readdirSync(join(SOURCE, folder), { recursive: true }) as string[];
  return found.filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
}

test("the wings of the runtime import each other along the arrows alone", () => {
  for (const [wing, others] of Object.entries(WINGS)) {
    for (const name of modules(join("runtime", wing))) {
      const text = readFileSync(join(SOURCE, name), "utf8");
      const found = [...text.matchAll(/from "\.\.\/([a-z]+)\//g)].map((each) => each[1] ?? "");
      const wrong = found.filter((each) => ![wing, ...others].includes(each));
      assert.deepEqual(wrong, [], name);
    }
  }
});

test("the runtime knows no operation of the service", () => {
  for (const name of modules("runtime")) {
    const text = readFileSync(join(SOURCE, name), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    assert.ok(!/"(orders|spot|account|vaults)\./.test(text), name);
    assert.ok(!text.includes("/api/"), name);
  }
});

test("what browsers load imports no module of Node", () => {
  for (const name of [...modules("runtime"), ...modules("generated"), "index.ts"]) {
    const text = readFileSync(join(SOURCE, name), "utf8");
    const found = [...text.matchAll(/^import (?!type).*"(node:[a-z]+)"/gm)].map((each) => each[1]);
    assert.deepEqual(found, [], name);
  }
});
