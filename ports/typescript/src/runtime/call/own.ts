/** Whether an answer is the answer to a message, and not to another one. */

import { BatchResult } from "../batch.js";
import { difference } from "../codec/answers.js";
import { decimalFields } from "../codec/values.js";
import { DecodeError } from "../errors.js";
import type { TransportResponse } from "../http/transport.js";
import type { Schema } from "../operation.js";
import type { Draft } from "./draft.js";

/** Ids that a client remembers to have been given. */
const MAX_ISSUED = 10_000;

/**
 * Refuse the answer to another message: it repeats other values, or brings no new id.
 *
 * @param issued The latest ids that the service gave, and the messages that they were given to.
 */
export function checkOwn(
  { operation, id, parts }: Draft,
  result: unknown,
  { status, body }: TransportResponse,
  schema: Schema,
  issued: Map<string, string>,
): void {
  const decimals = decimalFields(schema, operation.result?.type);
  for (const [index, { kind, fields }] of parts.entries()) {
    const told = result instanceof BatchResult ? result.results[index] : result;
    if (result instanceof BatchResult && !result.results[index]?.success) continue;
    const reason =
      (kind.echoes && difference(kind.echoes, fields, told, decimals)) ??
      issuedBefore(kind.newId, told, `${id}/${index}`, issued);
    if (reason !== null) throw new DecodeError(operation.name, reason, { body, status });
  }
}

/** Note the new id of a message; what is wrong if it is none, or was given to another message. */
function issuedBefore(
  name: string | undefined,
  told: unknown,
  message: string,
  issued: Map<string, string>,
): string | null {
  const found = name && (told as Record<string, unknown> | null | undefined)?.[name];
  if (!name || found === undefined || found === null) return null;
  const key = `${name} ${found}`;
  if (typeof found === "bigint" && found < 1n) return `${key} is no id: ids begin at 1`;
  const other = issued.get(key);
  if (other !== undefined && other !== message) {
    return (
      `${key} was given to another message before; a mock server that answers every message with the ` +
      `same ${name} does this: let it count`
    );
  }
  issued.set(key, message);
  const [oldest] = issued.size > MAX_ISSUED ? issued.keys() : [];
  if (oldest !== undefined) issued.delete(oldest);
  return null;
}
