/** JSON out: in pure ASCII, integers in full, the members of an object in the order that they have. */

/** What can be written as JSON. */
export type Writable =
  | null
  | boolean
  | string
  | bigint
  | number
  | readonly Writable[]
  | ReadonlyMap<string, Writable>
  | { readonly [name: string]: Writable };

/** Compact JSON of a value. Of a body that is sent the members stand in the order of their names. */
export function jsonText(value: Writable, isSorted = false): string {
  if (typeof value === "string") return quoted(value);
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${value.map((each) => jsonText(each, isSorted)).join(",")}]`;
  const members = membersOf(value as ReadonlyMap<string, Writable>);
  if (isSorted) members.sort(([one], [other]) => (one < other ? -1 : 1));
  const texts = members.map(([name, each]) => `${quoted(name)}:${jsonText(each, isSorted)}`);
  return `{${texts.join(",")}}`;
}

/** The members of an object or a Map. */
export function membersOf<T>(
  value: ReadonlyMap<string, T> | { readonly [name: string]: T },
): [string, T][] {
  return value instanceof Map ? [...value] : Object.entries(value);
}

/** A text as JSON. */
export function quoted(text: string): string {
  const json = JSON.stringify(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is not printable ASCII is escaped
  return /^[\u0000-\u007e]*$/.test(json) ? json : json.replace(/[\u007f-\uffff]/g, escaped);
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * A record, or any value of the SDK, as JSON text: integers in full, without a loss. `JSON.stringify` throws
 * "Do not know how to serialize a BigInt" for them. Secret fields, which nothing else prints, are part of it.
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
