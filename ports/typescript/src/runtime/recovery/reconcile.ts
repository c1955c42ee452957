/**
 * Finds out from the service's lists what became of the messages of a call. It sends nothing again.
 *
 * A message can be accepted until it expires, and listed `historyLag` later. Whatever rests on the absence of a record
 * comes from two whole readings of the lists that began after both, by the service's clock and by this machine's. The
 * state of an order that was ended comes from two readings, the second a lag after the first: what took its place may be
 * listed late.
 *
 * A refusal takes the same path, because a hop may have sent the message twice, and this be the answer to the second copy.
 */

import type { Caller } from "../call/caller.js";
import {
  failureText,
  isRefusal,
  ownIntent,
  type Reconcilable,
  refusedActions,
} from "../call/failures.js";
import { BOUND, type Clock, UNDATED } from "../clock.js";
import { letters } from "../codec/values.js";
import {
  type ApiError,
  BadRequestError,
  type OutcomeUnknownError,
  RequestError,
  TradingError,
} from "../errors.js";
import { acceptedUntil, type Intent, LOOK, type Message, NEVER } from "../intent.js";
import { type Method, methodsOf } from "../operation.js";
import { type Evidence, evidence, Search, type Signing, textOf } from "./evidence.js";
import { Lists, OutOfTime, type Reading } from "./lists.js";
import type { Settlement } from "./settlement.js";

/** Five minutes: this machine's clock and a `Date` that contradict each other by more prove nothing. */
const CONTRADICTION = 300_000;
const MAX_READINGS = 20;
/** Readings on which absence rests. */
const LATE = 2;
/** A `Date` is cut off to whole seconds, so that the next one may show less. */
const SECOND = 1_000;
const [SHORTEST_PAUSE, LONGEST_PAUSE] = [500, 64_000];
const NO_TIME = "no answer tells the service's time for certain";
const BY_KEY =
  "The service refuses a key only after it accepted a message with it, and no other message has this key.";
const SHARED_ID =
  "two messages of the batch have its id, so no list shows which one made a record; look at the orders " +
  "with that id yourself";
const SAME_KEY = "client.resend(error) sends it again with the same idempotency key, which is safe";
const GOES_ON = "client.reconcile(error) goes on from there";

/**
 * What became of each message of a call, or of each action that failed, in their order. The error keeps how far it came.
 *
 * @param timeout How long to wait, in ms.
 * @throws {@link RequestError} The call was another account's, or another service's, or changed nothing.
 * @throws {@link TradingError} A list cannot be read.
 */
export async function reconcile(
  caller: Caller,
  error: Reconcilable,
  timeout: number,
): Promise<readonly Settlement[]> {
  const intent = ownIntent(error, caller.settings, "reconcile");
  const subjects = [...refusedActions(error, intent.messages.length)].map(([place, refusal]) =>
    subjectOf(caller, intent.messages[place] as Message, refusal),
  );
  // Not there while it is under way, so that another call begins readings of its own.
  const kept = error.looks instanceof Scan ? error.looks : null;
  error.looks = null;
  error.progress = null;
  const unsized = kept?.unsized ?? new Set<string>();
  const lists = new Lists(caller, intent.account, timeout, unsized);
  const scan = kept ?? new Scan(intent, subjects, lists, unsized);
  let problem: string;
  try {
    problem = await scan.look(lists);
  } catch (why) {
    if (!(why instanceof OutOfTime || why instanceof TradingError)) throw why;
    error.looks = scan;
    error.progress = String(scan);
    if (why instanceof TradingError) {
      why.message += ` (${scan}; ${GOES_ON})`;
      throw why;
    }
    problem = `${why.message}; ${scan}; ${GOES_ON}`;
  }
  const lag = caller.settings.historyLag / 1_000;
  return subjects.map((each, place) => settled(each, scan.searches[place] ?? null, lag, problem));
}

/** One message that is reconciled. */
interface Subject {
  readonly message: Message;
  readonly kind: Method;
  /** How its call ended, or what its action was refused with. */
  readonly refusal: OutcomeUnknownError | ApiError;
  /** Whether the service said something of its idempotency key, which no list shows. */
  readonly isRefusedKey: boolean;
}

function subjectOf(caller: Caller, message: Message, refusal: Subject["refusal"]): Subject {
  const kind = methodsOf(caller.settings.api).get(message.name);
  if (kind === undefined) {
    throw new RequestError(`${message.name} is no operation of this service`);
  }
  const hasKey = isUnlisted(kind) && message.clientId !== null;
  return { message, kind, refusal, isRefusedKey: hasKey && refusal.isDuplicate };
}

