/** Checks of URLs: https to any host, plain http to this machine only. */

import { RequestError } from "../errors.js";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
// URL parsers disagree about these characters: one takes for the host what another takes for a user.
const AMBIGUOUS = /[^!-~]|[\\@%]/;
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/;
const PATH = /^[A-Za-z0-9._~!$&'()*+,;=:/-]*$/;
const RIGHT = "give https://HOST, or http://localhost, http://127.0.0.1 or http://[::1]";

/**
 * A base URL without its trailing slash.
 *
 * A path prefix is allowed; user info, a query, a fragment and plain http to another machine are not.
 *
 * @throws {@link RequestError} It is wrong. The error does not repeat it: it may hold a password.
 */
export function checkBaseUrl(text: unknown): string {
  const problem = typeof text === "string" ? objection(text) : "it is not text";
  if (problem !== null) throw new RequestError(`base URL: ${problem}; ${RIGHT}`);
  const url = new URL(text as string);
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** Whether a base URL names this machine. */
export function isLocal(baseUrl: string): boolean {
  return LOOPBACK.includes(new URL(baseUrl).hostname);
}

function objection(text: string): string | null {
  if (AMBIGUOUS.test(text)) {
    return "white space, control and non-ASCII characters, \\ @ and % are not allowed";
  }
  if (!/^https?:\/\//i.test(text)) return "the scheme must be https or http";
  if (/[?#]/.test(text)) return "a query or fragment is not allowed";
  // The parser that will dial it takes a host from behind any number of slashes.
  const url = /\/\/[^/]/.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null || !HOST.test(url.hostname)) return "there is no valid host";
  if (url.port === "0") return "no service has the port 0";
  if (!PATH.test(url.pathname)) return "the path has characters that would have to be escaped";
  const isOpen = url.protocol === "http:" && !LOOPBACK.includes(url.hostname);
  return isOpen ? `plain http to ${url.hostname} would show your requests to the network` : null;
}
