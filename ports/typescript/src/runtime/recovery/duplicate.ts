/** What a 409 says of a message with an idempotency key that no list shows. */

import { type Reconcilable, reasonOf } from "../call/failures.js";
import type { Message } from "../intent.js";
import type { Settlement } from "./settlement.js";

const BY_DUPLICATE =
  "The service says that a key was used before only if it accepted a message with it, and no other " +
  "message has this key.";
const ACCEPTED = "it accepted a message with this idempotency key before";
const GIVEN =
  "its idempotency key was used before, but you gave it, and perhaps to another message; if no other " +
  "message had this key, this one was executed";
const NOT_NAMED =
  "that does not say that its idempotency key was used before; if it means that, and no other message " +
  "had this key, this one was executed; if not, nothing is known of it";

/**
 * The settlement of a message after a 409 to it, or to the same one that was sent before.
 *
 * A 409 is documented as the answer to a used key, but its text is not: one that does not name the key
 * may be about anything. So it settles nothing, and neither does a key that may be another message's.
 *
 * @param path Where the key is, like `idempotency_key`.
 */
export function settleDuplicate(
  message: Message,
  path: string | undefined,
  error: Reconcilable,
): Settlement {
  const words = reasonOf(error);
  const names = [message.clientId, path].filter((each) => each);
  const isNamed = names.some((each) => letters(words).includes(letters(each ?? "")));
  const isExecuted = isNamed && message.minted;
  const meaning = isExecuted ? ACCEPTED : isNamed ? GIVEN : NOT_NAMED;
  return {
    operation: message.name,
    clientId: message.clientId,
    state: isExecuted ? "executed" : "unsettled",
    reason: `the service answered "${words}": ${meaning}`,
    records: [],
    restsOn: isExecuted ? BY_DUPLICATE : "",
  };
}

/** A text without what is written in different ways: `Idempotency-Key`, `idempotency_key`. */
function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}
