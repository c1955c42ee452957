/**
 * The lines of an intent journal: how they are written and read, without I/O.
 *
 * `{"crc":"8 digits","began":INTENT}` and `{"crc":"8 digits","ended":ID}`, as the Python SDK has them. The
 * checksum is the CRC-32 of all that follows it in the line, its end included, so no changed byte goes
 * unnoticed.
 */

import { jsonText, type Writable } from "../codec/json_text.js";
import { isObject, type ParsedObject, parse } from "../codec/parser.js";
import { asFields, fromFields, type Intent } from "../intent.js";
import { files } from "../node.js";

const CHECKED = '{"crc":"';
const HEAD = '{"crc":"00000000",'.length;
/** How the lines of version 0.1 begin, which have no checksum. */
const OLD = ['{"began":{', '{"ended":"'];
const USE_0_1 =
  "is of version 0.1: settle what client.unsettled() lists with trading-service-sdk 0.1, then move " +
  "the file away";

/** The line of an attempt that begins. */
export function began(intent: Intent): string {
  return line({ began: asFields(intent) });
}

/** The line of a call whose outcome is known. */
export function ended(id: string): string {
  return line({ ended: id });
}

function line(fields: Writable): string {
  const covered = `${jsonText(fields).slice(1)}\n`;
  return `{"crc":"${digits(covered)}",${covered}`;
}

function digits(covered: string): string {
  const { zlib } = files("a journal");
  return zlib.crc32(Buffer.from(covered, "latin1")).toString(16).padStart(8, "0");
}

/**
 * The open calls by their ids, oldest first, and where the last whole line ends.
 *
 * A last line that a crash cut short does not count: it was not synced, so its call was not sent.
 * Throws if a line was changed, or is not of a journal of this version.
 *
 * @param content The bytes of the file, one character each.
 */
export function read(content: string): { open: Map<string, Intent>; size: number } {
  const open = new Map<string, Intent>();
  let size = 0;
  for (const [index, text] of (content.match(/[^\n]*\n|[^\n]+$/g) ?? []).entries()) {
    if (OLD.some((start) => text.startsWith(start)))
      throw new Error(`line ${index + 1} ${USE_0_1}`);
    try {
      if (!isWhole(text)) break;
      const entry = fieldsOf(text);
      const end = entry.get("ended");
      const intent = end === undefined ? fromFields(entry.get("began") ?? null) : undefined;
      // A later attempt of a call takes the place of an earlier one.
      open.delete(intent?.id ?? String(end));
      if (intent !== undefined) open.set(intent.id, intent);
    } catch (error) {
      const why = (error as Error).message;
      const what = `line ${index + 1} is damaged, or the file is no journal (${why})`;
      const advice =
        "give the client another file, keep this one, and look up the client ids in its lines in the histories";
      throw new Error(`${what}; ${advice}`);
    }
    size += text.length;
  }
  return { open, size };
}

/** Whether a line has its end; throws if it was changed, or is no entry. */
function isWhole(text: string): boolean {
  const covered = text.slice(HEAD);
  const hasEnd = text.endsWith("\n");
  if (text.startsWith(CHECKED)) {
    const head = `{"crc":"${digits(hasEnd ? covered : `${covered.slice(0, -1)}\n`)}",`;
    if (hasEnd && text.startsWith(head)) return true;
    if (hasEnd) throw new Error("it was changed");
    if (text.length > HEAD && text.startsWith(head)) throw new Error("its end was changed");
    return false;
  }
  if (hasEnd) throw new Error("it is no entry");
  // A power cut may leave zeros.
  let end = text.length;
  while (text[end - 1] === "\0") end -= 1;
  const torn = text.slice(0, end);
  if (CHECKED.startsWith(torn.slice(0, CHECKED.length))) return false;
  throw new Error("it has no end");
}

function fieldsOf(text: string): ParsedObject {
  const found = parse(text);
  if (isObject(found)) return found;
  throw new Error("it is no object");
}
