/** What a 409 says of a message with an idempotency key that no list shows. */

import { type Reconcilable, reasonOf } from "../call/failures.js";
import { letters } from "../codec/values.js";
import type { Message } from "../intent.js";
import type { Settlement } from "./settlement.js";

const BY_DUPLICATE =
  "The service says that a key was used before only if it accepted a message with it, and no other " +
  "message has this key.";
const ACCEPTED = "it accepted a message with this idempotency key before";
const GIVEN =
  "its idempotency key was used before, but you gave it, and perhaps to another message; if no other " +
  "message had this key, this one was executed";
const NOT_SAID =
  "that does not say that its idempotency key was used before; if it means that, and no other message " +
  "had this key, this one was executed; if not, nothing is known of it";

/**
 * The settlement of a message after a 409 to it, or to the same one that was sent before.
 *
 * A 409 is documented as "duplicate idempotency key". A text that says anything else, for example that a
 * request with the key is in progress, settles nothing. Neither does a key that may be another message's.
 *
 * @param path Where the key is, like `idempotency_key`.
 */
export function settleDuplicate(
  message: Message,
  path: string | undefined,
  error: Reconcilable,
): Settlement {
  const words = reasonOf(error);
  const isSaid = path !== undefined && saysDuplicate(words, path, message.clientId ?? "");
  const isExecuted = isSaid && message.minted;
  const meaning = isExecuted ? ACCEPTED : isSaid ? GIVEN : NOT_SAID;
  return {
    operation: message.name,
    clientId: message.clientId,
    state: isExecuted ? "executed" : "unsettled",
    reason: `the service answered "${words}": ${meaning}`,
    records: [],
    restsOn: isExecuted ? BY_DUPLICATE : "",
  };
}

/** Whether a text is that of a duplicate key: `409: Duplicate Idempotency-Key: KEY was used ...`. */
function saysDuplicate(words: string, path: string, key: string): boolean {
  const said = `409(code\\d+)?duplicate${letters(path)}(${letters(key)})?(wasused.*)?`;
  return new RegExp(`^${said}$`, "u").test(letters(words));
}
