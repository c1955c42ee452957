/** Values of records and messages: how they compare, as numbers where they are decimals. */

import { absolute, compareDecimals } from "./decimals.js";

/** Fields, or members of an object, without some of them. */
export function without<T>(
  fields: ReadonlyMap<string, T>,
  ...names: readonly string[]
): ReadonlyMap<string, T> {
  return new Map([...fields].filter(([name]) => !names.includes(name)));
}

const UUID_LETTERS = /^[0-9a-f]{32}$/;

/** An id as all its spellings mean it: with and without hyphens, capitals, braces or `urn:uuid:`. */
function plainId(text: string): string {
  const lower = text.trim().toLowerCase();
  const digits = lower.replace(/^urn:uuid:/, "").replace(/[{}-]/g, "");
  return UUID_LETTERS.test(digits) ? digits : text.toLowerCase();
}

/** Whether a text is a UUID, in whatever spelling. */
export function isUuid(text: unknown): boolean {
  return typeof text === "string" && UUID_LETTERS.test(plainId(text));
}

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
