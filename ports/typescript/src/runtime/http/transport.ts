/**
 * The seam to the network: one request out, one whole answer back, or a TransportError.
 *
 * A TransportError says whether the request may have been sent. What `fetch` cannot show counts as maybe
 * sent: it does not tell when the first byte leaves.
 */

import { endAfter } from "../clock.js";
import { RequestError } from "../errors.js";
import type { AbortSignal, Fetch, Headers } from "../platform.js";
import { isSuccess } from "../statuses.js";
import { isNode, readBody } from "./body.js";
import { TransportError } from "./fault.js";
import { faultAndReason } from "./fetch_errors.js";

/** 4 MiB: the largest page that the interface document knows, 4,000 records, of 1 KiB each. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** 1 MiB: of what is posted the answer is no page. */
const MAX_POST_BODY_BYTES = 1024 * 1024;

/** No service has so many. */
const MAX_HEADERS = 100;

/** One request as it is sent. Its headers and its body hold secrets. */
export interface TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** One answer of any status. Under a 2xx the body is whole and decompressed; else it may be cut. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Sends requests. Any object with these two methods can replace the default one. */
export interface Transport {
  /**
   * The answer of any status.
   *
   * @param options.timeout How long the whole exchange may take, in ms.
   * @param options.signal Ends the exchange when the caller gives up.
   * @throws {@link TransportError} There is none.
   */
  send(
    request: TransportRequest,
    options: { readonly timeout: number; readonly signal?: AbortSignal | undefined },
  ): Promise<TransportResponse>;
  /** Close every connection; closing twice does no harm. */
  close(): void;
}

/** Options of a FetchTransport. */
export interface FetchOptions {
  /** Sends in the place of the global `fetch`: one that goes through a proxy, for example. */
  readonly fetch?: Fetch;
  /** The longest answer that is read to its end. To anything but a GET it is 1 MiB at most. */
  readonly maxBodyBytes?: number;
}

/** A Transport over `fetch`. Redirects are not followed, no cookie is sent, nothing is retried. */
export class FetchTransport implements Transport {
  readonly #fetch: Fetch;
  readonly #maxBodyBytes: number;
  #closed = false;

  constructor(options: FetchOptions = {}) {
    const { fetch = globalThis.fetch, maxBodyBytes = MAX_BODY_BYTES, ...others } = options;
    const unknown = Object.keys(others)[0];
    if (unknown !== undefined || typeof fetch !== "function") {
      const wrong = unknown === undefined ? "fetch must be a function" : `no option '${unknown}'`;
      throw new RequestError(`FetchTransport: ${wrong}; its options are fetch and maxBodyBytes`);
    }
    if (!Number.isSafeInteger(maxBodyBytes) || maxBodyBytes < 1) {
      throw new RequestError(`maxBodyBytes must be a number of bytes, not ${maxBodyBytes}`);
    }
    this.#fetch = fetch;
    this.#maxBodyBytes = maxBodyBytes;
  }

  /** See `Transport`. */
  async send(
    request: TransportRequest,
    { timeout, signal }: { readonly timeout: number; readonly signal?: AbortSignal | undefined },
  ): Promise<TransportResponse> {
    if (this.#closed) throw new RequestError("the client is closed");
    if (signal?.aborted) throw new TransportError("not_sent", "it was aborted before it was sent");
    const ending = new AbortController();
    const stop = endAfter(timeout, signal, () => ending.abort());
    try {
      return await this.#exchange(request, ending.signal, signal);
    } finally {
      stop();
      // Closes the connection of an answer that was not read to its end.
      ending.abort();
    }
  }

  /** Later calls throw. Connections are those of `fetch`, which closes them when they are idle. */
  close(): void {
    this.#closed = true;
  }

  async #exchange(
    request: TransportRequest,
    end: AbortSignal,
    caller: AbortSignal | undefined,
  ): Promise<TransportResponse> {
    const why = () => (caller?.aborted ? "it was aborted" : "the deadline passed");
    const sending = checked(request);
    // The one of a browser refuses to be called as a method of anything else.
    const fetch = this.#fetch;
    let response: Response;
    try {
      response = await fetch(sending, { signal: end });
    } catch (error) {
      if (end.aborted) throw new TransportError("maybe_sent", `no answer came: ${why()}`);
      throw new TransportError(...faultAndReason(error));
    }
    if (typeof response?.status !== "number") {
      throw new TransportError("maybe_sent", "what fetch returned is no Response");
    }
    if (response.type === "opaqueredirect") {
      // So a browser hides a 3xx, which Node shows.
      throw new TransportError("unusable", "the answer is a redirect, which is not followed");
    }
    if ([...response.headers].length > MAX_HEADERS) {
      throw new TransportError(
        "maybe_sent",
        `an answer came with more than ${MAX_HEADERS} headers`,
      );
    }
    const limit = request.method === "GET" ? Infinity : MAX_POST_BODY_BYTES;
    const { status, headers } = response;
    const most = Math.min(limit, this.#maxBodyBytes);
    const { content, problem } = await readBody(response, most, end);
    if (problem !== null && isSuccess(status)) {
      const reason = end.aborted ? `the body stopped coming: ${why()}` : problem[1];
      throw new TransportError(problem[0], reason, { status, body: content });
    }
    return { status, headers, body: content };
  }
}

/** The request as `fetch` takes it. What cannot be sent at all is refused before. */
function checked({ method, url, headers, body }: TransportRequest): Request {
  try {
    return new Request(url, {
      method,
      ...(method === "GET" || !isNode ? { headers, body } : onceOnly(headers, body ?? "")),
      redirect: "manual",
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
    });
  } catch {
    // The error of fetch may repeat a header.
    throw new RequestError("the URL or a header has characters that cannot be sent");
  }
}

/**
 * What makes `fetch` send a body exactly once: a stream, of which there is nothing to send again.
 *
 * After a 421 it would by itself repeat what it still has, and an order would be placed twice. Browsers send no
 * stream over HTTP/1.1.
 */
function onceOnly(headers: TransportRequest["headers"], text: string) {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
  const length = String(bytes.length);
  return { headers: { ...headers, "content-length": length }, body, duplex: "half" as const };
}
