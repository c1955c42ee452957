/**
 * The ids of a client whose user promises that none is given to two messages (`uniqueIds`).
 *
 * `reconcile` then takes a record with such an id for the message's own. A second message with it would be taken
 * for the first one, so it is not sent.
 */

import { BatchResult } from "../batch.js";
import { clientId } from "../codec/requests.js";
import { JournalError, NotSentError, RequestError, SigningError } from "../errors.js";
import type { Draft } from "./draft.js";
import { isDuplicate, isRefusal } from "./failures.js";

const NOT_SENT = [JournalError, NotSentError, RequestError, SigningError] as const;
/** Ids that a client remembers. */
const MAX_GIVEN = 10_000;

/** The latest ids of messages that were executed, or may be, with their calls. */
export class GivenIds {
  readonly #calls = new Map<string, string>();

  /**
   * Carry out a call, unless an id of it is another message's. What is not executed frees its ids.
   *
   * @throws {@link RequestError} An id is that of another message. Nothing was sent.
   */
  async guard<T>(draft: Draft, carryOut: () => Promise<T>): Promise<T> {
    const ids = shownByLists(draft);
    this.#take(draft, ids);
    try {
      const result = await carryOut();
      if (result instanceof BatchResult) {
        const failed = ids.filter((_, index) => !result.results[index]?.success);
        this.free(draft.id, failed);
      }
      return result;
    } catch (error) {
      if (isNotExecuted(error)) this.free(draft.id, ids);
      throw error;
    }
  }

  /** Forget the ids of messages of a call that were not executed; not those of another call. */
  free(call: string, ids: readonly (string | null)[]): void {
    for (const id of ids) {
      if (id !== null && this.#calls.get(id) === call) this.#calls.delete(id);
    }
  }

  #take({ operation, id: call }: Draft, ids: readonly (string | null)[]): void {
    const given = ids.filter((id) => id !== null);
    const taken = given.find((id, place) => this.#calls.has(id) || given.indexOf(id) < place);
    if (taken !== undefined) {
      throw new RequestError(
        `${operation.name}: ${taken} was given to another message, which was executed or may be, and ` +
          "uniqueIds promises that no id is; reconcile that one, or give a new id",
      );
    }
    for (const id of given) this.#calls.set(id, call);
    for (const oldest of this.#calls.keys()) {
      if (this.#calls.size <= MAX_GIVEN) break;
      this.#calls.delete(oldest);
    }
  }
}

/** Whether the messages of a call that ended with this error were certainly not executed. */
function isNotExecuted(error: unknown): boolean {
  if (NOT_SENT.some((kind) => error instanceof kind)) return true;
  return isRefusal(error) && !isDuplicate(error);
}

/** The id of each message by which a list shows it; null where there is none, or it is sent again. */
function shownByLists({ parts }: Draft): (string | null)[] {
  return parts.map(({ kind, fields, earlier }) => {
    const isShown = kind.trace?.id !== undefined && earlier === undefined;
    return isShown ? clientId(kind.key, fields) : null;
  });
}
