/** What a journal does after a crash, and after many calls. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Client, Keypair, OutcomeUnknownError, type Transport } from "../dist/index.js";

const SIGNER = await Keypair.generate();
const ORDER = {
  symbol: "BTC",
  side: "bid",
  price: "100",
  amount: "1",
  tif: "ALO",
  reduce_only: false,
} as const;
const folder = mkdtempSync(join(tmpdir(), "trading-journal-"));
after(() => rmSync(folder, { recursive: true }));

/** A client with a journal, whose calls are answered in turn. */
function client(journal: string, ...bodies: string[]): Client {
  const send: Transport["send"] = async () => {
    const body = new TextEncoder().encode(bodies.shift());
    return { status: 200, headers: new Headers(), body };
  };
  const transport = { send, close: () => {} };
  return new Client("http://127.0.0.1:1", { signer: SIGNER, journal, transport });
}

test("the lock of a process that ended is taken over, and that of one that runs is not", () => {
  const journal = join(folder, "locked.jsonl");
  const ended = spawnSync(process.execPath, ["--eval", ""]).pid;
  for (const [owner, isFree] of [
    [ended, true],
    [process.ppid, false],
    ["", false], // it is being written
  ] as const) {
    writeFileSync(`${journal}.lock`, String(owner));
    const made = client(journal);
    if (isFree) assert.deepEqual(made.unsettled(), []);
    else
      assert.throws(() => made.unsettled(), /belongs to another client, or '.*' was left by one$/);
    made.close();
  }
});

test("a journal that grew is written anew with the open calls alone", async () => {
  const journal = join(folder, "long.jsonl");
  const first = client(journal, "<html>", '{"order_id":1}');
  await assert.rejects(first.orders.create(ORDER), OutcomeUnknownError);
  await first.orders.create(ORDER);
  first.close();
  const [open = "", ...closed] = readFileSync(journal, "latin1").match(/[^\n]*\n/g) ?? [];
  const many = closed.join("").repeat(2 ** 20 / closed.join("").length + 1);
  writeFileSync(journal, open + many);

  const second = client(journal, '{"order_id":2}', '{"order_id":3}');
  await second.orders.create(ORDER);
  assert.equal(readFileSync(journal, "latin1"), open);
  await second.orders.create(ORDER);
  second.close();

  const third = client(journal);
  assert.equal(third.unsettled().length, 1);
  assert.ok(statSync(journal).size < 3 * open.length);
  third.close();
});
