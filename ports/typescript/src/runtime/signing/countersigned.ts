/**
 * A message that two keys sign: the other key first, then the client's own (`x-signing-scheme`).
 *
 * Neither signature is the other's: the other key signs the address of the own one, and the own key
 * signs that signature, so each of them agrees to the other.
 */

import { jsonText } from "../codec/json_text.js";
import { SigningError } from "../errors.js";
import type { Countersigned } from "../operation.js";
import { canonicalText } from "./canonical.js";
import type { Signer } from "./keys.js";
import { type SignedRequest, type Stamp, signText } from "./request.js";

/**
 * Sign a message with both keys, at the same time and for the same window.
 *
 * The stages in the result are those of the own key, which signs last.
 *
 * @throws {@link SigningError} Both are the same key, an address cannot be signed, or a signer misbehaved.
 */
export async function countersign(
  scheme: Countersigned,
  ownType: string,
  other: Signer,
  { signer: own, timestamp, expiryWindow }: Stamp,
): Promise<SignedRequest> {
  if (other.address === own.address) {
    throw new SigningError("both signers have the same address; the other one must have its own");
  }
  const times = { expiry_window: expiryWindow, timestamp };
  const text = (name: string, value: string, type: string) =>
    canonicalText({ data: { [name]: value }, ...times, type });
  const asked = text(scheme.other.signs, own.address, scheme.otherType);
  canonicalText({ account: other.address, type: ownType });
  const agreed = await signText(asked, other);
  const canonical = text(scheme.own.signs, agreed, ownType);
  const signature = await signText(canonical, own);
  return {
    header: { type: ownType, ...times },
    canonical,
    signature,
    address: own.address,
    body: jsonText({
      [scheme.own.address]: own.address,
      [scheme.other.address]: other.address,
      [scheme.own.signature]: signature,
      [scheme.other.signature]: agreed,
      ...times,
    }),
  };
}
