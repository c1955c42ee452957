/**
 * What the bundle of a page has in the place of five modules that need Node: the journal, key files, its crypto, the
 * variables of the environment, and the codes of errors of `fetch`. Bundlers read that in package.json, under `browser`. The modules themselves do the same in a page.
 */

import { RequestError } from "./errors.js";
import type { TransportFault } from "./http/fault.js";
import { noFiles } from "./node.js";

/** Refuses: a page has no files. */
export class Journal {
  constructor() {
    throw noFiles("a journal");
  }
}

/** Refuses: a page has no files. */
export function readPrivate(): never {
  throw noFiles("a key file");
}

export { readPrivate as named, readPrivate as writePrivate };

/** Refuses: a page has no environment. */
export function fromEnvironment(): never {
  throw new RequestError("a page has no environment: write new Client(url, options)");
}

/** A browser does not say why a request failed, so it may have been sent. */
export function faultAndReason(error: unknown): [TransportFault, string] {
  return ["maybe_sent", `no answer came: ${(error as Error | null)?.name ?? "unknown"}`];
}

/** A page has WebCrypto. */
export function openByNode(): undefined {
  return undefined;
}
