/** Checks of URLs: https to any host, plain http to this machine only. */

import { RequestError } from "../errors.js";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
// URL parsers disagree about these characters: one takes for the host what another takes for a user.
const AMBIGUOUS = /[^!-~]|[\\@%]/;
const PARTS =
  /^(https?):\/\/([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.?|\[[0-9A-Fa-f:.]+\])(?::([0-9]*))?(\/.*)?$/i;
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
  const [, scheme = "", host = "", port = "1", path = ""] = PARTS.exec(text) ?? [];
  if (!host || !URL.canParse(text)) return "there is no valid host";
  if (Number(port) === 0 && port !== "") return "no service has the port 0";
  if (!PATH.test(path)) return "the path has characters that would have to be escaped";
  const isOpen = scheme.toLowerCase() === "http" && !LOOPBACK.includes(host.toLowerCase());
  return isOpen ? `plain http to ${host} would show your requests to the network` : null;
}
