/** Searches for what became of the record that a message changes or replaces. No I/O. */

import type { Recorded, Unreadable } from "../call/lookup.js";
import { canonicalDecimal } from "../codec/decimals.js";
import { same } from "../codec/values.js";
import type { Message } from "../intent.js";
import type { Target, Trace } from "../operation.js";
import {
  type Evidence,
  evidence,
  IdSearch,
  LikenessSearch,
  MAX_UNSEEN_SKEW,
  Search,
  type Shape,
  textOf,
  timeIn,
} from "./evidence.js";

const IN_PLACE =
  "the record that it should replace has the new values itself, or was touched since it was signed: it may " +
  "have been changed in place";
const ENDED = "the record that it should replace was ended, but no list shows a replacement";
const UNKNOWN_STATE =
  "the record has a state that this version does not know, which proves nothing";

/** The search for the records that a message caused. There is one for each kind of message. */
export function searchFor(message: Message, trace: Trace, since: number, shape: Shape): Search {
  if (trace.id !== undefined) return new IdSearch(message, trace, since, shape);
  if (trace.target === undefined) return new LikenessSearch(message, trace, since, shape);
  const kind = trace.target.inherits ? ReplacementSearch : ChangeSearch;
  return new kind(message, trace, since, shape);
}

// Not of all times at once: so many arguments have no room on the stack.
const later = (one: number, other: number) => Math.max(one, other);
const earlier = (one: number, other: number) => Math.min(one, other);

/** Looks for the targets of a message: the records that have every id it names. */
abstract class TargetSearch extends Search {
  protected get target(): Target {
    return this.trace.target as Target;
  }

  protected override concerns(record: Recorded): boolean {
    return this.isTarget(record) || this.mayBeNew(record) || this.wasTouched(record);
  }

  /** Whether a record shows any change since the message was signed. */
  protected wasTouched(record: Recorded): boolean {
    return this.changedAt(record) >= this.since;
  }

  protected override mayConcern(fields: Unreadable["fields"]): boolean {
    const { target, sent } = this;
    const times = [fields.get(this.trace.madeAt), fields.get(target.changedAt)];
    const isOld = (time: unknown) =>
      typeof time === "bigint" && time < this.since - MAX_UNSEEN_SKEW;
    // Too old for what replaced the target.
    if (times.some(isOld)) return this.#namesIn(fields);
    const { inherits } = target;
    const kept = Object.entries(this.trace.agrees ?? {}).filter(
      ([field]) => inherits === undefined || inherits.includes(field),
    );
    return kept.every(([field, name]) => {
      const told = fields.get(field);
      return typeof told !== "string" || same(told, sent.get(name), false);
    });
  }

  /** Whether a record that cannot be read may have every name that the message gives its target. */
  #namesIn(fields: Unreadable["fields"]): boolean {
    return this.namesGiven().every(([field, name]) => {
      const told = fields.get(field) ?? null;
      return told === null || same(told, name, false);
    });
  }

  protected targets(): Recorded[] {
    return this.records.filter((each) => this.isTarget(each));
  }

  protected isTarget(record: Recorded): boolean {
    const names = this.namesGiven();
    return names.length > 0 && names.every(([field, name]) => this.same(record, field, name));
  }

  /** The names by which the message calls its target, by the record field that holds them. */
  protected namesGiven(): (readonly [string, unknown])[] {
    const names = Object.entries(this.target.names);
    const given = names.map(([field, name]) => [field, this.sent.get(name) ?? null] as const);
    return given.filter(([, value]) => value !== null);
  }

  /** Whether a record is in the state that the message leads to, since whatever time. */
  protected isChanged(record: Recorded): boolean {
    const becomes = Object.entries(this.target.becomes);
    return becomes.every(([field, value]) => this.same(record, field, value));
  }

  /** Whether the state of a record is one that this version knows. */
  protected isKnown(record: Recorded): boolean {
    const isUnknown = (field: string) =>
      typeof record[field] === "string" && !this.shape.enums.get(field)?.includes(record[field]);
    return this.isChanged(record) || !Object.keys(this.target.becomes).some(isUnknown);
  }

  /** Whether a record got into that state since the message was signed. */
  protected wasChangedSince(record: Recorded): boolean {
    return this.isChanged(record) && this.changedAt(record) >= this.since;
  }

  protected changedAt(record: Recorded): number {
    return timeIn(record, this.target.changedAt);
  }

  /** Whether two records have the same value in a field; null is a value, too. */
  protected equalIn(field: string, one: Recorded, other: Recorded): boolean {
    const [a, b] = [one[field] ?? null, other[field] ?? null];
    return a === b || (this.shape.decimals.has(field) && this.same(one, field, b));
  }
}

