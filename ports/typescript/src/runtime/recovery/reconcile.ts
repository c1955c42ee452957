/**
 * Finds out from the service's histories what became of a call. It sends nothing again.
 *
 * A message that no history shows may still be accepted until it expires, and a history may show it later
 * than that. So `reconcile` reads the histories, waits until both are over, and reads them twice. Whatever
 * rests on the absence of a record comes from those two readings.
 */

import type { Caller } from "../call/caller.js";
import { isDuplicate, isRefusal, type Reconcilable, withIntent } from "../call/failures.js";
import { MAX_AGE } from "../call/lookup.js";
import { MAX_BEHIND } from "../clock.js";
import { RequestError, TradingError } from "../errors.js";
import {
  acceptedUntil,
  type Intent,
  type Message,
  type Progress,
  progressText,
} from "../intent.js";
import { known } from "../minted.js";
import { type Method, methodsOf } from "../operation.js";
import { concluded, concludedRefused, isUnlisted } from "./conclusion.js";
import { settleDuplicate } from "./duplicate.js";
import { type Evidence, MAX_UNSEEN_SKEW } from "./evidence.js";
import * as leftOpen from "./left_open.js";
import { Lists, OutOfTime } from "./lists.js";
import { Looks } from "./looks.js";
import type { Settlement } from "./settlement.js";

/** Who cannot settle in so many looks has clocks or caches that cannot be relied on. */
const MAX_LOOKS = 20;
/** A service whose answers told no time in so many looks, one after another, tells none. */
const MAX_UNDATED = 2;

/**
 * What became of each message of a call, in their order. The error keeps how far it came.
 *
 * @param timeout How long to wait, in ms.
 * @throws {@link RequestError} The call was another account's, or another service's, or changed nothing.
 * @throws {@link TradingError} The histories cannot be read.
 */
export async function reconcile(
  caller: Caller,
  error: Reconcilable,
  timeout: number,
): Promise<readonly Settlement[]> {
  const intent = intentOf(caller, error);
  const kinds = intent.messages.map((each) => kindOf(caller, each));
  const [message, ...others] = intent.messages;
  const [kind] = kinds;
  // Of a batch a 409 does not say which key was used before.
  const isAlone = others.length === 0 && message !== undefined && kind !== undefined;
  if (isAlone && isDuplicate(error) && isUnlisted(kind) && message.clientId !== null) {
    return [settleDuplicate(message, kind.key, error)];
  }
  const reconciliation = new Reconciliation(caller, error, intent, kinds, timeout);
  try {
    // A 409 may speak of this very message, which was accepted when it seemed not to have been sent.
    const isFinal = !isDuplicate(error) || intent.messages.every((each) => each.clientId === null);
    if (isRefusal(error) && isFinal) return await reconciliation.settleRefused();
    const settlements = await reconciliation.settle();
    // Not after a refusal: most free their ids at once, and a 409 may speak of an earlier message with the id.
    const absent = settlements.filter(({ state }) => state === "not executed" && !isRefusal(error));
    caller.settings.uniqueIds?.free(
      intent.id,
      absent.map(({ clientId }) => clientId),
    );
    return settlements;
  } catch (failure) {
    const { progress } = reconciliation;
    if (failure instanceof TradingError && progress !== null) {
      failure.message += ` (${progressText(progress)}; ${leftOpen.GOES_ON})`;
    }
    throw failure;
  } finally {
    reconciliation.writeDown();
  }
}

/** The intent of a call, in which an id counts as minted if no other message is known to have it. */
export function intentOf(caller: Caller, error: Reconcilable): Intent {
  const { intent, operation } = withIntent(error);
  if (intent === null) {
    throw new RequestError(`${operation}: it changed nothing, so there is nothing to reconcile`);
  }
  const { baseUrl, account, uniqueIds } = caller.settings;
  if (intent.baseUrl !== baseUrl || intent.account !== (account ?? "")) {
    throw new RequestError(
      `${intent.operation} was sent to ${intent.baseUrl} for ${intent.account}: reconcile it with a ` +
        "client of that service and account",
    );
  }
  if (uniqueIds === null) return known(intent);
  const messages = intent.messages.map((each) => ({ ...each, minted: !each.sharesId }));
  return known({ ...intent, messages });
}

function kindOf(caller: Caller, message: Message): Method {
  const found = methodsOf(caller.settings.api).get(message.name);
  if (found !== undefined) return found;
  throw new RequestError(`${message.name} is no operation of this service`);
}

/** A call that is being reconciled: its messages, and the looks at the lists for them. */
class Reconciliation {
  readonly #caller: Caller;
  readonly #error: Reconcilable;
  readonly #intent: Intent;
  /** The operation or action of each message. */
  readonly #kinds: readonly Method[];
  readonly #lists: Lists;
  /** How far it came; null once it has ended. It begins where an earlier call ended. */
  progress: Progress | null;

  constructor(
    caller: Caller,
    error: Reconcilable,
    intent: Intent,
    kinds: readonly Method[],
    timeout: number,
  ) {
    this.#caller = caller;
    this.#error = error;
    this.#intent = intent;
    this.#kinds = kinds;
    this.#lists = new Lists(caller, intent.account, timeout, () => this.writeDown());
    this.progress = intent.progress;
  }

