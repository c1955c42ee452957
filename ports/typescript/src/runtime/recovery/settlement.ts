/** What became of a message. */

/** - `executed`; - `not executed`, and never will be; or - `unsettled`: the histories cannot tell. */
export type State = "executed" | "not executed" | "unsettled";

/** What became of one message: of a call that is one, or of one action of a batch. */
export interface Settlement {
  /** Operation or action, like `orders.create`. */
  readonly operation: string;
  /** The client order id or idempotency key that it was sent with; null where it has none. */
  readonly clientId: string | null;
  /**
   * `executed`: do not send it again. `not executed`: send it again if you still want it. `unsettled`: the
   * histories cannot tell, so do what `reason` says. Of a cancel or an edit it is the state of the order, whoever
   * brought it about.
   */
  readonly state: State;
  /** Why it has this state, and what to do if it is `unsettled`, in a sentence. */
  readonly reason: string;
  /** The records that show its state; if it is `unsettled`, those that may belong to it. */
  readonly records: readonly unknown[];
  /** What has to be true for the state to be true; empty if it is `unsettled`. */
  readonly restsOn: string;
}
