/** Which error the user sees for the failure of the last attempt, and what it tells. */

import type { Clock } from "../clock.js";
import { BatchResult } from "../codec/batch.js";
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  BatchError,
  DecodeError,
  NoResponseError,
  NotFoundError,
  NotSentError,
  OF_A_COPY,
  OutcomeUnknownError,
  RequestError,
  type TradingError,
  UnprocessableEntityError,
} from "../errors.js";
import { type Failure, faultOf, TransportError } from "../http/fault.js";
import type { TransportResponse } from "../http/transport.js";
import { acceptedUntil, type Intent } from "../intent.js";
import type { Operation } from "../operation.js";
import type { RateLimit } from "../rate_limit.js";
import { oneLine } from "../shown.js";
import { REFUSALS } from "../statuses.js";
import type { Call } from "./message.js";
import type { Stop } from "./retry.js";

/** An error that can be reconciled, because it knows what was sent. */
export type Reconcilable = OutcomeUnknownError | ApiError | BatchError;

/**
 * An error that can be reconciled; of a batch's result, that of its failures.
 *
 * @throws {@link RequestError} It is another object, of which nothing is unknown, or no action of the batch failed.
 */
export function withIntent(error: unknown): Reconcilable {
  if (error instanceof BatchResult) {
    const { failure } = error as BatchResult<never>;
    if (failure !== null) return failure;
    throw new RequestError("no action of this batch failed, so there is nothing to reconcile");
  }
  if (error instanceof OutcomeUnknownError || error instanceof ApiError) return error;
  if (error instanceof BatchError) return error;
  throw new RequestError(
    "error must be an OutcomeUnknownError, an ApiError, a BatchError or the result of a batch",
  );
}

/**
 * The intent of an error, which must be of this account and service.
 *
 * @param verb What is to be done with the call.
 */
export function ownIntent(
  { operation, intent }: Reconcilable,
  own: { readonly baseUrl: string; readonly account: string | null },
  verb: string,
): Intent {
  if (intent === null) {
    throw new RequestError(`${operation}: it changed nothing, so there is nothing to ${verb}`);
  }
  const { baseUrl, account } = intent;
  if (baseUrl === own.baseUrl && account === (own.account ?? "")) return intent;
  throw new RequestError(
    `${intent.operation} was sent to ${baseUrl} for ${account}: ${verb} it with a client of that service ` +
      "and account",
  );
}

/** Whether the service refused, so that this message is not executed. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && REFUSALS.includes(faultOf(error));
}

/** Whether the service refused for now, so that the same may be sent later. */
export function isRateLimited(error: unknown): error is ApiError {
  return error instanceof ApiError && faultOf(error) === "rate_limited";
}

/** How each message of a call ended that is open: all of them, or the actions of a batch that failed. */
export function refusedActions(
  error: Reconcilable,
  count: number,
): ReadonlyMap<number, OutcomeUnknownError | ApiError> {
  if (error instanceof BatchError) return error.refusals;
  return new Map(Array.from({ length: count }, (_, place) => [place, error]));
}

/** Why a call failed: what a refusal says, its status and the words of the service included. */
export function failureText(failure: Failure | OutcomeUnknownError): string {
  if (!(failure instanceof ApiError)) return failure.reason;
  return failure.message.replace(`${failure.operation}: `, "");
}

/** Put into a refusal what only its answer and the client's clock can tell. */
export function annotate(
  { parts, intent }: Call<unknown>,
  refusal: ApiError,
  response: TransportResponse,
  clock: Clock,
  rateLimit: RateLimit,
): void {
  const { headers } = response;
  refusal.intent = intent;
  refusal.rateBudget = rateLimit.budget(headers);
  const isLimited = isRateLimited(refusal);
  refusal.retryAfter = rateLimit.askedWait(headers, clock.environment.now(), isLimited);
  const redirect = redirectOf(response);
  if (redirect !== null) refusal.add(redirect);
  const isOfTheOrder = [BadRequestError, NotFoundError, UnprocessableEntityError].some(
    (kind) => refusal instanceof kind,
  );
  if (isOfTheOrder && parts.some(({ kind }) => kind.trace?.target)) refusal.add(OF_A_COPY);
  const mayBeTime = refusal instanceof BadRequestError || refusal instanceof AuthenticationError;
  if (intent?.signed && mayBeTime) {
    refusal.clockHint = clock.hint(intent.timestamp, acceptedUntil(intent));
    if (refusal.clockHint !== null) refusal.add(refusal.clockHint);
  }
}

/** Where a 3xx points to: the host alone, because the rest of a URL may hold a secret. */
function redirectOf({ status, headers }: TransportResponse): string | null {
  const location = headers.get("location");
  if (Math.floor(status / 100) !== 3 || location === null) return null;
  if (!URL.canParse(location)) return "a redirect on the same host, which is not followed";
  return `a redirect to ${oneLine(new URL(location).hostname)}, which is not followed`;
}

/** The error to throw for a failure; if an answer was read, its error is the `cause`. */
export function errorOf(
  operation: Operation<unknown>,
  intent: Intent | null,
  failure: Failure,
  { error, reason }: Stop,
): TradingError {
  const found = raised(operation, intent, failure, error);
  found.stopReason = reason;
  return found;
}

function raised(
  operation: Operation<unknown>,
  intent: Intent | null,
  failure: Failure,
  kind: Stop["error"],
): TradingError {
  if (kind === "not_sent") return new NotSentError(operation.name, failureText(failure));
  // The outcome of a read is never unknown.
  if (kind === "typed" || intent === null) return typed(operation, failure);
  return new OutcomeUnknownError(intent, failureText(failure), {
    status: failure.status,
    body: failure.status === null ? null : failure.body,
    cause: failure instanceof TransportError ? undefined : failure,
  });
}

function typed(operation: Operation<unknown>, failure: Failure): TradingError {
  if (!(failure instanceof TransportError)) return failure;
  const { fault, reason, body, status } = failure;
  if (fault !== "unreadable" && fault !== "unusable") {
    return new NoResponseError(operation.name, reason);
  }
  return new DecodeError(operation.name, reason, { body, status, isJson: fault === "unusable" });
}
