/** Integers of 64 and of 32 bits, and instants, which are integers in ms. */

import { RequestError } from "../errors.js";

/** An integer: a bigint, or a number that is exact (up to 2^53). */
export type IntegerInput = bigint | number;

/** An instant: in ms since 1970, or as a Date. */
export type TimeInput = IntegerInput | Date;

/** What can only be seconds: as ms it would be in 1970 to 1973. */
const SECONDS = [10n ** 8n, 10n ** 11n] as const;

/** An integer that a caller gives, of so many bits. */
export function givenInteger(value: unknown, bits = 64): bigint {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    const why = Number.isInteger(value) ? "it is not exact; give a bigint" : "it is not whole";
    throw new RequestError(`expected an integer, not ${value}: ${why}`);
  }
  if (typeof value !== "bigint" && typeof value !== "number") {
    throw new RequestError(`expected an integer, not a ${typeof value}`);
  }
  const integer = BigInt(value);
  if (BigInt.asIntN(bits, integer) !== integer) {
    throw new RequestError(`an integer of more than ${bits} bits cannot be sent`);
  }
  return integer;
}

/** An instant that a caller gives, in ms. */
export function givenTime(value: unknown): bigint {
  if (value instanceof Date) {
    if (!Number.isNaN(value.getTime())) return BigInt(value.getTime());
    throw new RequestError("the Date is invalid");
  }
  const time = givenInteger(value);
  if (SECONDS[0] <= time && time <= SECONDS[1]) {
    throw new RequestError(`${time} can only be seconds; give ms: ${time * 1000n}`);
  }
  return time;
}

/** Whether an integer has 64 bits. */
export function is64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** The instant of a time in ms, as records have it. */
export function toDate(ms: IntegerInput): Date {
  return new Date(Number(ms));
}
