/** Sends a message again under its idempotency key, which is safe however often it is done. */

import type { Caller } from "../call/caller.js";
import { failureText, ownIntent } from "../call/failures.js";
import { newCall, secretFields } from "../call/message.js";
import { resultReader } from "../codec/answers.js";
import { ApiError, OutcomeUnknownError, RequestError } from "../errors.js";
import { type Intent, isByKey } from "../intent.js";
import type { Method } from "../operation.js";
import { isUnlisted, usedKey } from "./reconcile.js";
import type { Settlement } from "./settlement.js";

const ACCEPTED = "the service accepted it when it was sent again";

/**
 * Send the message of a call again, signed anew, under the same idempotency key.
 *
 * @throws {@link RequestError} Its operation has no such key, the message none, or it has secret fields, which nobody
 *   has written down; nothing was sent.
 * @throws {@link OutcomeUnknownError} Its outcome is unknown again.
 * @throws {@link NotSentError} It was not sent again.
 * @throws {@link ApiError} The service refused it, which says nothing of the first time.
 */
export async function resend(
  caller: Caller,
  error: OutcomeUnknownError | ApiError,
): Promise<Settlement> {
  const intent = ownIntent(error, caller.settings, "reconcile");
  const { operations, schema } = caller.settings.api;
  const operation = operations.find((each) => each.name === intent.operation);
  const [message] = intent.messages;
  if (!message || !operation || !isByKey(asOf(intent, operation))) {
    throw new RequestError(
      `${error.operation}: only a message with an idempotency key can be sent again`,
    );
  }
  if (secretFields(schema, operation).length > 0) {
    throw new RequestError(`${operation.name}: it has secret fields, which are not known any more`);
  }
  const asked = { operation, schema };
  const parts = [{ kind: operation, fields: message.fields }];
  const call = { ...newCall(asked, parts, resultReader(asked)), messages: [message] };
  const own = { operation: message.name, clientId: message.clientId };
  try {
    const records = [await caller.carryOut(call)];
    const restsOn = "The service answered with success.";
    return { ...own, state: "executed", reason: ACCEPTED, records, restsOn };
  } catch (failure) {
    if (!(failure instanceof OutcomeUnknownError || failure instanceof ApiError)) throw failure;
    if (!failure.isDuplicate) throw failure;
    // The entry of the first sending stands for both.
    if (failure.intent !== null) caller.settings.journal?.end(failure.intent);
    const { state, reason, restsOn } = usedKey(message, operation.key, failureText(failure));
    return { ...own, state, reason, records: [], restsOn };
  }
}

/** The intent, with what this version knows of its operation: older ones did not write all of it down. */
function asOf(intent: Intent, operation: Method): Intent {
  const isKeyed = operation.retry === "by-key" && isUnlisted(operation);
  const known = { traced: isKeyed, listed: !isKeyed };
  return { ...intent, messages: intent.messages.map((each) => ({ ...each, ...known })) };
}
