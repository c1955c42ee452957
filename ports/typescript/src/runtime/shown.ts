/** What logs may show. */

/** Letters of a text of the service that are shown. */
export const SHOWN = 200;

/** Text of the service, made safe for a log: one line, printable, cut. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, 4 * SHOWN)
    .trim()
    .replace(/\s+/g, " ");
  return [...line.replace(/\p{C}/gu, "?")].slice(0, SHOWN).join("");
}

/** Keep a member, which may hold a secret, out of logs: also out of those that show what is not enumerable. */
export function hide(holder: object, name: string): void {
  let value: unknown = Reflect.get(holder, name);
  const set = (given: unknown) => {
    value = given;
  };
  Object.defineProperty(holder, name, { enumerable: false, get: () => value, set });
}

/** What a key looks like: Base58 or hexadecimal digits, or the numbers of a wallet file. */
const KEY = /[0-9A-Za-z]{32,}|\[[0-9\s,]{32,}/g;

/** Text without what may be a key, which somebody gave where a path belongs. */
export function withoutKeys(text: string): string {
  return text.replace(KEY, "(looks like a key, not shown)");
}
