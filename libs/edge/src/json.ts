import { DomainError, invalidRequest, type FaultWording } from '@saleschannel/errors';
import { faults, toPointer } from '@saleschannel/primitives/validation';

/**
 * JSON parser (RFC 8259) for requests. Rejects what would change money or meaning: repeated members, numbers that a
 * double cannot represent exactly, NUL, lone surrogates and deep nesting. JSON.parse accepts all of these, and no
 * library rejects them all. Every parsed value can be written as JSON again with the same meaning.
 */

/** Limits that bound the cost of parsing and validating a text, in addition to its length. */
export interface JsonLimits {
  /** Levels of objects and arrays. */
  readonly depth: number;
  /** Members of one object. */
  readonly members: number;
  /** Members and items of the whole text. */
  readonly values: number;
  /** Characters of one number. */
  readonly numberCharacters: number;
}

export const defaultJsonLimits: JsonLimits = { depth: 20, members: 200, values: 10_000, numberCharacters: 64 };

const inexact: FaultWording = { detail: 'has more digits than a JSON number can hold', code: 'inexact-number' };
const tooLong = (most: number): FaultWording => ({
  detail: `must be written with at most ${most} characters`,
  code: 'number-length',
});
const tooManyMembers = (most: number): FaultWording => ({
  detail: `must have at most ${most} members`,
  code: 'too-many-members',
});

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/;
const HEX = /^[0-9a-fA-F]{4}$/;
const escapes: Record<string, string> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const words = new Map<number, [string, unknown]>([
  [0x74, ['true', true]],
  [0x66, ['false', false]],
  [0x6e, ['null', null]],
]);

/**
 * Parses a JSON text.
 * @throws DomainError 'malformed-body' for a text that is not JSON, 'invalid-request' for JSON that cannot be
 * represented exactly or exceeds the limits
 */
export function parseJson(text: string, limits: JsonLimits = defaultJsonLimits): unknown {
  return new Reader(text, limits).read();
}

class Reader {
  readonly #text: string;
  readonly #limits: JsonLimits;
  #at = 0;
  #values = 0;
  readonly #path: (string | number)[] = [];

  constructor(text: string, limits: JsonLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  read(): unknown {
    const value = this.#value();
    this.#space();
    if (this.#at < this.#text.length) this.#malformed();
    return value;
  }

  #malformed(): never {
    const where =
      this.#at >= this.#text.length
        ? 'The JSON text ends too early.'
        : `The JSON text is not valid at character ${this.#at + 1}.`;
    throw new DomainError('malformed-body', where);
  }

  #refuse({ detail, code }: FaultWording): never {
    const pointer = toPointer(this.#path);
    throw invalidRequest(`${pointer} ${detail}.`, [{ pointer, detail, code }]);
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }

  /** Consumes and returns the next character after white space. */
  #take(): number {
    this.#space();
    return this.#text.charCodeAt(this.#at++);
  }

  #value(): unknown {
    this.#space();
    const code = this.#text.charCodeAt(this.#at);
    if (code === 0x22) return this.#string();
    if (code === 0x7b) return this.#object();
    if (code === 0x5b) return this.#array();
    const word = words.get(code);
    if (!word) return this.#number();
    if (!this.#text.startsWith(word[0], this.#at)) this.#malformed();
    this.#at += word[0].length;
    return word[1];
  }

