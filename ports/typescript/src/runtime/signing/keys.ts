/**
 * Keys: what signs, and the local key pair (Ed25519, Base58; field notes 1 and 2).
 *
 * A secret leaves a Keypair through exportBase58() and writeFile() alone. No error of this module
 * holds a part of a secret.
 */

import bs58 from "bs58";
import { RequestError, SigningError } from "../errors.js";
import { type Opened, openByWeb } from "./ed25519.js";
import { openByNode } from "./ed25519_node.js";
import { named, readPrivate, writePrivate } from "./key_files.js";

const SEED = 32;
const FULL = 64;
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]*$/;

/** Whatever can sign: a Keypair, or an object that asks a remote or hardware signer. */
export interface Signer {
  /** Base58 of the 32-byte public key. */
  readonly address: string;
  /** The 64-byte Ed25519 signature of a message, or a promise of it. */
  sign(message: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** A private key in this process. It shows its address only, also where it is logged. */
export class Keypair implements Signer {
  /** Base58 of the 32-byte public key. */
  readonly address: string;
  readonly #seed: Uint8Array;
  readonly #publicKey: Uint8Array;
  #opened: Opened | undefined;

  private constructor(seed: Uint8Array, publicKey: Uint8Array, opened: Opened | undefined) {
    // Plain JavaScript can call it.
    if (seed?.length !== SEED || publicKey?.length !== SEED) {
      throw new SigningError("use Keypair.generate, fromSeed, fromBase58 or fromFile");
    }
    this.#seed = seed;
    this.#publicKey = publicKey;
    this.#opened = opened;
    this.address = bs58.encode(publicKey);
  }

  /** Make a new random key pair. */
  static async generate(): Promise<Keypair> {
    return Keypair.fromSeed(crypto.getRandomValues(new Uint8Array(SEED)));
  }

  /**
   * Make the key pair of a seed, 32 secret bytes.
   *
   * @throws {@link SigningError} It is no such seed, or this platform has no Ed25519.
   */
  static async fromSeed(seed: Uint8Array): Promise<Keypair> {
    if (!(seed instanceof Uint8Array) || seed.length !== SEED) {
      throw new SigningError(
        `a key pair is made of a seed of ${SEED} bytes; for text use fromBase58`,
      );
    }
    // The slice of a Buffer would be the memory of the caller, who may wipe it.
    const own = Uint8Array.from(seed);
    const opened = openByNode(own) ?? (await openByWeb(own));
    return new Keypair(own, opened.publicKey, opened);
  }

  /**
   * Read a private key: Base58 of the 64 bytes seed and public key.
   *
   * Refuses 32 bytes: they may be an address, which is public and would make a key of anyone's. Whether the two
   * halves belong together is seen at once in Node, and where `sign` is called in a browser.
   *
   * @throws {@link SigningError} It is no such key. The error holds nothing of it.
   */
  static fromBase58(text: string): Keypair {
    return Keypair.#fromSecret(decoded(text, FULL, "the private key"));
  }

  /**
   * Read a wallet file (Node alone): a JSON array of 64 integers, or the Base58 text of as many bytes.
   *
   * @throws {@link SigningError} It is not regular, a symbolic link, another user's, or open to others.
   * @throws {@link RequestError} There are no files here, as in a page.
   */
  static fromFile(path: string): Keypair {
    const content = readPrivate(path);
    return content.startsWith("[")
      ? Keypair.#fromSecret(walletBytes(content, path))
      : Keypair.fromBase58(content);
  }

  static #fromSecret(secret: Uint8Array): Keypair {
    const [seed, publicKey] = [secret.slice(0, SEED), secret.slice(SEED)];
    const opened = openByNode(seed);
    if (opened !== undefined) checkHalves(opened, publicKey);
    return new Keypair(seed, publicKey, opened);
  }

  /**
   * The 64-byte Ed25519 signature of a message.
   *
   * @throws {@link SigningError} The halves of the key do not belong together, or this platform has no Ed25519.
   */
  async sign(message: Uint8Array): Promise<Uint8Array> {
    if (this.#opened === undefined) {
      const opened = await openByWeb(this.#seed);
      checkHalves(opened, this.#publicKey);
      this.#opened = opened;
    }
    return this.#opened.sign(message);
  }

  /** The secret: Base58 of the 64 bytes seed and public key. */
  exportBase58(): string {
    return bs58.encode(this.#secret());
  }

  /**
   * Write the secret to a new wallet file (Node alone) that only its owner can read (mode 0600).
   *
   * @throws {@link SigningError} Something of that name exists, which is not overwritten, or the path holds the key.
   * @throws {@link RequestError} There are no files here, as in a page.
   */
  writeFile(path: string): void {
    writePrivate(path, this.#secret());
  }

  #secret(): Uint8Array {
    return Uint8Array.from([...this.#seed, ...this.#publicKey]);
  }
}

function checkHalves(opened: Opened, publicKey: Uint8Array): void {
  if (opened.publicKey.every((byte, index) => byte === publicKey[index])) return;
  throw new SigningError("the private key's two halves do not belong together");
}

/**
 * An address, the Base58 text of 32 bytes. The error does not repeat it: it may be a private key.
 *
 * @throws {@link RequestError} It is no address; `name` says whose.
 */
export function checkedAddress(name: string, text: unknown): string {
  try {
    decoded(text, SEED, name);
  } catch (error) {
    const reason = (error as Error).message;
    throw new RequestError(`${reason}; an address is the Base58 text of ${SEED} bytes`);
  }
  return text as string;
}

/** Base58 that must hold so many bytes; `what` names it in the SigningError. */
function decoded(text: unknown, length: number, what: string): Uint8Array {
  if (typeof text !== "string") {
    throw new SigningError(`${what} must be text: Base58 of ${length} bytes`);
  }
  // Decoding takes time that grows with the square of the length; a byte is 1.37 characters.
  if (text.length > (length * 7) / 5) {
    throw new SigningError(`${what} is too long for Base58 of ${length} bytes`);
  }
  if (!BASE58.test(text)) {
    throw new SigningError(`${what} is not Base58 (no 0, O, I, l, no white space)`);
  }
  const bytes = bs58.decode(text);
  if (bytes.length === length) return bytes;
  const isHalf = bytes.length === SEED;
  const why = isHalf ? ", as an address has, or a seed without its public key" : "";
  const advice = isHalf ? "; a seed is given as bytes to Keypair.fromSeed" : "";
  throw new SigningError(
    `${what} has ${bytes.length} bytes${why}; it must have ${length}${advice}`,
  );
}

function walletBytes(content: string, path: string): Uint8Array {
  let numbers: unknown;
  try {
    numbers = JSON.parse(content);
  } catch {
    // An error of the parser would show the text.
  }
  const isByte = (each: unknown) =>
    Number.isInteger(each) && Number(each) >= 0 && Number(each) < 256;
  if (!Array.isArray(numbers) || numbers.length !== FULL || !numbers.every(isByte)) {
    throw new SigningError(`${named(path)} is not a JSON array of ${FULL} bytes`);
  }
  return Uint8Array.from(numbers);
}

/** Whether a text, which was given in another place, is a private key. */
export function isPrivateKey(text: string): boolean {
  try {
    Keypair.fromBase58(text);
    return true;
  } catch {
    return false;
  }
}
