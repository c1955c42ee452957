/** A call as one object: its messages, its options, and what is known of it so far. */

import type { Reader } from "../codec/answers.js";
import { sharedIds } from "../codec/batch.js";
import type { Encoded } from "../codec/fields.js";
import { clientId } from "../codec/requests.js";
import { without } from "../codec/values.js";
import { RequestError } from "../errors.js";
import type { TransportResponse } from "../http/transport.js";
import type { Fields, Intent, Message } from "../intent.js";
import type { Action, Asked, Method, Operation } from "../operation.js";
import type { AbortSignal } from "../platform.js";
import { kindOf } from "../signing/canonical.js";
import type { Signer } from "../signing/keys.js";

/** What callers may give beside the arguments of a call. */
export interface CallOptions {
  /** Ends the call. What may have been sent by then may be executed: see `OutcomeUnknownError`. */
  readonly signal?: AbortSignal | undefined;
  /** How long the call, or each page of a list, may take, in the place of the client's `timeout`. In ms, 100 at least. */
  readonly timeout?: number | undefined;
}

/** In ms. Longer times mean a mistake. */
const DAY = 86_400_000;

/** One call, which every step passes on: what it sends, how its answer is read, how far it came. */
export interface Call<T> {
  readonly operation: Operation<unknown>;
  readonly parts: readonly Part[];
  /** What its intent records of each message; empty for a read. */
  readonly messages: readonly Message[];
  readonly read: Reader<T>;
  /** The other key that signs its message, if two do. */
  readonly otherSigner: Signer | undefined;
  /** Its id in the journal and in events; all its attempts share it. */
  readonly id: string;
  readonly options: CallOptions;
  /** When it began, and when it ends at the latest, by the clock that nobody sets. */
  began: number;
  deadline: number;
  /** Which attempt is made; the first is 1. */
  number: number;
  /** What the attempt is about to change; null for a read. */
  intent: Intent | null;
  /** The answer to the attempt; null before it came. */
  response: TransportResponse | null;
}

/** An operation, or an action of a batch. */
export type Kind = Operation<unknown> | Action;

/** A message of a call: the operation, or an action of a batch, and its fields as sent. They may hold a secret. */
export interface Part extends Partial<Encoded> {
  readonly kind: Kind;
  readonly fields: Fields;
}

/** The options of a call. Arguments that stand in their place are refused. */
export function checkedOptions({ name }: Method, given?: CallOptions | null): CallOptions {
  const options = given ?? {};
  const problem = isPlain(options) ? problemOf(options) : `not ${kindOf(options)}`;
  if (problem === undefined) return options;
  throw new RequestError(`${name}: options are an object like { signal, timeout }, ${problem}`);
}

function problemOf({ signal, timeout: _, ...others }: CallOptions): string | undefined {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `with none called '${unknown}'`;
  if (signal == null || isSignal(signal)) return undefined;
  return `whose signal must be an AbortSignal, and not ${kindOf(signal)}`;
}

/** What a number must be. */
interface Bounds {
  readonly least?: number;
  readonly most?: number;
  readonly isWhole?: boolean;
  readonly unit?: string;
}

/** A number within bounds; a time unless it has another unit. One below them was perhaps meant in seconds. */
export function checkedNumber(name: string, value: unknown, bounds: Bounds = {}): number {
  const { least = 0, most = DAY, isWhole = false, unit = " ms" } = bounds;
  const isNumber = typeof value === "number" && (!isWhole || Number.isInteger(value));
  if (isNumber && value >= least && value <= most) return value;
  const isSeconds = unit && isNumber && value > 0 && value < least;
  const meant = isSeconds ? `; ${value} s are ${value * 1_000}` : "";
  const what = isWhole ? "an integer" : "a number";
  throw new RequestError(
    `${name} must be ${what} from ${least} to ${most}${unit}, not ${value}${meant}`,
  );
}

/** How long a call may take, in ms: ten minutes at most. */
export function checkedTimeout(timeout: unknown): number {
  return checkedNumber("timeout", timeout, { least: 100, most: 600_000 });
}

/** Whether it is an object as `{}` writes it, of whichever realm. What stands in a class is none. */
function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether it acts like one. That of another realm is no instance of the class here. */
function isSignal(value: AbortSignal): boolean {
  return typeof value.aborted === "boolean" && typeof value.addEventListener === "function";
}

/**
 * A call that was not attempted yet, with an id of its own.
 *
 * @throws {@link RequestError} Its options are none, or its actions cannot be sent together.
 */
export function newCall<T>(
  asked: Asked,
  parts: readonly Part[],
  read: Reader<T>,
  options?: CallOptions,
  otherSigner?: Signer,
): Call<T> {
  const { operation } = asked;
  const shared = sharedIds(operation.name, parts);
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return {
    operation,
    parts,
    messages: isRead(operation) ? [] : parts.map((each) => recorded(asked, each, shared)),
    read,
    otherSigner,
    id: Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""),
    options: checkedOptions(operation, options),
    began: 0,
    deadline: 0,
    number: 0,
    intent: null,
    response: null,
  };
}

/** What the intent of a call records of a message: its fields without the secret ones. */
function recorded(
  { schema }: Asked,
  { kind, fields, minted }: Part,
  shared: ReadonlySet<unknown>,
): Message {
  const sharesId = [...fields.values()].some((id) => shared.has(id));
  return {
    name: kind.name,
    clientId: clientId(kind.key, fields),
    fields: without(fields, ...secretFields(schema, kind)),
    minted: !sharesId && (minted?.has(kind.key ?? "") ?? false),
    listed: (kind.trace?.id ?? kind.trace?.target) !== undefined && !sharesId,
    traced: kind.trace !== undefined,
    sharesId,
  };
}

/** Whether an operation changes nothing. */
export function isRead({ method, retry }: Operation<unknown>): boolean {
  return method === "GET" || retry === "safe";
}

/** The fields of a request that are secret. */
export function secretFields(schema: Asked["schema"], { params = "" }: Method): string[] {
  const fields = schema.models[params]?.fields ?? [];
  return fields.filter((each) => each.secret).map((each) => each.name);
}
