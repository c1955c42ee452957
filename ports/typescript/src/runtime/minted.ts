/** Ids that were used for messages of this process, so that a record of one tells which message made it. */

/** A service, an account, and an id that was used there, as one text. */
export type Use = string;

/** The text of a use. */
export function useOf(baseUrl: string, account: string, id: string): Use {
  return JSON.stringify([baseUrl, account, id]);
}

// Of the process and not of a client: a program may give an id that one client made, and of whose
// message nothing is known, to another client of the same account.

/** Ids of messages whose outcome this process does not know, or did not. There are few. */
export const unknown = new Set<Use>();

/** Ids that this process used for several messages, so that a record of it may be of either. */
export const shared = new Set<Use>();
