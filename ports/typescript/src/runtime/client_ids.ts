/**
 * Client order ids and idempotency keys: which the SDK made, and which are promised to be unique.
 *
 * Nobody else knows an id that the SDK makes inside of a call before the call ends, so a record that has it was
 * made by that message: unless an error told the program the id, and the program gave it to another message.
 */

import { membersOf, type Writable } from "./codec/json_text.js";
import type { Intent, Message } from "./intent.js";

/** The text of a UUID. */
export const UUID_TEXT = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
/** Ids of refused messages that a process remembers. */
const MAX_REFUSED = 10_000;

/** An account, and an id of one of its messages in lower case, as one text. */
export type Use = string;

// Of the process, because a program may give an id that one client told to another client.
/** The ids that errors told the program: those of unknown outcomes, the latest of refusals, and those given again. */
export const told = { lost: new Set<Use>(), refused: new Set<Use>(), given: new Set<Use>() };

/** Note ids that the program knows from now on, of messages whose outcome is unknown. */
export function tell(uses: Iterable<Use>): void {
  for (const each of uses) told.lost.add(each);
}

/** The same of messages that were refused. There may be many, so the oldest are forgotten. */
export function tellRefused(uses: Iterable<Use>): void {
  for (const each of uses) told.refused.add(each);
  for (const oldest of told.refused) {
    if (told.refused.size <= MAX_REFUSED) break;
    told.refused.delete(oldest);
  }
}

/** Note ids that a message carries which were not made in its call. */
export function give(uses: Iterable<Use>): void {
  for (const each of uses) if (told.lost.has(each) || told.refused.has(each)) told.given.add(each);
}

// -- the ids of a call ------------------------------------------------------------------------

/** The ids of its messages, each with its account. */
export function usesOf({ account, messages }: Intent): Set<Use> {
  const ids = messages.map((each) => each.clientId).filter((id) => id !== null);
  return new Set(ids.map((id) => useOf(account, id)));
}

/** The ids that its messages carry, but which were not made in its call, each with its account. */
export function givenOf({ account, messages }: Pick<Intent, "account" | "messages">): Set<Use> {
  return new Set(messages.flatMap(givenIds).map((id) => useOf(account, id)));
}

/** The same call, in which these ids do not count as minted: another message may have them, too. */
export function without(intent: Intent, reused: ReadonlySet<Use>): Intent {
  const isReused = ({ clientId, minted }: Message) =>
    minted && clientId !== null && reused.has(useOf(intent.account, clientId));
  if (!intent.messages.some(isReused)) return intent;
  const messages = intent.messages.map((each) =>
    isReused(each) ? { ...each, minted: false } : each,
  );
  return { ...intent, messages };
}

/** The same call, in which an id counts as minted if no other message of this process carried it. */
export function known(intent: Intent): Intent {
  const given = [...usesOf(intent)].filter((each) => told.given.has(each));
  return without(intent, new Set(given));
}

function useOf(account: string, id: string): Use {
  return JSON.stringify([account, id.toLowerCase()]);
}

/** The ids that a message may give to records, but which were not made in its call: also those of legs. */
function givenIds({ clientId, fields, minted }: Message): string[] {
  const nested = [...fields.values()].filter((each) => typeof each !== "string").flatMap(textsIn);
  const ofLegs = nested.filter((each) => UUID_TEXT.test(each) && each !== clientId);
  return clientId !== null && !minted ? [clientId, ...ofLegs] : ofLegs;
}

/** The texts in a value, at any depth. */
function textsIn(value: Writable): string[] {
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  const members = membersOf(value as ReadonlyMap<string, Writable>);
  return members.flatMap(([, each]) => textsIn(each));
}

// -- the promise of unique ids ----------------------------------------------------------------

/** Ids that a client remembers. */
const MAX_GIVEN = 10_000;

/**
 * The ids of a client whose user promises that none is given to two messages (`uniqueIds`).
 *
 * `reconcile` then takes a record with such an id for the message's own. A second message with it would be taken
 * for the first one, so it is not sent. Kept are the latest ids of messages that were executed, or may be.
 */
export class GivenIds {
  readonly #calls = new Map<string, string>();

  /** Take the ids of the messages of a call. If one is another message's, return it and take none. */
  take(call: string, ids: readonly (string | null)[]): string | null {
    const given = ids.filter((id) => id !== null);
    const taken = given.find((id, place) => this.#calls.has(id) || given.indexOf(id) < place);
    if (taken !== undefined) return taken;
    for (const id of given) this.#calls.set(id, call);
    for (const oldest of this.#calls.keys()) {
      if (this.#calls.size <= MAX_GIVEN) break;
      this.#calls.delete(oldest);
    }
    return null;
  }

  /** Forget the ids of messages of a call that were not executed; not those of another call. */
  free(call: string, ids: readonly (string | null)[]): void {
    for (const id of ids) {
      if (id !== null && this.#calls.get(id) === call) this.#calls.delete(id);
    }
  }
}
