/** From a draft to a signed request, and to the intent that says what it is about to change. */

import { batchBody } from "../batch.js";
import { jsonText } from "../codec/json_text.js";
import { bodyOf, clientId, outsideOfBody } from "../codec/requests.js";
import { NotSentError, RequestError } from "../errors.js";
import type { TransportRequest } from "../http/transport.js";
import type { Intent, Message } from "../intent.js";
import { give, givenOf } from "../minted.js";
import type { Action, Operation } from "../operation.js";
import { countersign } from "../signing/countersigned.js";
import { type SignedRequest, signRequest } from "../signing/request.js";
import type { Settings } from "./caller.js";
import { type Draft, type Part, type Prepared, secretFields } from "./draft.js";

/** The request of an attempt, signed now, and its intent; a read has none. */
export async function prepared(settings: Settings, draft: Draft): Promise<Prepared> {
  const { operation, parts, id } = draft;
  const isGet = operation.method === "GET";
  const timestamp = isGet ? 0 : settings.clock.signMs();
  const request = await requestOf(settings, draft, timestamp);
  if (isGet || operation.retry === "safe") return { request, intent: null };
  const intent: Intent = {
    id,
    operation: operation.name,
    baseUrl: settings.baseUrl,
    account: settings.account ?? "",
    timestamp,
    expiryWindow: settings.expiryWindow,
    messages: parts.map((each) => messageOf(settings, each)),
    signed: operation.signing !== undefined || operation.batch !== undefined,
  };
  if (parts.every((each) => each.earlier === undefined)) give(givenOf(intent));
  return { request, intent };
}

/**
 * The same, unless the deadline passes or the caller gives up before it is signed.
 *
 * @throws {@link NotSentError} A signer may ask a person or another machine, and never answer.
 */
export function preparedInTime(
  settings: Settings,
  draft: Draft,
  deadline: number,
): Promise<Prepared> {
  const { signal } = draft.options;
  return new Promise((resolve, reject) => {
    const end = (why: string) => reject(new NotSentError(draft.operation.name, why));
    const aborted = () => end("it was aborted before it was sent");
    if (signal?.aborted) return aborted();
    const left = deadline - settings.clock.environment.monotonic();
    const timer = setTimeout(end, left, "the deadline passed before it was signed");
    signal?.addEventListener("abort", aborted, { once: true });
    const stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", aborted);
    };
    prepared(settings, draft).then(resolve, reject).finally(stop);
  });
}

/** A part, signed now; it is not sent here, but perhaps by whoever sees it. */
export async function shownPart(settings: Settings, part: Part): Promise<SignedRequest> {
  const request = await signedPart(settings, part, settings.clock.signMs());
  give(givenOf({ account: settings.account ?? "", messages: [messageOf(settings, part)] }));
  return request;
}

async function requestOf(
  settings: Settings,
  draft: Draft,
  timestamp: number,
): Promise<TransportRequest> {
  const { operation, parts } = draft;
  const { path, headers } = outsideOfBody(operation, operation.batch ? new Map() : fieldsOf(draft));
  const common = { ...settings.headers, ...headers };
  const at = { method: operation.method, url: `${settings.baseUrl}${path}`, headers: common };
  if (!operation.hasBody) return { ...at, body: null };
  if (operation.batch) {
    const signed = await Promise.all(parts.map((each) => signedPart(settings, each, timestamp)));
    const types = parts.map(({ kind }) => (kind as Action).type);
    const actions = signed.map(({ body }, index) => ({ type: types[index] ?? "", body }));
    return { ...at, body: batchBody(operation.batch.field, actions) };
  }
  const [only] = parts;
  if (operation.signing === undefined || only === undefined) {
    return { ...at, body: jsonText(bodyOf(operation, fieldsOf(draft))) };
  }
  return { ...at, body: (await signedPart(settings, only, timestamp)).body };
}

function fieldsOf({ parts }: Draft): Part["fields"] {
  return parts[0]?.fields ?? new Map();
}

/** A message, signed. */
async function signedPart(
  settings: Settings,
  { kind, fields, other }: Part,
  timestamp: number,
): Promise<SignedRequest> {
  const { signer, account, expiryWindow, signingTypes } = settings;
  if (signer === null || account === null) {
    throw new RequestError(`${kind.name} must be signed: give the client a signer`);
  }
  const type = signingTypes.get(kind.name) ?? "";
  const stamp = { signer, account, timestamp, expiryWindow };
  if (other !== undefined && "countersigned" in kind && kind.countersigned) {
    return countersign(kind.countersigned, type, other, stamp);
  }
  const own = "path" in kind ? bodyOf(kind as Operation<unknown>, fields) : fields;
  return signRequest(own, type, stamp);
}

/** What the intent of a call records of a part: its fields without the secret ones. */
function messageOf({ api }: Settings, part: Part): Message {
  if (part.earlier !== undefined) return part.earlier;
  const { kind, fields, minted, sharesId = false } = part;
  const secrets = secretFields(api.schema, kind);
  return {
    name: kind.name,
    clientId: clientId(kind.key, fields),
    fields: new Map([...fields].filter(([name]) => !secrets.includes(name))),
    minted: minted.has(kind.key ?? "") && !sharesId,
    listed: (kind.trace?.id ?? kind.trace?.target) !== undefined && !sharesId,
    traced: kind.trace !== undefined,
    sharesId,
  };
}
