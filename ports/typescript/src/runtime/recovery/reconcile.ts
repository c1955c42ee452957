/**
 * Finds out from the service's histories what became of a call. It sends nothing again.
 *
 * A message that no history shows may still be accepted until it expires, and a history may show it later
 * than that. So `reconcile` reads the histories, waits until both are over, and reads them twice. Whatever
 * rests on the absence of a record comes from those two readings.
 */

import type { Caller } from "../call/caller.js";
import {
  isDuplicate,
  isRefusal,
  ownIntent,
  type Reconcilable,
  withIntent,
} from "../call/failures.js";
import { MAX_BEHIND } from "../clock.js";
import { RequestError, TradingError } from "../errors.js";
import { acceptedUntil, type Intent, known, type Message } from "../intent.js";
import { type Method, methodsOf } from "../operation.js";
import { type Evidence, MAX_UNSEEN_SKEW } from "./evidence.js";
import { HistoryScan, Looks } from "./history_scan.js";
import { Lists, MAX_AGE, OutOfTime } from "./lists.js";
import {
  clockWasSet,
  concluded,
  concludedRefused,
  GOES_ON,
  isUnlisted,
  type Limit,
  noAge,
  noTime,
  outOfTime,
  type Settlement,
  settleDuplicate,
  soFar,
  tooEarly,
} from "./settlement.js";

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
  // A 409 may speak of this very message, which was accepted when it seemed not to have been sent.
  const isFinal = !isDuplicate(error) || intent.messages.every((each) => each.clientId === null);
  const isRefused = isRefusal(error) && isFinal;
  const looks = looksOf(error, intent, kinds, { idsAlone: isRefused });
  const reconciliation = new Reconciliation(caller, error, intent, kinds, looks, timeout);
  try {
    const settlements = await (isRefused
      ? reconciliation.settleRefused()
      : reconciliation.settle());
    // Not after a refusal: most free their ids at once, and a 409 may speak of an earlier message with the id.
    const absent = settlements.filter(({ state }) => state === "not executed" && !isRefusal(error));
    caller.settings.uniqueIds?.free(
      intent.id,
      absent.map(({ clientId }) => clientId),
    );
    return settlements;
  } catch (failure) {
    if (!(failure instanceof TradingError)) error.progress = null;
    else if (error.progress !== null) failure.message += ` (${error.progress}; ${GOES_ON})`;
    throw failure;
  } finally {
    error.looks = error.progress === null ? null : looks;
  }
}

/** The intent of a call, in which an id counts as minted if no other message is known to have it. */
export function intentOf(caller: Caller, error: Reconcilable): Intent {
  const intent = ownIntent(withIntent(error), caller.settings, "reconcile");
  if (caller.settings.uniqueIds === null) return known(intent);
  const messages = intent.messages.map((each) => ({ ...each, minted: !each.sharesId }));
  return known({ ...intent, messages });
}

function kindOf(caller: Caller, message: Message): Method {
  const found = methodsOf(caller.settings.api).get(message.name);
  if (found !== undefined) return found;
  throw new RequestError(`${message.name} is no operation of this service`);
}

/**
 * The looks of an earlier call, or new ones.
 *
 * The error has none while they are under way, so that whoever reconciles it meanwhile begins looks of its own.
 */
function looksOf(
  error: Reconcilable,
  { messages }: Intent,
  kinds: readonly Method[],
  { idsAlone }: { readonly idsAlone: boolean },
): Looks {
  const traces = kinds.map(({ trace = null }, place) => {
    const isSought = idsAlone ? trace?.id !== undefined : !messages[place]?.sharesId;
    return isSought ? trace : null;
  });
  const kept = error.looks;
  error.looks = null;
  if (kept instanceof Looks && kept.areFor(messages, traces)) {
    kept.goOn();
    return kept;
  }
  error.progress = null;
  return new Looks(messages, traces);
}

/** A call that is being reconciled: its messages, and the looks at the lists for them. */
class Reconciliation {
  readonly #caller: Caller;
  readonly #error: Reconcilable;
  readonly #intent: Intent;
  /** The operation or action of each message. */
  readonly #kinds: readonly Method[];
  readonly #looks: Looks;
  readonly #lists: Lists;
  readonly #scan: HistoryScan;

