/** Compares values of records with those of messages: as numbers where they are decimals. */

import type { Schema, Type } from "../operation.js";
import { absolute, compareDecimals } from "./decimals.js";

/** The fields of a model that hold decimals. Another type has none. */
export function decimalFields(schema: Schema, type: Type | undefined): ReadonlySet<string> {
  const model = type?.kind === "model" ? schema.models[type.name ?? ""] : undefined;
  const fields = model?.fields ?? [];
  return new Set(fields.filter((each) => each.type.kind === "decimal").map((each) => each.name));
}

/** Whether a value of a record is the value that was sent as JSON. */
export function same(value: unknown, sent: unknown, isDecimal: boolean): boolean {
  if (value == null || sent == null) return (value ?? null) === (sent ?? null);
  const [told, said] = [String(value), String(sent)];
  if (isDecimal) return compareDecimals(told, said) === 0;
  return told.toLowerCase() === said.toLowerCase();
}

/** Whether an amount, gained or spent, is not above the one that was sent. */
export function atMost(value: unknown, sent: unknown): boolean {
  const order = compareDecimals(absolute(String(value)), String(sent));
  // A record that cannot be compared may belong to the message.
  return order === undefined || order <= 0;
}
