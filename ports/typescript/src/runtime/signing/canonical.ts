/** The canonical text of a message: the exact characters that are signed (section 5.1). */

import { membersOf, quoted, type Writable } from "../codec/json_text.js";
import { SigningError } from "../errors.js";

const ONE_FORM = "languages escape anything else differently";
const PRINTABLE = /^[ -~]*$/;
/** Far more than any message has; without a limit the stack would set one. */
const MAX_DEPTH = 500;

/**
 * Compact JSON of a value with the keys of every object sorted, in printable ASCII.
 *
 * Takes strings of printable ASCII, integers (as bigint, or as a number that is exact), booleans, null, lists,
 * plain objects and Maps.
 *
 * @throws {@link SigningError} Names the path of anything else; other languages may write it differently.
 */
export function canonicalText(value: unknown, path = "", depth = 0): string {
  if (typeof value === "string") return text(value, path);
  if (typeof value === "boolean" || typeof value === "bigint" || value === null) return `${value}`;
  if (typeof value === "number") return number(value, path);
  if (depth > MAX_DEPTH) throw refusal("", "is nested too deeply, or contains itself", "");
  if (Array.isArray(value)) {
    // Not map, which passes over holes.
    const items = Array.from(value, (each, index) =>
      canonicalText(each, `${path}[${index}]`, depth + 1),
    );
    return `[${items.join(",")}]`;
  }
  if (!isPlain(value)) throw refusal(path, `is a ${kindOf(value)}`, "; give text or an integer");
  const members = membersOf(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = members.map(([name, each]) => {
    const key = text(name, path, "has a key that");
    return `${key}:${canonicalText(each, within(path, name), depth + 1)}`;
  });
  return `{${texts.join(",")}}`;
}

function text(value: string, path: string, what = ""): string {
  if (PRINTABLE.test(value)) return quoted(value);
  throw refusal(path, `${what && `${what} `}is not printable ASCII`, `; ${ONE_FORM}`);
}

function number(value: number, path: string): string {
  if (Number.isSafeInteger(value)) return String(value);
  const whole = Number.isInteger(value);
  const instead = whole
    ? "a bigint: it is not exact"
    : 'a text such as "0.1": it has no exact text';
  throw refusal(path, `is the number ${value}`, `; give ${instead}`);
}

function isPlain(value: unknown): value is { readonly [name: string]: Writable } {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return value instanceof Map || prototype === Object.prototype || prototype === null;
}

/** The class of a value, or its type. */
export function kindOf(value: unknown): string {
  return typeof value === "object" ? (value?.constructor?.name ?? "object") : typeof value;
}

/** The path of a member. */
function within(path: string, name: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(name)) return `${path}[${quoted(name)}]`;
  return path ? `${path}.${name}` : name;
}

function refusal(path: string, problem: string, advice: string): SigningError {
  const text = `cannot sign the message: ${path || "it"} ${problem}${advice}`;
  return new SigningError(text, path ? { path } : {});
}
