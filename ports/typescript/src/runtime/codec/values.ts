/** Compares values of records with those of messages: as numbers where they are decimals. */

import { plainId } from "../intent.js";
import type { Field, Schema, Type } from "../operation.js";
import { absolute, compareDecimals } from "./decimals.js";

/** The fields of a model that hold decimals. Another type has none. */
export function decimalFields(schema: Schema, type: Type | undefined): ReadonlySet<string> {
  const decimals = fieldsOf(schema, type).filter((each) => each.type.kind === "decimal");
  return new Set(decimals.map((each) => each.name));
}

/** The fields of a model that hold enums, with the values that this version knows. */
export function enumFields(
  schema: Schema,
  type: Type | undefined,
): ReadonlyMap<string, readonly unknown[]> {
  const enums = fieldsOf(schema, type).filter((each) => each.type.kind === "enum");
  return new Map(enums.map((each) => [each.name, schema.enums[each.type.name ?? ""] ?? []]));
}

function fieldsOf(schema: Schema, type: Type | undefined): readonly Field[] {
  const model = type?.kind === "model" ? schema.models[type.name ?? ""] : undefined;
  return model?.fields ?? [];
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
