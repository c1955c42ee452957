/** Reading the body of an answer, so that no part of one ever passes for the whole. */

import type { AbortSignal, Response } from "../platform.js";
import type { TransportFault } from "./fault.js";

/** Whether it is the `fetch` of Node that sends. */
export const isNode = globalThis.process?.versions?.node !== undefined;

/** So much is kept of a body that is too long. */
const KEPT = 65_536;
const UNCERTAIN = "nothing says for certain where the body ends";

/** What was read of the body of an answer: all of it, unless there is a problem. */
export interface Body {
  readonly content: Uint8Array;
  readonly problem: readonly [fault: TransportFault, reason: string] | null;
}

/** Read a body to its end, but never more than `maxBytes` of it. */
export async function readBody(
  response: Response,
  maxBytes: number,
  end: AbortSignal,
): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // A body that ends where the connection does may have been cut, as may its headers.
  let problem: Body["problem"] = isFramed(response) ? null : ["unreadable", UNCERTAIN];
  try {
    for await (const chunk of chunksOf(response)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= maxBytes) continue;
      problem = ["unusable", `the body is longer than ${maxBytes} bytes`];
      size = KEPT;
      break;
    }
  } catch {
    // The service may still be at work when the time is up. A cut answer is over.
    problem = [end.aborted ? "maybe_sent" : "unreadable", "the body was cut"];
  }
  return { content: joined(chunks, size), problem };
}

/** The chunks of a body. Not every browser lets a program iterate over the body itself. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array, void, void> {
  const reader = body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/**
 * Whether the end of a body is told. Browsers hide it, and look after it themselves.
 *
 * Node reads another coding than `chunked` to the end of the connection, and refuses `chunked` beside a length.
 */
function isFramed({ body, headers }: Response): boolean {
  if (!isNode || body === null) return true;
  const coding = headers.get("transfer-encoding");
  return coding === null ? headers.has("content-length") : coding.toLowerCase() === "chunked";
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, each) => sum + each.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole.subarray(0, size);
}