  /** Settle messages that the service may have accepted, or may still accept. */
  async settle(): Promise<readonly Settlement[]> {
    const looks = this.#looks({ idsAlone: false });
    let open: string;
    try {
      open = await this.#lookUntilSure(looks);
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      open = leftOpen.outOfTime(this.#limit(looks, error), error.message, this.progress);
    }
    if (!open) this.progress = null;
    const terms = { margin: this.#caller.settings.historyLag, leftOpen: open };
    return this.#each(looks, (message, kind, found) => concluded(message, kind, found, terms));
  }

  /** Settle messages that the service refused: at most an earlier message was executed. */
  async settleRefused(): Promise<readonly Settlement[]> {
    const looks = this.#looks({ idsAlone: true });
    let open = "";
    try {
      await looks.read(async () => false);
      this.progress = null;
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      open = leftOpen.soFar(this.#limit(looks, error), error.message, this.progress);
    }
    return this.#each(looks, (message, _, found) => concludedRefused(message, found, open));
  }

  /** Write into the journal how far it is. */
  writeDown(): void {
    this.#keep(this.progress);
    const { intent } = this.#error;
    if (intent !== null) this.#caller.settings.journal?.note(known(intent));
  }

  #each(
    looks: Looks,
    settle: (message: Message, kind: Method, found: Evidence | null) => Settlement,
  ): Settlement[] {
    const found = looks.evidence();
    return this.#intent.messages.map((message, place) =>
      settle(message, this.#kinds[place] as Method, found[place] ?? null),
    );
  }

  #looks({ idsAlone }: { readonly idsAlone: boolean }): Looks {
    const { clock, api } = this.#caller.settings;
    const { messages, timestamp } = this.#intent;
    const traces = this.#kinds.map(({ trace = null }, place) => {
      const isSought = idsAlone ? trace?.id !== undefined : !messages[place]?.sharesId;
      return isSought ? trace : null;
    });
    const sought = { messages, traces, lists: this.#lists, schema: api.schema };
    const looks = new Looks(sought, clock, timestamp, (progress) => this.#keep(progress));
    looks.resume(this.progress);
    return looks;
  }

  /** Look until what is still open has been seen twice as it is; else why it stays open. */
  async #lookUntilSure(looks: Looks): Promise<string> {
    const { clock } = this.#caller.settings;
    const lists = this.#lists;
    for (let number = 0, undated = 0; number < MAX_LOOKS; number += 1) {
      const due = this.#due(looks);
      if (number > 0 && !this.#isOpen(looks.evidence())) return "";
      // The latest answers may have shown that the service's clock was set meanwhile.
      const isLateEnough = looks.show(due) && (await clock.waitUntil(due + lists.age, 0));
      if (isLateEnough && (await looks.areWhole())) return "";
      undated = looks.dated ? 0 : undated + 1;
      if (undated === MAX_UNDATED || lists.age > MAX_AGE) break;
      if (number > 0 && !(await clock.waitUntil(due + lists.age, lists.timeLeft))) break;
      await looks.read(async (began) => {
        // It began too early to count, while it is late enough for one that does.
        return began !== null && began < due && (await clock.waitUntil(due, 0));
      });
    }
    return this.#whyOpen(looks);
  }

  #whyOpen(looks: Looks): string {
    const limit = this.#limit(looks);
    if (!looks.still) return leftOpen.clockWasSet(limit);
    if (this.#lists.age > MAX_AGE) return leftOpen.noAge(limit);
    const isTooFar = limit.skew !== null && limit.skew.floor < -MAX_BEHIND;
    return !looks.dated || isTooFar ? leftOpen.noTime(limit) : leftOpen.tooEarly(limit);
  }

  /** Whether a later look may change what becomes of any message. */
  #isOpen(found: readonly (Evidence | null)[]): boolean {
    return found.some((each, place) => {
      return each !== null && !each.settled && !isUnlisted(this.#kinds[place] as Method);
    });
  }

  /** When absence has a meaning, by the service's clock: then lists show all that was done. */
  #due(looks: Looks): number {
    const until = acceptedUntil(this.#intent);
    // A change may be another message's, and later than this one can be. No time is believed blindly.
    const done = looks.changes.map((each) => Math.min(until + MAX_UNSEEN_SKEW, each ?? until));
    return Math.max(...(done.length > 0 ? done : [until])) + this.#caller.settings.historyLag;
  }

  #limit(looks: Looks, outOfTime?: OutOfTime): leftOpen.Limit {
    const { clock } = this.#caller.settings;
    const now = clock.environment.now();
    return {
      until: acceptedUntil(this.#intent),
      skew: clock.skew,
      again: outOfTime ? now + outOfTime.ms : clock.certainlyAt(this.#due(looks) + this.#lists.age),
      now,
    };
  }

  /** Keep in the error how far it is. */
  #keep(progress: Progress | null): void {
    this.progress = progress;
    // Not in `#intent`, in which ids count as made here because the user of this client promised it.
    const { intent } = this.#error;
    if (intent !== null) this.#error.intent = { ...intent, progress };
  }
}
