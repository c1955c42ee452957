/** What stands in the place of the network, the clock and chance. */

import type { Environment } from "../runtime/clock.js";
import { jsonText, type Writable } from "../runtime/codec/json_text.js";
import { TransportError, type TransportFault } from "../runtime/http/fault.js";
import type { Transport, TransportRequest, TransportResponse } from "../runtime/http/transport.js";
import { type Given, number, tagged, value } from "./values.js";

const NOW = 1748970123456;

/** An answer that a request meets. */
interface Answer {
  readonly status?: Given;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly fault?: TransportFault;
  readonly takes?: Given;
}

/** What a list shows from a time on. */
interface Shown {
  readonly from: Given;
  readonly records: readonly unknown[];
}

/** The script of a command. */
export class Script implements Environment, Transport {
  readonly requests: Writable[] = [];
  readonly slept: Writable[] = [];
  readonly #command: Given;
  readonly #answers: Answer[];
  readonly #ids: string[];
  #now: number;

  constructor(command: Given) {
    this.#command = command;
    this.#answers = [...((command.answers as Answer[] | undefined) ?? [])];
    this.#ids = [...((command.ids as string[] | undefined) ?? [])];
    this.#now = number(command.now, NOW);
  }

  readonly now = (): number => this.#now;
  readonly monotonic = (): number => this.#now;
  readonly random = (): number => number(this.#command.jitter, 1);

  readonly sleep = async (ms: number): Promise<void> => {
    this.slept.push({ $float: String(ms / 1000) });
    this.#now += Math.round(ms);
  };

  readonly uuid = (): string => {
    const found = this.#ids.shift();
    if (found === undefined) throw new Error("more ids were made than the command has");
    return found;
  };

  async send(
    request: TransportRequest,
    { timeout }: { readonly timeout: number },
  ): Promise<TransportResponse> {
    const { method, url, headers, body } = request;
    const path = url.slice(new URL(url).origin.length);
    this.requests.push({ method, path, headers, body });
    const answer = this.#answers.shift() ?? this.#page(url) ?? { fault: "maybe_sent" };
    const takes = number(answer.takes, 0);
    this.#now += Math.min(takes, Math.round(timeout));
    if (takes > timeout) throw new TransportError("maybe_sent", "the deadline passed");
    const status = number(answer.status, 0);
    const content = Uint8Array.from(Buffer.from(answer.body ?? "", "base64"));
    if (answer.fault !== undefined) {
      throw new TransportError(answer.fault, "as the script says", { body: content });
    }
    return { status, headers: new Headers(answer.headers), body: content };
  }

  close(): void {}

  /** A page of a list that the command has, as the service's time is. */
  #page(url: string): Answer | undefined {
    const { lists, ahead, date } = this.#command;
    if (lists === undefined) return undefined;
    const time = this.#now + number(ahead, 0);
    const { pathname, searchParams } = new URL(url);
    const name = this.operationAt(pathname);
    const {
      size,
      cap,
      shown = [],
    } = ((lists as Given)[name] ?? {}) as {
      readonly size?: Given;
      readonly cap?: Given;
      readonly shown?: readonly Shown[];
    };
    const now = shown.filter((each) => number(each.from, 0) <= time).at(-1)?.records ?? [];
    const start = Number(searchParams.get("cursor") ?? 0);
    const end = Math.min(now.length, start + number(cap ?? size, now.length));
    const limit = cap && searchParams.get("limit");
    // A service that caps its pages may take a short one for the last.
    const more = limit ? end - start === Number(limit) : end < now.length;
    const page = {
      success: true,
      data: value(now.slice(start, end)) as Writable,
      next_cursor: more ? String(end) : null,
      has_more: more,
    };
    const dated = new Date(Math.floor(time / 1000) * 1000).toUTCString();
    return {
      status: { $int: "200" },
      headers: {
        "Content-Type": "application/json",
        ...(date !== "none" && { Date: dated }),
      },
      body: Buffer.from(jsonText(page)).toString("base64"),
    };
  }

  /** The name of the operation at a path. */
  operationAt: (path: string) => string = () => "";

  /** What happened so far. */
  get record(): { readonly [name: string]: Writable } {
    return { requests: this.requests, slept: this.slept };
  }
}

/** The budget of a client in the words of the kit. */
export function budget(found: Given | null): Writable {
  if (found === null) return null;
  const { remaining, resetsIn, quota, window } = found;
  const credits = (each: unknown) => (each === null ? null : { $decimal: String(each) });
  return {
    remaining: credits(remaining),
    resets_in: tagged(resetsIn),
    quota: credits(quota),
    window: tagged(window),
  };
}
