/** From what the lists show of a message to its settlement, and to what that rests on. No I/O. */

import type { Recorded } from "../call/lookup.js";
import { LOOK, type Message, NEVER } from "../intent.js";
import type { Method } from "../operation.js";
import { ANOTHERS, type Evidence, evidence } from "./evidence.js";
import type { Settlement, State } from "./settlement.js";

const BY_ID = "No other message has this id, so a record that has it belongs to this one.";
const REFUSED = "the service refused it";
const BY_REFUSAL = "The service said that it refused this message.";
const SHARED_ID =
  "two messages of the batch have its id, so no list shows which one made a record; look at the orders " +
  "with that id yourself";
const SAME_KEY =
  "; client.resend(error) sends it again with the same idempotency key, which is safe";
const YOURS = "; if no other message had this id, this one was executed";
const REPEATABLE = "it can be sent again: repeating it changes nothing more";

function byAbsence(margin: number): string {
  return (
    `Two looks at the lists, ${margin / 1000} s after the service could accept the message no longer: ` +
    "by then they show all that it did."
  );
}

function byChange(margin: number): string {
  return (
    `Two looks at the lists, ${margin / 1000} s after the change that they show: by then they show ` +
    "whether another record took the place of the one that was changed. Who changed it, this message " +
    "or something else since it was signed, they do not show."
  );
}

/** How the messages of one call are concluded. */
export interface Terms {
  /** How long after its expiry a message was looked for, in ms. */
  readonly margin: number;
  /** Why what is open stays open, after the reason of the evidence; empty if nothing is. */
  readonly leftOpen: string;
}

/** The settlement that evidence leads to; null where no list shows the operation. */
export function concluded(
  message: Message,
  kind: Method,
  found: Evidence | null,
  { margin, leftOpen }: Terms,
): Settlement {
  const settle = (state: State, reason: string, records: readonly Recorded[] = [], restsOn = "") =>
    settlement(message, state, reason, records, restsOn);
  if (message.sharesId) return settle("unsettled", SHARED_ID);
  if (found === null) {
    const advice = kind.retry === "idempotent" ? REPEATABLE : LOOK;
    return settle("unsettled", `${NEVER}; ${advice}`);
  }
  const { shows, reason, records, settled } = found;
  if (isUnlisted(kind)) {
    const advice = message.clientId === null ? "" : SAME_KEY;
    return settle("unsettled", `${reason}${leftOpen}${advice}`, records);
  }
  if (settled && shows === "executed") return settle("executed", reason, records, BY_ID);
  if (shows === "unclear" && (settled || !leftOpen)) {
    return settle("unsettled", advised(reason), records);
  }
  if (leftOpen) return settle("unsettled", reason + leftOpen, records);
  return shows === "absent"
    ? settle("not executed", reason, records, byAbsence(margin))
    : settle("executed", reason, records, byChange(margin));
}

/** The settlement of a message that was refused, from the evidence of its id. */
export function concludedRefused(
  message: Message,
  found: Evidence | null,
  leftOpen: string,
): Settlement {
  if (found === null) return settlement(message, "not executed", REFUSED, [], BY_REFUSAL);
  const { shows, reason, records, settled } = found;
  if (shows === "executed") {
    return settlement(message, "executed", `${REFUSED}, but ${reason}`, records, BY_ID);
  }
  // Where it has no id to look for, there is no record, and the refusal counts.
  if (shows === "unclear" && (settled ? records.length > 0 : !leftOpen)) {
    return settlement(message, "unsettled", `${REFUSED}; ${advised(reason)}`, records);
  }
  // An earlier message with its id may have been executed.
  if (leftOpen) return settlement(message, "unsettled", REFUSED + leftOpen);
  return settlement(message, "not executed", REFUSED, [], BY_REFUSAL);
}

/** The reason, and what it means where it is an id that may be another message's. */
function advised(reason: string): string {
  return reason === ANOTHERS ? reason + YOURS : reason;
}

/** Whether lists show what an operation does, but not which message did it: they settle nothing. */
export function isUnlisted({ trace }: Method): boolean {
  return trace !== undefined && trace.id === undefined && trace.target === undefined;
}

export const DIFFERENT = evidence("unclear", "two looks at the lists differ");

/**
 * The evidence of two looks that settle nothing each for itself.
 *
 * @param both What the two looks show together: one may have hidden what explains the other.
 */
export function combined(first: Evidence, second: Evidence, both: Evidence): Evidence {
  if (first.shows === "unclear") return first;
  if (second.shows === "unclear") return second;
  const isSame = first.shows === second.shows;
  return isSame && (both.shows === first.shows || both.shows === "unclear") ? both : DIFFERENT;
}

function settlement(
  message: Message,
  state: State,
  reason: string,
  records: readonly Recorded[] = [],
  restsOn = "",
): Settlement {
  return { operation: message.name, clientId: message.clientId, state, reason, records, restsOn };
}
