/**
 * The intent journal: what a client is about to change, on disk before it is sent.
 *
 * One line an entry: that an attempt begins, with its intent, synced before it is sent; and that it ended,
 * once its outcome is known. A call without an end is open: its outcome is unknown. `journal_format` writes and
 * reads the lines, and the Python SDK reads them, too.
 */

import { jsonText } from "../codec/json_text.js";
import { JournalError, OutcomeUnknownError, RequestError, TradingError } from "../errors.js";
import type { Intent } from "../intent.js";
import { files } from "../node.js";
import { withoutKeys } from "../shown.js";
import { isPrivateKey } from "../signing/keys.js";
import { codeOf, isAt, lock, syncFolder, unusable } from "./file_lock.js";
import * as format from "./journal_format.js";

const LARGE = 1024 * 1024;

/** The journal in one file, of one client in one process. */
export class Journal {
  readonly #path: string;
  readonly #fs: typeof import("node:fs");
  readonly #open = new Map<string, Intent>();
  readonly #running = new Set<string>();
  #file: number | null = null;
  #lock: number | null = null;
  #rewriteAt = LARGE;
  #closed = false;

  /**
   * Use the file at `path`; the first call that needs it creates it (mode 0600).
   *
   * @throws {@link JournalError} It cannot be used: its folder, or the file that is there.
   * @throws {@link RequestError} It is no path, or has a private key in it.
   */
  constructor(path: unknown) {
    checkPath(path);
    const { fs, path: paths } = files("a journal");
    this.#fs = fs;
    this.#path = paths.resolve(path);
    const why = unusable(this.#path);
    if (why !== null) throw this.#error(why);
  }

  /**
   * Keep the entry of one attempt while it is worked on; a read (null) has no entry.
   *
   * @param isOpen Whether the outcome stays open although the work ended well.
   */
  async entry<T>(
    intent: Intent | null,
    work: () => Promise<T>,
    isOpen: (found: T) => boolean,
  ): Promise<T> {
    if (intent === null) return work();
    await this.#begin(intent);
    let known = false;
    try {
      const found = await work();
      known = !isOpen(found);
      return found;
    } catch (error) {
      known = error instanceof TradingError && !(error instanceof OutcomeUnknownError);
      throw error;
    } finally {
      this.#running.delete(intent.id);
      if (known) this.end(intent);
      else this.#leaveIfClosed();
    }
  }

  /** Write down what an attempt is about to send. It is on disk when this ends. */
  async #begin(intent: Intent): Promise<void> {
    const fs = this.#fs;
    try {
      const file = this.#opened();
      this.#append(file, format.began(intent));
      this.#open.set(intent.id, intent);
      this.#running.add(intent.id);
      await new Promise<void>((resolve, reject) => {
        fs.fsync(file, (error) => (error ? reject(error) : resolve()));
      });
    } catch (error) {
      this.#running.delete(intent.id);
      if (this.#open.get(intent.id) === intent) this.end(intent);
      if (error instanceof RequestError) throw error;
      // Errors of the system repeat the path.
      const cause = error instanceof JournalError ? error : this.#error(codeOf(error));
      throw new JournalError(`${intent.operation} was not sent: ${cause.message}`, { cause });
    }
  }

  /** End a call whose outcome is known. It stays open if that cannot be written. */
  end(intent: Intent): void {
    try {
      const file = this.#opened();
      this.#append(file, format.ended(intent.id));
      this.#open.delete(intent.id);
      if (this.#fs.fstatSync(file).size > this.#rewriteAt) this.#rewrite(file);
    } catch {
      // It stays open, and is found by the next client.
    } finally {
      this.#leaveIfClosed();
    }
  }

  /** End a call whose outcome is known, and all that sent the same under the same ids. */
  endAll(intent: Intent): void {
    this.end(intent);
    for (const each of [...this.#open.values()]) {
      if (!this.#running.has(each.id) && sendsTheSame(each, intent)) this.end(each);
    }
  }

  /** The open calls, oldest first, without those that are under way now. */
  unsettled(): Intent[] {
    try {
      this.#opened();
    } catch (error) {
      if (error instanceof TradingError) throw error;
      throw this.#error(codeOf(error));
    }
    return [...this.#open.values()].filter((intent) => !this.#running.has(intent.id));
  }

  /** Close the file; later calls throw. Calls that are under way still write their end. */
  close(): void {
    this.#closed = true;
    this.#leaveIfClosed();
  }

  #leaveIfClosed(): void {
    if (!this.#closed || this.#running.size > 0 || this.#file === null) return;
    this.#fs.closeSync(this.#file);
    this.#file = null;
    this.#unlock();
  }

  #unlock(): void {
    if (this.#lock === null) return;
    if (isAt(this.#fs, `${this.#path}.lock`, this.#lock)) this.#fs.rmSync(`${this.#path}.lock`);
    this.#fs.closeSync(this.#lock);
    this.#lock = null;
  }

  #opened(): number {
    if (this.#file === null) {
      if (this.#closed) throw new RequestError("the client is closed");
      return this.#newlyOpened();
    }
    if (this.#lock === null || !isAt(this.#fs, `${this.#path}.lock`, this.#lock)) {
      throw this.#error("belongs to another client");
    }
    if (!isAt(this.#fs, this.#path, this.#file)) {
      throw this.#error("was removed, renamed or replaced; make a new client");
    }
    return this.#file;
  }

  #newlyOpened(): number {
    const fs = this.#fs;
    const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
    this.#lock = lock(fs, `${this.#path}.lock`);
    if (this.#lock === null) {
      const left = `'${withoutKeys(this.#path)}.lock'`;
      throw this.#error(`belongs to another client, or ${left} was left by one`);
    }
    let file: number | null = null;
    try {
      // NONBLOCK: opening a named pipe must not hang.
      file = fs.openSync(this.#path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o600);
      if (!fs.fstatSync(file).isFile()) throw this.#error("is not a regular file");
      this.#read(file);
      syncFolder(this.#path);
      this.#file = file;
      return file;
    } catch (error) {
      if (file !== null) fs.closeSync(file);
      this.#unlock();
      throw error;
    }
  }

  /** Read the open calls; a last line without an end is cut off, and all if none is open. */
  #read(file: number): void {
    const content = this.#fs.readFileSync(file, "latin1");
    try {
      const { open, size } = format.read(content);
      this.#fs.ftruncateSync(file, open.size > 0 ? size : 0);
      for (const [id, intent] of open) this.#open.set(id, intent);
    } catch (error) {
      throw this.#error((error as Error).message);
    }
  }

  /** Replace the file by one that holds only the open calls. */
  #rewrite(file: number): void {
    const fs = this.#fs;
    this.#rewriteAt *= 2; // if it fails, it is not tried again with every call
    const path = `${this.#path}.new`;
    fs.rmSync(path, { force: true });
    const made = fs.openSync(path, "ax+", 0o600);
    try {
      const lines = [...this.#open.values()].map((each) => format.began(each));
      this.#append(made, lines.join(""));
      fs.fsyncSync(made);
      fs.renameSync(path, this.#path);
    } catch (error) {
      fs.closeSync(made);
      throw error;
    }
    this.#file = made;
    // Not at once: a call may be about to sync it.
    setTimeout(() => fs.close(file, () => {}), 60_000).unref();
    syncFolder(this.#path);
    this.#rewriteAt = Math.max(LARGE, 2 * fs.fstatSync(made).size);
  }

  #append(file: number, text: string): void {
    const fs = this.#fs;
    const { size } = fs.fstatSync(file);
    const bytes = Buffer.from(text, "latin1");
    if (fs.writeSync(file, bytes) === bytes.length) return;
    // Half a line would swallow the next one.
    fs.ftruncateSync(file, size);
    throw this.#error("the disk is full");
  }

  #error(why: string): JournalError {
    return new JournalError(`journal '${withoutKeys(this.#path)}': ${why}`);
  }
}

/** Whether an intent has the ids of another one, and is the same in all else that the service is told. */
function sendsTheSame(one: Intent, other: Intent): boolean {
  const told = ({ baseUrl, account, messages }: Intent) => {
    const said = messages.map(({ name, clientId, fields }) => [name, clientId, fields]);
    return jsonText([baseUrl, account, said]);
  };
  const hasIds = one.messages.every((each) => each.clientId !== null);
  return hasIds && told(one) === told(other);
}

function checkPath(path: unknown): asserts path is string {
  if (typeof path !== "string" || path === "") {
    throw new RequestError("journal must be the path of a file");
  }
  if (path.split(/[\\/]/).some(isPrivateKey)) {
    throw new RequestError("journal is a private key, which no file name may hold: give a path");
  }
}
