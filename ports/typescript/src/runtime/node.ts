/**
 * The modules of Node that a browser does not have: loaded when they are needed, so that bundlers
 * need no configuration.
 */

import { RequestError } from "./errors.js";

type Builtin = typeof globalThis.process.getBuiltinModule;

/** A module of Node, or undefined where there is none. */
export const builtin: Builtin = ((name: string) =>
  globalThis.process?.getBuiltinModule?.(name)) as Builtin;

/** The file system of Node, and what belongs to it. */
export function files(what: string): {
  readonly fs: typeof import("node:fs");
  readonly path: typeof import("node:path");
  readonly zlib: typeof import("node:zlib");
} {
  const fs = builtin("node:fs");
  const path = builtin("node:path");
  const zlib = builtin("node:zlib");
  if (!fs || !path || !zlib) throw noFiles(what);
  return { fs, path, zlib };
}

/** Why something cannot be used where there is no file system. */
export function noFiles(what: string): RequestError {
  return new RequestError(`${what} needs the file system of Node, which is not there`);
}
