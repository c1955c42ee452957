// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

// For its types: it tells what `ApiError.reason` may be.
import "./reasons.js";

export type {
  AttemptAnswered,
  AttemptRetried,
  AttemptSent,
  BatchResult,
  CallEnded,
  CallOptions,
  ChangedOptions,
  ClientEvent,
  ClientOptions,
  Decimal,
  DecimalInput,
  IntegerInput,
  Intent,
  Json,
  JsonInput,
  OnEvent,
  Open,
  Page,
  Paginator,
  RateBudget,
  RetryOptions,
  Settlement,
  SignedRequest,
  Signer,
  TimeInput,
  Transport,
  TransportRequest,
  TransportResponse,
} from "../runtime/index.js";
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  BatchError,
  ConflictError,
  DecodeError,
  FetchTransport,
  InternalServerError,
  JournalError,
  Keypair,
  NoResponseError,
  NotFoundError,
  NotSentError,
  OutcomeUnknownError,
  PaginationError,
  PermissionDeniedError,
  RateLimitError,
  RequestError,
  SigningError,
  TradingError,
  TransportError,
  toDate,
  toJson,
  UnprocessableEntityError,
} from "../runtime/index.js";
export { Client } from "./client.js";
export * from "./groups/account.js";
export * from "./groups/api_keys.js";
export * from "./groups/funding.js";
export * from "./groups/orders.js";
export * from "./groups/spot.js";
export * from "./groups/subaccounts.js";
export * from "./groups/trades.js";
export * from "./groups/vaults.js";
export * from "./models.js";