  constructor(
    caller: Caller,
    error: Reconcilable,
    intent: Intent,
    kinds: readonly Method[],
    looks: Looks,
    timeout: number,
  ) {
    this.#caller = caller;
    this.#error = error;
    this.#intent = intent;
    this.#kinds = kinds;
    this.#looks = looks;
    this.#lists = new Lists(caller, intent.account, timeout);
    const { settings } = caller;
    this.#scan = new HistoryScan(looks, this.#lists, settings, intent.timestamp, (progress) => {
      error.progress = progress;
    });
  }

  /** Settle messages that the service may have accepted, or may still accept. */
  async settle(): Promise<readonly Settlement[]> {
    let leftOpen: string;
    try {
      leftOpen = await this.#lookUntilSure();
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      leftOpen = outOfTime(this.#limit(error), error.message, this.#error.progress);
    }
    if (!leftOpen) this.#error.progress = null;
    const terms = { margin: this.#caller.settings.historyLag, leftOpen };
    return this.#each((message, kind, found) => concluded(message, kind, found, terms));
  }

  /** Settle messages that the service refused: at most an earlier message was executed. */
  async settleRefused(): Promise<readonly Settlement[]> {
    let leftOpen = "";
    try {
      await this.#scan.read(async () => false);
      this.#error.progress = null;
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      leftOpen = soFar(this.#limit(error), error.message, this.#error.progress);
    }
    return this.#each((message, _, found) => concludedRefused(message, found, leftOpen));
  }

  #each(
    settle: (message: Message, kind: Method, found: Evidence | null) => Settlement,
  ): Settlement[] {
    const found = this.#looks.evidence();
    return this.#intent.messages.map((message, place) =>
      settle(message, this.#kinds[place] as Method, found[place] ?? null),
    );
  }

  /** Look until what is still open has been seen twice as it is; else why it stays open. */
  async #lookUntilSure(): Promise<string> {
    const { clock } = this.#caller.settings;
    const looks = this.#looks;
    const scan = this.#scan;
    const lists = this.#lists;
    for (let number = 0, undated = 0; number < MAX_LOOKS; number += 1) {
      const due = this.#due();
      if (number > 0 && !this.#isOpen(looks.evidence())) return "";
      // The latest answers may have shown that the service's clock was set meanwhile.
      const isLateEnough = looks.show(due) && (await clock.waitUntil(due + lists.age, 0));
      if (isLateEnough && (await scan.areWhole())) return "";
      undated = scan.dated ? 0 : undated + 1;
      if (undated === MAX_UNDATED || lists.age > MAX_AGE) break;
      if (number > 0 && !(await clock.waitUntil(due + lists.age, lists.timeLeft))) break;
      await scan.read(async (began) => {
        // It began too early to count, while it is late enough for one that does.
        return began !== null && began < due && (await clock.waitUntil(due, 0));
      });
    }
    return this.#whyOpen();
  }

  #whyOpen(): string {
    const limit = this.#limit();
    if (!this.#scan.still) return clockWasSet(limit);
    if (this.#lists.age > MAX_AGE) return noAge(limit);
    const isTooFar = limit.skew !== null && limit.skew.floor < -MAX_BEHIND;
    return !this.#scan.dated || isTooFar ? noTime(limit) : tooEarly(limit);
  }

  /** Whether a later look may change what becomes of any message. */
  #isOpen(found: readonly (Evidence | null)[]): boolean {
    return found.some((each, place) => {
      return each !== null && !each.settled && !isUnlisted(this.#kinds[place] as Method);
    });
  }

  /** When absence has a meaning, by the service's clock: then lists show all that was done. */
  #due(): number {
    const until = acceptedUntil(this.#intent);
    // A change may be another message's, and later than this one can be. No time is believed blindly.
    const done = this.#looks.changes.map((each) =>
      Math.min(until + MAX_UNSEEN_SKEW, each ?? until),
    );
    return Math.max(...(done.length > 0 ? done : [until])) + this.#caller.settings.historyLag;
  }

  #limit(ended?: OutOfTime): Limit {
    const { clock } = this.#caller.settings;
    const now = clock.environment.now();
    return {
      until: acceptedUntil(this.#intent),
      skew: clock.skew,
      again: ended ? now + ended.ms : clock.certainlyAt(this.#due() + this.#lists.age),
      now,
    };
  }
}
