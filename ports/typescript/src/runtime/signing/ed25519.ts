/** Ed25519 by WebCrypto, as browsers and workers have it. */

import { SigningError } from "../errors.js";

/** A private key that was opened. */
export interface Opened {
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/**
 * Open the key of a seed by WebCrypto.
 *
 * @throws {@link SigningError} It is not there, or does not know Ed25519.
 */
export async function openByWeb(seed: Uint8Array): Promise<Opened> {
  try {
    const { subtle } = globalThis.crypto;
    const key = await subtle.importKey("pkcs8", pkcs8(seed), "Ed25519", true, ["sign"]);
    return {
      publicKey: publicKeyOf(await subtle.exportKey("jwk", key)),
      // No copy of it: of anything but bytes that would make other bytes.
      sign: async (message) =>
        new Uint8Array(await subtle.sign("Ed25519", key, message as Uint8Array<ArrayBuffer>)),
    };
  } catch {
    throw new SigningError(
      "there is no Ed25519 here: a page must come by https, into Chrome 137, Firefox 129, Safari 17 or a newer " +
        "one; elsewhere give the client a signer of your own",
    );
  }
}

/** The key in PKCS #8: all keys begin alike. */
export function pkcs8(seed: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32, ...seed]);
}

/** The public half of a key, which stands in its JSON form in Base64 for URLs. */
export function publicKeyOf({ x = "" }: { readonly x?: string }): Uint8Array {
  const text = atob(x.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (each) => each.charCodeAt(0));
}
