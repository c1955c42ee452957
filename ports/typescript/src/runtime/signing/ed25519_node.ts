/** Ed25519 by Node's own crypto, which signs at once. */

import { builtin } from "../node.js";
import { type Opened, pkcs8, publicKeyOf } from "./ed25519.js";

/** Open the key of a seed; undefined where there is no Node. */
export function openByNode(seed: Uint8Array): Opened | undefined {
  const crypto = builtin("node:crypto");
  if (crypto === undefined) return undefined;
  const form = { format: "der", type: "pkcs8" } as const;
  const key = crypto.createPrivateKey({ key: Buffer.from(pkcs8(seed)), ...form });
  return {
    publicKey: publicKeyOf(crypto.createPublicKey(key).export({ format: "jwk" })),
    sign: (message) => new Uint8Array(crypto.sign(null, message, key)),
  };
}
