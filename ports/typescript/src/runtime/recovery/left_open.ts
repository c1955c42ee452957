/** Why a message stays unsettled though a list may show it, and what to do then. Words alone, no I/O. */

import { type Skew, TELL } from "../clock.js";
import { type Progress, progressText } from "../intent.js";

export const GOES_ON = "client.reconcile(error) goes on from there";
const AGAIN = "call client.reconcile(error) again";
const BY_HAND =
  "calling client.reconcile(error) again does not help while that is so; after that time, look for it " +
  "in the histories yourself";

/** When, by which clock, a message is accepted no longer, and may be looked for again. */
export interface Limit {
  /** By the service's clock, in ms. */
  readonly until: number;
  readonly skew: Skew | null;
  /** When another call may find out more, by this machine's clock, in ms. */
  readonly again: number;
  /** The time of this machine, in ms. */
  readonly now: number;
}

/** The time for looking is up, and what took so long, if that is known. */
export function outOfTime(limit: Limit, why: string, progress: Progress | null): string {
  return `${soFar(limit, why, progress)}; ${accepted(limit)}`;
}

/** Nothing is wrong, but absence has no meaning yet. */
export function tooEarly(limit: Limit): string {
  return `; ${accepted(limit)}; ${AGAIN}${when(limit)}`;
}

/** This machine's clock was set while it was looked for. */
export function clockWasSet(limit: Limit): string {
  return `; this machine's clock was set meanwhile${tooEarly({ ...limit, skew: null })}`;
}

/** No answer told the time of the service. */
export function noTime(limit: Limit): string {
  const problem = "no answer told the service's time (the Date of its answers is missing or wrong)";
  return `; ${problem}, so absence tells nothing; ${accepted(limit)}; ${BY_HAND}`;
}

/** No page tells what time it shows. */
export function noAge(limit: Limit): string {
  const problem = "a cache gives pages whose Age cannot be read, or is more than a day";
  return `; ${problem}, so absence tells nothing; ${accepted(limit)}; ${BY_HAND}`;
}

/** How far the looks came, and when to go on. */
export function soFar(limit: Limit, why: string, progress: Progress | null): string {
  const came = progress
    ? `${progressText(progress)}; ${GOES_ON}; call it`
    : `nothing was read yet; ${AGAIN}`;
  return `; ${why && `${why}; `}${came}${when(limit)}`;
}

function accepted({ until, skew }: Limit): string {
  return `the service can accept it until ${until} ms (${utc(until)})${whose(skew)}`;
}

function utc(time: number): string {
  const moment = new Date(time);
  if (Number.isNaN(moment.getTime())) return "in a year that no calendar has";
  return `${moment.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** When to call again. Both in seconds and as a time, for it may be read at once or in a log. */
function when({ again, now }: Limit): string {
  const seconds = Math.ceil((again - now) / 1000);
  if (seconds <= 0) return "";
  return ` in ${seconds} s, at ${utc(now + seconds * 1000 + 999)} by this machine's clock`;
}

function whose(skew: Skew | null): string {
  if (skew === null) return "";
  if (!skew.isTold) return onceBehind(skew.lowest);
  const where = skew.middle > 0 ? "ahead of" : "behind";
  const seconds = Math.round(Math.abs(skew.middle) / 1000);
  return ` by its clock, which is ${seconds} s ${where} this machine's`;
}

/** Answers contradict each other, and the latest one agrees with this machine's clock. */
function onceBehind(lowest: number | null): string {
  if (lowest === null || lowest >= -TELL) return "";
  const seconds = Math.round(-lowest / 1000);
  return ` by its clock, which an answer told to be ${seconds} s behind this machine's`;
}
