/**
 * The events of a call, for logs, metrics and traces: what happened to each attempt, and how it ended.
 *
 * They hold names, numbers and words of this package alone: no argument of a call, no id of an order, no header,
 * no signature and no text of the service. So they may be sent anywhere. All times are in ms.
 */

import type { Decimal } from "../codec/decimals.js";
import type { Fault } from "../http/fault.js";

/** What all events have. */
interface Told<Type extends string> {
  readonly type: Type;
  /** `warning` is what somebody should look at. */
  readonly level: "debug" | "warning";
  /** Name of the operation or batch action, like `orders.create`. */
  readonly operation: string;
  /** Id of the call, which all its events share. It is `intent.id` of its errors and of the journal, too. */
  readonly call: string;
  /** The event as a line for a log. */
  readonly text: string;
}

/** An attempt is about to be sent. It is in the journal by now. */
export interface AttemptSent extends Told<"AttemptSent"> {
  /** Which attempt of the call it is; the first is 1. */
  readonly attempt: number;
  /** Length of the body; 0 where there is none. */
  readonly bytes: number;
}

/** An attempt was answered, with whatever status. The answer is not read yet. */
export interface AttemptAnswered extends Told<"AttemptAnswered"> {
  readonly attempt: number;
  readonly status: number;
  /** From sending the attempt until the whole answer was there. */
  readonly ms: number;
  /** Length of the body, decompressed. */
  readonly bytes: number;
  /** Credits of the rate limit that are left; null where the answer does not tell. */
  readonly credits: Decimal | null;
}

/** An attempt failed, and another one follows. */
export interface AttemptRetried extends Told<"AttemptRetried"> {
  /** Which attempt failed; the next one has the number after it. */
  readonly attempt: number;
  /** That of its answer; null if there was none. */
  readonly status: number | null;
  /** What the failure shows. */
  readonly fault: Fault;
  readonly reason: string;
  /** Until the next attempt, in ms. */
  readonly delay: number;
}

/** The service refused a message, maybe because its clock and the clock that was signed by differ. */
export interface ClockSkewed extends Told<"ClockSkewed"> {
  /** How far the service's clock is ahead of this machine's, in ms. */
  readonly skew: number;
  /** What the difference did, and what helps. */
  readonly reason: string;
}

/** The last event of a call. */
interface CallEnded<Type extends string> extends Told<Type> {
  readonly attempts: number;
  /** That of the last answer; null if the last attempt got none. */
  readonly status: number | null;
  /** From the beginning of the call, without the time that `clock: "server"` took to learn the time. */
  readonly ms: number;
  /** Why no further attempt was made, as its error says; null if the last attempt did not fail. */
  readonly stopReason: string | null;
}

/** Last: the call ended, and its outcome is known. */
export interface CallSettled extends CallEnded<"CallSettled"> {
  /** Class of the error that is thrown, like `BadRequestError`; null if the call succeeded. */
  readonly error: string | null;
}

/** Last: the call ended, and it may have been executed. */
export interface OutcomeUnknown extends CallEnded<"OutcomeUnknown"> {
  /** Why that is unknown. */
  readonly reason: string;
}

/** Something that happened in a call; `type` tells which. */
export type ClientEvent =
  | AttemptSent
  | AttemptAnswered
  | AttemptRetried
  | ClockSkewed
  | CallSettled
  | OutcomeUnknown;

/** What a client calls with every event. What it throws or rejects with goes to the console, and no further. */
export type OnEvent = (event: ClientEvent) => unknown;
