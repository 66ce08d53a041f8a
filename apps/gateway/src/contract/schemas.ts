import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Violation } from '@saleschannel/errors';
import { isDateTime } from './date-time.ts';
import { pointerOf, shorten, VIOLATIONS_AT_MOST } from './violations.ts';

/** Checks a value; undefined when it is right. */
export type Check = (value: unknown) => Violation[] | undefined;

export interface Schemas {
  /** A check of a JSON body by the schema at a pointer of the contract; violations point into the body. */
  body(pointer: string): Check;
  /** A check of a parameter; violations name it. */
  parameter(name: string, pointer: string): Check;
}

/** Digits after the decimal point of the shortest text that reads as this number. */
export function fractionDigitsOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}

/** Compiles the schemas of the contract with JSON Schema 2020-12, once, at the start. */
export function compileSchemas(document: object): Schemas {
  const ajv = new Ajv2020({ strict: false, allErrors: true, ownProperties: true });
  formats.default(ajv);
  ajv.addFormat('date-time', isDateTime);
  ajv.addKeyword({
    keyword: 'x-max-fraction-digits',
    type: 'number',
    schemaType: 'number',
    validate: (most: number, value: number) => fractionDigitsOf(value) <= most,
  });
  ajv.addSchema(document, 'contract');
  const compile = (pointer: string) => ajv.compile({ $ref: `contract#${encodeURI(pointer)}` });
  return {
    body(pointer) {
      const validate = compile(pointer);
      return (value) => (validate(value) ? undefined : describe(validate.errors ?? [], bodyViolation));
    },
    parameter(name, pointer) {
      const validate = compile(pointer);
      return (value) =>
        validate(value) ? undefined : describe(validate.errors ?? [], (error) => parameterViolation(name, error));
    },
  };
}

/** Keywords that only say that something inside them failed. */
const combinators = new Set(['anyOf', 'oneOf', 'allOf', 'if']);

function describe(errors: ErrorObject[], violation: (error: ErrorObject) => Violation): Violation[] {
  const plain = errors.filter((error) => !combinators.has(error.keyword));
  return (plain.length > 0 ? plain : errors).slice(0, VIOLATIONS_AT_MOST).map(violation);
}

function memberOf(error: ErrorObject): string[] {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (error.keyword === 'required') path.push(String(error.params['missingProperty']));
  if (error.keyword === 'additionalProperties') path.push(String(error.params['additionalProperty']));
  return path;
}

function bodyViolation(error: ErrorObject): Violation {
  return { pointer: pointerOf(memberOf(error)), ...wording(error) };
}

function parameterViolation(name: string, error: ErrorObject): Violation {
  const { detail, code } = wording(error);
  const member = memberOf(error)
    .map((part) => `[${shorten(part)}]`)
    .join('');
  return { parameter: name, detail: member === '' ? detail : `${name}${member} ${detail}`, code };
}

/** Codes are the names of the JSON Schema keywords, except where the contract has a word of its own. */
function wording(error: ErrorObject): { detail: string; code: string } {
  switch (error.keyword) {
    case 'required':
      return { detail: 'is required', code: 'required' };
    case 'additionalProperties':
      return { detail: 'is not known here', code: 'unknown-member' };
    case 'enum':
      return {
        detail: `must be one of ${(error.params['allowedValues'] as unknown[]).map(String).join(', ')}`,
        code: 'enum',
      };
    case 'x-max-fraction-digits':
      return { detail: `may have at most ${String(error.schema)} fraction digits`, code: 'fraction-digits' };
    case 'format':
      return { detail: formatDetail(String(error.params['format'])), code: 'format' };
    default:
      return { detail: error.message ?? 'is not valid', code: error.keyword };
  }
}

const formatDetail = (format: string): string =>
  format === 'date-time'
    ? 'must be an existing date and time with a time zone, such as 2025-03-04T10:02:11.318Z'
    : `must be a ${format}`;