/** What looks for a message; null where no list shows anything of it. */
function searchFor(subject: Subject, intent: Intent, lists: Lists): Search | null {
  const { message, kind, refusal, isRefusedKey } = subject;
  const { trace } = kind;
  if (trace === undefined || message.sharesId || isRefusedKey) return null;
  // What changes such records says where the time of their last change stands.
  const kinds = [...methodsOf(lists.caller.settings.api).values()];
  const [changedAt = null] = [trace, ...kinds.map((each) => each.trace)].flatMap((each) =>
    each?.target && each.lists.some((name) => trace.lists.includes(name))
      ? [each.target.changedAt]
      : [],
  );
  const shape = lists.shape(trace);
  const sought = { message, trace, isDuplicate: refusal.isDuplicate, changedAt, ...shape };
  const isCertain = intent.skew === null ? false : null;
  return new Search(sought, { since: intent.timestamp - UNDATED, isCertain });
}

/** The settlement of a message, from what the lists show of it, and why more cannot be said. */
function settled(
  subject: Subject,
  search: Search | null,
  lag: number,
  problem: string,
): Settlement {
  const { message, kind, refusal } = subject;
  let found = search === null ? unlisted(subject) : search.evidence();
  if (search !== null && problem && !search.isSettled) {
    found = evidence("unsettled", `${found.reason}; ${problem}`, found.records);
  }
  const hasKey = search !== null && isUnlisted(kind) && message.clientId !== null;
  const refused = isRefusal(refusal) ? "the service refused it; " : "";
  const byAbsence =
    `Two readings of the lists, ${lag} s after the service could accept the message no longer: by then ` +
    "they show all that it did.";
  return {
    operation: message.name,
    clientId: message.clientId,
    state: found.state,
    reason: `${refused}${found.reason}${hasKey ? `; ${SAME_KEY}` : ""}`,
    records: found.records,
    restsOn: found.state === "unsettled" ? "" : found.restsOn || byAbsence,
  };
}

/** What is known of a message that no list shows. */
function unlisted({ message, kind, refusal, isRefusedKey }: Subject): Evidence {
  if (message.sharesId) return evidence("unsettled", SHARED_ID);
  if (isRefusedKey) return usedKey(message, kind.key, failureText(refusal));
  const isSafe = kind.retry === "idempotent";
  const advice = isSafe ? "it can be sent again: repeating it changes nothing more" : LOOK;
  return evidence("unsettled", `${NEVER}; ${advice}`);
}

/** A time, by the monotonic clock and by this machine's, in ms. */
type Moment = Pick<Reading, "monotonic" | "local">;

/** The readings for one call: what they show, and how far they are. */
class Scan {
  readonly searches: readonly (Search | null)[];
  /** The lists that refuse the size of a page, or may have cut one short. */
  readonly unsized: Set<string>;
  readonly #intent: Intent;
  /** Of readings that were begun. */
  #number = 0;
  /** How far the service's clock is ahead of the monotonic one, in ms, as each page told that no other clock contradicts. */
  #told: number[] = [];
  /** The whole readings that told the service's time. */
  #dated: Reading[] = [];
  /** How many of them began when the lists showed all that can have been done. */
  #late = 0;
  /** The one that is under way. */
  #reading: Reading | null = null;
  /** Whether the next reading may tell the service's time, because some answer did, or a cache gave a page. */
  #mayBeTold = false;

  constructor(intent: Intent, subjects: readonly Subject[], lists: Lists, unsized: Set<string>) {
    this.#intent = intent;
    this.searches = subjects.map((each) => searchFor(each, intent, lists));
    this.unsized = unsized;
  }

  toString(): string {
    return this.#reading === null ? `${this.#number} readings` : String(this.#reading);
  }

