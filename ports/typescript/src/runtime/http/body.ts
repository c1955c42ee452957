/** Reading the body of an answer, so that no part of one ever passes for the whole. */

import type { AbortSignal, Headers, Response } from "../platform.js";
import type { TransportFault } from "./fault.js";

/** Whether it is the `fetch` of Node that sends. */
export const isNode = globalThis.process?.versions?.node !== undefined;

const UNCERTAIN = "nothing says for certain where the body ends";

/** What was read of the body of an answer: all of it, unless there is a fault. */
export interface Body {
  readonly content: Uint8Array;
  readonly fault: TransportFault | null;
  readonly reason: string;
}

/** Read a body to its end, but never more than `maxBytes` of it. */
export async function readBody(
  response: Response,
  maxBytes: number,
  end: AbortSignal,
): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of chunksOf(response)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) {
        const reason = `the body is longer than ${maxBytes} bytes`;
        return { content: joined(chunks, 65_536), fault: "unusable", reason };
      }
    }
  } catch {
    // The service may still be at work when the time is up. A cut answer is over.
    const fault = end.aborted ? "maybe_sent" : "unreadable";
    return { content: joined(chunks, size), fault, reason: "the body was cut" };
  }
  const content = joined(chunks, size);
  return response.body === null || isFramed(response.headers)
    ? { content, fault: null, reason: "" }
    : // A body that ends where the connection does may have been cut, as may its headers.
      { content, fault: "unreadable", reason: UNCERTAIN };
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
function isFramed(headers: Headers): boolean {
  if (!isNode) return true;
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
