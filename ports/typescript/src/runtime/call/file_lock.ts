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

/** A lock that is being made has no text yet, in ms; one that is older was left so. */
const BEING_MADE = 10_000;

/**
 * Take a lock: a file beside the journal that names this process. Node knows no other lock.
 *
 * Returns the open file, or null if another process has it. The lock of a process that ended is taken over, by one
 * client at a time: a second one, which saw the same lock, would remove the new one.
 */
export function lock(fs: Fs, path: string): number | null {
  const created = create(fs, path);
  if (created !== null || isHeld(fs, path)) return created;
  const removing = `${path}.left`;
  const turn = lock(fs, removing);
  if (turn === null) return null;
  try {
    if (!isHeld(fs, path)) fs.rmSync(path, { force: true });
    return create(fs, path);
  } finally {
    fs.closeSync(turn);
    fs.rmSync(removing, { force: true });
  }
}

/** Make the file of a lock; null if there is one. */
function create(fs: Fs, path: string): number | null {
  let file: number;
  try {
    file = fs.openSync(path, "wx", 0o600);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return null;
  }
  try {
    const { pid } = globalThis.process;
    const text = `${pid} ${begun(fs, pid)}`;
    if (fs.writeSync(file, text) !== text.length) throw new Error("the disk is full");
    return file;
  } catch (error) {
    fs.closeSync(file);
    fs.rmSync(path, { force: true });
    throw error;
  }
}

/** Whether the process that a lock names still runs. Another one may have its id: in a container each has the id 1. */
function isHeld(fs: Fs, path: string): boolean {
  try {
    const [pid = "", ...since] = fs.readFileSync(path, "latin1").split(" ");
    if (pid === "") return Date.now() - fs.statSync(path).mtimeMs < BEING_MADE;
    const owner = Number(pid);
    globalThis.process.kill(owner, 0);
    // Before 0.3 a lock had the id alone.
    return since.length === 0 || begun(fs, owner) === since.join(" ");
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** When a process began, and in which run of the machine, as Linux tells it; empty elsewhere. */
function begun(fs: Fs, pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the program, in parentheses, may hold anything.
    const start = stat.slice(stat.lastIndexOf(")")).split(" ")[20];
    return `${start} ${fs.readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()}`;
  } catch {
    return "";
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
