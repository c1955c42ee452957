/** What the intent journal asks of the system: who has a file, and whether its path still leads to it. */

import { files } from "../node.js";
import { withoutKeys } from "../shown.js";

type Fs = typeof import("node:fs");

/** Why no file can be used at a path, or null. Nothing is opened, made or changed. */
export function unusable(path: string): string | null {
  const { fs, path: paths } = files("a journal");
  const { R_OK, W_OK, X_OK } = fs.constants;
  const can = (place: string, mode: number) => {
    try {
      fs.accessSync(place, mode);
      return true;
    } catch {
      return false;
    }
  };
  let found: ReturnType<Fs["lstatSync"]> | undefined;
  try {
    found = fs.lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return codeOf(error);
  }
  const folder = paths.dirname(path);
  if (found === undefined) {
    const named = `'${withoutKeys(folder)}'`;
    if (!can(folder, 0)) return `there is no folder ${named}`;
    return can(folder, W_OK | X_OK) ? null : `no file can be made in ${named}`;
  }
  if (!found.isFile()) return "it is not a regular file";
  return can(path, R_OK | W_OK) ? null : "it cannot be read and written";
}

/** Whether a path leads to this open file. */
export function isAt(fs: Fs, path: string, file: number): boolean {
  const there = fs.lstatSync(path, { throwIfNoEntry: false });
  const here = fs.fstatSync(file);
  return there?.ino === here.ino && there.dev === here.dev;
}

/**
 * Take a lock: a file beside the journal with the id of this process. Node knows no other lock.
 *
 * Returns the open file, or null if another process has it. The lock of a process that ended is taken over.
 */
export function lock(fs: Fs, path: string): number | null {
  for (const isLast of [false, true]) {
    try {
      const file = fs.openSync(path, "wx", 0o600);
      fs.writeSync(file, String(globalThis.process.pid));
      return file;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      if (isLast || isAlive(fs, path)) return null;
      fs.rmSync(path, { force: true });
    }
  }
  return null;
}

function isAlive(fs: Fs, path: string): boolean {
  try {
    const owner = Number(fs.readFileSync(path, "latin1"));
    // A lock that is being made has no id yet.
    if (!Number.isSafeInteger(owner) || owner < 1) return true;
    globalThis.process.kill(owner, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Sync the name of a file, as its content is synced elsewhere. */
export function syncFolder(path: string): void {
  if (globalThis.process.platform === "win32") return;
  const { fs, path: paths } = files("a journal");
  const folder = fs.openSync(paths.dirname(path), "r");
  try {
    fs.fsyncSync(folder);
  } finally {
    fs.closeSync(folder);
  }
}

/** The code of an error of the system, like `ENOSPC`. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String((error as Error).message);
}
