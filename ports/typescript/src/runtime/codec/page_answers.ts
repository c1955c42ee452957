/** Pages of lists in. */

import type { ListOperation, Schema, Type } from "../operation.js";
import { Page } from "../pages.js";
import { EnvelopeReader, REFUSED } from "./answers.js";
import { opened } from "./envelopes.js";
import { isObject, type Parsed } from "./json.js";

/** Reads one page of a list. */
export class PageReader<T> extends EnvelopeReader<Page<T>> {
  readonly #list: ListOperation<T>;
  /** Records before the page, where the cursor counts them. */
  readonly #start: number;

  constructor(operation: ListOperation<T>, schema: Schema, cursor: string | null) {
    super(operation, schema);
    this.#list = operation;
    this.#start = operation.pagination.nextCursor ? 0 : Number(cursor ?? 0);
  }

  protected override result(payload: Parsed): Page<T> | typeof REFUSED {
    const { failed } = opened(this.operation, this.schema, payload);
    if (failed) return REFUSED;
    if (this.#list.pagination.saysSuccess && isObject(payload) && !payload.has("success")) {
      throw new Error("required field missing @ $.success");
    }
    const { pagination, result } = this.#list;
    const list: Type = { kind: "list", items: result?.type as Type };
    const items = this.#at(payload, pagination.items, list) as T[];
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

  /** The typed value at a path, like `data.items`. */
  #at(payload: Parsed, path: string, type: Type): unknown {
    const steps = path.split(".");
    const name = steps.pop() ?? "";
    let level = payload;
    for (const step of steps) level = isObject(level) ? (level.get(step) ?? null) : null;
    return this.member(level, name, type, ["$", ...steps].join("."));
  }
}
