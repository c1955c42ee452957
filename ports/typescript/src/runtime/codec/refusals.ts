/**
 * Refusals: what they say, the error that they become, and whether they are believed.
 *
 * A documented refusal shows that nothing was executed. Members that nobody knows change nothing. A member
 * or a code that speaks of execution leaves the outcome unknown.
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
import { type Asked, fieldsOf, type Operation, type Recognition } from "../operation.js";
import { isSuccess } from "../statuses.js";
import { isObject, type Parsed } from "./parser.js";

const CONTRADICTION = "it reports a failure, but also success, a result or a state";
const STRANGE_CODE =
  "it reports a failure, but its code is neither an integer nor a text, or not its only one";

// -- whether a refusal is believed ------------------------------------------------------------

/**
 * Why a refusal cannot be trusted, or undefined.
 *
 * A status of failure refuses, unless `success` or a field of the result has a value. Under a 2xx only the
 * words refuse, so a state, a strange code and another status than 200 count, too.
 *
 * @param asked - What was called. A read changes nothing, so its refusals are trusted.
 * @param refusal - The answer, or the part of it that refuses.
 * @param content - The same without its envelope.
 * @param mayHave - Fields of the result that this refusal may have. An action that failed may name an order.
 */
export function doubt(
  asked: Asked,
  status: number,
  refusal: Parsed,
  content: Parsed,
  mayHave: readonly string[] = [],
): string | undefined {
  const { operation, schema } = asked;
  if (operation.method === "GET") return undefined;
  const { words, states } = schema.refusals;
  const telling = resultFields(asked);
  const known = new Set([...words, ...mayHave]);
  if (!isSuccess(status) || !isObject(refusal)) {
    for (const name of Object.keys(operation.trace?.agrees ?? {})) known.add(name);
    return hasValue(refusal, telling, known) ? CONTRADICTION : undefined;
  }
  const isAnyJson = operation.result?.type.kind === "json" && content !== refusal;
  // Any name in it may be of the result.
  if (isAnyJson && isObject(content)) telling.push(...content.keys());
  // An envelope of success may stand around a refusal, because the request was read.
  const inside = new Map([...refusal, ["success", null]]);
  if (hasValue(inside, [...telling, ...states], known)) return CONTRADICTION;
  const values = [...membersIn(inside)].filter(([, value]) => saysSomething(value));
  // `data` is the place of a result.
  if (values.some(([name, value]) => name === "data" && !isObject(value))) return CONTRADICTION;
  const { code } = readRefusal(refusal, content);
  const codes = values.filter(([name]) => name === "code");
  if (!codes.every(([, value]) => isCode(value) && value === code)) return STRANGE_CODE;
  return status === 200 ? undefined : `it reports a failure under a status of ${status}`;
}

/**
 * Whether JSON holds, at any depth, a value in `success` or in a member of these names that is not known.
 *
 * Several values may stand in a member with the name in the plural, like `order_ids`.
 */
function hasValue(value: Parsed, names: readonly string[], known: ReadonlySet<string>): boolean {
  const unknown = names.filter((name) => !known.has(name));
  const telling = new Set(["success", ...unknown, ...unknown.map((name) => `${name}s`)]);
  return [...membersIn(value)].some(([name, found]) => telling.has(name) && saysSomething(found));
}

/** The fields that an executed request fills in, and a refused one cannot. */
export function resultFields(asked: Asked): string[] {
  const key = keyOf(asked.operation);
  return key === undefined ? namesOf(asked) : [...namesOf(asked), key];
}

/** The property of an answer that holds its result. A page has none: its names are those of the pagination. */
export function keyOf({ pagination, result }: Operation<unknown>): string | undefined {
  return pagination ? undefined : result?.key;
}

/** The names of the fields of a result that is a model; of a batch, those of each result. Another one has none. */
export function namesOf({ operation, schema }: Asked): string[] {
  const type = operation.result?.type;
  return fieldsOf(schema, operation.batch ? type?.items : type).map((field) => field.name);
}

/** Whether the value of a member is anything but null, false or empty. */
export function saysSomething(value: Parsed): boolean {
  if (value === null || value === false || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? value.size > 0 : true;
}

/** Each member of each object in parsed JSON. */
function* membersIn(payload: Parsed): Generator<[string, Parsed]> {
  if (Array.isArray(payload)) {
    for (const each of payload) yield* membersIn(each);
  } else if (isObject(payload)) {
    yield* payload;
    for (const each of payload.values()) yield* membersIn(each);
  }
}

// -- what a refusal says ----------------------------------------------------------------------

/** The text and the code of an answer, each from its outer level, or else from its content; null without one. */
export function readRefusal(
  payload: Parsed,
  content: Parsed,
): { readonly text: string | null; readonly code: Code } {
  const said = (name: string) =>
    [payload, content].map((level) => (isObject(level) ? (level.get(name) ?? null) : null));
  const texts = said("error").filter((each) => typeof each === "string");
  return { text: texts[0] ?? null, code: said("code").filter(isCode)[0] ?? null };
}

function isCode(value: Parsed): value is bigint | string {
  return typeof value === "bigint" || (typeof value === "string" && value !== "");
}

// -- the error --------------------------------------------------------------------------------

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
/** How a text names the action of a batch that it is about, like `actions[1]: `. */
const ACTION = /^[\p{L}\p{N}_]+\[\p{Nd}+\]: /u;

/** What an answer says, beside its bytes. */
type Words = Pick<Refusal, "error"> & Partial<Refusal>;

/** Why the service refused; undefined if nothing shows it. */
function refusalReason(asked: Asked, words: Words): Reason | undefined {
  const told = Object.entries(asked.schema.reasons);
  const operation = asked.operation.name;
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

/** The error for an answer of this status. The reason may name a more telling class than the status. */
export function apiError(asked: Asked, refusal: Refusal): ApiError {
  const { status } = refusal;
  const reason = refusalReason(asked, refusal);
  const told = reason && asked.schema.reasons[reason]?.asStatus;
  const plain = BY_STATUS[status] ?? BY_HUNDRED[Math.floor(status / 100)] ?? ApiError;
  const kind = (plain === BadRequestError && told && BY_STATUS[told]) || plain;
  const error = new kind(asked.operation.name, { ...refusal, reason });
  if (told === 409) error.isDuplicate = true;
  return error;
}
