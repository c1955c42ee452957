/** Requests out: which fields of a message stand in the body, and which in the path or the query. */

import { RequestError } from "../errors.js";
import type { Fields } from "../intent.js";
import type { Operation } from "../operation.js";
import type { Writable } from "./json_text.js";
import { without } from "./values.js";

/** The client's own id of a message, by the path of its field; null if it has none. */
export function clientId(path: string | undefined, fields: Fields): string | null {
  let value: Writable | undefined = path ? fields : undefined;
  for (const name of path?.split(".") ?? []) {
    value = value instanceof Map ? value.get(name) : undefined;
  }
  return typeof value === "string" ? value : null;
}

// -- what stands outside of a body ------------------------------------------------------------

/** The fields of a request that stand in its body. */
export function bodyOf({ inUrl = [] }: Operation<unknown>, fields: Fields): Fields {
  return without(fields, ...inUrl);
}

/** The path of a request with its query: each field stands where the path names it, or else in the query. */
export function pathAndQuery(operation: Operation<unknown>, fields: Fields): string {
  const inside = operation.hasBody ? bodyOf(operation, fields) : new Map();
  let { path } = operation;
  const query: string[] = [];
  for (const [name, value] of without(fields, ...inside.keys())) {
    if (path.includes(`{${name}}`)) {
      const text = String(value);
      if (["", ".", ".."].includes(text)) {
        throw new RequestError(`${name}: '${text}' cannot be a part of a path`);
      }
      path = path.replaceAll(`{${name}}`, percentEncoded(text));
    } else {
      query.push(...queryParts(name, value));
    }
  }
  return query.length > 0 ? `${path}?${query.join("&")}` : path;
}

function queryParts(name: string, value: Writable): string[] {
  if (Array.isArray(value) && value.length === 0) {
    // It would be sent like no list at all, which may ask for everything.
    throw new RequestError(`${name}: an empty list cannot stand in a query; leave it out`);
  }
  const form = (text: string) => percentEncoded(text).replaceAll("%20", "+");
  const values = Array.isArray(value) ? value : [value];
  return values.map((each) => `${form(name)}=${form(String(each))}`);
}

function percentEncoded(text: string): string {
  if (!text.isWellFormed()) throw new RequestError("a text holds half of a surrogate pair");
  const hex = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(/[!'()*]/g, hex);
}
