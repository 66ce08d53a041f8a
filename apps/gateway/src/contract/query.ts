import { parseJson, createRefusal, VIOLATIONS_AT_MOST, type JsonLimits } from '@saleschannel/edge';
import { DomainError, type Violation, type FaultWording } from '@saleschannel/errors';
import { faults, shorten } from '@saleschannel/primitives/validation';
import type { Parameter } from './document.ts';
import type { FormLimits } from './form.ts';
import { defaultedParameters } from './operations.ts';
import type { Schemas } from './schemas.ts';

/**
 * Parses query parameters as the contract declares them: text, integers, booleans, comma-separated lists, and objects
 * as JSON text or in brackets (`$filter[createdAt][gte]=…`). Express's own parser ignores errors, and a typing error
 * must not pass as "no filter".
 */

type Values = Record<string, unknown>;

interface KnownParameter {
  readonly name: string;
  readonly kind: 'integer' | 'boolean' | 'array' | 'object' | 'text';
}

const INTEGER = /^(0|-?[1-9][0-9]{0,15})$/;
const BRACKETS = /^([^[\]]+)((?:\[[^[\]]+\])*)$/;

const createFault = (parameter: string, { detail, code }: FaultWording): DomainError =>
  createRefusal([{ parameter: shorten(parameter), detail, code }]);

const repeated: FaultWording = { detail: 'is given more than once', code: 'repeated-parameter' };
const undecodable: FaultWording = { detail: 'is not percent-encoded UTF-8', code: 'encoding' };
const givenTwice = (base: string): FaultWording => {
  const name = base.replace('$', '');
  return {
    detail: `is given as \`${name}\` and as \`$${name}\`, which mean the same: send one of them`,
    code: 'repeated-parameter',
  };
};
const unknown: FaultWording = { detail: 'is not a parameter of this operation', code: 'unknown-parameter' };

const kinds: readonly KnownParameter['kind'][] = ['integer', 'boolean', 'array', 'object'];

const readKind = ({ schema }: Parameter): KnownParameter['kind'] =>
  kinds.find((kind) => kind === schema.type) ?? 'text';

/** Two spellings of one parameter. An operation declares one and accepts both. */
const SPELLINGS = [
  ['limit', '$limit'],
  ['expand', '$expand'],
] as const;

/** Returns the declared parameters by all their spellings. */
function indexParameters(parameters: readonly Parameter[]): Map<string, KnownParameter> {
  const known = new Map(
    parameters.map((each): [string, KnownParameter] => [each.name, { name: each.name, kind: readKind(each) }]),
  );
  for (const spellings of SPELLINGS) {
    const declared = spellings.map((name) => known.get(name)).find((each) => each !== undefined);
    if (declared) for (const name of spellings) if (!known.has(name)) known.set(name, declared);
  }
  return known;
}

/**
 * Creates a parser that rejects unknown and repeated parameters, validates by the schemas, and adds defaults.
 * @throws Error if the contract lacks a default that the types of handlers rely on
 */
export function createQueryReader<T>(
  parameters: readonly Parameter[],
  schemas: Schemas,
  { queryCharacters, json }: FormLimits,
): (url: string) => T {
  const known = indexParameters(parameters);
  const defaults = readDefaults(parameters);
  const check = schemas.parameters<T>(parameters);
  return (url) => {
    const start = url.indexOf('?') + 1;
    const text = start === 0 ? '' : url.slice(start);
    if (text.length > queryCharacters) {
      throw createRefusal([{ parameter: 'query', ...faults.maxLength(queryCharacters) }]);
    }
    const { values, spellings } = parseQuery(text, known, json);
    const checked = check({ ...defaults, ...values });
    if ('value' in checked) return checked.value;
    throw createRefusal(checked.violations.map((violation) => withSpelling(violation, spellings)));
  };
}

