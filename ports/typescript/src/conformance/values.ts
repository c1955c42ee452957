/** The values of the kit: tags in, tags out. */

import { SCHEMA } from "../generated/schema.js";
import {
  ApiError,
  DecodeError,
  JournalError,
  NoResponseError,
  NotSentError,
  OutcomeUnknownError,
  PaginationError,
  RequestError,
  type Settlement,
  SigningError,
} from "../index.js";
import type { Writable } from "../runtime/codec/json_text.js";
import { BatchResult, Page } from "../runtime/index.js";
import type { Schema, Type } from "../runtime/operation.js";

/** A command, or a part of one, as JSON.parse reads it. */
export type Given = { readonly [name: string]: unknown };

/** The case needs a feature that this port lacks. */
export class Skipped extends Error {}

/** The value that a tagged one stands for. */
export function value(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(value);
  if (typeof given !== "object" || given === null) return given;
  const [first, ...others] = Object.entries(given);
  if (first?.[0].startsWith("$") && others.length === 0) return untagged(...first);
  const members = Object.entries(given).map(([name, each]) => [name, value(each)] as const);
  return Object.fromEntries(members.filter(([, each]) => each !== undefined));
}

function untagged(tag: string, text: unknown): unknown {
  switch (tag) {
    case "$int":
      return BigInt(text as string);
    case "$decimal":
      return text;
    case "$float":
      return float(String(text));
    case "$utf16":
      return String.fromCharCode(...(value(text) as bigint[]).map(Number));
    case "$time":
      return new Date(Number(text));
    case "$unset":
      return undefined;
    default:
      throw new Error(`an unknown tag ${tag}`);
  }
}

function float(text: string): number {
  const known: Given = { nan: Number.NaN, infinity: Infinity, "-infinity": -Infinity };
  const found = (known[text] ?? Number(text)) as number;
  if (Number.isInteger(found)) throw new Skipped("float");
  return found;
}

/** A number of the command that may be whole: of seconds, or a share. */
export function number(given: unknown, absent: number): number {
  if (given === undefined || given === null) return absent;
  const [text] = Object.values(given as Given);
  return Number(text);
}

/** A result with its numbers tagged; `type` tells which texts are decimals. */
export function tagged(found: unknown, type?: Type, schema: Schema = SCHEMA): Writable {
  const part = (each: unknown, own = type): Writable => tagged(each, own, schema);
  if (found === undefined || found === null) return null;
  if (type?.kind === "decimal") return { $decimal: found as string };
  if (typeof found === "bigint") return { $int: found.toString() };
  if (typeof found === "number") {
    return Number.isInteger(found) ? { $int: String(found) } : { $float: String(found) };
  }
  if (found instanceof Date) return { $time: String(found.getTime()) };
  if (found instanceof Page) {
    const { items, nextCursor, hasMore } = found;
    return { items: items.map((each) => part(each)), next_cursor: nextCursor, has_more: hasMore };
  }
  if (found instanceof BatchResult) return part(found.results);
  if (Array.isArray(found)) return found.map((each) => part(each, type?.items ?? type));
  if (typeof found !== "object") return found as Writable;
  const names = Object.getOwnPropertyNames(found);
  const fields = type?.kind === "model" ? schema.models[type.name ?? ""]?.fields : undefined;
  const typeOf = (name: string) => fields?.find((each) => each.name === name)?.type;
  const members = names.map(
    (name) => [name, tagged((found as Given)[name], typeOf(name), schema)] as const,
  );
  return new Map(members);
}

const CLASSES: readonly (readonly [string, abstract new (...given: never[]) => Error])[] = [
  ["request", RequestError],
  ["signing", SigningError],
  ["not_sent", NotSentError],
  ["no_response", NoResponseError],
  ["outcome_unknown", OutcomeUnknownError],
  ["decode", DecodeError],
  ["api", ApiError],
  ["pagination", PaginationError],
  ["journal", JournalError],
];

/** What a user gets, in the words of the kit. */
export function described(error: unknown): Writable {
  const [name] = CLASSES.find(([, kind]) => error instanceof kind) ?? ["escaped"];
  const text = error instanceof Error ? error.message : String(error);
  if (name === "escaped") return { class: name, text: String((error as Error)?.stack ?? error) };
  return { class: name, text, ...membersOf(error) };
}

function membersOf(error: unknown): { readonly [name: string]: Writable } {
  if (error instanceof ApiError) {
    const { status, code, error: message, reason = null } = error;
    return { status: tagged(status), code: tagged(code), message, reason };
  }
  if (error instanceof SigningError) return error.path === null ? {} : { path: error.path };
  if (error instanceof DecodeError) return { status: tagged(error.status) };
  if (error instanceof OutcomeUnknownError) {
    return {
      cause: error.cause === undefined ? null : described(error.cause),
      status: tagged(error.status),
      client_ids: error.clientIds,
      timestamp: tagged(error.timestamp),
      expiry_window: tagged(error.expiryWindow),
      json: error.toJson(),
    };
  }
  return {};
}

/** A settlement in the words of the kit. */
export function settlement({ operation, clientId, state, records, reason }: Settlement): Writable {
  return { operation, client_id: clientId, state, records: tagged(records), text: reason };
}
