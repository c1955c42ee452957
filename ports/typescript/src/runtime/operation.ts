/**
 * The data that a generated package hands to the runtime: operations, batch actions, models, the API.
 *
 * Nothing here knows a service. An `Operation` says where a request goes, how it is signed and what
 * comes back; the runtime treats all of them alike.
 */

/** The retry class (`x-retry`): what a second execution would do. */
export type RetryClass = "safe" | "idempotent" | "by-key" | "never";

// -- types and models -------------------------------------------------------------------------

export type Kind =
  | "string"
  | "integer"
  | "boolean"
  | "decimal"
  | "uuid"
  | "json"
  | "enum"
  | "model"
  | "list"
  | "tuple";

export interface Type {
  readonly kind: Kind;
  /** Of the enum or model. */
  readonly name?: string;
  /** Whether an integer is an instant, in ms since 1970. */
  readonly time?: boolean;
  /** Whether null may stand for an item or a member. */
  readonly nullable?: boolean;
  readonly items?: Type;
  readonly members?: readonly Type[];
}

/** What is checked of a value that a caller gives. */
export interface Limits {
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface Field extends Limits {
  /** As on the wire. */
  readonly name: string;
  readonly type: Type;
  readonly required?: boolean;
  readonly nullable?: boolean;
  /** What the client fills in unless it is given. */
  readonly auto?: string;
  /** Whether it is the cursor where a list starts. */
  readonly cursor?: boolean;
  readonly secret?: boolean;
  /** Another moment of the same request, before which this one may not be. */
  readonly notBefore?: string;
}

export interface Model {
  /** What errors call it, unless that is its name. */
  readonly body?: string;
  readonly fields?: readonly Field[];
  readonly exactlyOne?: readonly string[];
  readonly atLeastOne?: readonly string[];
}

/** What shows one reason for a refusal: its text, else its code, else its status. */
export interface Recognition {
  /** How the error text begins, in any case. The longest that fits counts. */
  readonly texts?: readonly string[];
  /** Name of an operation -> its code. */
  readonly codes?: Readonly<Record<string, string | number>>;
  readonly statuses?: readonly number[];
  /** Names of the operations under which the statuses show it; missing: under all. */
  readonly operations?: readonly string[];
  /** The status whose class of error this is, also under a 400 and under a 2xx. */
  readonly asStatus?: number;
}

export interface Schema {
  /** Those that callers give, and those of the states that a message leads to. Others are read as they come. */
  readonly enums: Readonly<Record<string, readonly string[]>>;
  readonly models: Readonly<Record<string, Model>>;
  readonly reasons: Readonly<Record<string, Recognition>>;
  readonly refusals: Refusals;
}

/** Which members of a refusal say nothing of execution, and which do, whatever the result. */
export interface Refusals {
  readonly words: readonly string[];
  readonly states: readonly string[];
}

// -- operations -------------------------------------------------------------------------------

export interface Pagination {
  readonly items: string;
  readonly cursor: string;
  /** Missing where the cursor is an offset: the number of records before the page. */
  readonly nextCursor?: string;
  readonly hasMore?: string;
  /** Whether every page says `success`, so that one without it is none. */
  readonly saysSuccess?: boolean;
  readonly limit?: string;
  readonly maxLimit?: number;
}

/** Record field -> message field. */
export type Names = Readonly<Record<string, string>>;

/** The record that a message changes, and its fields afterwards. */
export interface Target {
  readonly names: Names;
  readonly becomes: Readonly<Record<string, string | number | boolean>>;
  readonly changedAt: string;
  readonly inherits?: readonly string[];
  /** Field of a record that came of this one -> field of this record that it names. */
  readonly parent?: Names;
}

/** Which lists show that a message was executed, and how (`x-reconcile`). */
export interface Trace {
  readonly lists: readonly string[];
  readonly madeAt: string;
  readonly id?: string;
  readonly agrees?: Names;
  readonly atMost?: Names;
  readonly target?: Target;
}

export interface Signing {
  readonly type: string;
  readonly source: "documented" | "observed" | "assumed";
}

export interface Result {
  readonly type: Type;
  /** Property of the answer that holds it; missing where the whole answer is the result. */
  readonly key?: string;
  readonly nullable?: boolean;
  readonly secret?: boolean;
}

/** What operations and batch actions have in common. */
export interface Method {
  /** Like `orders.create`. */
  readonly name: string;
  readonly params?: string;
  readonly signing?: Signing;
  readonly retry: RetryClass;
  /** Path of the field with the client order id or idempotency key. */
  readonly key?: string;
  readonly trace?: Trace;
}

export interface Action extends Method {
  /** Its `type` in a batch. */
  readonly type: string;
  readonly params: string;
}

export interface Batch {
  readonly field: string;
  readonly maxItems: number;
  readonly actions: Readonly<Record<string, Action>>;
}

export interface Countersigner {
  readonly address: string;
  readonly signature: string;
  readonly signs: string;
}

/** How two keys sign a message: the other one the client's own address, the own one that signature. */
export interface Countersigned {
  readonly otherType: string;
  readonly other: Countersigner;
  readonly own: Countersigner;
}

/** One endpoint. `T` is what a call returns. */
export interface Operation<T> extends Method {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly hasBody?: boolean;
  /** Fields beside a body that stand in the path or the query. */
  readonly inUrl?: readonly string[];
  readonly result?: Result;
  readonly ignoresData?: boolean;
  /** The documented statuses of success, where they are not 200 alone. A 204 has no body. */
  readonly successes?: readonly number[];
  /** Whether a call returns the result of an action: `success: true`, and what the result has. */
  readonly outcome?: boolean;
  /** Parameter that names the account that is read. */
  readonly account?: string;
  readonly pagination?: Pagination;
  readonly batch?: Batch;
  readonly countersigned?: Countersigned;
  /** For the type checker alone: what a call returns. */
  readonly returns?: T;
}

/** An endpoint that lists records page by page. `T` is one record. */
export interface ListOperation<T> extends Operation<T> {
  readonly pagination: Pagination;
}

/** An endpoint that carries out several actions, each signed on its own. `T` is one result. */
export interface BatchOperation<T> extends Operation<T> {
  readonly batch: Batch;
}

/** The names of the headers that tell the budget, and the quota with its window. */
export interface RateHeaders {
  readonly budget: string;
  readonly policy: string;
}

/** A whole service, as the generated package describes it. */
export interface Api {
  readonly title: string;
  readonly version: string;
  readonly operations: readonly Operation<unknown>[];
  readonly schema: Schema;
  readonly apiKeyHeader: string | null;
  readonly rateScale: number;
  readonly rateHeaders?: RateHeaders;
  readonly servers?: Readonly<Record<string, string>>;
}

/** An operation of a service, to which an answer is read. */
export interface Asked {
  readonly operation: Operation<unknown>;
  readonly schema: Schema;
}

/** The fields of a model. Another type has none. */
export function fieldsOf(schema: Schema, type: Type | undefined): readonly Field[] {
  return (type?.kind === "model" ? schema.models[type.name ?? ""]?.fields : undefined) ?? [];
}

/** Whether a message of this kind makes a record: one of its own, or one that replaces another. */
export function makesRecord({ trace }: Method): boolean {
  return trace?.id !== undefined || (trace?.target?.inherits ?? []).length > 0;
}

/** Every operation by its name, and every action that no operation has the name of. */
export function methodsOf(api: Api): Map<string, Operation<unknown> | Action> {
  const actions = api.operations.flatMap((each) => Object.values(each.batch?.actions ?? {}));
  return new Map([...actions, ...api.operations].map((each) => [each.name, each]));
}
