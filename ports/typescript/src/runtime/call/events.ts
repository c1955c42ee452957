/**
 * The events of a call, for logs, metrics and traces: what happened to each attempt, and how it ended.
 *
 * They hold names, numbers and words of this package alone: no argument of a call, no id of an order, no header,
 * no signature and no text of the service. So they may be sent anywhere. All times are in ms.
 */

import type { Decimal } from "../codec/decimals.js";
import { ApiError, DecodeError, OutcomeUnknownError, TradingError } from "../errors.js";
import type { Failure, Fault } from "../http/fault.js";
import type { RateBudget } from "../rate_limit.js";
import { oneLine } from "../shown.js";
import { type Call, isRead } from "./message.js";
import type { NextAttempt } from "./retry.js";

const SHOWN = 8;

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

/** Last: the call succeeded, failed, or may have been executed. */
export interface CallEnded extends Told<"CallEnded"> {
  readonly attempts: number;
  /** That of the last answer; null if the last attempt got none. */
  readonly status: number | null;
  /** From the beginning of the call, without the time that `clock: "server"` took to learn the time. */
  readonly ms: number;
  /** Class of the error that is thrown, like `BadRequestError`; null if the call succeeded. */
  readonly error: string | null;
  /** Whether the call may have been executed. */
  readonly isUnknown: boolean;
  /** Why it failed, and which clock is wrong, where that may be why; null if the call succeeded. */
  readonly reason: string | null;
  /** Why no further attempt was made, as its error says; null if the last attempt did not fail. */
  readonly stopReason: string | null;
  /** Whether the service may have refused a message because its clock and the clock that was signed by differ. */
  readonly isSkewed: boolean;
}

/** Something that happened in a call; `type` tells which. */
export type ClientEvent = AttemptSent | AttemptAnswered | AttemptRetried | CallEnded;

/** What a client calls with every event. What it throws or rejects with goes to the console, and no further. */
export type OnEvent = (event: ClientEvent) => unknown;

// -- telling them -----------------------------------------------------------------------------

/** An event without what all events of a call share. */
type Own<E> = E extends ClientEvent ? Omit<E, "operation" | "call"> : never;

/** An attempt with this body is about to be sent. */
export function tellSent(onEvent: OnEvent, call: Call<unknown>, body: string | null): void {
  const attempt = call.number;
  // It is pure ASCII.
  const bytes = body?.length ?? 0;
  const text = `attempt ${attempt}, ${bytes} bytes`;
  tell(onEvent, call, { type: "AttemptSent", level: "debug", attempt, bytes, text });
}

/** The attempt was answered after so many ms. */
export function tellAnswered(
  onEvent: OnEvent,
  call: Call<unknown>,
  { status, body }: { readonly status: number; readonly body: Uint8Array },
  ms: number,
  budget: RateBudget | null,
): void {
  const attempt = call.number;
  const credits = budget?.remaining ?? null;
  const left = credits === null ? "" : `, ${credits} credits left`;
  const after = `${seconds(ms)}, ${body.length} bytes${left}`;
  const text = `attempt ${attempt} was answered ${status} after ${after}`;
  const told = { attempt, status, ms, bytes: body.length, credits };
  tell(onEvent, call, { type: "AttemptAnswered", level: "debug", ...told, text });
}

/** The attempt failed, and another one follows, or an error that ends the call after so many ms. */
export function tellFailed(
  onEvent: OnEvent,
  call: Call<unknown>,
  failure: Failure,
  fault: Fault,
  then: NextAttempt | TradingError,
  ms: number,
): void {
  const hint = failure instanceof ApiError ? failure.clockHint : null;
  const reason = eventReason(failure);
  if (then instanceof Error) {
    tellEnded(onEvent, call, then, hint ?? reason, ms, { isSkewed: hint !== null });
    return;
  }
  const { delay } = then;
  const attempt = call.number;
  const follows = `attempt ${attempt + 1} follows in ${seconds(delay)}`;
  const text = `attempt ${attempt} failed (${reason}); ${follows}`;
  const told = { attempt, status: failure.status, fault, reason, delay, text };
  tell(onEvent, call, { type: "AttemptRetried", level: "warning", ...told });
}

/** The call succeeded, or ended with this error for this reason, after so many ms. */
export function tellEnded(
  onEvent: OnEvent,
  call: Call<unknown>,
  error: unknown,
  reason: string | null,
  ms: number,
  { isSkewed } = { isSkewed: false },
): void {
  const attempts = call.number;
  const status = call.response?.status ?? null;
  const isTyped = error instanceof TradingError && !(error instanceof OutcomeUnknownError);
  const isUnknown = !(error === null || isTyped || isRead(call.operation));
  const took = `after ${attempts} attempt${attempts === 1 ? "" : "s"} and ${seconds(ms)}`;
  const name = error === null ? null : nameOf(error);
  const how = name === null ? "succeeded" : `failed with ${name}`;
  const text = isUnknown
    ? `it may have been executed (${reason}), ${took}; reconcile it`
    : `${how}${status === null ? "" : ` (${status})`} ${took}${isSkewed ? `; ${reason}` : ""}`;
  tell(onEvent, call, {
    type: "CallEnded",
    level: isUnknown || isSkewed ? "warning" : "debug",
    attempts,
    status,
    ms,
    error: name,
    isUnknown,
    reason,
    stopReason: error instanceof TradingError ? error.stopReason : null,
    isSkewed,
    text,
  });
}

/** Nothing that the callback does changes the call, but for the time it takes. */
function tell(onEvent: OnEvent, { operation, id }: Call<unknown>, own: Own<ClientEvent>): void {
  const text = `${operation.name} [${id.slice(0, SHOWN)}]: ${own.text}`;
  const event = Object.freeze({ ...own, operation: operation.name, call: id, text });
  const report = (error: unknown) =>
    console.error(`onEvent failed at ${own.type}, which changes nothing of the call:`, error);
  try {
    // A promise that is rejected, and that nobody looks at, would end a program.
    Promise.resolve(onEvent(event as ClientEvent)).catch(report);
  } catch (error) {
    report(error);
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`;
}

/** The class of what was thrown, or its type. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** Why an attempt failed, in words of ours: those of the service may repeat what was sent. */
function eventReason(failure: Failure): string {
  if (failure instanceof ApiError) return `the service answered ${failure.status}`;
  if (failure instanceof DecodeError) return "the answer cannot be used";
  return oneLine(failure.reason);
}
