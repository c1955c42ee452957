/** Files that hold a private key. They belong to one user alone. */

import { SigningError } from "../errors.js";
import { files } from "../node.js";
import { withoutKeys } from "../shown.js";
import { encode } from "./base58.js";

const LIMIT = 4096;

/** Name a key file, unless somebody gave the key itself where its path belongs. */
export function named(path: string): string {
  return `key file '${withoutKeys(String(path))}'`;
}

/** The text of a small file that belongs to this user alone. */
export function readPrivate(path: string): string {
  const { fs } = files("a key file");
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
  let content = "";
  let problem: string | null;
  try {
    // NONBLOCK: opening a named pipe must not hang before it is refused.
    const file = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const info = fs.fstatSync(file);
      problem = exposure(info.isFile(), info.uid, info.mode);
      if (problem === null && info.size > LIMIT) problem = `is longer than ${LIMIT} bytes`;
      // An editor may have put a mark before the text.
      if (problem === null) content = fs.readFileSync(file, "utf8").replace(/^\uFEFF/, "");
    } finally {
      fs.closeSync(file);
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "its name";
    problem = code === "ELOOP" ? "is a symbolic link" : `cannot be read (${code})`;
  }
  if (problem !== null) throw new SigningError(`${named(path)} ${problem}`);
  return content.trim().replace(/^"(.*)"$/, "$1");
}

function exposure(isFile: boolean, owner: number, mode: number): string | null {
  const user = globalThis.process.geteuid?.();
  if (!isFile) return "is not a regular file";
  if (user !== undefined && owner !== user) return "belongs to another user";
  return user !== undefined && mode & 0o077 ? "is open to other users: chmod 600 it" : null;
}

/** Write a key to a new file that belongs to this user alone, whole or not at all. */
export function writePrivate(path: string, secret: Uint8Array): void {
  const { fs } = files("a key file");
  if (String(path).includes(encode(secret))) {
    throw new SigningError(`${named(path)}: its path holds the private key; give another path`);
  }
  let made = false;
  try {
    const file = fs.openSync(path, "wx", 0o600);
    made = true;
    try {
      fs.writeFileSync(file, JSON.stringify([...secret]));
      fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
  } catch (error) {
    if (made) fs.unlinkSync(path);
    const code = (error as NodeJS.ErrnoException).code ?? "its name";
    const problem =
      code === "EEXIST" ? "exists already and is not overwritten" : `cannot be written (${code})`;
    throw new SigningError(`${named(path)} ${problem}`);
  }
}
