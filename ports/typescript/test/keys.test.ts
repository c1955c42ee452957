/** Keys where Node's crypto signs, and where WebCrypto does, as in a page. */

import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Client, Keypair, SigningError } from "../dist/index.js";
import { type Opened, openByWeb } from "../dist/runtime/signing/ed25519.js";
import { openByNode } from "../dist/runtime/signing/ed25519_node.js";

const MESSAGE = new TextEncoder().encode("a message");

/** Run with the globals of another platform. */
async function elsewhere<T>(globals: object, work: () => T | Promise<T>): Promise<T> {
  const names = Object.keys(globals);
  const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  try {
    return await work();
  } finally {
    names.forEach((name, index) => {
      Object.defineProperty(globalThis, name, before[index] as PropertyDescriptor);
    });
  }
}
const inPage = <T>(work: () => T | Promise<T>) => elsewhere({ process: undefined }, work);

function isSigned(publicKey: Uint8Array, signature: Uint8Array): boolean {
  const x = Buffer.from(publicKey).toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, MESSAGE, key, signature);
}

test("Node and WebCrypto make the same key and the same signature of a seed", async () => {
  for (let first = 0; first < 64; first += 1) {
    const seed = Uint8Array.from({ length: 32 }, (_, index) => (first * 37 + index * 5) % 256);
    const byNode = openByNode(seed) as Opened;
    const byWeb = await openByWeb(seed);
    assert.deepEqual(byWeb.publicKey, byNode.publicKey);
    assert.deepEqual(await byWeb.sign(MESSAGE), byNode.sign(MESSAGE));
    assert.ok(isSigned(byNode.publicKey, await byNode.sign(MESSAGE)));
  }
});

test("a page signs with a key that Node made, and Node with that of a page", async () => {
  const made = await Keypair.generate();
  const signature = await made.sign(MESSAGE);
  const read = await inPage(() => Keypair.fromBase58(made.exportBase58()));
  assert.equal(read.address, made.address);
  assert.deepEqual(await inPage(() => read.sign(MESSAGE)), signature);

  const ofPage = await inPage(() => Keypair.generate());
  const again = Keypair.fromBase58(ofPage.exportBase58());
  assert.equal(again.address, ofPage.address);
  assert.deepEqual(await inPage(() => ofPage.sign(MESSAGE)), await again.sign(MESSAGE));
});

test("a key whose halves do not belong together signs nothing, in a page neither", async () => {
  const [one, other] = [await Keypair.generate(), await Keypair.generate()];
  const bs58 = (await import("bs58")).default;
  const [seed, half] = [bs58.decode(one.exportBase58()), bs58.decode(other.address)];
  const mixed = bs58.encode(Uint8Array.from([...seed.slice(0, 32), ...half]));
  const words = { name: "SigningError", message: /two halves do not belong together/ };
  assert.throws(() => Keypair.fromBase58(mixed), words);
  await inPage(async () => {
    const key = Keypair.fromBase58(mixed);
    await assert.rejects(key.sign(MESSAGE), words);
    await assert.rejects(key.sign(MESSAGE), words);
  });
});

test("where nothing knows Ed25519, an error says where it is known", async () => {
  const text = (await Keypair.generate()).exportBase58();
  const refuses = async () => {
    throw new DOMException("Unrecognized name.", "NotSupportedError");
  };
  const { getRandomValues } = crypto;
  const old = { getRandomValues: getRandomValues.bind(crypto), subtle: { importKey: refuses } };
  for (const found of [old, { ...old, subtle: undefined }]) {
    await elsewhere({ process: undefined, crypto: found }, async () => {
      const key = Keypair.fromBase58(text);
      for (const work of [() => key.sign(MESSAGE), () => Keypair.generate()]) {
        await assert.rejects(work, (error) => {
          assert.ok(error instanceof SigningError && !error.message.includes(text));
          assert.match(error.message, /there is no Ed25519 here: a page must come by https/);
          return true;
        });
      }
    });
  }
});

