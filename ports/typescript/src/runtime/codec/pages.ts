/** Pages of a list, and iterating over them (section 2.10). */

import { DecodeError, PaginationError } from "../errors.js";
import type { Asked, Field, ListOperation, Type } from "../operation.js";
import { isSuccess } from "../statuses.js";
import { envelopeReader, REFUSED, type Reader } from "./answers.js";
import { member, structure } from "./decoder.js";
import { opened } from "./envelopes.js";
import { isObject, type Parsed } from "./parser.js";

/**
 * One page: its items in the order of the service, and where the next page starts.
 *
 * A page without items may lead on: a service may filter what a page would hold.
 */
export class Page<T> implements Iterable<T> {
  readonly items: readonly T[];
  /** Hand it back unchanged to fetch the next page. null on the last page: then there is no next one. */
  readonly nextCursor: string | null;
  readonly hasMore: boolean;

  constructor(items: readonly T[], nextCursor: string | null, hasMore: boolean) {
    this.items = items;
    this.nextCursor = nextCursor === "" ? null : nextCursor; // an empty cursor ends a list like null
    this.hasMore = hasMore;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.items[Symbol.iterator]();
  }
}

/**
 * The items of all pages. Iterating fetches one page at a time; iterating again fetches again.
 *
 * Iterating throws a PaginationError where the service contradicts itself about the next page. The
 * items before it were yielded.
 */
export class Paginator<T> implements AsyncIterable<T> {
  readonly #fetch: (cursor: string | null) => Promise<Page<T>>;
  readonly #cursor: string | null;
  readonly #operation: string;

  constructor(
    fetch: (cursor: string | null) => Promise<Page<T>>,
    cursor: string | null,
    operation: string,
  ) {
    this.#fetch = fetch;
    this.#cursor = cursor;
    this.#operation = operation;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    for await (const page of this.pages()) yield* page.items;
  }

  /** Page by page; save a page's nextCursor to go on from there another time. */
  async *pages(): AsyncGenerator<Page<T>, void, void> {
    let cursor = this.#cursor;
    const seen = new Set([cursor]);
    do {
      const page = await this.#fetch(cursor);
      yield page;
      cursor = following(page, cursor, seen, this.#operation);
    } while (cursor !== null);
  }

  /** The first item, or null. Fetches no more pages than that takes. */
  async first(): Promise<T | null> {
    for await (const item of this) return item;
    return null;
  }

  /** All items, or the first `limit` of them. Fetches no more pages than that takes. */
  async toList(limit = Number.POSITIVE_INFINITY): Promise<T[]> {
    const found: T[] = [];
    if (limit <= 0) return found;
    for await (const item of this) if (found.push(item) >= limit) break;
    return found;
  }
}

/**
 * The cursor of the next page, which is noted among those `seen`; null after the last one.
 *
 * @throws {@link PaginationError} The page that came for `cursor` contradicts itself, or leads back.
 */
export function following(
  page: Page<unknown>,
  cursor: string | null,
  seen: Set<string | null>,
  operation: string,
): string | null {
  const next = page.nextCursor;
  if (!page.hasMore && next === null) return null;
  let problem = `the cursor '${next}' came a second time`;
  let resume = cursor;
  if (!page.hasMore) {
    // Either may be wrong, and an end that is none would hide what comes after it.
    problem = "has_more is false, but there is a next cursor";
    resume = next;
  } else if (next === null) {
    problem = "has_more is true, but there is no next cursor";
  } else if (!seen.has(next)) {
    seen.add(next);
    return next;
  }
  // Everything up to this cursor was yielded; items after it may be yielded again.
  const where = resume === null ? "start again without a cursor" : `cursor '${resume}'`;
  throw new PaginationError(`${operation}: ${problem}; to resume: ${where}`);
}

// -- pages in ----------------------------------------------------------------------

/** The statuses of a page: OK, and what a proxy makes of it. Another 2xx announces a later answer, or is a part. */
const PAGES: readonly number[] = [200, 203];

/** Makes a stand-in for a record that cannot be read, from its JSON and from what is wrong with it. */
export type Instead<T> = (value: Parsed, why: string) => T;

/**
 * Reads the page of a list at a cursor. Without `instead`, one record that cannot be read makes it a DecodeError.
 */
export function pageReader<T>(
  asked: Asked & { readonly operation: ListOperation<T> },
  cursor: string | null,
  instead?: Instead<T>,
): Reader<Page<T>> {
  const read = envelopeReader<Page<T>>(asked, (payload) => {
    const { pagination } = asked.operation;
    const { failed } = opened(asked, payload);
    if (failed) return REFUSED;
    if (pagination.saysSuccess && isObject(payload) && !payload.has("success")) {
      throw new Error("required field missing @ $.success");
    }
    const items = records(asked, payload, instead);
    const { nextCursor, hasMore } = pagination;
    if (!nextCursor) {
      // A short page need not be the last one: the service may cap its length.
      const following = Number(cursor ?? 0) + items.length;
      return new Page(items, items.length > 0 ? String(following) : null, items.length > 0);
    }
    const found = (name: string, type: Type, nullable: boolean) =>
      member(payload, { name, type, nullable, required: true }, asked.schema, "$");
    const next = found(nextCursor, { kind: "string" }, true) as string | null;
    const more = hasMore ? found(hasMore, { kind: "boolean" }, false) : Boolean(next);
    return new Page(items, next, more as boolean);
  });
  return (status, body, contentType) => {
    if (!isSuccess(status) || PAGES.includes(status)) return read(status, body, contentType);
    const reason = `a ${status} is no page of a list`;
    throw new DecodeError(asked.operation.name, reason, { body, status, isJson: false });
  };
}

/** The records of a page. */
function records<T>(
  { operation, schema }: Asked & { readonly operation: ListOperation<T> },
  payload: Parsed,
  instead?: Instead<T>,
): T[] {
  const items = operation.result?.type as Type;
  const { items: name } = operation.pagination;
  const list: Field = { name, type: { kind: "list", items }, required: true };
  try {
    return member(payload, list, schema, "$") as T[];
  } catch (error) {
    const found = isObject(payload) ? payload.get(name) : null;
    if (instead === undefined || !Array.isArray(found)) throw error;
    return found.map((each: Parsed) => {
      try {
        return structure(each, items, schema) as T;
      } catch (why) {
        return instead(each, (why as Error).message);
      }
    });
  }
}
