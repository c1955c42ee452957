/**
 * JSON in, without loss: numbers keep their digits, and every limit of the vectors holds.
 *
 * `JSON.parse` rounds numbers, takes a half surrogate and any depth, and says nothing of them.
 */

/** Lists and objects that may stand in each other, the answer itself being the first one. */
export const MAX_DEPTH = 100;
/** A longer integer is kept as its text: to make a BigInt of it takes long, and Python makes none. */
const MAX_DIGITS = 4_300;
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what JSON refuses
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const HEXADECIMAL = /[0-9a-fA-F]{4}/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
const WORDS: readonly (readonly [string, boolean | null])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];

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
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): Parsed {
    this.#skip(SPACE);
    const found = this.#inner(depth);
    this.#skip(SPACE);
    return found;
  }

  end(): void {
    if (this.#at < this.#text.length) this.#fail("something stands behind it");
  }

  #inner(depth: number): Parsed {
    const first = this.#text[this.#at];
    if (first === '"') return this.#string();
    if (first === "{") return this.#object(depth + 1);
    if (first === "[") return this.#list(depth + 1);
    for (const [word, value] of WORDS) {
      if (first === word[0] && this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#number();
  }

  #object(depth: number): ParsedObject {
    this.#open(depth);
    const members = new Map<string, Parsed>();
    if (this.#takes("}")) return members;
    do {
      this.#skip(SPACE);
      const name = this.#string();
      this.#skip(SPACE);
      if (!this.#takes(":")) this.#fail("expected a colon");
      members.set(name, this.value(depth));
    } while (this.#takes(","));
    if (!this.#takes("}")) this.#fail("expected the end of an object");
    return members;
  }

  #list(depth: number): readonly Parsed[] {
    this.#open(depth);
    const items: Parsed[] = [];
    if (this.#takes("]")) return items;
    do items.push(this.value(depth));
    while (this.#takes(","));
    if (!this.#takes("]")) this.#fail("expected the end of a list");
    return items;
  }

  #open(depth: number): void {
    if (depth > MAX_DEPTH) throw new Error("nested too deep");
    this.#at += 1;
    this.#skip(SPACE);
  }

  #number(): bigint | JsonNumber {
    NUMBER.lastIndex = this.#at;
    const found = NUMBER.exec(this.#text);
    if (!found) return this.#fail("expected a value");
    this.#at = NUMBER.lastIndex;
    const [text, fraction, exponent] = found;
    const isWhole = fraction === undefined && exponent === undefined;
    return isWhole && text.length <= MAX_DIGITS ? BigInt(text) : new JsonNumber(text);
  }

  #string(): string {
    if (!this.#takes('"')) this.#fail("expected a string");
    let value = this.#skip(PLAIN);
    while (!this.#takes('"')) {
      if (!this.#takes("\\")) this.#fail("a string does not end, or has a control character");
      value += this.#escape() + this.#skip(PLAIN);
    }
    return value.isWellFormed() ? value : this.#fail("half of a surrogate pair");
  }

  #escape(): string {
    const letter = this.#text[this.#at] ?? "";
    this.#at += 1;
    if (letter !== "u") {
      const found = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
      return found ?? this.#fail("an unknown escape");
    }
    const digits = this.#skip(HEXADECIMAL);
    return digits ? String.fromCharCode(Number.parseInt(digits, 16)) : this.#fail("a bad escape");
  }

  #takes(letter: string): boolean {
    const found = this.#text[this.#at] === letter;
    if (found) this.#at += 1;
    return found;
  }

  /** What a pattern takes from here on; empty if it does not match. */
  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #fail(problem: string): never {
    throw new Error(`${problem} at character ${this.#at}`);
  }
}
