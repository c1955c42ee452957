/** Sends a message again under its idempotency key, which is safe however often it is done. */

import type { Caller } from "../call/caller.js";
import { failureText, isDuplicate, isRefusal, type Reconcilable } from "../call/failures.js";
import { newCall, secretFields } from "../call/message.js";
import { ResultReader } from "../codec/answers.js";
import { RequestError } from "../errors.js";
import { type Intent, isByKey, type Message } from "../intent.js";
import type { Method, Operation } from "../operation.js";
import { intentOf } from "./reconcile.js";
import { isUnlisted, type Settlement, settleDuplicate, settlement } from "./settlement.js";

const ACCEPTED = "the service accepted it when it was sent again";
const BY_SUCCESS = "The service answered with success.";

/**
 * Send the message of a call again, signed anew, under the same idempotency key.
 *
 * @throws {@link RequestError} Its operation has no such key, the message none, or it was refused.
 * @throws {@link OutcomeUnknownError} Its outcome is unknown again.
 * @throws {@link NotSentError} It was not sent again.
 * @throws {@link ApiError} The service refused it, which says nothing of the first time.
 */
export async function resend(caller: Caller, error: Reconcilable): Promise<Settlement> {
  const intent = intentOf(caller, error);
  const [message] = intent.messages;
  const operation = caller.settings.api.operations.find((each) => each.name === intent.operation);
  if (!message || !operation || !isByKey(asOf(intent, operation))) {
    throw new RequestError(
      `${error.operation}: only a message with an idempotency key can be sent again`,
    );
  }
  if (isRefusal(error)) {
    throw new RequestError(
      `${error.operation}: the service refused it, so its outcome is known; only what may have been ` +
        `executed is sent again (it said: ${failureText(error)})`,
    );
  }
  try {
    // Not `message.minted` alone, which may rest on a promise of the user of this client.
    const minted = message.minted && (error.intent?.messages[0]?.minted ?? false);
    const receipt = await repeat(caller, operation, { ...message, minted });
    return settlement(message, "executed", ACCEPTED, [receipt], BY_SUCCESS);
  } catch (failure) {
    if (!isDuplicate(failure)) throw failure;
    return settleDuplicate(message, operation.key, failure);
  }
}

/** The intent, with what this version knows of its operation: older ones did not write all of it down. */
function asOf(intent: Intent, operation: Method): Intent {
  const isKeyed = operation.retry === "by-key" && isUnlisted(operation);
  const known = { traced: isKeyed, listed: !isKeyed };
  return { ...intent, messages: intent.messages.map((each) => ({ ...each, ...known })) };
}

/**
 * Carry out an operation with the fields of an earlier message, its ids included.
 *
 * @throws {@link RequestError} Some of its fields are secret, so that nobody has written them down.
 */
function repeat<T>(caller: Caller, operation: Operation<T>, message: Message): Promise<T> {
  const { schema } = caller.settings.api;
  if (secretFields(schema, operation).length > 0) {
    throw new RequestError(`${operation.name}: it has secret fields, which are not known any more`);
  }
  const again = { kinds: [operation], fields: [message.fields], messages: [message] };
  const reader = new ResultReader<T>(operation, schema);
  return caller.carryOut(newCall(operation, reader, { ...again, isResent: true }));
}
