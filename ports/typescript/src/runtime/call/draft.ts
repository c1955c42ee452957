/** A request before and after it is signed. */

import { checkedActions, type GivenAction, sharedIds } from "../batch.js";
import { encode, type Filled } from "../codec/requests.js";
import { RequestError } from "../errors.js";
import type { TransportRequest } from "../http/transport.js";
import type { Fields, Intent, Message } from "../intent.js";
import type { Action, BatchOperation, Method, Operation, Schema } from "../operation.js";
import type { Signer } from "../signing/keys.js";

/** One message before it is signed: a request's own, or one action of a batch. */
export interface Part {
  readonly kind: Operation<unknown> | Action;
  /** Its own fields, as sent. They may hold a secret. */
  readonly fields: Fields;
  /** The paths of the ids that were made for it. */
  readonly minted: ReadonlySet<string>;
  /** The message that it sends again, whose id it has; missing if it is new. */
  readonly earlier?: Message;
  /** Whether it names an id that two messages of its call have. */
  readonly sharesId?: boolean;
  /** The other key that signs it, if two do. */
  readonly other?: Signer;
}

/** What callers may give beside the arguments of a call. */
export interface CallOptions {
  /** Ends the call. What may have been sent by then may be executed: see `OutcomeUnknownError`. */
  readonly signal?: AbortSignal | undefined;
  /** How long the call, or each page of a list, may take, in the place of the client's `timeout`. In ms. */
  readonly timeout?: number | undefined;
}

/** Their names. */
const OPTIONS: readonly string[] = ["signal", "timeout"] satisfies (keyof CallOptions)[];

/** A request before it is signed: every attempt signs it anew, with the same ids. */
export interface Draft {
  readonly operation: Operation<unknown>;
  /** One, or one for each action of a batch. */
  readonly parts: readonly Part[];
  /** The id of the call in the journal; all its attempts share it. */
  readonly id: string;
  readonly options: CallOptions;
}

/** A request that is ready to be sent, and what it is about to change; null for a read. */
export interface Prepared {
  readonly request: TransportRequest;
  readonly intent: Intent | null;
}

/** The options of a call. Arguments that stand in their place are refused. */
export function checkedOptions({ name }: Method, given?: CallOptions | null): CallOptions {
  const options = given ?? {};
  if (!isPlain(options)) {
    throw new RequestError(
      `${name}: options are an object like { signal, timeout }, not ${shownKind(options)}`,
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
    throw new RequestError(`${name}: signal must be an ${why}, not ${shownKind(signal)}`);
  }
  return options;
}

/** How long a call may take, in ms. */
export function checkedTimeout(timeout: number): number {
  if (typeof timeout === "number" && timeout > 0 && timeout <= 86_400_000) return timeout;
  throw new RequestError(`timeout must be above 0 and at most a day, in ms, not ${timeout}`);
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

/** The class of a value, or its type. */
function shownKind(value: unknown): string {
  return typeof value === "object" ? (value?.constructor?.name ?? "object") : typeof value;
}

/** A draft with an id of its own. */
export function drafted(
  operation: Operation<unknown>,
  parts: readonly Part[],
  given?: CallOptions,
): Draft {
  const options = checkedOptions(operation, given);
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { operation, parts, id, options };
}

/** A message with the arguments that a caller gives. */
export function part(
  schema: Schema,
  kind: Operation<unknown> | Action,
  given: unknown,
  filled: Filled,
): Part {
  if (kind.params === undefined) {
    if (Object.keys(given ?? {}).length > 0)
      throw new RequestError(`${kind.name} takes no arguments`);
    return { kind, fields: new Map(), minted: new Set() };
  }
  return { kind, ...encode(schema, kind.params, given, filled) };
}

/**
 * The messages of a batch before they are signed.
 *
 * @throws {@link RequestError} Its actions cannot be sent together.
 */
export function batchParts(
  schema: Schema,
  operation: BatchOperation<unknown>,
  actions: readonly GivenAction[],
  filled: Filled,
): Part[] {
  const pairs = checkedActions(operation.name, operation.batch, actions);
  const parts = pairs.map(([action, data]) => part(schema, action, data, filled));
  const shared = sharedIds(operation.name, parts);
  return parts.map((each) => {
    const sharesId = [...each.fields.values()].some((value) => shared.has(value));
    return sharesId ? { ...each, sharesId } : each;
  });
}

/** The fields of a request model that are secret. */
export function secretFields(schema: Schema, method: Method): string[] {
  const fields = schema.models[method.params ?? ""]?.fields ?? [];
  return fields.filter((each) => each.secret).map((each) => each.name);
}
