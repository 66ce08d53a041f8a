import { type CodeKeywordDefinition, _, Name, type KeywordCxt } from 'ajv';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { VIOLATIONS_AT_MOST } from '@saleschannel/edge';
import { isFaultCode, type FaultWording, type Violation } from '@saleschannel/errors';
import { parseInstant } from '@saleschannel/primitives';
import { faults, PLAIN_TEXT_PATTERN, toPointer, shorten } from '@saleschannel/primitives/validation';
import type { Parameter } from './document.ts';

/** Ajv's variable in generated code for the number of faults so far. */
const ERRORS = new Name('errors');
/** Ajv's `Type.Num`, because items have numbers as names. */
const NUMBER = 0;

/** Skips further checks of an array that is too long, so that its length is its only fault. */
function isWithinSize({ data, parentSchema }: KeywordCxt) {
  const { maxItems } = parentSchema as { maxItems?: number };
  return maxItems === undefined ? _`true` : _`${data}.length <= ${maxItems}`;
}

/** Ajv's `uniqueItems`, which compares all pairs of items, skipped for arrays beyond `maxItems`. */
const createBoundedUniqueItems = ({ code, ...definition }: CodeKeywordDefinition): CodeKeywordDefinition => ({
  ...definition,
  code: (cxt) => void cxt.gen.if(isWithinSize(cxt), () => code(cxt)),
});

/**
 * Ajv's `items`, skipped for arrays beyond `maxItems`, and ended at this number of faults. Ajv itself stops at the
 * first fault or reports all, and all faults of a large array take seconds and hundreds of megabytes.
 */
const createBoundedItems = (faultsAtMost: number): CodeKeywordDefinition => ({
  keyword: 'items',
  type: 'array',
  schemaType: ['object', 'boolean'],
  before: 'uniqueItems',
  code(cxt) {
    const { gen, data } = cxt;
    gen.if(isWithinSize(cxt), () =>
      gen.forRange('item', 0, _`${data}.length`, (item) => {
        gen.if(_`${ERRORS} >= ${faultsAtMost}`, () => gen.break());
        cxt.subschema({ keyword: 'items', dataProp: item, dataPropType: NUMBER }, gen.name('isValid'));
      }),
    );
  },
});

/** A valid value, or all violations. */
export type CheckResult<T> = { readonly value: T } | { readonly violations: readonly Violation[] };
export type Check<T> = (value: unknown) => CheckResult<T>;

export interface Schemas {
  /** Creates a check by the schema at a pointer of the contract. Violations point into the body. */
  body<T>(pointer: string): Check<T>;
  /** Creates a check of an object of parameters. Violations name the parameter. */
  parameters<T>(parameters: readonly Parameter[]): Check<T>;
}

function countFractionDigits(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}

const compiled = new WeakMap<object, Schemas>();

/** Returns the checks of a contract. Gateways of one process share them, so that each schema compiles once. */
export function compileSchemas(document: object): Schemas {
  const schemas = compiled.get(document) ?? createSchemas(document);
  compiled.set(document, schemas);
  return schemas;
}

/** Compiles each schema (JSON Schema 2020-12) on first use. */
function createSchemas(document: object): Schemas {
  const checks = new Map<string, Check<never>>();
  const checkFor = <T>(key: string, compile: () => Check<T>): Check<T> => {
    const check = (checks.get(key) as Check<T> | undefined) ?? compile();
    checks.set(key, check as Check<never>);
    return check;
  };
  const ajv = new Ajv2020({ strict: false, allErrors: true, ownProperties: true, verbose: true });
  const uniqueItems = createBoundedUniqueItems(ajv.getKeyword('uniqueItems') as CodeKeywordDefinition);
  ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems);
  ajv.removeKeyword('items').addKeyword(createBoundedItems(VIOLATIONS_AT_MOST));
  formats.default(ajv);
  ajv.addFormat('date-time', (text: string) => parseInstant(text) !== undefined);
  ajv.addKeyword({
    keyword: 'x-max-fraction-digits',
    type: 'number',
    schemaType: 'number',
    validate: (most: number, value: number) => countFractionDigits(value) <= most,
  });
  ajv.addSchema(document, 'contract');
  const referenceTo = (pointer: string) => ({ $ref: `contract#${encodeURI(pointer)}` });
  return {
    body: <T>(pointer: string) =>
      checkFor<T>(pointer, () => toCheck(ajv.compile<T>(referenceTo(pointer)), bodyViolation)),
    parameters: <T>(parameters: readonly Parameter[]) => {
      const schema = {
        type: 'object',
        properties: Object.fromEntries(parameters.map(({ name, pointer }) => [name, referenceTo(pointer)])),
        required: parameters.filter(({ required }) => required).map(({ name }) => name),
      };
      return checkFor<T>(JSON.stringify(schema), () => toCheck(ajv.compile<T>(schema), parameterViolation));
    },
  };
}

const toCheck =
  <T>(validate: ValidateFunction<T>, violation: (error: ErrorObject) => Violation): Check<T> =>
  (value) => {
    if (validate(value)) return { value };
    const plain = (validate.errors ?? []).filter((error) => !combinators.has(error.keyword));
    const errors = plain.length > 0 ? plain : (validate.errors ?? []);
    return { violations: errors.slice(0, VIOLATIONS_AT_MOST).map(violation) };
  };

/** Keywords whose error only repeats that of a keyword inside them. */
const combinators = new Set(['anyOf', 'oneOf', 'allOf', 'if', 'propertyNames']);

function toPath(error: ErrorObject): string[] {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (error.keyword === 'required') path.push(String(error.params['missingProperty']));
  // The name of the member is invalid.
  if (error.propertyName !== undefined) path.push(error.propertyName);
  if (error.keyword === 'additionalProperties') path.push(String(error.params['additionalProperty']));
  return path;
}

const bodyViolation = (error: ErrorObject): Violation => ({ pointer: toPointer(toPath(error)), ...toWording(error) });

function parameterViolation(error: ErrorObject): Violation {
  const [parameter = '', ...members] = toPath(error);
  const { detail, code } = toWording(error);
  if (members.length === 0) return { parameter, detail, code };
  return { parameter, detail: `${parameter}${members.map((name) => `[${shorten(name)}]`).join('')} ${detail}`, code };
}

/** Words a fault like the services do. */
function toWording({ keyword, params, schema, parentSchema, message }: ErrorObject): FaultWording {
  switch (keyword) {
    case 'required':
      return faults.required();
    case 'additionalProperties':
      return faults.unknownMember();
    case 'type':
      return faults.type(params['type'] as string | string[]);
    case 'enum':
      return faults.enum(params['allowedValues'] as unknown[]);
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
    case 'maxProperties':
    case 'minimum':
    case 'maximum':
      return faults[keyword](Number(schema));
    case 'pattern':
      return schema === PLAIN_TEXT_PATTERN ? faults.controlCharacter() : faults.pattern();
    case 'x-max-fraction-digits':
      // Ajv passes the values of its own keywords only.
      return faults.fractionDigits(Number((parentSchema as Record<string, unknown>)[keyword]));
    case 'format':
      return params['format'] === 'date-time'
        ? faults.dateTime()
        : faults.format(`must be a ${String(params['format'])}`);
    default:
      return { detail: message ?? 'is not valid', code: isFaultCode(keyword) ? keyword : 'invalid' };
  }
}
