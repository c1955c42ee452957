/** Sending a message again, from what its intent holds. */

import { ResultReader } from "../codec/answers.js";
import { RequestError } from "../errors.js";
import type { Message } from "../intent.js";
import type { Operation } from "../operation.js";
import type { Caller } from "./caller.js";
import { drafted, secretFields } from "./draft.js";

/**
 * Carry out an operation with the fields of an earlier message, its ids included.
 *
 * @throws {@link RequestError} Some of its fields are secret, so that nobody has written them down.
 */
export function repeat<T>(caller: Caller, operation: Operation<T>, message: Message): Promise<T> {
  const { schema } = caller.settings.api;
  if (secretFields(schema, operation).length > 0) {
    throw new RequestError(`${operation.name}: it has secret fields, which are not known any more`);
  }
  const part = {
    kind: operation,
    fields: message.fields,
    minted: new Set<string>(),
    earlier: message,
  };
  return caller.carryOut(drafted(operation, [part]), new ResultReader<T>(operation, schema));
}