function readDefaults(parameters: readonly Parameter[]): Values {
  const names: readonly string[] = defaultedParameters;
  const missing = parameters.find(({ name, schema }) => names.includes(name) && schema.default === undefined);
  if (missing) throw new Error(`${missing.name} must have a default: it is one of defaultedParameters.`);
  return Object.fromEntries(
    parameters.filter(({ schema }) => schema.default !== undefined).map(({ name, schema }) => [name, schema.default]),
  );
}

interface Query {
  readonly values: Values;
  /** Declared name → name that the client used. */
  readonly spellings: Map<string, string>;
}

function withSpelling(violation: Violation, spellings: Query['spellings']): Violation {
  const spelling = 'parameter' in violation ? spellings.get(String(violation.parameter)) : undefined;
  return spelling === undefined ? violation : { ...violation, parameter: spelling };
}

function parseQuery(text: string, known: ReadonlyMap<string, KnownParameter>, json: JsonLimits): Query {
  const query: Query = { values: {}, spellings: new Map() };
  const violations: Violation[] = [];
  for (const piece of text.split('&')) {
    if (piece === '' || violations.length >= VIOLATIONS_AT_MOST) continue;
    try {
      addPiece(piece, known, query, json);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      violations.push(...error.violations);
    }
  }
  if (violations.length > 0) throw createRefusal(violations);
  return query;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Adds one `name=value`. @throws DomainError */
function addPiece(
  piece: string,
  known: ReadonlyMap<string, KnownParameter>,
  { values, spellings }: Query,
  json: JsonLimits,
): void {
  const equals = piece.indexOf('=');
  const rawName = equals === -1 ? piece : piece.slice(0, equals);
  const name = decode(rawName);
  if (name === undefined) throw createFault(rawName, undecodable);
  const value = decode(equals === -1 ? '' : piece.slice(equals + 1));
  if (value === undefined) throw createFault(name, undecodable);
  if (value.includes('\0')) throw createFault(name, faults.nulCharacter());
  const [, base = '', brackets = ''] = BRACKETS.exec(name) ?? [];
  const parameter = known.get(base);
  if (!parameter || (brackets !== '' && parameter.kind !== 'object')) throw createFault(name, unknown);
  if (brackets !== '') {
    addMember(base, brackets.slice(1, -1).split(']['), value, values);
    return;
  }
  const spelling = spellings.get(parameter.name);
  if (spelling !== undefined) throw createFault(base, spelling === base ? repeated : givenTwice(base));
  // An earlier bracket of the same parameter.
  if (Object.hasOwn(values, parameter.name)) throw createFault(base, repeated);
  spellings.set(parameter.name, base);
  values[parameter.name] = parseValue(parameter, value, json);
}

function parseValue({ name, kind }: KnownParameter, value: string, json: JsonLimits): unknown {
  if (kind === 'object') return parseObject(name, value, json);
  if (kind === 'array') return value.split(',');
  if (kind === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return kind === 'integer' && INTEGER.test(value) ? Number(value) : value;
}

/** Objects parsed from JSON text. Brackets cannot add to them. */
const fromText = new WeakSet<object>();

function parseObject(name: string, text: string, json: JsonLimits): unknown {
  try {
    const value = parseJson(text, json);
    if (typeof value === 'object' && value !== null) fromText.add(value);
    return value;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const detail = `must be an object as JSON text or in brackets: ${error.message}`;
    throw createFault(name, { detail, code: error.violations[0]?.code ?? 'malformed-json' });
  }
}

const isNode = (value: unknown): value is Values => typeof value === 'object' && value !== null && !fromText.has(value);

/** Returns the object at a key, or creates it. @throws DomainError if there is another value */
function ensureNode(parent: Values, key: string, parameter: string): Values {
  const child = (parent[key] ??= Object.create(null) as Values);
  if (!isNode(child)) throw createFault(parameter, repeated);
  return child;
}

function addMember(name: string, path: readonly string[], value: string, values: Values): void {
  const parent = path.slice(0, -1).reduce((node, key) => ensureNode(node, key, name), ensureNode(values, name, name));
  for (const last of path.slice(-1)) {
    if (parent[last] !== undefined) throw createFault(name, repeated);
    parent[last] = value;
  }
}
