/** Decimals: as text, because JavaScript has no exact numbers with a fraction. */

import { RequestError } from "../errors.js";
import { exact } from "./integers.js";

declare const DECIMAL: unique symbol;

/**
 * An exact decimal number as plain text, like `"100.50"`: give it to a decimal library of your choice,
 * or back to the SDK. It is a string like any other.
 */
export type Decimal = string & { readonly [DECIMAL]: true };

/** Money: plain decimal text, or an integer. Never a number with a fraction, which is not exact. */
export type DecimalInput = string | bigint | number;

/** Of a decimal, written with one digit before its point. To add longer ones could take all memory. */
const MAX_DIGITS = 100;
const MAX_EXPONENT = 999;
const GIVEN = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/;
const RECEIVED = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/;

/** Money that a caller gives, as plain text. A text keeps its digits. */
export function givenDecimal(value: unknown): Decimal {
  const isText = typeof value === "string";
  const text = isText
    ? value
    : exact(value, "decimal text, like '100.5', or an integer").toString();
  if (text.length <= MAX_DIGITS && GIVEN.test(text)) return text as Decimal;
  throw new RequestError(`'${text.slice(0, 60)}' is not a plain decimal like '100.5'`);
}

/** A received decimal as plain text with all of its digits; undefined for what is no number to compute with. */
export function receivedDecimal(text: string): Decimal | undefined {
  const [, sign, whole = "", fraction = "", power = "0"] = RECEIVED.exec(text) ?? [];
  if (sign === undefined || whole + fraction === "") return undefined;
  const digits = (whole + fraction).replace(/^0+/, "");
  const exponent = Number(power) - fraction.length;
  if (!isBounded(digits, exponent)) return undefined;
  const places = Math.max(0, -exponent);
  const all = (digits + "0".repeat(digits ? Math.max(0, exponent) : 0)).padStart(places + 1, "0");
  const point = all.length - places;
  const plain = places ? `${all.slice(0, point)}.${all.slice(point)}` : all;
  return `${sign === "-" ? "-" : ""}${plain}` as Decimal;
}

function isBounded(digits: string, exponent: number): boolean {
  if (digits === "") return exponent <= MAX_EXPONENT && exponent > -MAX_EXPONENT - MAX_DIGITS;
  const adjusted = exponent + digits.length - 1;
  return digits.length <= MAX_DIGITS && Math.abs(adjusted) <= MAX_EXPONENT;
}

/** Whether a is below (-1), equal to (0) or above (1) b, as numbers; undefined if one is no number. */
export function compareDecimals(a: string, b: string): number | undefined {
  const numbers = [a, b].map((each) => receivedDecimal(each)?.split("."));
  const places = Math.max(...numbers.map((each) => each?.[1]?.length ?? 0));
  const [left, right] = numbers.map(
    (each) => each && BigInt(each[0] + (each[1] ?? "").padEnd(places, "0")),
  );
  if (left === undefined || right === undefined) return undefined;
  return left === right ? 0 : left < right ? -1 : 1;
}

/** A decimal without its sign. */
export function absolute(text: string): string {
  return text.replace(/^[+-]/, "");
}