  /**
   * Read until nothing is open; else why it stays open.
   *
   * @throws {@link OutOfTime} It is not done; another call goes on from here. So does one after a TradingError.
   */
  async look(lists: Lists): Promise<string> {
    const { clock } = lists;
    const { historyLag } = lists.caller.settings;
    let pause = SECOND;
    for (let number = 0; number < MAX_READINGS; number += 1) {
      let open = this.searches.filter(
        (each) => each !== null && !this.#isSettled(each),
      ) as Search[];
      if (open.length === 0) return "";
      const late = this.#late;
      const isDated = await this.#read(lists, open);
      open = open.filter((each) => !this.#isSettled(each));
      const changes = open.filter((each) => each.shown.length > 0);
      const waits = changes.map(
        (each) => each.shownAt + historyLag - clock.environment.monotonic(),
      );
      if (isDated && this.#late < LATE) {
        const now = { monotonic: clock.environment.monotonic(), local: clock.environment.now() };
        waits.push(this.#missing(lists, now) + SECOND);
      }
      if (open.length === 0 || (late < this.#late && this.#late < LATE)) continue;
      if (waits.length > 0) {
        const ms = Math.max(SHORTEST_PAUSE, Math.min(...waits));
        await lists.wait(ms, "the service may accept it still, or list it later");
      } else if (pause > (this.#mayBeTold ? LONGEST_PAUSE : SECOND)) {
        return `${NO_TIME}, so absence has no meaning`;
      } else {
        await lists.wait(pause, NO_TIME);
        pause *= 2;
      }
    }
    return "the clocks or the lists cannot be relied on, so absence has no meaning";
  }

  #isSettled(search: Search): boolean {
    const isAbsent = this.#late >= LATE && search.shown.length === 0;
    if (search.wasRead && (isAbsent || search.evidence().isFinal)) search.isSettled = true;
    return search.isSettled;
  }

  /** Read the lists once, or go on with the reading that ran out of time; whether its time is known. */
  async #read(lists: Lists, open: readonly Search[]): Promise<boolean> {
    const wasBegun = this.#reading !== null;
    if (!wasBegun) this.#number += 1;
    const reading = this.#reading ?? lists.begin(this.#number, open);
    this.#reading = reading;
    try {
      await lists.read(reading, open);
    } catch (error) {
      if (!(error instanceof BadRequestError) || !wasBegun) throw error;
      this.#reading = null; // the cursor that an earlier call left has expired
      return this.#dated.length > 0;
    }
    this.#reading = null;
    const isDated = this.#takeTime(lists, reading);
    for (const each of open) {
      each.signing = this.#signing(lists.clock, reading);
      each.wasRead = true;
      const { state, isFinal, records } = each.evidence();
      const isOpen = state === "executed" && !isFinal;
      const isSame = records.map(textOf).join() === each.shown.map(textOf).join();
      if (isOpen && isSame) {
        const ms = reading.monotonic - each.shownAt;
        each.isSettled = ms >= lists.caller.settings.historyLag && !reading.isAged;
      } else {
        each.shown = isOpen ? records : [];
        each.shownAt = reading.monotonic;
      }
    }
    return isDated;
  }

  /**
   * Learn the service's time from a reading; whether it told one that no other clock contradicts.
   *
   * The least of all counts, so that wrong `Date`s beside a right one shorten no wait.
   */
  #takeTime(lists: Lists, reading: Reading): boolean {
    const { clock } = lists;
    this.#mayBeTold = reading.isAged || clock.offset !== null;
    const local = reading.local - Math.round(reading.monotonic);
    // A machine that signs the service's time may have any time of its own.
    const other = clock.name === "server" ? (clock.offset ?? local) : local;
    const told = [...this.#told, ...reading.offsets].filter((each) => each !== null);
    this.#told = told.filter((each) => Math.abs(each - other) <= CONTRADICTION);
    const known = new Set<number | null>(this.#told);
    this.#dated = [...this.#dated, reading].filter(({ offset }) => known.has(offset));
    this.#late = this.#dated.filter((each) => this.#missing(lists, each) <= 0).length;
    return this.#dated.includes(reading);
  }

  /** When the messages were signed, by the service's clock. It is certain if each page tells the same. */
  #signing({ offset, environment }: Clock, reading: Reading): Signing {
    const { timestamp, skew } = this.#intent;
    const local = environment.now() - Math.round(environment.monotonic());
    const bearsOut = (each: number | null, ahead: number) =>
      each !== null && Math.abs(each - local - ahead) <= 2 * BOUND;
    if (skew !== null && reading.offsets.every((each) => bearsOut(each, skew))) {
      // What pages tell bears it out, and no more: this machine's clock may have been set since.
      return { since: timestamp + skew - BOUND, isCertain: true };
    }
    const told = this.#told.length > 0 ? this.#told : [offset].filter((each) => each !== null);
    const known = [...told.map((each) => each - local), ...(skew === null ? [] : [skew])];
    const ahead = known.length > 0 ? Math.min(...known) : -UNDATED;
    return { since: timestamp + ahead - BOUND, isCertain: false };
  }

  /** How long after a time absence gets a meaning, in ms. */
  #missing({ clock, caller }: Lists, { monotonic, local }: Moment): number {
    const due = acceptedUntil(this.#intent) + caller.settings.historyLag;
    const byService = due + BOUND - Math.round(monotonic) - Math.min(...this.#told);
    // One wrong `Date` is not enough: this machine's clock must have passed the time, too.
    return clock.name === "server" ? byService : Math.max(byService, due - local);
  }
}

/** Whether lists show what an operation does, but not which message did it: they settle nothing. */
export function isUnlisted({ trace }: Method): boolean {
  return trace !== undefined && trace.id === undefined && trace.target === undefined;
}

/**
 * What a refusal shows that speaks of the key of a message, which is at a path like `idempotency_key`.
 *
 * Any text but that of a used key, for example that a request with the key is in progress, settles nothing:
 * `409: Duplicate Idempotency-Key: KEY was used ...`.
 */
export function usedKey(
  { minted, clientId }: Message,
  path: string | undefined,
  words: string,
): Evidence {
  const key = letters(clientId ?? "");
  const said = new RegExp(
    `^\\d+(code\\d+)?duplicate${letters(path ?? "")}(${key})?(wasused.*)?$`,
    "u",
  );
  const answered = `the service answered "${words}"`;
  const isUsed = said.test(letters(words));
  if (minted && isUsed) {
    const meaning = "it accepted a message with this idempotency key before";
    return evidence("executed", `${answered}: ${meaning}`, [], { restsOn: BY_KEY });
  }
  const meaning = isUsed
    ? "you gave the key, and perhaps to another message; if not, this one was executed"
    : "that does not say that its idempotency key was used before, and settles nothing";
  return evidence("unsettled", `${answered}: ${meaning}`);
}
