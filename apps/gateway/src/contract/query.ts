import { parseJson, refusalOf, VIOLATIONS_AT_MOST, type JsonLimits } from '@saleschannel/edge';
import { DomainError, type Violation, type FaultWording } from '@saleschannel/errors';
import { faults, shorten } from '@saleschannel/primitives/validation';
import type { Parameter } from './document.ts';
import type { FormLimits } from './form.ts';
import { defaultedParameters } from './operations.ts';
import type { Schemas } from './schemas.ts';

/**
 * Reads query parameters as the contract declares them: text, integers, booleans, lists with commas, and objects either
 * as JSON text or in brackets (`$filter[createdAt][gte]=…`). Express's own parser forgives, and a typing error must not
 * pass as "no filter".
 */

type Values = Record<string, unknown>;

interface Known {
  readonly name: string;
  readonly kind: 'integer' | 'boolean' | 'array' | 'object' | 'text';
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

const faultOf = (parameter: string, { detail, code }: FaultWording): Fault =>
  new Fault({ parameter: shorten(parameter), detail, code });

const repeated: FaultWording = { detail: 'is given more than once', code: 'repeated-parameter' };
const undecodable: FaultWording = { detail: 'is not percent-encoded UTF-8', code: 'encoding' };
const givenTwice = (base: string): FaultWording => {
  const name = base.replace('$', '');
  return {
    detail: `is given as \`${name}\` and as \`$${name}\`, which mean the same: give one of them`,
    code: 'repeated-parameter',
  };
};
const unknown: FaultWording = { detail: 'is not a parameter of this operation', code: 'unknown-parameter' };

const kinds: readonly Known['kind'][] = ['integer', 'boolean', 'array', 'object'];

const kindOf = ({ schema }: Parameter): Known['kind'] => kinds.find((kind) => kind === schema.type) ?? 'text';

/** Two spellings of one parameter: an operation declares one of them and accepts both. */
const SPELLINGS = [
  ['limit', '$limit'],
  ['expand', '$expand'],
] as const;

/** The declared parameters by every name that a client may use. */
function knownOf(parameters: readonly Parameter[]): Map<string, Known> {
  const known = new Map(
    parameters.map((each): [string, Known] => [each.name, { name: each.name, kind: kindOf(each) }]),
  );
  for (const spellings of SPELLINGS) {
    const declared = spellings.map((name) => known.get(name)).find((each) => each !== undefined);
    if (declared) for (const name of spellings) if (!known.has(name)) known.set(name, declared);
  }
  return known;
}

/**
 * Nothing unknown and nothing twice. What the reader returns has passed the schemas, with defaults put in.
 * @throws Error when the contract lacks a default that the types of handlers rely on
 */
export function createQueryReader<T>(
  parameters: readonly Parameter[],
  schemas: Schemas,
  { queryCharacters, json }: FormLimits,
): (url: string) => T {
  const known = knownOf(parameters);
  const defaults = defaultsOf(parameters);
  const check = schemas.parameters<T>(parameters);
  return (url) => {
    const start = url.indexOf('?') + 1;
    const text = start === 0 ? '' : url.slice(start);
    if (text.length > queryCharacters) {
      throw refusalOf([{ parameter: 'query', ...faults.maxLength(queryCharacters) }]);
    }
    const { values, spellings } = valuesIn(text, known, json);
    const checked = check({ ...defaults, ...values });
    if ('value' in checked) return checked.value;
    throw refusalOf(checked.violations.map((violation) => asSpelled(violation, spellings)));
  };
}

function defaultsOf(parameters: readonly Parameter[]): Values {
  const names: readonly string[] = defaultedParameters;
  const wrong = parameters.find(({ name, schema }) => names.includes(name) && schema.default === undefined);
  if (wrong) throw new Error(`${wrong.name} has no default, though defaultedParameters says so`);
  return Object.fromEntries(
    parameters.filter(({ schema }) => schema.default !== undefined).map(({ name, schema }) => [name, schema.default]),
  );
}

/** What a query holds, by declared name, and the names that the client used for them. */
interface Given {
  readonly values: Values;
  readonly spellings: Map<string, string>;
}

/** The violation under the name that the client used. */
function asSpelled(violation: Violation, spellings: Given['spellings']): Violation {
  const spelling = 'parameter' in violation ? spellings.get(String(violation.parameter)) : undefined;
  return spelling === undefined ? violation : { ...violation, parameter: spelling };
}

function valuesIn(text: string, known: ReadonlyMap<string, Known>, json: JsonLimits): Given {
  const given: Given = { values: {}, spellings: new Map() };
  const violations: Violation[] = [];
  for (const piece of text.split('&')) {
    if (piece === '' || violations.length >= VIOLATIONS_AT_MOST) continue;
    try {
      place(piece, known, given, json);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      violations.push(error.violation);
    }
  }
  if (violations.length > 0) throw refusalOf(violations);
  return given;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Puts one `name=value` where it belongs. @throws Fault */
function place(piece: string, known: ReadonlyMap<string, Known>, { values, spellings }: Given, json: JsonLimits): void {
  const equals = piece.indexOf('=');
  const rawName = equals === -1 ? piece : piece.slice(0, equals);
  const name = decode(rawName);
  if (name === undefined) throw faultOf(rawName, undecodable);
  const value = decode(equals === -1 ? '' : piece.slice(equals + 1));
  if (value === undefined) throw faultOf(name, undecodable);
  if (value.includes('\0')) throw faultOf(name, faults.nulCharacter());
  const [, base = '', brackets = ''] = BRACKETS.exec(name) ?? [];
  const parameter = known.get(base);
  if (!parameter || (brackets !== '' && parameter.kind !== 'object')) throw faultOf(name, unknown);
  if (brackets !== '') {
    placeMember(base, brackets.slice(1, -1).split(']['), value, values);
    return;
  }
  const spelling = spellings.get(parameter.name);
  if (spelling !== undefined) throw faultOf(base, spelling === base ? repeated : givenTwice(base));
  // A bracket of the same parameter came before.
  if (Object.hasOwn(values, parameter.name)) throw faultOf(base, repeated);
  spellings.set(parameter.name, base);
  values[parameter.name] = read(parameter, value, json);
}

function read({ name, kind }: Known, value: string, json: JsonLimits): unknown {
  if (kind === 'object') return objectOf(name, value, json);
  if (kind === 'array') return value.split(',');
  if (kind === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return kind === 'integer' && INTEGER.test(value) ? Number(value) : value;
}

/** Objects that came as JSON text, so that a bracket of the same parameter is refused. */
const fromText = new WeakSet<object>();

function objectOf(name: string, text: string, json: JsonLimits): unknown {
  try {
    const value = parseJson(text, json);
    if (typeof value === 'object' && value !== null) fromText.add(value);
    return value;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const detail = `must be an object as JSON text, or be given in brackets: ${error.message}`;
    throw faultOf(name, { detail, code: error.violations[0]?.code ?? 'malformed-json' });
  }
}

const isNode = (value: unknown): value is Values => typeof value === 'object' && value !== null && !fromText.has(value);

/** The object at a name, made when nothing is there. @throws Fault when something else is */
function nodeAt(parent: Values, key: string, parameter: string): Values {
  const child = (parent[key] ??= Object.create(null) as Values);
  if (!isNode(child)) throw faultOf(parameter, repeated);
  return child;
}

function placeMember(name: string, path: readonly string[], value: string, values: Values): void {
  const parent = path.slice(0, -1).reduce((node, key) => nodeAt(node, key, name), nodeAt(values, name, name));
  for (const last of path.slice(-1)) {
    if (parent[last] !== undefined) throw faultOf(name, repeated);
    parent[last] = value;
  }
}
