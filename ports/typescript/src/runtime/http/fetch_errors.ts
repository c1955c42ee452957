/** What the errors of `fetch` show. Those of Node have a code; a browser says nothing. */

import type { TransportFault } from "./fault.js";

/** Codes of errors that a connection has before a byte of the request leaves. */
const NOT_CONNECTED = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EAI_NODATA", "EAI_NONAME", "EHOSTUNREACH"],
  ...["EHOSTDOWN", "ENETUNREACH", "ENETDOWN", "EADDRNOTAVAIL", "UND_ERR_CONNECT_TIMEOUT"],
]);
/** Codes of certificates that are not trusted. */
const NOT_TRUSTED =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|ERR_TLS_CERT_)/;
/** Texts of errors that have no code -> what they say. */
const BEFORE = [
  ["bad port", "fetch opens no connection to this port, as no browser does"],
  ["before secure TLS connection was established", "the connection ended before TLS was there"],
] as const;

/** What the failure of `fetch` shows, and why: the code alone, because a text may repeat the request. */
export function faultAndReason(error: unknown): [TransportFault, string] {
  const cause = ((error as Error | null)?.cause ?? error ?? {}) as NodeJS.ErrnoException;
  const code = typeof cause.code === "string" ? cause.code : (cause.name ?? "unknown");
  if (NOT_TRUSTED.test(code)) return ["not_trusted", `the certificate is not trusted: ${code}`];
  const [, before] = BEFORE.find(([text]) => String(cause.message).includes(text)) ?? [];
  const notSent = NOT_CONNECTED.has(code) || cause.syscall === "connect" || before !== undefined;
  return notSent
    ? ["not_sent", `cannot connect: ${before ?? code}`]
    : ["maybe_sent", `no answer came: ${code}`];
}
