/** The retry quota: it keeps retries from becoming a storm. */

/** What a retry takes and a success restores, in tenths of a retry. */
const RETRY = 10;
const SUCCESS = 1;

/**
 * A token bucket that all calls of a client share: a retry takes a token, a success a tenth back.
 *
 * A service that fails for everybody thus sees few more requests than calls.
 */
export class RetryQuota {
  readonly #size: number;
  #spent = 0;

  /** Begin with a full bucket. */
  constructor(size: number) {
    this.#size = size;
  }

  /** How many retries it allows now. */
  get left(): number {
    return this.#size - Math.ceil(this.#spent / RETRY);
  }

  /** Take a token for a retry. */
  spend(): void {
    this.#spent += RETRY;
  }

  /** A call succeeded. */
  restore(): void {
    this.#spent = Math.max(0, this.#spent - SUCCESS);
  }
}
