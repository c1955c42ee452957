/** The retry quota: it keeps retries from becoming a storm. */

/** What a retry takes and a success restores, in tenths of a retry. */
const RETRY = 10;
const SUCCESS = 1;

/**
 * A token bucket that all calls of a client share: a retry takes a token, a success a tenth back.
 *
 * A service that fails for everybody thus sees few more requests than calls. The size of the bucket is the
 * `quota` of a call's retry policy, so that clients with other policies can share what was taken.
 */
export class RetryQuota {
  #spent = 0;

  /** How many retries a bucket of this size allows now; below 1 it allows none. */
  left(size: number): number {
    return size - Math.ceil(this.#spent / RETRY);
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
