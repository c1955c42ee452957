/** A call as one object: its messages, its options, and what is known of it so far. */

import type { Reader } from "../codec/answers.js";
import { checkedActions, type GivenAction, sharedIds } from "../codec/batch.js";
import { clientId, type Encoded, encode, type Filled } from "../codec/requests.js";
import { RequestError } from "../errors.js";
import type { TransportResponse } from "../http/transport.js";
import type { Fields, Intent, Message } from "../intent.js";
import type { Action, BatchOperation, Method, Operation, Schema } from "../operation.js";
import type { AbortSignal } from "../platform.js";
import { kindOf } from "../signing/canonical.js";
import type { Signer } from "../signing/keys.js";

/** What callers may give beside the arguments of a call. */
export interface CallOptions {
  /** Ends the call. What may have been sent by then may be executed: see `OutcomeUnknownError`. */
  readonly signal?: AbortSignal | undefined;
  /** How long the call, or each page of a list, may take, in the place of the client's `timeout`. In ms. */
  readonly timeout?: number | undefined;
}

const MAX_TIMEOUT = 600_000;
/** Their names. */
const OPTIONS: readonly string[] = ["signal", "timeout"] satisfies (keyof CallOptions)[];

/** One call, which every step passes on: what it sends, how its answer is read, how far it came. */
export interface Call<T> {
  readonly operation: Operation<unknown>;
  /** The kind of each message: the operation, or the action for each one of a batch. */
  readonly kinds: readonly Kind[];
  /** The fields of each message, as sent. They may hold a secret. */
  readonly fields: readonly Fields[];
  /** What its intent records of each message; empty for a read. */
  readonly messages: readonly Message[];
  readonly reader: Reader<T>;
  /** The other key that signs its message, if two do. */
  readonly otherSigner?: Signer;
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

/** A message with its arguments: its fields as sent, and what is recorded of it. */
interface Part extends Encoded {
  readonly kind: Kind;
}

/** The options of a call. Arguments that stand in their place are refused. */
export function checkedOptions({ name }: Method, given?: CallOptions | null): CallOptions {
  const options = given ?? {};
  if (!isPlain(options)) {
    throw new RequestError(
      `${name}: options are an object like { signal, timeout }, not ${kindOf(options)}`,
    );
  }
  const unknown = Object.keys(options).find((each) => !OPTIONS.includes(each));
  if (unknown !== undefined) {
    const known = OPTIONS.join(" and ");
    throw new RequestError(
      `${name}: a call has the options ${known}, and none called '${unknown}'`,
    );
  }
  const { signal } = options;
  if (signal != null && !isSignal(signal)) {
    const why = "AbortSignal, like the signal of an AbortController";
    throw new RequestError(`${name}: signal must be an ${why}, not ${kindOf(signal)}`);
  }
  return options;
}

/** How long a call may take, in ms: ten minutes at most. */
export function checkedTimeout(timeout: unknown): number {
  if (typeof timeout === "number" && timeout > 0 && timeout <= MAX_TIMEOUT) return timeout;
  throw new RequestError(
    `timeout must be above 0 and at most ${MAX_TIMEOUT} ms, ten minutes, not ${timeout}`,
  );
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

/** A call that was not attempted yet, with an id of its own. */
export function newCall<T>(
  operation: Operation<unknown>,
  reader: Reader<T>,
  own: Pick<Call<T>, "kinds" | "fields" | "messages" | "otherSigner">,
  given?: CallOptions,
): Call<T> {
  const options = checkedOptions(operation, given);
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const known = { began: 0, deadline: 0, number: 0, intent: null, response: null };
  return { operation, reader, ...own, id, options, ...known };
}

/** A call of one message. */
export function singleCall<T>(
  schema: Schema,
  operation: Operation<unknown>,
  encoded: Encoded,
  reader: Reader<T>,
  options?: CallOptions,
  otherSigner?: Signer,
): Call<T> {
  const messages = isRead(operation) ? [] : [recorded(schema, { kind: operation, ...encoded })];
  const own = { kinds: [operation], fields: [encoded.fields], messages };
  return newCall(operation, reader, otherSigner ? { ...own, otherSigner } : own, options);
}

/**
 * A call with actions.
 *
 * @param readerOf Makes what reads the answer, for the kind of each action.
 * @throws {@link RequestError} Its actions cannot be sent together.
 */
export function batchCall<T>(
  schema: Schema,
  operation: BatchOperation<unknown>,
  actions: readonly GivenAction[],
  filled: Filled,
  readerOf: (kinds: readonly Action[]) => Reader<T>,
  options?: CallOptions,
): Call<T> {
  const pairs = checkedActions(operation.name, operation.batch, actions);
  const parts = pairs.map(([kind, data]) => ({ kind, ...encoded(schema, kind, data, filled) }));
  const shared = sharedIds(operation.name, parts);
  const messages = parts.map((each) =>
    recorded(schema, each, { sharesId: [...each.fields.values()].some((id) => shared.has(id)) }),
  );
  const kinds = parts.map(({ kind }) => kind);
  const reader = readerOf(kinds);
  const own = { kinds, fields: parts.map(({ fields }) => fields), messages };
  return newCall(operation, reader, own, options);
}

/** The fields of a message with the arguments that a caller gives. */
export function encoded(schema: Schema, kind: Kind, given: unknown, filled: Filled): Encoded {
  if (kind.params !== undefined) return encode(schema, kind.params, given, filled);
  if (Object.keys(given ?? {}).length > 0)
    throw new RequestError(`${kind.name} takes no arguments`);
  return { fields: new Map(), minted: new Set() };
}

/** What the intent of a call records of a message: its fields without the secret ones. */
export function recorded(
  schema: Schema,
  { kind, fields, minted }: Part,
  { sharesId } = { sharesId: false },
): Message {
  const secrets = secretFields(schema, kind);
  return {
    name: kind.name,
    clientId: clientId(kind.key, fields),
    fields: new Map([...fields].filter(([name]) => !secrets.includes(name))),
    minted: minted.has(kind.key ?? "") && !sharesId,
    listed: (kind.trace?.id ?? kind.trace?.target) !== undefined && !sharesId,
    traced: kind.trace !== undefined,
    sharesId,
  };
}

/** Whether an operation changes nothing. */
export function isRead({ method, retry }: Operation<unknown>): boolean {
  return method === "GET" || retry === "safe";
}

/** The fields of a request model that are secret. */
export function secretFields(schema: Schema, method: Method): string[] {
  const fields = schema.models[method.params ?? ""]?.fields ?? [];
  return fields.filter((each) => each.secret).map((each) => each.name);
}
