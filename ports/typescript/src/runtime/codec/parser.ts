/**
 * JSON in, without loss: numbers keep their digits, and every limit of the vectors holds.
 *
 * `JSON.parse` rounds numbers, takes a half surrogate and any depth, and says nothing of them.
 */

/** Lists and objects that may stand in each other, the answer itself being the first one. */
export const MAX_DEPTH = 100;
/** A longer integer is kept as its text: to make a BigInt of it takes long, and Python makes none. */
const MAX_DIGITS = 4_300;
/** White space, and the token behind it: a sign, a word, a text or a number. It is empty where there is none of them. */
const TOKEN =
  /[ \t\n\r]*([[\]{}:,]|[a-z]+|"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|)/y;
const WHOLE = /^-?[0-9]+$/;
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** A number with a fraction, an exponent or many digits, as it is written. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** Parsed JSON. An object is a Map, in which every name is a name like any other. */
export type Parsed =
  | null
  | boolean
  | string
  | bigint
  | JsonNumber
  | readonly Parsed[]
  | ParsedObject;

/** A parsed object. */
export type ParsedObject = ReadonlyMap<string, Parsed>;

/** Whether parsed JSON is an object. */
export function isObject(value: Parsed | undefined): value is ParsedObject {
  return value instanceof Map;
}

/** The text of bytes in UTF-8. Throws for anything else; a byte order mark stays. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error("it is not UTF-8");
  }
}

/** Parse JSON. Of duplicate names the last one counts. Throws for what is not JSON, or nests too deep. */
export function parse(text: string): Parsed {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class Reader {
  readonly #text: string;
  /** The token that is read next, and where it begins and ends. */
  #token = "";
  #begin = 0;
  #end = 0;

  constructor(text: string) {
    this.#text = text;
    this.#advance();
  }

  value(depth: number): Parsed {
    const token = this.#token;
    if (token === "{" || token === "[") {
      if (depth === MAX_DEPTH) throw new Error("nested too deep");
      return token === "{" ? this.#object(depth + 1) : this.#list(depth + 1);
    }
    if (token.startsWith('"')) return this.#string();
    const found = WORDS.has(token) ? WORDS.get(token) : numberOf(token);
    if (found === undefined) return this.#fail("expected a value");
    this.#advance();
    return found;
  }

  end(): void {
    if (this.#begin < this.#text.length) this.#fail("something stands behind it");
  }

  #object(depth: number): ParsedObject {
    const members = new Map<string, Parsed>();
    this.#several("}", () => {
      const name = this.#string();
      if (!this.#takes(":")) this.#fail("expected a colon");
      members.set(name, this.value(depth));
    });
    return members;
  }

  #list(depth: number): readonly Parsed[] {
    const items: Parsed[] = [];
    this.#several("]", () => items.push(this.value(depth)));
    return items;
  }

  /** What stands between a bracket and its end, with commas between. */
  #several(end: string, one: () => unknown): void {
    this.#advance();
    if (this.#takes(end)) return;
    do one();
    while (this.#takes(","));
    if (!this.#takes(end)) this.#fail(`expected a comma or ${end}`);
  }

  #string(): string {
    if (!this.#token.startsWith('"')) this.#fail("expected a string");
    let value = "";
    try {
      value = JSON.parse(this.#token) as string;
    } catch {
      this.#fail("a string with a control character or an unknown escape");
    }
    if (!value.isWellFormed()) this.#fail("half of a surrogate pair");
    this.#advance();
    return value;
  }

  #takes(sign: string): boolean {
    const found = this.#token === sign;
    if (found) this.#advance();
    return found;
  }

  #advance(): void {
    TOKEN.lastIndex = this.#end;
    const [all = "", token = ""] = TOKEN.exec(this.#text) ?? [];
    this.#end += all.length;
    this.#begin = this.#end - token.length;
    this.#token = token;
  }

  #fail(problem: string): never {
    throw new Error(`${problem} at character ${this.#begin}`);
  }
}

function numberOf(token: string): bigint | JsonNumber | undefined {
  if (!/^[-0-9]/.test(token)) return undefined;
  return WHOLE.test(token) && token.length <= MAX_DIGITS ? BigInt(token) : new JsonNumber(token);
}
