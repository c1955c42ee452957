/**
 * Ed25519: by Node's own crypto where it is there, ten times faster than JavaScript and in constant
 * time; by @noble/ed25519 elsewhere, like in browsers.
 */

import { getPublicKey, hashes, sign, verify } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { builtin } from "../node.js";

hashes.sha512 = sha512;

/** What an algorithm offers. */
export interface Ed25519 {
  /** The public key of a seed, and what signs with it. */
  open(seed: Uint8Array): {
    readonly publicKey: Uint8Array;
    readonly sign: (message: Uint8Array) => Uint8Array;
  };
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
}

/** In JavaScript alone. */
export const portable: Ed25519 = {
  open: (seed) => {
    const own = seed.slice();
    return { publicKey: getPublicKey(own), sign: (message) => sign(message, own) };
  },
  verify: (publicKey, message, signature) => verify(signature, message, publicKey),
};

/** What stands before a key in its DER form. */
const PRIVATE = Uint8Array.from([48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32]);
const PUBLIC = Uint8Array.from([48, 42, 48, 5, 6, 3, 43, 101, 112, 3, 33, 0]);

/** By Node; undefined where there is none. */
export function native(): Ed25519 | undefined {
  const crypto = builtin("node:crypto");
  if (crypto === undefined) return undefined;
  const der = (head: Uint8Array, key: Uint8Array) => Buffer.from([...head, ...key]);
  return {
    open: (seed) => {
      const form = { format: "der", type: "pkcs8" } as const;
      const key = crypto.createPrivateKey({ key: der(PRIVATE, seed), ...form });
      const spki = crypto.createPublicKey(key).export({ format: "der", type: "spki" });
      const publicKey = new Uint8Array(spki.subarray(PUBLIC.length));
      return { publicKey, sign: (message) => new Uint8Array(crypto.sign(null, message, key)) };
    },
    verify: (publicKey, message, signature) => {
      const form = { format: "der", type: "spki" } as const;
      const key = crypto.createPublicKey({ key: der(PUBLIC, publicKey), ...form });
      return crypto.verify(null, message, key, signature);
    },
  };
}

/** The one that is used. */
export const ed25519: Ed25519 = native() ?? portable;