/** Looks whether the target was changed. Of several records of its name, the latest counts. */
class ChangeSearch extends TargetSearch {
  protected override find(): Evidence {
    const targets = this.targets();
    if (targets.length === 0) {
      return evidence("unclear", "no list shows the record that it should change");
    }
    if (!targets.some((each) => this.isChanged(each))) {
      if (!targets.every((each) => this.isKnown(each))) {
        return evidence("unclear", UNKNOWN_STATE, targets);
      }
      const reason = "the record that it should change shows no change";
      return evidence("absent", reason, targets);
    }
    const latest = targets.map((each) => this.madeAt(each)).reduce(later);
    const now = targets.filter((each) => this.madeAt(each) === latest);
    if (!now.every((each) => this.wasChangedSince(each))) {
      return evidence("unclear", "the change may be older than the message", targets);
    }
    if (this.#mayBeReused(latest, targets)) {
      const reason = "a later record has its name, and the change may be that one's";
      return evidence("unclear", reason, targets);
    }
    // A replacement changes the target in the same way.
    const replacements = this.#possibleReplacements(now[0] as Recorded);
    if (replacements.length > 0) {
      const reason = "another message may have replaced the record instead";
      return evidence("unclear", reason, replacements);
    }
    const happened = now.map((each) => this.changedAt(each)).reduce(later);
    return evidence("executed", "a list shows the change", now, { happened });
  }

  /**
   * Whether the latest target may not be the one that the message names, but another one of that name.
   *
   * A replacement is made in the ms in which the record before it was changed.
   */
  #mayBeReused(latest: number, targets: readonly Recorded[]): boolean {
    const earlier = targets.filter((each) => this.madeAt(each) < latest);
    const ends = earlier.map((each) => this.changedAt(each));
    const isReplacement = latest < this.since || ends.includes(latest);
    const areChanged = earlier.every((each) => this.isChanged(each));
    return earlier.length > 0 && !(isReplacement && areChanged);
  }

  /** The records that may have replaced a target. */
  #possibleReplacements(target: Recorded): Recorded[] {
    return this.records.filter((each) => {
      if (this.isTarget(each)) return false;
      const isLater = this.isNew(each) && this.madeAt(each) >= this.madeAt(target);
      // Its time may be that of the record before it, or in another unit.
      const isOdd = this.wasTouched(each) && !this.isChanged(each) && this.#isAlike(target, each);
      return (isLater && this.#mayReplace(target, each)) || isOdd;
    });
  }

  /** Whether two records have a name in common. */
  #isAlike(target: Recorded, record: Recorded): boolean {
    const named = Object.keys(this.target.names).filter((field) => target[field] != null);
    return named.some((field) => this.equalIn(field, target, record));
  }

  #mayReplace(target: Recorded, record: Recorded): boolean {
    const fields = Object.keys(this.target.names);
    // Its replacement may have no name in common with it.
    if (fields.some((field) => (target[field] ?? null) === null)) return this.agrees(record);
    return fields.some((field) => this.equalIn(field, target, record));
  }
}

/** Looks whether the target was replaced by a record with the new values. */
class ReplacementSearch extends TargetSearch {
  protected override concerns(record: Recorded): boolean {
    // However old it seems: the times of the lists may be far behind.
    return super.concerns(record) || this.agrees(record);
  }

  protected override find(): Evidence {
    const targets = this.targets();
    if (targets.length === 0) {
      return evidence("unclear", "no list shows the record that it should replace");
    }
    const replacements = this.#replacements(targets);
    const isChanged = targets.some((each) => this.isChanged(each));
    if (!isChanged && !replacements.some((each) => this.agrees(each))) {
      if (!targets.every((each) => this.isKnown(each))) {
        return evidence("unclear", UNKNOWN_STATE, targets);
      }
      if (targets.some((each) => this.#mayBeChangedInPlace(each))) {
        return evidence("unclear", IN_PLACE, targets);
      }
      const reason = "the record that it should replace was not replaced";
      return evidence("absent", reason, targets);
    }
    const own = this.#replacementOfTheTarget(replacements, targets);
    if (own !== null && this.#tookOver(own, targets) && this.agrees(own)) {
      const happened = this.madeAt(own);
      return evidence("executed", "a list shows the replacement", [own], { happened });
    }
    const possible = replacements.length > 0 ? replacements : this.#similar();
    if (possible.length > 0) {
      return evidence("unclear", "another message may have made the replacement", possible);
    }
    return evidence("unclear", ENDED, targets);
  }

  /**
   * Whether a target has the new values, or was touched since the message was signed.
   *
   * After an edit in place another one may have changed the values again.
   */
  #mayBeChangedInPlace(record: Recorded): boolean {
    const touchedAt = this.changedAt(record);
    const wasTouched = touchedAt >= this.since && touchedAt !== this.madeAt(record);
    return wasTouched || this.#hasNewValues(record);
  }

