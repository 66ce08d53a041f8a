import { isDeepStrictEqual } from 'node:util';

/** A value whose form a contract fixes but not the value, with an example. */
export class Form {
  readonly example: unknown;
  /** For an endless stream: number of messages to compare. */
  readonly atMost: number | undefined;
  readonly #faultsOf: (value: unknown, place: string) => string[];

  constructor(example: unknown, faultsOf: (value: unknown, place: string) => string[], atMost?: number) {
    this.example = example;
    this.atMost = atMost;
    this.#faultsOf = faultsOf;
  }

  faultsOf(value: unknown, place: string): string[] {
    return this.#faultsOf(value, place);
  }
}

const format = (value: unknown): string => JSON.stringify(value) ?? String(value);

const createTextForm = (what: string, example: string, fits: (text: string) => boolean): Form =>
  new Form(example, (value, place) =>
    typeof value === 'string' && fits(value) ? [] : [`${place} is ${format(value)} and not ${what}`],
  );

/** Any text except the empty one. */
export const text = (example: string): Form => createTextForm('a text', example, (value) => value !== '');

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A time in UTC, in the format of all services. */
export const instant = (example: string): Form => createTextForm('a time', example, (value) => INSTANT.test(value));

/** A whole number as text. */
export const whole = (example: string): Form =>
  createTextForm('a whole number', example, (value) => /^\d+$/.test(value));

/** A number. Messages and JSON represent it alike. */
export const count = (example: number): Form =>
  new Form(example, (value, place) =>
    typeof value === 'number' ? [] : [`${place} is ${format(value)} and not a number`],
  );

/** One of the values that the consumer understands. The first is the example. */
export const oneOf = (example: string, ...others: string[]): Form =>
  createTextForm(`one of ${[example, ...others].join(', ')}`, example, (value) => [example, ...others].includes(value));

/** Exactly these elements, in any order. */
export const inAnyOrder = (...elements: readonly unknown[]): Form =>
  new Form(elements.map(toExample), (value, place) => {
    if (!Array.isArray(value)) return [`${place} is no list`];
    if (value.length !== elements.length) return [`${place} has ${value.length} elements and not ${elements.length}`];
    const left = [...(value as unknown[])];
    return elements.flatMap((element) => {
      const at = left.findIndex((each) => comparePattern(element, each, place).length === 0);
      if (at === -1) return [`${place} has no ${format(toExample(element))}`];
      left.splice(at, 1);
      return [];
    });
  });

/** A list with these elements and perhaps others, for states that describe only a part. */
export const among = (...elements: readonly unknown[]): Form =>
  new Form(elements.map(toExample), (value, place) => {
    if (!Array.isArray(value)) return [`${place} is no list`];
    const missing = elements.filter(
      (element) => !value.some((each) => comparePattern(element, each, place).length === 0),
    );
    return missing.map((element) => `${place} has no ${format(toExample(element))}`);
  });

/** The first messages of an endless stream. */
export const startsWith = (...messages: readonly unknown[]): Form =>
  new Form(messages.map(toExample), (value, place) => comparePattern(messages, value, place), messages.length);

/** Bytes that are a JSON document. */
export const jsonOf = (pattern: unknown): Form =>
  new Form(Buffer.from(JSON.stringify(toExample(pattern))), (value, place) =>
    Buffer.isBuffer(value) ? comparePattern(pattern, JSON.parse(value.toString()), place) : [`${place} is no document`],
  );

/**
 * A value that another rule checks.
 * @param faultsIn returns the faults of a value
 */
export const matching = (example: unknown, faultsIn: (value: unknown) => readonly string[]): Form =>
  new Form(example, (value, place) => faultsIn(value).map((fault) => `${place}: ${fault}`));

/** Any bytes, at least one. */
export const bytes = (example: string): Form =>
  matching(Buffer.from(example), (value) => (Buffer.isBuffer(value) && value.length > 0 ? [] : ['no bytes']));

/**
 * A stream of messages whose `data` is one document, in any number of pieces.
 * @param first further fields of the first message
 */
export const pieces = (document: Form, first: Readonly<Record<string, unknown>> = {}): Form =>
  new Form([{ ...(toExample(first) as object), data: document.example }], (value, place) => {
    const messages = value as readonly { readonly data: Buffer }[];
    const data = Buffer.concat(messages.map((each) => each.data));
    return [...comparePattern(first, messages[0], `${place}[0]`), ...document.faultsOf(data, `${place}.data`)];
  });

/** Claims of a principal token, without verifying its signature. */
function decodeClaims(token: unknown): { readonly principal: unknown; readonly aud: readonly string[] } | undefined {
  const [, claims = ''] = typeof token === 'string' ? token.split('.') : [];
  return claims === '' ? undefined : (JSON.parse(Buffer.from(claims, 'base64url').toString()) as never);
}

/** A principal token with the same claims about the principal, valid for these services. */
export const tokenLike = (token: string, receivers: readonly string[]): Form =>
  matching(token, (value) => {
    const [actual, expected] = [decodeClaims(value), decodeClaims(token)];
    const missing = receivers.filter((receiver) => actual?.aud.includes(receiver) !== true);
    return [
      ...(isDeepStrictEqual(actual?.principal, expected?.principal)
        ? []
        : [`a token of ${format(actual?.principal)} and not of ${format(expected?.principal)}`]),
      ...missing.map((receiver) => `not for ${receiver}`),
    ];
  });

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);

/** Replaces the forms of a pattern with their examples. */
export function toExample(pattern: unknown): unknown {
  if (pattern instanceof Form) return pattern.example;
  if (Array.isArray(pattern)) return pattern.map(toExample);
  if (!isRecord(pattern)) return pattern;
  const members = Object.entries(pattern).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members.map(([name, value]) => [name, toExample(value)]));
}

/**
 * Returns the differences between a value and a pattern. Other members of the value are ignored; a member that is
 * undefined in the pattern must not exist.
 */
export function comparePattern(pattern: unknown, value: unknown, place = 'the answer'): string[] {
  if (pattern instanceof Form) return pattern.faultsOf(value, place);
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value)) return [`${place} is no list`];
    if (value.length !== pattern.length) return [`${place} has ${value.length} elements and not ${pattern.length}`];
    return pattern.flatMap((each, index) => comparePattern(each, value[index], `${place}[${index}]`));
  }
  if (isRecord(pattern)) {
    if (!isRecord(value)) return [`${place} is ${format(value)}`];
    return Object.entries(pattern).flatMap(([name, each]) => comparePattern(each, value[name], `${place}.${name}`));
  }
  return isDeepStrictEqual(value, pattern) ? [] : [`${place} is ${format(value)} and not ${format(pattern)}`];
}

/**
 * Returns whether a received request equals the one of a contract in all fields, because the provider is verified with
 * no other.
 * @param whole example of the pattern, as received
 */
export function isRequest(pattern: unknown, whole: unknown, received: unknown): boolean {
  if (pattern instanceof Form) return pattern.faultsOf(received, 'it').length === 0;
  if (Array.isArray(pattern) && Array.isArray(whole) && Array.isArray(received)) {
    const pairs = pattern.map((each, index) => isRequest(each, whole[index], received[index]));
    return pattern.length === received.length && pairs.every(Boolean);
  }
  if (isRecord(pattern) && isRecord(whole) && isRecord(received)) {
    const names = new Set([...Object.keys(whole), ...Object.keys(received)]);
    return [...names].every((name) => isRequest(pattern[name] ?? whole[name], whole[name], received[name]));
  }
  return isDeepStrictEqual(received, whole);
}
