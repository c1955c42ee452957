/** Signing the service's time: what tells it before the first message is signed. */

import { type Reader, ResultReader } from "../codec/answers.js";
import { NotSentError, RequestError, TradingError } from "../errors.js";
import type { Api, Operation } from "../operation.js";
import { Caller, type Settings } from "./caller.js";
import { type Draft, drafted } from "./draft.js";

/** A caller that reads the service's time before it signs, unless an answer has told it. */
export class ServerTimeCaller extends Caller {
  readonly #source: Operation<unknown>;

  /** @throws {@link RequestError} No read of the service could tell its time. */
  constructor(settings: Settings) {
    super(settings);
    this.#source = timeSource(settings.api);
  }

  override with(changes: Partial<Settings>): Caller {
    return new ServerTimeCaller({ ...this.settings, ...changes });
  }

  override async carryOut<T>(draft: Draft, reader: Reader<T>): Promise<T> {
    const { clock, signer, timeout } = this.settings;
    const { monotonic } = clock.environment;
    const given = draft.options.timeout ?? timeout;
    const deadline = monotonic() + given;
    if (draft.operation.method !== "GET" && signer !== null) {
      await this.#learnTime(draft, given);
    }
    // The time that this took is the call's own.
    const left = Math.max(deadline - monotonic(), Number.MIN_VALUE);
    return super.carryOut({ ...draft, options: { ...draft.options, timeout: left } }, reader);
  }

  async #learnTime(waiting: Draft, timeout: number): Promise<void> {
    const { clock, account, api } = this.settings;
    clock.look();
    if (clock.skew !== null) return;
    const source = this.#source;
    const fields = new Map([[source.account ?? "", account ?? ""]]);
    const part = { kind: source, fields, minted: new Set<string>() };
    const options = { ...waiting.options, timeout };
    let problem = "its answer has no Date";
    try {
      const reader = new ResultReader(source, api.schema);
      await super.carryOut(drafted(source, [part], options), reader);
    } catch (error) {
      if (!(error instanceof TradingError)) throw error;
      // A refusal may have told the time nevertheless.
      problem = error.message;
    }
    if (clock.skew === null) {
      const why = `${source.name} did not tell the service's time: ${problem}`;
      throw new NotSentError(waiting.operation.name, why);
    }
  }
}

/** What tells the time of a service: its first read of one object that needs the account alone. */
function timeSource(api: Api): Operation<unknown> {
  const found = api.operations.find(({ account, pagination, params }) => {
    const fields = api.schema.models[params ?? ""]?.fields ?? [];
    const needed = fields.filter((each) => each.required && each.name !== account);
    return account !== undefined && pagination === undefined && needed.length === 0;
  });
  if (found !== undefined) return found;
  throw new RequestError('clock "server": this service has no read that could tell its time');
}
