/**
 * Signing a request: header, canonical text, signature, body (interface sections 5.1 and 5.2).
 *
 * Pure: time and window are arguments. The text of the own fields that is signed is the text that is sent.
 */

import bs58 from "bs58";
import type { Writable } from "../codec/json_text.js";
import { SigningError } from "../errors.js";
import type { Countersigned } from "../operation.js";
import { canonicalText } from "./canonical.js";
import type { Signer } from "./keys.js";

const SIGNATURE_BYTES = 64;
const TAKEN_ALWAYS = ["account", "expiry_window", "signature", "timestamp"];

/** A signed request, with every stage that led to it. Holds no private key. */
export interface SignedRequest {
  /** The signed header; the times are in ms. */
  readonly header: SignedHeader;
  /** The text whose UTF-8 bytes were signed. */
  readonly canonical: string;
  /** Base58 of the 64 signature bytes. */
  readonly signature: string;
  /** Address whose key signed: the account's own, or its agent wallet's. */
  readonly address: string;
  /** The JSON text of the body, as it is sent. */
  readonly body: string;
}

export interface SignedHeader {
  readonly type: string;
  readonly timestamp: number | bigint;
  readonly expiry_window: number | bigint;
}

/** Who signs, for whom, and when. */
export interface Stamp {
  /** Signs for the account: with its own key, or with its agent wallet's. */
  readonly signer: Signer;
  readonly account: string;
  /** In ms. */
  readonly timestamp: number | bigint;
  /** How long the signature is accepted after `timestamp`, in ms. */
  readonly expiryWindow: number | bigint;
}

/**
 * Sign an operation's own fields, and put them into the body that is sent.
 *
 * @throws {@link SigningError} `data` holds what cannot be signed, or the signer misbehaved.
 */
export async function signRequest(
  data: ReadonlyMap<string, Writable>,
  signingType: string,
  stamp: Stamp,
): Promise<SignedRequest> {
  const { signer, account, timestamp, expiryWindow } = stamp;
  const address = signer.address;
  const byAgent = address !== account;
  const clash = clashOf(data, byAgent);
  if (clash !== undefined)
    throw new SigningError(clashText(clash, byAgent), { path: `data.${clash}` });
  const times = { expiry_window: expiryWindow, timestamp };
  const canonical = canonicalText({ data, ...times, type: signingType });
  const own = { account, ...(byAgent && { agent_wallet: address }) };
  canonicalText(own); // nothing is signed that cannot be sent
  const signature = await signText(canonical, signer);
  const added = Object.entries({ ...own, signature, ...times });
  const body = canonicalText(new Map<string, unknown>([...data, ...added]));
  return { header: { type: signingType, ...times }, canonical, signature, address, body };
}

/**
 * Sign a message with two keys (`x-signing-scheme`), at one time and for one window.
 *
 * The other key signs the address of the own one, and the own key signs that signature, so that each agrees to
 * the other. The stages in the result are those of the own key.
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
    body: canonicalText({
      [scheme.own.address]: own.address,
      [scheme.other.address]: other.address,
      [scheme.own.signature]: signature,
      [scheme.other.signature]: agreed,
      ...times,
    }),
  };
}

/** The name of an own field that the body needs for itself. */
function clashOf(data: ReadonlyMap<string, Writable>, byAgent: boolean): string | undefined {
  const clash = TAKEN_ALWAYS.find((name) => data.has(name));
  if (clash !== undefined || !data.has("agent_wallet")) return clash;
  // Without an agent the body has no agent wallet of its own, so an operation may name one.
  const isOwn = !byAgent && typeof data.get("agent_wallet") === "string";
  return isOwn ? undefined : "agent_wallet";
}

function clashText(name: string, byAgent: boolean): string {
  const why = `data.${name}: this name belongs to the signed request itself`;
  return byAgent && name === "agent_wallet"
    ? `${why} where an agent wallet signs; the account's own key must sign this one`
    : why;
}

/**
 * Base58 signature of a canonical text.
 *
 * @throws {@link SigningError} The signer failed, or did not return 64 bytes.
 */
async function signText(text: string, signer: Signer): Promise<string> {
  let signature: unknown;
  try {
    const found = signer.sign(new TextEncoder().encode(text));
    signature = found instanceof Uint8Array ? found : await found;
  } catch (error) {
    if (error instanceof SigningError) throw error;
    throw new SigningError(`nothing was sent, the signer failed: ${error}`, { cause: error });
  }
  if (!(signature instanceof Uint8Array) || signature.length !== SIGNATURE_BYTES) {
    throw new SigningError(`a signer must return ${SIGNATURE_BYTES} bytes`);
  }
  return bs58.encode(signature);
}
