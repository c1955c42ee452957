/**
 * The rate limit, as the headers of an answer tell it: the credits that are left, and how long to wait.
 *
 * The headers are those of the IETF's draft "RateLimit header fields for HTTP", like `ratelimit:
 * "name";r=1200;t=32` and `ratelimit-policy: "name";q=1250;w=60`, and `Retry-After`.
 */

import { dateMs } from "./clock.js";
import type { Decimal } from "./codec/decimals.js";
import type { RateHeaders } from "./operation.js";
import type { Headers } from "./platform.js";

const RATE_HEADERS: RateHeaders = { budget: "ratelimit", policy: "ratelimit-policy" };
const ITEM = /^\s*"[^"]*"((?:\s*;\s*[a-z]+\s*=\s*[0-9]{1,12}(?=\s*(?:[;,]|$)))+)/;
const SECONDS = /^[0-9]+(\.[0-9]+)?([eE][0-9]+)?$/;

/** The budget of a rate-limit class, in credits, as of one answer. */
export interface RateBudget {
  /** Credits that are left. */
  readonly remaining: Decimal;
  /** Seconds from that answer until the budget is whole again. */
  readonly resetsIn: number | null;
  /** Credits of a whole window. */
  readonly quota: Decimal | null;
  /** Length of a window, in seconds. */
  readonly window: number | null;
}

/** The parameters of the first item of a header that is a structured list. */
function parameters(headers: Headers | null, name: string): ReadonlyMap<string, number> {
  const item = ITEM.exec(headers?.get(name) ?? "")?.[1] ?? "";
  const found = item.matchAll(/([a-z]+)\s*=\s*([0-9]+)/g);
  return new Map([...found].map(([, name = "", value]) => [name, Number(value)]));
}

/** What the answers to a client say of the rate limit. */
export class RateLimit {
  readonly #scale: number;
  readonly #names: RateHeaders;
  /** The headers of the latest answer that told the budget. */
  latest: Headers | null = null;

  constructor(scale: number, names: RateHeaders = RATE_HEADERS) {
    this.#scale = scale;
    this.#names = names;
  }

  /** Keep the headers of an answer, if it tells the budget. */
  observe(headers: Headers): void {
    if (headers.has(this.#names.budget)) this.latest = headers;
  }

  /** The budget as of one answer, or as of the latest one that told it; null if none does. */
  budget(headers: Headers | null = this.latest): RateBudget | null {
    const budget = parameters(headers, this.#names.budget);
    const policy = parameters(headers, this.#names.policy);
    const credits = (scaled: number | undefined) =>
      scaled === undefined ? null : (String(scaled / this.#scale) as Decimal);
    const remaining = credits(budget.get("r"));
    if (remaining === null) return null;
    const resetsIn = budget.get("t") ?? null;
    return {
      remaining,
      resetsIn,
      quota: credits(policy.get("q")),
      window: policy.get("w") ?? null,
    };
  }

  /** How long an answer asks to wait, in ms; null if it does not, or in no known form. */
  askedWait(headers: Headers, now: number, isLimited: boolean): number | null {
    const text = headers.get("retry-after")?.trim() ?? "";
    if (SECONDS.test(text)) return Number(text) * 1000;
    const until = dateMs(text);
    if (until !== null) return Math.max(0, until - (dateMs(headers.get("date")) ?? now));
    const reset = parameters(headers, this.#names.budget).get("t");
    return isLimited && reset !== undefined ? reset * 1000 : null;
  }
}
