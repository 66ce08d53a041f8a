import { DomainError, type Violation } from '@saleschannel/errors';
import type { Parameter } from '../contract/document.ts';
import type { Check, Schemas } from '../contract/schemas.ts';
import { refuseIfAny, shorten, VIOLATIONS_AT_MOST } from '../contract/violations.ts';
import { parseJson } from './json.ts';

export type Query = Readonly<Record<string, unknown>>;
/** Reads the query of a request target. @throws DomainError 'invalid-request' that names the parameter */
export type QueryReader = (url: string) => Query;

interface Known {
  readonly name: string;
  readonly kind: 'integer' | 'object' | 'text';
  readonly required: boolean;
  readonly fallback: unknown;
  readonly check: Check;
}

const INTEGER = /^(0|-?[1-9][0-9]{0,15})$/;
const BRACKETS = /^([^[\]]+)((?:\[[^[\]]+\])*)$/;

class Fault extends Error {
  readonly violation: Violation;
  constructor(violation: Violation) {
    super(violation.detail);
    this.violation = violation;
  }
}

const fault = (parameter: string, detail: string, code: string): Fault =>
  new Fault({ parameter: shorten(parameter), detail, code });

/** Nothing unknown and nothing twice: a typing error must not pass as "no filter". */
export function createQueryReader(parameters: readonly Parameter[], schemas: Schemas): QueryReader {
  const known = new Map(
    parameters.map((parameter): [string, Known] => [
      parameter.name,
      {
        name: parameter.name,
        kind: parameter.schema.type === 'integer' ? 'integer' : parameter.schema.type === 'object' ? 'object' : 'text',
        required: parameter.required,
        fallback: parameter.schema.default,
        check: schemas.parameter(parameter.name, parameter.pointer),
      },
    ]),
  );
  const defaults = Object.fromEntries(
    [...known.values()].filter((each) => each.fallback !== undefined).map((each) => [each.name, each.fallback]),
  );
  const needsNone = ![...known.values()].some((each) => each.required);
  return (url) => {
    const start = url.indexOf('?') + 1;
    if (start === 0 && needsNone) return defaults;
    return read(start === 0 ? '' : url.slice(start), known, defaults);
  };
}

function read(text: string, known: ReadonlyMap<string, Known>, defaults: Query): Query {
  const values: Record<string, unknown> = {};
  const violations: Violation[] = [];
  for (const piece of text.split('&')) {
    if (piece === '' || violations.length >= VIOLATIONS_AT_MOST) continue;
    try {
      place(piece, known, values);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      violations.push(error.violation);
    }
  }
  if (violations.length === 0) {
    for (const each of known.values()) {
      const value = values[each.name];
      if (value !== undefined) violations.push(...(each.check(value) ?? []));
      else if (each.required) violations.push({ parameter: each.name, detail: 'is required', code: 'required' });
    }
  }
  refuseIfAny(violations);
  return { ...defaults, ...values };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function place(piece: string, known: ReadonlyMap<string, Known>, values: Record<string, unknown>): void {
  const equals = piece.indexOf('=');
  const rawName = equals === -1 ? piece : piece.slice(0, equals);
  const name = decode(rawName);
  if (name === undefined) throw fault(rawName, 'is not percent-encoded UTF-8', 'encoding');
  const value = decode(equals === -1 ? '' : piece.slice(equals + 1));
  if (value === undefined) throw fault(name, 'is not percent-encoded UTF-8', 'encoding');
  if (value.includes('\0')) throw fault(name, 'must not hold a NUL character', 'nul-character');
  const [, base = '', brackets = ''] = BRACKETS.exec(name) ?? [];
  const parameter = known.get(base);
  if (!parameter || (brackets !== '' && parameter.kind !== 'object'))
    throw fault(name, 'is not a parameter of this operation', 'unknown-parameter');
  if (brackets === '') {
    if (Object.hasOwn(values, base)) throw fault(base, 'is given more than once', 'repeated-parameter');
    values[base] =
      parameter.kind === 'object'
        ? objectOf(base, value)
        : parameter.kind === 'integer' && INTEGER.test(value)
          ? Number(value)
          : value;
  } else {
    placeMember(base, brackets.slice(1, -1).split(']['), value, values, givenAsText(values, base));
  }
}

/** Objects that came as JSON text, so that a bracket of the same parameter is refused. */
const fromText = new WeakSet<object>();
const givenAsText = (values: Record<string, unknown>, base: string): boolean => {
  const given = values[base];
  return given !== undefined && (typeof given !== 'object' || given === null || fromText.has(given));
};

function objectOf(name: string, text: string): unknown {
  try {
    const value = parseJson(text);
    if (typeof value === 'object' && value !== null) fromText.add(value);
    return value;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw fault(
      name,
      `must be an object as JSON text, or be given in brackets: ${error.message}`,
      error.violations[0]?.code ?? 'malformed-json',
    );
  }
}

function placeMember(
  name: string,
  path: string[],
  value: string,
  values: Record<string, unknown>,
  taken: boolean,
): void {
  if (taken) throw fault(name, 'is given more than once', 'repeated-parameter');
  let node = (values[name] ??= Object.create(null)) as Record<string, unknown>;
  for (const key of path.slice(0, -1)) {
    const child = (node[key] ??= Object.create(null));
    if (typeof child !== 'object' || child === null) throw fault(name, 'is given more than once', 'repeated-parameter');
    node = child as Record<string, unknown>;
  }
  const last = path.at(-1) ?? '';
  if (node[last] !== undefined) throw fault(name, 'is given more than once', 'repeated-parameter');
  node[last] = value;
}
