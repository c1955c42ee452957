/** Received values that may hold secrets: they are used like any other, and logs show nothing of them. */

const INSPECT = Symbol.for("nodejs.util.inspect.custom");
const HIDDEN = "<hidden, it may hold secrets>";

/** Make `console.log` show nothing of an object or a list. */
export function hidden<T extends object>(value: T): T {
  return Object.defineProperty(value, INSPECT, { value: () => HIDDEN, enumerable: false });
}
