/** Records as plain JSON. */

import { jsonText, type Writable } from "./json_text.js";

/**
 * A record, or any value of the SDK, as JSON text: integers in full, without a loss, which
 * `JSON.stringify` refuses. Secret fields, which nothing else prints, are part of it.
 */
export function toJson(value: unknown): string {
  return jsonText(writable(value));
}

function writable(value: unknown): Writable {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Map) return new Map([...value].map(([k, v]) => [k, writable(v)]));
  if (typeof value !== "object" || value === null) return (value ?? null) as Writable;
  if (Symbol.iterator in value) return Array.from(value as Iterable<unknown>, writable);
  const names = Object.getOwnPropertyNames(value);
  return new Map(names.map((name) => [name, writable(value[name as keyof typeof value])]));
}
