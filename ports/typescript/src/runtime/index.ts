/** The runtime of a generated SDK: everything that no template should repeat. */

export type {
  AttemptAnswered,
  AttemptRetried,
  AttemptSent,
  CallEnded,
  ClientEvent,
  OnEvent,
} from "./call/events.js";
export type { CallOptions } from "./call/message.js";
export type { RetryOptions } from "./call/retry.js";
export { BaseClient, Group } from "./client/client.js";
export type { ChangedOptions, ClientOptions } from "./client/config.js";
export { type ActionOutcome, BatchResult } from "./codec/batch.js";
export type { Decimal, DecimalInput } from "./codec/decimals.js";
export type { Json, Open } from "./codec/decoder.js";
export type { JsonInput } from "./codec/fields.js";
export { type IntegerInput, type TimeInput, toDate } from "./codec/integers.js";
export { toJson } from "./codec/json_text.js";
export { Page, Paginator } from "./codec/pages.js";
export * from "./errors.js";
export { TransportError } from "./http/fault.js";
export {
  FetchTransport,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "./http/transport.js";
export type { Intent } from "./intent.js";
export type {
  Api,
  BatchOperation,
  ListOperation,
  Operation,
  Recognition,
  Schema,
} from "./operation.js";
export type { RateBudget } from "./rate_limit.js";
export type { Settlement } from "./recovery/settlement.js";
export { Keypair, type Signer } from "./signing/keys.js";
export type { SignedRequest } from "./signing/request.js";