test("where no id can be made, an error says so before anything is sent", async () => {
  const key = await Keypair.generate();
  const transport = { send: () => assert.fail("it was sent"), close: () => {} };
  const client = new Client("http://127.0.0.1:1", { signer: key, transport });
  const order = { symbol: "BTC", side: "bid", price: "1", amount: "1", tif: "ALO" } as const;
  const { getRandomValues, subtle } = crypto;
  const plain = { getRandomValues: getRandomValues.bind(crypto), subtle };
  for (const found of [plain, undefined]) {
    await elsewhere({ crypto: found }, async () => {
      const call = client.orders.create({ ...order, reduce_only: false });
      await assert.rejects(call, { name: "RequestError", message: /no id can be made here/ });
    });
  }
});

test("a key that nobody awaited is no signer, and the error says so", () => {
  const signer = Keypair.generate() as unknown as Keypair;
  assert.throws(() => new Client("http://127.0.0.1:1", { signer }), /a promise of one: await it$/);
});

test("a seed is copied, also that of a Buffer, so that it may be wiped", async () => {
  const seed = Buffer.from(Uint8Array.from({ length: 32 }, (_, index) => index));
  for (const platform of [(work: () => Promise<Keypair>) => work(), inPage<Keypair>]) {
    const given = Buffer.from(seed);
    const key = await platform(() => Keypair.fromSeed(given));
    given.fill(0);
    assert.equal(Keypair.fromBase58(key.exportBase58()).address, key.address);
  }
});

test("a key is no name of a file, and what is no path is refused in words", async () => {
  const key = await Keypair.generate();
  const folder = mkdtempSync(join(tmpdir(), "trading-keys-"));
  const secret = key.exportBase58();
  for (const name of [secret, `${secret}.json`]) {
    assert.throws(
      () => key.writeFile(join(folder, name)),
      (error: Error) => {
        assert.match(error.message, /its path holds the private key; give another path$/);
        return error instanceof SigningError && !error.message.includes(secret);
      },
    );
  }
  assert.deepEqual(readdirSync(folder), []);
  key.writeFile(join(folder, key.address));
  rmSync(folder, { recursive: true });
  for (const path of [null, undefined, 5, {}] as unknown as string[]) {
    assert.throws(() => Keypair.fromFile(path), SigningError);
    assert.throws(() => key.writeFile(path), SigningError);
  }
});

test("what is no bytes is signed by neither platform", async () => {
  const key = await Keypair.generate();
  const read = await inPage(() => Keypair.fromBase58(key.exportBase58()));
  for (const message of [[104, 105], 5, null] as unknown as Uint8Array[]) {
    await assert.rejects(key.sign(message));
    await assert.rejects(inPage(() => read.sign(message)));
  }
});

test("a seed is 32 bytes, and nothing else", async () => {
  for (const seed of [new Uint8Array(31), new Uint8Array(64), "1".repeat(32)]) {
    await assert.rejects(Keypair.fromSeed(seed as Uint8Array), /a seed of 32 bytes/);
  }
});

test("a client from the environment reads its variables, and refuses what it does not know", async () => {
  const key = await Keypair.generate();
  const secret = key.exportBase58();
  const known = { TRADING_BASE_URL: "http://127.0.0.1:1", TRADING_PRIVATE_KEY: secret, HOME: "/" };
  Client.fromEnv({ ...known, TRADING_ADDRESS: key.address }).close();
  for (const [wrong, words] of [
    [{ TRADING_ACOUNT: key.address }, /^TRADING_ACOUNT has no effect: a client reads TRADING_BASE/],
    [{ trading_account: key.address }, /^trading_account has no effect/],
    [{ TRADING_PRIVATE_KEY: `"${secret}"` }, /^TRADING_PRIVATE_KEY has quotes around its value/],
    [{ TRADING_ADDRESS: (await Keypair.generate()).address }, /which is not TRADING_ADDRESS$/],
  ] as const) {
    assert.throws(
      () => Client.fromEnv({ ...known, ...wrong }),
      ({ name, message }: Error) =>
        name === "RequestError" && words.test(message) && !message.includes(secret),
    );
  }
});
