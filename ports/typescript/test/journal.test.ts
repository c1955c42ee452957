/** What a journal does after a crash, and after many calls. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs, {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, mock, test } from "node:test";
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

/** Let the system write in another way. */
function mockedWrite(written: () => number) {
  return mock.method(fs, "writeSync", written);
}

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

test("the lock of another process that had the same id is taken over, as in a container", {
  skip: process.platform !== "linux" && "only Linux tells when a process began",
}, () => {
  const journal = join(folder, "container.jsonl");
  const lock = `${journal}.lock`;
  const made = client(journal);
  made.unsettled();
  const own = readFileSync(lock, "latin1");
  const [pid, start, boot] = own.split(" ");
  assert.equal(pid, String(process.pid));
  made.close();
  for (const other of [`${pid} 1 ${boot}`, `${pid} ${start} another-run-of-the-machine`]) {
    writeFileSync(lock, other);
    const next = client(journal);
    assert.deepEqual(next.unsettled(), []);
    next.close();
  }
  writeFileSync(lock, own);
  assert.throws(() => client(journal).unsettled(), /belongs to another client/);
  rmSync(lock);
});

test("a process that ended while it took over a lock hinders nobody", () => {
  const journal = join(folder, "twice.jsonl");
  const ended = String(spawnSync(process.execPath, ["--eval", ""]).pid);
  for (const left of [".lock", ".lock.left"]) writeFileSync(journal + left, ended);
  const made = client(journal);
  assert.deepEqual(made.unsettled(), []);
  made.close();
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith("twice.")),
    ["twice.jsonl"],
  );
});

test("a lock that could not be written is not left behind", () => {
  const journal = join(folder, "full.jsonl");
  const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  const fails = () => {
    throw full;
  };
  for (const [written, why] of [
    [fails, /ENOSPC/],
    [() => 1, /the disk is full/],
  ] as const) {
    const made = client(journal);
    const { mock } = mockedWrite(written);
    try {
      assert.throws(() => made.unsettled(), why);
    } finally {
      mock.restore();
    }
    assert.ok(!existsSync(`${journal}.lock`));
    assert.deepEqual(made.unsettled(), []);
    made.close();
  }
});

test("an empty lock counts while it may be in the making, and no longer", () => {
  const journal = join(folder, "empty.jsonl");
  writeFileSync(`${journal}.lock`, "");
  const made = client(journal);
  assert.throws(() => made.unsettled(), /belongs to another client/);
  utimesSync(`${journal}.lock`, 0, 0);
  assert.deepEqual(made.unsettled(), []);
  made.close();
});

test("of two clients that take over one left lock at the same moment one has it", () => {
  const journal = join(folder, "raced.jsonl");
  const ended = spawnSync(process.execPath, ["--eval", ""]).pid;
  for (const step of ["readFileSync", "rmSync"] as const) {
    writeFileSync(`${journal}.lock`, String(ended));
    const [first, second] = [client(journal), client(journal)];
    const plainly = fs[step] as (...given: unknown[]) => unknown;
    let isOpen = 0;
    const open = (one: Client) => {
      try {
        one.unsettled();
        isOpen += 1;
      } catch (error) {
        assert.match(String(error), /belongs to another client/);
      }
    };
    // The second one does all of it before the first one's next step, which has seen a lock that was left.
    const mocked = mock.method(fs, step, (...given: unknown[]) => {
      const early = step === "readFileSync" ? plainly(...given) : null;
      if (given[0] === `${journal}.lock`) {
        mocked.mock.restore();
        open(second);
      }
      return early ?? plainly(...given);
    });
    open(first);
    mocked.mock.restore();
    assert.equal(isOpen, 1, step);
    first.close();
    second.close();
    assert.ok(!existsSync(`${journal}.lock.left`));
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
