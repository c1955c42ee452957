/** Whether a result repeats what was sent, where the service repeats it. */

import type { Fields } from "../intent.js";
import type { Names } from "../operation.js";
import { Page } from "../pages.js";
import { compareDecimals } from "./decimals.js";

/**
 * What a result, or a record of a list, repeats in another value than was sent; null if nothing.
 *
 * What was not sent, or is not told, is no difference.
 */
export function difference(
  echoes: Names,
  sent: Fields,
  result: unknown,
  decimals: ReadonlySet<string>,
): string | null {
  const records = result instanceof Page ? result.items : Array.isArray(result) ? result : [result];
  for (const record of records) {
    for (const [name, field] of Object.entries(echoes)) {
      const said = sent.get(field) ?? null;
      const told = (record as Record<string, unknown> | null | undefined)?.[name] ?? null;
      if (
        said !== null &&
        told !== null &&
        !equal(String(told), String(said), decimals.has(name))
      ) {
        return `${name} is '${told}', but '${said}' was sent`;
      }
    }
  }
  return null;
}

function equal(told: string, said: string, isDecimal: boolean): boolean {
  return isDecimal ? compareDecimals(told, said) === 0 : told === said;
}
