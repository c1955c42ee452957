/** Base58, as addresses, keys and signatures are written: a number to the base 58, each zero in front a `1`. */

const LETTERS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE = 58n;
const BYTE = 256n;

/** Bytes as Base58. */
export function encode(bytes: Uint8Array): string {
  let number = 0n;
  for (const byte of bytes) number = number * BYTE + BigInt(byte);
  let text = "";
  for (; number > 0n; number /= BASE) text = LETTERS.charAt(Number(number % BASE)) + text;
  const first = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(first < 0 ? bytes.length : first) + text;
}

/** The bytes of Base58; undefined if the text is none. The time that it takes grows with the square of the length. */
export function decode(text: string): Uint8Array | undefined {
  let number = 0n;
  for (const letter of text) {
    const digit = LETTERS.indexOf(letter);
    if (digit < 0) return undefined;
    number = number * BASE + BigInt(digit);
  }
  const bytes: number[] = [];
  for (; number > 0n; number /= BYTE) bytes.unshift(Number(number % BYTE));
  const zeros = text.length - text.replace(/^1+/, "").length;
  return Uint8Array.from([...new Uint8Array(zeros), ...bytes]);
}
