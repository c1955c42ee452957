/** Pages of a list, and iterating over them (section 2.10). */

import { PaginationError } from "./errors.js";

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
    this.nextCursor = nextCursor;
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
  if (!page.hasMore && !next) return null;
  let problem = `the cursor '${next}' came a second time`;
  let resume = cursor;
  if (!page.hasMore) {
    // Either may be wrong, and an end that is none would hide what comes after it.
    problem = "has_more is false, but there is a next cursor";
    resume = next;
  } else if (!next) {
    problem = "has_more is true, but there is no next cursor";
  } else if (!seen.has(next)) {
    seen.add(next);
    return next;
  }
  // Everything up to this cursor was yielded; items after it may be yielded again.
  const where = resume === null ? "start again without a cursor" : `cursor '${resume}'`;
  throw new PaginationError(`${operation}: ${problem}; to resume: ${where}`);
}
