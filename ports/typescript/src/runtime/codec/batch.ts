/** Batches: wrapping actions, and the results that come back in their order. */

import { type ApiError, BatchError, type Code, type Reason, RequestError } from "../errors.js";
import type { Fields, Intent } from "../intent.js";
import type { Action, Batch, Method } from "../operation.js";
import { quoted } from "./json_text.js";
import { clientId } from "./requests.js";

/** What every result of an action has. */
export interface ActionOutcome {
  readonly success: boolean;
  readonly error: string | null;
}

/** An action of a batch, with its arguments. */
export interface GivenAction {
  readonly type: string;
  readonly data: object;
}

/**
 * One result per action, in the order of the actions.
 *
 * A batch may succeed in part: look at each result, or call `throwOnFailure()`.
 */
export class BatchResult<R extends ActionOutcome> implements Iterable<R> {
  readonly results: readonly R[];
  readonly #operation: string;
  readonly #refusals: ReadonlyMap<number, ApiError>;
  #intent: Intent | null = null;

  constructor(operation: string, results: readonly R[], refusals: ReadonlyMap<number, ApiError>) {
    this.#operation = operation;
    this.results = results;
    this.#refusals = refusals;
  }

  /** Why each action failed, as `ApiError.reason` says it; undefined where it did not, or is not known. */
  get reasons(): readonly (Reason | undefined)[] {
    return this.results.map((_, index) => this.#refusals.get(index)?.reason);
  }

  /** The code of each action that failed, as `ApiError.code` has it; null where there is none. */
  get codes(): readonly Code[] {
    return this.results.map((_, index) => this.#refusals.get(index)?.code ?? null);
  }

  get length(): number {
    return this.results.length;
  }

  [Symbol.iterator](): Iterator<R> {
    return this.results[Symbol.iterator]();
  }

  /**
   * The actions that may have been executed although they failed: `client.reconcile(result)` finds out.
   *
   * A hop may have sent the batch twice; then an action is refused as a duplicate of its own id.
   */
  get unclear(): readonly number[] {
    return this.failure?.unclear ?? [];
  }

  /** What `throwOnFailure` throws, made anew; null if no action failed. */
  get failure(): BatchError | null {
    if (this.#refusals.size === 0) return null;
    return new BatchError(this.#operation, this.length, this.#refusals, this.#intent);
  }

  /**
   * Throw if any action failed.
   *
   * @throws {@link BatchError} Names each failed action by its index, with the error text of the service.
   */
  throwOnFailure(): void {
    const { failure } = this;
    if (failure !== null) throw failure;
  }

  /** @internal Note what was sent. */
  explain(intent: Intent | null): void {
    this.#intent = intent;
    for (const refusal of this.#refusals.values()) refusal.intent = intent;
  }
}

/**
 * The kind of each action of a batch.
 *
 * @throws {@link RequestError} There are no actions, or too many, or one is not of a known kind.
 */
export function checkedActions(
  operation: string,
  batch: Batch,
  actions: readonly GivenAction[],
): [Action, object][] {
  if (!Array.isArray(actions)) throw new RequestError(`${operation}: actions must be a list`);
  if (actions.length < 1 || actions.length > batch.maxItems) {
    const most = `a batch holds 1 to ${batch.maxItems} actions, not ${actions.length}`;
    throw new RequestError(`${operation}: ${most}`);
  }
  return Array.from(actions as (GivenAction | undefined)[], (given, index) => {
    const unknown = Object.keys(given ?? {}).find((key) => key !== "type" && key !== "data");
    if (unknown !== undefined) {
      const has = "an action has 'type' and 'data'";
      throw new RequestError(`${operation}: action ${index}: unknown key '${unknown}'; ${has}`);
    }
    const type = given?.type ?? "";
    const action = Object.hasOwn(batch.actions, type) ? batch.actions[type] : undefined;
    if (action !== undefined && given !== undefined) return [action, given.data];
    const known = Object.keys(batch.actions).join(", ");
    throw new RequestError(`${operation}: the type of action ${index} is not one of ${known}`);
  });
}

/**
 * The ids that two actions of a batch have, each with a cancel of it between them: histories cannot tell such
 * actions apart.
 *
 * @throws {@link RequestError} Two have the same id, and no cancel of it stands between them.
 */
export function sharedIds(
  operation: string,
  actions: readonly { readonly kind: Method; readonly fields: Fields }[],
): ReadonlySet<unknown> {
  const latest = new Map<string, number>();
  const ended = new Set<unknown>();
  const shared = new Set<string>();
  for (const [index, { kind, fields }] of actions.entries()) {
    const id = clientId(kind.key, fields);
    if (id !== null) {
      const before = latest.get(id);
      if (before !== undefined && !ended.has(id)) {
        throw new RequestError(
          `${operation}: actions ${before} and ${index} have the same id, ${id}, and no cancel of it ` +
            "stands between them",
        );
      }
      if (before !== undefined) shared.add(id);
      latest.set(id, index);
      ended.delete(id);
    }
    const target = kind.trace?.target;
    // An edit replaces its order: the id stays in use.
    if (target && !target.inherits?.length) {
      for (const name of Object.values(target.names)) ended.add(fields.get(name));
    }
  }
  return shared;
}

/** The body of a batch: each action's type, with its own complete signed body. */
export function batchBody(
  field: string,
  types: readonly string[],
  bodies: readonly string[],
): string {
  const texts = bodies.map((body, i) => `{"data":${body},"type":${quoted(types[i] ?? "")}}`);
  return `{${quoted(field)}:[${texts.join(",")}]}`;
}
