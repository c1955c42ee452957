/** Integers of 64 bits, and instants, which are integers in ms. */

import { RequestError } from "../errors.js";

/** An integer: a bigint, or a number that is exact (up to 2^53). */
export type IntegerInput = bigint | number;

/** An instant: in ms since 1970, or as a Date. */
export type TimeInput = IntegerInput | Date;

/** Times that can only be in seconds: read as ms, they end in 1973. */
const SECONDS = [10n ** 8n, 10n ** 11n] as const;
/** The first times, in 1973, that are taken for these units. Read as ms, they are after 5138. */
const [MICROSECONDS, NANOSECONDS] = [10n ** 14n, 10n ** 17n];

/** An integer that a caller gives. */
export function givenInteger(value: unknown): bigint {
  const integer = exact(value, "an integer");
  if (!is64(integer)) throw new RequestError("an integer of more than 64 bits cannot be sent");
  return integer;
}

/** A bigint, or a number that is exact; `what` is expected. */
export function exact(value: unknown, what: string): bigint {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    const why = Number.isInteger(value) ? "is not exact; give a bigint" : "is not whole";
    throw new RequestError(`expected ${what}; the number ${value} ${why}`);
  }
  if (typeof value === "bigint" || typeof value === "number") return BigInt(value);
  throw new RequestError(`expected ${what}, not a ${typeof value}`);
}

/** An instant that a caller gives, in ms. */
export function givenTime(value: unknown): bigint {
  if (value instanceof Date) {
    if (!Number.isNaN(value.getTime())) return BigInt(value.getTime());
    throw new RequestError("the Date is invalid");
  }
  return inMs(givenInteger(value));
}

/** The same time in ms. A time that can only be in another unit is refused. */
function inMs(time: bigint): bigint {
  const isSeconds = SECONDS[0] <= time && time <= SECONDS[1];
  if (!isSeconds && time < MICROSECONDS) return time;
  const [unit, ms] = isSeconds
    ? ["seconds", time * 1000n]
    : time < NANOSECONDS
      ? ["microseconds", time / 1000n]
      : ["nanoseconds", time / 1_000_000n];
  throw new RequestError(`${time} can only be ${unit}; give ms: ${ms}`);
}

/** Whether an integer has 64 bits. */
export function is64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** The instant of a time in ms, as records have it. */
export function toDate(ms: IntegerInput): Date {
  return new Date(Number(inMs(givenInteger(ms))));
}
