/** Pages of lists in. */

import { DecodeError } from "../errors.js";
import type { ListOperation, Schema, Type } from "../operation.js";
import { Page } from "../pages.js";
import { EnvelopeReader, REFUSED } from "./answers.js";
import { structure } from "./decoder.js";
import { opened } from "./envelopes.js";
import { isObject, type Parsed } from "./json.js";

/** The statuses of a page: OK, and what a proxy makes of it. Another 2xx announces a later answer, or is a part. */
const PAGES: readonly number[] = [200, 203];

/** Makes a stand-in for a record that cannot be read, from its JSON and from what is wrong with it. */
export type Instead<T> = (value: Parsed, why: string) => T;

/** Reads one page of a list. Without `instead`, one record that cannot be read makes it a DecodeError. */
export class PageReader<T> extends EnvelopeReader<Page<T>> {
  readonly #list: ListOperation<T>;
  /** Records before the page, where the cursor counts them. */
  readonly #start: number;
  readonly #instead: Instead<T> | undefined;

  constructor(
    operation: ListOperation<T>,
    schema: Schema,
    cursor: string | null,
    instead?: Instead<T>,
  ) {
    super(operation, schema);
    this.#list = operation;
    this.#start = operation.pagination.nextCursor ? 0 : Number(cursor ?? 0);
    this.#instead = instead;
  }

  override read(status: number, body: Uint8Array, contentType: string | null = null): Page<T> {
    if (Math.floor(status / 100) === 2 && !PAGES.includes(status)) {
      const reason = `a ${status} is no page of a list`;
      throw new DecodeError(this.operation.name, reason, { body, status, isJson: false });
    }
    return super.read(status, body, contentType);
  }

  protected override result(payload: Parsed): Page<T> | typeof REFUSED {
    const { failed } = opened(this.operation, this.schema, payload);
    if (failed) return REFUSED;
    if (this.#list.pagination.saysSuccess && isObject(payload) && !payload.has("success")) {
      throw new Error("required field missing @ $.success");
    }
    const { pagination } = this.#list;
    const items = this.#items(payload);
    if (!pagination.nextCursor) {
      // A short page need not be the last one: the service may cap its length.
      const following = items.length > 0 ? String(this.#start + items.length) : null;
      return new Page(items, following, items.length > 0);
    }
    const kind = pagination.integers ? "integer" : "string";
    const following = this.#at(payload, pagination.nextCursor, { kind, nullable: true });
    const cursor = following === null ? null : String(following);
    const hasMore = pagination.hasMore
      ? (this.#at(payload, pagination.hasMore, { kind: "boolean" }) as boolean)
      : Boolean(cursor);
    return new Page(items, cursor, hasMore);
  }

  /** The records of a page. */
  #items(payload: Parsed): T[] {
    const { items } = this.#list.pagination;
    const list: Type = { kind: "list", items: this.#list.result?.type as Type };
    try {
      return this.#at(payload, items, list) as T[];
    } catch (error) {
      const found = valueAt(payload, items.split("."));
      const instead = this.#instead;
      if (instead === undefined || !Array.isArray(found)) throw error;
      return found.map((each) => this.#item(each, list.items as Type, instead));
    }
  }

  #item(value: Parsed, type: Type, instead: Instead<T>): T {
    try {
      return structure(value, type, this.schema) as T;
    } catch (error) {
      return instead(value, (error as Error).message);
    }
  }

  /** The typed value at a path, like `data.items`. */
  #at(payload: Parsed, path: string, type: Type): unknown {
    const steps = path.split(".");
    const name = steps.pop() ?? "";
    return this.member(valueAt(payload, steps), name, type, ["$", ...steps].join("."));
  }
}

function valueAt(payload: Parsed, steps: readonly string[]): Parsed {
  return steps.reduce(
    (level, step) => (isObject(level) ? (level.get(step) ?? null) : null),
    payload,
  );
}
