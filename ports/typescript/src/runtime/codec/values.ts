/** Compares values of records with those of messages: as numbers where they are decimals. */

import { plainId } from "../intent.js";
import { absolute, compareDecimals } from "./decimals.js";

/** Whether a value of a record is the value that was sent as JSON. */
export function same(value: unknown, sent: unknown, isDecimal: boolean): boolean {
  if (value == null || sent == null) return (value ?? null) === (sent ?? null);
  if (isDecimal) return compareDecimals(String(value), String(sent)) === 0;
  return plain(value) === plain(sent);
}

/** A value as text, an id in its plain spelling; null without one. */
export function plain(value: unknown): string | null {
  return value == null ? null : plainId(String(value));
}

/** Whether an amount, gained or spent, is not above the one that was sent. */
export function atMost(value: unknown, sent: unknown): boolean {
  const order = compareDecimals(absolute(String(value)), String(sent));
  // A record that cannot be compared may belong to the message.
  return order === undefined || order <= 0;
}

/** A text without what is written in different ways: `Idempotency-Key`, `idempotency_key`. */
export function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}
