/**
 * What a refusal says: the reason that it stands for, and the class of its error.
 *
 * What shows a reason is data of the generated package. This is the one place that reads it.
 */

import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  type Code,
  ConflictError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  type Reason,
  type Refusal,
  UnprocessableEntityError,
} from "../errors.js";
import type { Recognition, Schema } from "../operation.js";

const BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableEntityError,
  429: RateLimitError,
};
const BY_HUNDRED: Readonly<Record<number, typeof ApiError>> = {
  2: BadRequestError,
  5: InternalServerError,
};
/** The action of a batch that a text is about, like `actions[1]: `. */
const ACTION = /^[\p{L}\p{N}_]+\[\p{Nd}+\]: /u;

/** What an answer says, beside its bytes. */
type Words = Pick<Refusal, "error"> & Partial<Refusal>;

/** The reason that a refusal stands for; undefined if it is not known. */
export function reasonOf(schema: Schema, operation: string, words: Words): Reason | undefined {
  const told = Object.entries(schema.reasons);
  const { error, code = null, status } = words;
  const text = error.replace(ACTION, "").toLowerCase();
  const begins = told
    .flatMap(([name, { texts = [] }]) => texts.map((begin) => ({ name, begin })))
    .filter(({ begin }) => text.startsWith(begin.toLowerCase()))
    .sort((one, other) => other.begin.length - one.begin.length);
  const byCode = told.find(([, each]) => code !== null && codeIn(each, operation) === code);
  const byStatus = told.find(([, { statuses = [], operations = [operation] }]) => {
    return statuses.some((each) => each === status) && operations.includes(operation);
  });
  return (begins[0]?.name ?? byCode?.[0] ?? byStatus?.[0]) as Reason | undefined;
}

/** The code that shows a reason, as an answer would have it. */
function codeIn({ codes = {} }: Recognition, operation: string): Code | undefined {
  const code = Object.hasOwn(codes, operation) ? codes[operation] : undefined;
  return typeof code === "number" ? BigInt(code) : code;
}

/** The error for an answer of this status. A reason may tell more than a plain refusal does. */
export function apiError(schema: Schema, operation: string, refusal: Refusal): ApiError {
  const { status } = refusal;
  const reason = reasonOf(schema, operation, refusal);
  const plain = BY_STATUS[status] ?? BY_HUNDRED[Math.floor(status / 100)] ?? ApiError;
  const told = plain === BadRequestError && reason && schema.reasons[reason]?.asStatus;
  const kind = told ? (BY_STATUS[told] ?? plain) : plain;
  return new kind(operation, { ...refusal, reason });
}
