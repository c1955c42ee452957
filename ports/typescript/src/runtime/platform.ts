/**
 * What Node and browsers have, typed as the program that imports this has typed it: by the library `dom`, by
 * `@types/node`, or not at all. So the declarations of this package need neither of the two.
 */

type Platform = typeof globalThis;

/** An `AbortSignal`; nothing where no types are known. */
export type AbortSignal = Platform extends { AbortSignal: { prototype: infer T } } ? T : never;

/** The `Headers` of an answer. */
export type Headers = Platform extends { Headers: { prototype: infer T } } ? T : never;

/** The function `fetch`. */
export type Fetch = Platform extends { fetch: infer T } ? T : never;

/** The `Response` of a `fetch`. */
export type Response = Platform extends { Response: { prototype: infer T } } ? T : never;
