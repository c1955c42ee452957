/** The intent of a call: what it is about to change, in enough detail to find out later whether it did. */

import type { Writable } from "./codec/json_text.js";
import { isObject, type Parsed, parse } from "./codec/parser.js";

const VERSION = 1n;

/** The fields of a message, as they are sent. */
export type Fields = ReadonlyMap<string, Writable>;

/** One signed message: a call's own, or one action of a batch. Holds no signature. */
export interface Message {
  /** Operation or action, like `orders.create`. */
  readonly name: string;
  /** Its client order id or idempotency key, minted or given; null where it has none. */
  readonly clientId: string | null;
  /** Its own fields as sent, without the secret ones. */
  readonly fields: Fields;
  /** Whether the SDK made its id, so that no other message has it. */
  readonly minted: boolean;
  /** Whether a list can show that it was executed. */
  readonly listed: boolean;
  /** Whether lists show what its operation does, if not which message did it. */
  readonly traced: boolean;
  /** Whether it names an id that two messages of its call have, so that no record is certainly its own. */
  readonly sharesId: boolean;
}

/** A call that changes something: what was signed, for whom, and until when it is accepted. */
export interface Intent {
  /** One for each call, whatever the number of attempts. */
  readonly id: string;
  readonly operation: string;
  readonly baseUrl: string;
  readonly account: string;
  /** When its latest attempt was signed, in ms. */
  readonly timestamp: number;
  /** How long its signature is accepted, in ms. */
  readonly expiryWindow: number;
  readonly messages: readonly Message[];
  /** Whether it was signed. What is not signed never expires. */
  readonly signed: boolean;
  /** How far the service's clock was ahead of the timestamp when it was signed, in ms; null if nothing told it. */
  readonly skew: number | null;
}

/** The time until which the service can accept it, in ms, if it is signed. */
export function acceptedUntil(intent: Intent): number {
  return intent.timestamp + intent.expiryWindow;
}

/**
 * Whether `resend` may send it again: it is one message with a key, which no list shows, unlike what it did.
 * Where no list shows even that, nothing says that the service refuses a used key.
 */
export function isByKey({ operation, messages: [first, ...others] }: Intent): boolean {
  // Else it is an action of a batch.
  const isAlone = others.length === 0 && first?.name === operation;
  return isAlone && first.clientId !== null && first.traced && !first.listed;
}

export const NEVER = "no list shows whether it was executed, so nothing can ever settle it";
export const LOOK =
  "look at what it should have changed, like balances or settings, before you send it again: if it was " +
  "executed, it is then executed twice";

/** What to do about a call whose outcome is not known, in the words of its error. */
export function advice(intent: Intent, keyIsUsed: boolean): string {
  const given = intent.messages.map((each) => each.clientId).filter((id) => id !== null);
  const ids = [...new Set(given)].join(", ");
  const hidden = [...new Set(intent.messages.filter((each) => !each.listed).map((m) => m.name))];
  let text = "Call client.reconcile(error) before you send it again.";
  if (isByKey(intent) && keyIsUsed) {
    text = `The service says that its key, ${ids}, was used: client.reconcile(error) says what that proves.`;
  } else if (isByKey(intent)) {
    text =
      "No list can settle it, so client.reconcile(error) cannot find out. client.resend(error) sends it " +
      `again with the same id, ${ids}, which is safe.`;
  } else if (intent.messages.every((each) => !each.listed)) {
    text = `N${NEVER.slice(1)}. Unless repeating it changes nothing more, ${LOOK}.`;
    text += ids && ` Its client id: ${ids}.`;
  } else {
    text += ids ? ` Its client id: ${ids}.` : " It carries no client id.";
    text += hidden.length > 0 ? ` No list can settle ${hidden.join(", ")}.` : "";
  }
  return intent.signed
    ? `${text} The service can accept it until ${acceptedUntil(intent)} ms.`
    : `${text} It is not signed, so the service can accept it at any later time.`;
}

// -- as JSON ----------------------------------------------------------------------------------

/** An intent as JSON-ready fields, the same in every language of the SDK. */
export function asFields(intent: Intent): Writable {
  return {
    version: VERSION,
    id: intent.id,
    operation: intent.operation,
    base_url: intent.baseUrl,
    account: intent.account,
    timestamp: intent.timestamp,
    expiry_window: intent.expiryWindow,
    messages: intent.messages.map(
      ({ name, clientId, fields, minted, listed, traced, sharesId }) => {
        const written = { name, client_id: clientId, fields, minted, listed };
        return { ...written, ...(!traced && { traced }), ...(sharesId && { shares_id: sharesId }) };
      },
    ),
    signed: intent.signed,
    ...(intent.skew !== null && { skew: intent.skew }),
  };
}

/** What the members of JSON hold. An integer is one that is exact here. */
const KINDS = {
  text: (value: unknown) => typeof value === "string",
  integer: (value: unknown) => typeof value === "bigint" && Number.isSafeInteger(Number(value)),
  flag: (value: unknown) => typeof value === "boolean",
  object: (value: unknown) => value instanceof Map,
  list: Array.isArray,
};

/** A member: its name, its kind, and what stands for it where older versions did not write it. */
type Member = readonly [name: string, kind: keyof typeof KINDS, absent?: boolean | null];

/** Members that may be null. */
const OPTIONAL = ["client_id", "skew", "status"];
const INTENT: readonly Member[] = [
  ["id", "text"],
  ["operation", "text"],
  ["base_url", "text"],
  ["account", "text"],
  ["timestamp", "integer"],
  ["expiry_window", "integer"],
  ["messages", "list"],
  ["signed", "flag", true],
  ["skew", "integer", null],
];
const MESSAGE: readonly Member[] = [
  ["name", "text"],
  ["client_id", "text"],
  ["fields", "object"],
  ["minted", "flag", false],
  ["listed", "flag", true],
  ["traced", "flag", true],
  ["shares_id", "flag", false],
];
const ERROR: readonly Member[] = [
  ["reason", "text"],
  ["status", "integer"],
  ["intent", "object"],
];

/** The members of an object, by their names in camelCase. */
function read<T>(value: Parsed, what: string, members: readonly Member[]): T {
  if (!isObject(value)) throw new Error(`${what} is no object`);
  const found = members.map(([name, kind, absent]) => {
    const given = value.has(name) ? value.get(name) : absent;
    const isNull = given === null && OPTIONAL.includes(name);
    if (!isNull && !KINDS[kind](given)) throw new Error(`${what}.${name} is no ${kind}`);
    const own = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return [own, typeof given === "bigint" ? Number(given) : given];
  });
  return Object.fromEntries(found) as T;
}

/** Read what `asFields` wrote. Throws if the fields are not an intent. */
export function fromFields(value: Parsed): Intent {
  const version = isObject(value) ? value.get("version") : VERSION;
  if (version !== VERSION) throw new Error(`it is of version ${version}, not ${VERSION}`);
  const intent = read<Omit<Intent, "messages"> & { messages: readonly Parsed[] }>(
    value,
    "intent",
    INTENT,
  );
  const messages = intent.messages.map((each) => read<Message>(each, "message", MESSAGE));
  if (messages.length === 0) throw new Error("intent.messages is empty");
  return { ...intent, messages };
}

/** Read the text of an OutcomeUnknownError. Throws if it is something else. */
export function fromErrorText(text: string): {
  readonly intent: Intent;
  readonly reason: string;
  readonly status: number | null;
} {
  const error = read<{ intent: Parsed; reason: string; status: number | null }>(
    parse(text),
    "error",
    ERROR,
  );
  return { ...error, intent: fromFields(error.intent) };
}
