/** Moments as RFC 3339 writes them (`date-time`), and as JavaScript has them: Dates. */

import { RequestError } from "../errors.js";

const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d):(\d\d)(?:\.(\d+))?(?:([Zz])|([-+]\d\d:\d\d))$/;

/** A moment as it is sent: in UTC. */
export function writtenTime(moment: Date): string {
  if (Number.isNaN(moment.getTime())) throw new RequestError("the Date is invalid");
  const [whole, ms = ""] = moment.toISOString().replace("Z", "").split(".");
  return ms === "000" ? `${whole}Z` : `${whole}.${ms}000Z`;
}

/**
 * The moment in a received text, to the ms. A leap second is the second after it. Throws if it is
 * not RFC 3339.
 */
export function momentIn(text: string): Date {
  const found = RFC_3339.exec(text);
  const [, day, minute, second, fraction = "", , offset = "Z"] = found ?? [];
  const isLeap = second === "60";
  const local = `${day}T${minute}:${isLeap ? "59" : second}`;
  const moment = new Date(`${local}.${fraction.slice(0, 3).padEnd(3, "0")}${offset}`);
  // A Date takes 30 February for 2 March, 24:00 for the next day, and many a text for the year 2000.
  const exists = found !== null && new Date(`${local}Z`).toJSON()?.startsWith(local);
  if (!exists || Number.isNaN(moment.getTime())) {
    throw new Error(`'${text.slice(0, 60)}' is not a date-time of RFC 3339`);
  }
  return new Date(moment.getTime() + (isLeap ? 1_000 : 0));
}
