/** Watches one call, and tells the user's callback what happens in it. */

import type { Clock } from "../clock.js";
import { ApiError, DecodeError, OutcomeUnknownError, TradingError } from "../errors.js";
import type { Failure } from "../http/fault.js";
import type { TransportResponse } from "../http/transport.js";
import type { RateLimit } from "../rate_limit.js";
import { oneLine } from "../shown.js";
import type { Draft } from "./draft.js";
import type { ClientEvent, OnEvent } from "./events.js";
import type { FailedAttempt, NextAttempt } from "./retry.js";

const SHOWN = 8;

/** An event without what all events of a call share. */
type Own<E> = E extends ClientEvent ? Omit<E, "operation" | "call"> : never;

/** Tells the events of a call. Nothing that the callback does changes the call, but for the time it takes. */
export class Watch {
  readonly #draft: Draft;
  readonly #clock: Clock;
  readonly #rateLimit: RateLimit;
  readonly #onEvent: OnEvent;
  readonly #began: number;
  #attempt = 0;
  #sent = 0;
  #status: number | null = null;

  constructor(
    draft: Draft,
    settings: { readonly clock: Clock; readonly rateLimit: RateLimit },
    onEvent: OnEvent,
  ) {
    this.#draft = draft;
    this.#clock = settings.clock;
    this.#rateLimit = settings.rateLimit;
    this.#onEvent = onEvent;
    this.#began = this.#now();
  }

  /** An attempt with this body is about to be sent. */
  sending(body: string | null): void {
    this.#attempt += 1;
    this.#status = null;
    // It is pure ASCII.
    const bytes = body?.length ?? 0;
    const text = `attempt ${this.#attempt}, ${bytes} bytes`;
    this.#tell({ type: "AttemptSent", level: "debug", attempt: this.#attempt, bytes, text });
    this.#sent = this.#now();
  }

  /** The attempt was answered. */
  answered({ status, headers, body }: TransportResponse): void {
    this.#status = status;
    const ms = this.#now() - this.#sent;
    const credits = this.#rateLimit.budget(headers)?.remaining ?? null;
    const left = credits === null ? "" : `, ${credits} credits left`;
    const after = `${seconds(ms)}, ${body.length} bytes${left}`;
    const text = `attempt ${this.#attempt} was answered ${status} after ${after}`;
    const told = { attempt: this.#attempt, status, ms, bytes: body.length, credits };
    this.#tell({ type: "AttemptAnswered", level: "debug", ...told, text });
  }

  /** The attempt failed, and another one follows, or the call ends with an error. */
  failed(failure: Failure, { fault }: FailedAttempt, then: NextAttempt | TradingError): void {
    const { skew } = this.#clock;
    const hint = failure instanceof ApiError ? failure.clockHint : null;
    if (hint !== null && skew !== null) {
      const told = { skew: skew.middle, reason: hint, text: hint };
      this.#tell({ type: "ClockSkewed", level: "warning", ...told });
    }
    const reason = eventReason(failure);
    if (then instanceof Error) {
      this.ended(then, reason);
      return;
    }
    const { delay } = then;
    const attempt = this.#attempt;
    const follows = `attempt ${attempt + 1} follows in ${seconds(delay)}`;
    const text = `attempt ${attempt} failed (${reason}); ${follows}`;
    const told = { attempt, status: failure.status, fault, reason, delay, text };
    this.#tell({ type: "AttemptRetried", level: "warning", ...told });
  }

  /** The call succeeded, or ended with this error for this reason. */
  ended(error: unknown, reason: string): void {
    const { method, retry } = this.#draft.operation;
    const ms = this.#now() - this.#began;
    const stopReason = error instanceof TradingError ? error.stopReason : null;
    const told = { attempts: this.#attempt, status: this.#status, ms, stopReason };
    const took = `after ${this.#attempt} attempt${this.#attempt === 1 ? "" : "s"} and ${seconds(ms)}`;
    const isTyped = error instanceof TradingError && !(error instanceof OutcomeUnknownError);
    if (error === null || isTyped || method === "GET" || retry === "safe") {
      const name = error === null ? null : nameOf(error);
      const how = name === null ? "succeeded" : `failed with ${name}`;
      const status = this.#status === null ? "" : ` (${this.#status})`;
      const text = `${how}${status} ${took}`;
      this.#tell({ type: "CallSettled", level: "debug", ...told, error: name, text });
    } else {
      const text = `it may have been executed (${reason}), ${took}; reconcile it`;
      this.#tell({ type: "OutcomeUnknown", level: "warning", ...told, reason, text });
    }
  }

  /** The transport threw what is no failure that it may report. */
  threw(error: unknown): void {
    this.ended(error, `the transport threw ${nameOf(error)}`);
  }

  #now(): number {
    return this.#clock.environment.monotonic();
  }

  #tell(own: Own<ClientEvent>): void {
    const { operation, id } = this.#draft;
    const text = `${operation.name} [${id.slice(0, SHOWN)}]: ${own.text}`;
    const event = Object.freeze({ ...own, operation: operation.name, call: id, text });
    const report = (error: unknown) =>
      console.error(`onEvent failed at ${own.type}, which changes nothing of the call:`, error);
    try {
      // A promise that is rejected, and that nobody looks at, would end a program.
      Promise.resolve(this.#onEvent(event as ClientEvent)).catch(report);
    } catch (error) {
      report(error);
    }
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** Why an attempt failed, in words of ours: those of the service may repeat what was sent. */
function eventReason(failure: Failure): string {
  if (failure instanceof ApiError) return `the service answered ${failure.status}`;
  if (failure instanceof DecodeError) return "the answer cannot be used";
  return oneLine(failure.reason);
}