  /**
   * Whether a target has the new values itself, in the fields to compare or in those of the same name.
   *
   * An order that was changed in place keeps its initial price.
   */
  #hasNewValues(record: Recorded): boolean {
    return Object.entries(this.trace.agrees ?? {}).every(([field, name]) =>
      [field, name].some((each) => this.same(record, each, this.sent.get(name))),
    );
  }

  /** The records that may have replaced a target since, or replaced its replacement. */
  #replacements(targets: readonly Recorded[]): Recorded[] {
    const oldest = this.#oldest(targets);
    return this.records.filter(
      (each) =>
        (this.mayBeNew(each) || this.agrees(each)) &&
        oldest
          .get(this.#inherited(each))
          ?.some((old) => this.madeAt(old) <= this.madeAt(each) && textOf(old) !== textOf(each)),
    );
  }

  /** The oldest two targets of those that are alike: one may be the record that is compared with them. */
  #oldest(targets: readonly Recorded[]): Map<string, Recorded[]> {
    const found = new Map<string, Recorded[]>();
    for (const target of [...targets].sort((one, other) => this.madeAt(one) - this.madeAt(other))) {
      const alike = found.get(this.#inherited(target)) ?? [];
      const isNew = alike.length < 2 && !alike.some((each) => textOf(each) === textOf(target));
      found.set(this.#inherited(target), isNew ? [...alike, target] : alike);
    }
    return found;
  }

  /** What a record has in common with the one that it replaced, as text. */
  #inherited(record: Recorded): string {
    const values = (this.target.inherits ?? []).map((field) => {
      const text = record[field] == null ? null : String(record[field]);
      return text !== null && this.shape.decimals.has(field) ? canonicalDecimal(text) : text;
    });
    return JSON.stringify(values);
  }

  /** Records with the new values that did not take over all that a replacement should. */
  #similar(): Recorded[] {
    return this.records.filter(
      (each) => !this.isTarget(each) && this.mayBeNew(each) && this.agrees(each),
    );
  }

  /** What replaced the very record that the message means; null if that is not certain. */
  #replacementOfTheTarget(
    replacements: readonly Recorded[],
    targets: readonly Recorded[],
  ): Recorded | null {
    const fresh = replacements.filter((each) => this.isNew(each));
    // A name that a replacement takes over means the latest record but one that has it; any
    // other name means one record, and the first replacement is its own.
    const { inherits = [] } = this.target;
    const byKeptName = this.namesGiven().some(([field]) => inherits.includes(field));
    const times = (byKeptName ? targets : fresh).map((each) => this.madeAt(each));
    const time = times.length === 0 ? this.since : times.reduce(byKeptName ? later : earlier);
    const found = (byKeptName ? targets : fresh).filter((each) => this.madeAt(each) === time);
    const before = targets.filter((each) => this.madeAt(each) < time);
    const wasReplaced = before.some((each) => this.wasChangedSince(each));
    // Of two records of the same ms nobody knows which came first.
    const [only] = found;
    const isOne = found.length === 1 && only !== undefined && wasReplaced;
    return isOne && fresh.some((each) => textOf(each) === textOf(only)) ? only : null;
  }

  /** Whether a replacement has a name of its target, which no later message gave it again. */
  #tookOver(record: Recorded, targets: readonly Recorded[]): boolean {
    const { inherits = [], names } = this.target;
    const kept = Object.keys(names).filter((field) => inherits.includes(field));
    const others = targets.filter((each) => textOf(each) !== textOf(record));
    const ends = others.map((each) => this.changedAt(each));
    const isAtOnce = this.message.minted || ends.includes(this.madeAt(record));
    return isAtOnce && kept.some((field) => (record[field] ?? null) !== null);
  }
}
