/** Settlements: what became of each message, what that rests on, and what to do where it stays open. No I/O. */

import { failureText, type Reconcilable } from "../call/failures.js";
import { type Skew, TELL } from "../clock.js";
import { letters } from "../codec/values.js";
import { LOOK, type Message, NEVER } from "../intent.js";
import type { Method } from "../operation.js";
import { ANOTHERS, type Evidence, type Recorded } from "./evidence.js";

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
export const GOES_ON = "client.reconcile(error) goes on from there";
const AGAIN = "call client.reconcile(error) again";
const BY_HAND =
  "calling client.reconcile(error) again does not help while that is so; after that time, look for it " +
  "in the histories yourself";

/** - `executed`; - `not executed`, and never will be; or - `unsettled`: the histories cannot tell. */
export type State = "executed" | "not executed" | "unsettled";

/** What became of one message: of a call that is one, or of one action of a batch. */
export interface Settlement {
  /** Operation or action, like `orders.create`. */
  readonly operation: string;
  /** The client order id or idempotency key that it was sent with; null where it has none. */
  readonly clientId: string | null;
  /**
   * `executed`: do not send it again. `not executed`: send it again if you still want it. `unsettled`: the
   * histories cannot tell, so do what `reason` says.
   */
  readonly state: State;
  /** Why it has this state, and what to do if it is `unsettled`, in a sentence. */
  readonly reason: string;
  /** The records that show its state; if it is `unsettled`, those that may belong to it. */
  readonly records: readonly unknown[];
  /** What has to be true for the state to be true; empty if it is `unsettled`. */
  readonly restsOn: string;
}

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

/** A settlement of a message. */
export function settlement(
  message: Message,
  state: State,
  reason: string,
  records: readonly unknown[] = [],
  restsOn = "",
): Settlement {
  return { operation: message.name, clientId: message.clientId, state, reason, records, restsOn };
}

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
  const words = failureText(error);
  const isSaid = path !== undefined && saysDuplicate(words, path, message.clientId ?? "");
  const isExecuted = isSaid && message.minted;
  const meaning = isExecuted ? ACCEPTED : isSaid ? GIVEN : NOT_SAID;
  const reason = `the service answered "${words}": ${meaning}`;
  return isExecuted
    ? settlement(message, "executed", reason, [], BY_DUPLICATE)
    : settlement(message, "unsettled", reason);
}

/** Whether a text is that of a duplicate key: `409: Duplicate Idempotency-Key: KEY was used ...`. */
function saysDuplicate(words: string, path: string, key: string): boolean {
  const said = `409(code\\d+)?duplicate${letters(path)}(${letters(key)})?(wasused.*)?`;
  return new RegExp(`^${said}$`, "u").test(letters(words));
}

/** When, by which clock, a message is accepted no longer, and may be looked for again. */
export interface Limit {
  /** By the service's clock, in ms. */
  readonly until: number;
  readonly skew: Skew | null;
  /** When another call may find out more, by this machine's clock, in ms. */
  readonly again: number;
  /** The time of this machine, in ms. */
  readonly now: number;
}

/** The time for looking is up, and what took so long, if that is known. */
export function outOfTime(limit: Limit, why: string, progress: string | null): string {
  return `${soFar(limit, why, progress)}; ${accepted(limit)}`;
}

/** Nothing is wrong, but absence has no meaning yet. */
export function tooEarly(limit: Limit): string {
  return `; ${accepted(limit)}; ${AGAIN}${when(limit)}`;
}

/** This machine's clock was set while it was looked for. */
export function clockWasSet(limit: Limit): string {
  return `; this machine's clock was set meanwhile${tooEarly({ ...limit, skew: null })}`;
}

/** No answer told the time of the service. */
export function noTime(limit: Limit): string {
  const problem = "no answer told the service's time (the Date of its answers is missing or wrong)";
  return `; ${problem}, so absence tells nothing; ${accepted(limit)}; ${BY_HAND}`;
}

/** No page tells what time it shows. */
export function noAge(limit: Limit): string {
  const problem = "a cache gives pages whose Age cannot be read, or is more than a day";
  return `; ${problem}, so absence tells nothing; ${accepted(limit)}; ${BY_HAND}`;
}

/** How far the looks came, and when to go on. */
export function soFar(limit: Limit, why: string, progress: string | null): string {
  const came = progress ? `${progress}; ${GOES_ON}; call it` : `nothing was read yet; ${AGAIN}`;
  return `; ${why && `${why}; `}${came}${when(limit)}`;
}

function accepted({ until, skew }: Limit): string {
  return `the service can accept it until ${until} ms (${utc(until)})${whose(skew)}`;
}

function utc(time: number): string {
  const moment = new Date(time);
  if (Number.isNaN(moment.getTime())) return "in a year that no calendar has";
  return `${moment.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** When to call again. Both in seconds and as a time, for it may be read at once or in a log. */
function when({ again, now }: Limit): string {
  const seconds = Math.ceil((again - now) / 1000);
  if (seconds <= 0) return "";
  return ` in ${seconds} s, at ${utc(now + seconds * 1000 + 999)} by this machine's clock`;
}

function whose(skew: Skew | null): string {
  if (skew === null) return "";
  if (!skew.isTold) return onceBehind(skew.lowest);
  const where = skew.middle > 0 ? "ahead of" : "behind";
  const seconds = Math.round(Math.abs(skew.middle) / 1000);
  return ` by its clock, which is ${seconds} s ${where} this machine's`;
}

/** Answers contradict each other, and the latest one agrees with this machine's clock. */
function onceBehind(lowest: number | null): string {
  if (lowest === null || lowest >= -TELL) return "";
  const seconds = Math.round(-lowest / 1000);
  return ` by its clock, which an answer told to be ${seconds} s behind this machine's`;
}