  #enter(): void {
    this.#at += 1;
    const { depth } = this.#limits;
    if (this.#path.length >= depth) {
      const detail = `The body must have at most ${depth} levels of objects and arrays.`;
      throw invalidRequest(detail, [{ pointer: toPointer(this.#path), detail, code: 'too-deep' }]);
    }
  }

  /** Counts a member or an item, before it is read. */
  #count(): void {
    const { values } = this.#limits;
    this.#values += 1;
    if (this.#values <= values) return;
    const detail = `The body must have at most ${values} members and items.`;
    throw invalidRequest(detail, [{ pointer: toPointer(this.#path), detail, code: 'too-many-values' }]);
  }

  #object(): unknown {
    this.#enter();
    const members: Record<string, unknown> = {};
    this.#space();
    if (this.#text.charCodeAt(this.#at) === 0x7d) {
      this.#at += 1;
      return members;
    }
    for (let count = 1; ; count += 1) {
      this.#count();
      if (count > this.#limits.members) this.#refuse(tooManyMembers(this.#limits.members));
      this.#space();
      if (this.#text.charCodeAt(this.#at) !== 0x22) this.#malformed();
      const name = this.#string();
      this.#path.push(name);
      if (Object.hasOwn(members, name)) this.#refuse({ detail: 'must occur only once', code: 'repeated-member' });
      if (this.#take() !== 0x3a) this.#malformedBefore();
      const value = this.#value();
      // Assigning to __proto__ would change the object instead of its members.
      if (name === '__proto__')
        Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
      else members[name] = value;
      this.#path.pop();
      const next = this.#take();
      if (next === 0x7d) return members;
      if (next !== 0x2c) this.#malformedBefore();
    }
  }

  #array(): unknown {
    this.#enter();
    const items: unknown[] = [];
    this.#space();
    if (this.#text.charCodeAt(this.#at) === 0x5d) {
      this.#at += 1;
      return items;
    }
    for (;;) {
      this.#count();
      this.#path.push(items.length);
      items.push(this.#value());
      this.#path.pop();
      const next = this.#take();
      if (next === 0x5d) return items;
      if (next !== 0x2c) this.#malformedBefore();
    }
  }

  #malformedBefore(): never {
    this.#at -= 1;
    return this.#malformed();
  }

  #string(): string {
    const start = this.#at + 1;
    for (let at = start; ; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === 0x22) {
        this.#at = at + 1;
        return this.#text.slice(start, at);
      }
      if (code === 0x5c) {
        this.#at = at;
        return this.#stringWithEscapes(this.#text.slice(start, at));
      }
      if (!(code >= 0x20)) {
        this.#at = at;
        this.#malformed();
      }
    }
  }

  #stringWithEscapes(before: string): string {
    let value = before;
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined || character < ' ') this.#malformed();
      this.#at += 1;
      if (character === '"') break;
      value += character === '\\' ? this.#escape() : character;
    }
    if (value.includes('\0')) this.#refuse(faults.nulCharacter());
    if (!value.isWellFormed()) this.#refuse(faults.loneSurrogate());
    return value;
  }

  #escape(): string {
    const letter = this.#text[this.#at];
    if (letter === undefined) this.#malformed();
    if (letter === 'u') {
      const digits = this.#text.slice(this.#at + 1, this.#at + 5);
      if (!HEX.test(digits)) this.#malformed();
      this.#at += 5;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const meaning = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
    if (meaning === undefined) this.#malformed();
    this.#at += 1;
    return meaning;
  }

  #number(): number {
    const { numberCharacters } = this.#limits;
    // One character beyond the limit is enough to reject a number.
    const piece = this.#text.slice(this.#at, this.#at + numberCharacters + 1);
    const source = NUMBER.exec(piece)?.[0];
    if (source === undefined) this.#malformed();
    if (source.length > numberCharacters) this.#refuse(tooLong(numberCharacters));
    this.#at += source.length;
    const value = Number(source);
    if (!isExact(source, value)) this.#refuse(inexact);
    return value;
  }
}

/** Returns whether a double equals the decimal text: its shortest form has the same digits. */
export function isExact(source: string, value: number): boolean {
  const shortest = String(value);
  return source === shortest || (Number.isFinite(value) && normalizeDecimal(source) === normalizeDecimal(shortest));
}

/** Normalizes a number to sign, digits without outer zeros, and power of ten: the same for 1.50, 15e-1 and 1.5. */
function normalizeDecimal(source: string): string {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const all = whole + fraction;
  let start = 0;
  while (all[start] === '0') start += 1;
  if (start === all.length) return '0';
  // A regular expression for trailing zeros would take quadratic time.
  let end = all.length;
  while (all[end - 1] === '0') end -= 1;
  const digits = all.slice(start, end);
  const power = Number(exponent) - fraction.length + all.length - end;
  return `${mantissa.startsWith('-') ? '-' : ''}${digits}e${power}`;
}
