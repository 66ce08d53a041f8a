import type { IncomingHttpHeaders } from 'node:http';
import { createRefusal, type JsonLimits } from '@saleschannel/edge';
import { notFound } from '@saleschannel/errors';
import type { ContractOperation, Parameter } from './document.ts';
import type { BodyOf, HeadersOf, OperationId, PathOf, QueryOf } from './operations.ts';
import { createQueryReader } from './query.ts';
import type { Check, CheckResult, Schemas } from './schemas.ts';

/** Parsers of the requests of one operation, compiled once from the contract. */
export interface Form<Id extends OperationId> {
  /** @throws DomainError 'not-found' for an impossible id, 'invalid-request' for a name that the client chooses */
  readPath(parameters: Readonly<Record<string, unknown>>): PathOf<Id>;
  /** @throws DomainError 'invalid-request' */
  readQuery(url: string): QueryOf<Id>;
  /** @throws DomainError 'invalid-request' */
  readHeaders(headers: IncomingHttpHeaders): HeadersOf<Id>;
  /** Media type → check of the parsed body. Undefined for an operation without a body. */
  readonly bodies: ReadonlyMap<string, Check<BodyOf<Id>>> | undefined;
}

/** Size limits beside the length of the body. */
export interface FormLimits {
  readonly queryCharacters: number;
  readonly json: JsonLimits;
}

export function compileForm<Id extends OperationId>(
  operation: ContractOperation<Id>,
  schemas: Schemas,
  limits: FormLimits,
): Form<Id> {
  const parametersIn = (location: Parameter['in']) =>
    operation.parameters.filter((parameter) => parameter.in === location);
  const bodies =
    operation.bodies &&
    new Map([...operation.bodies].map(([mediaType, pointer]) => [mediaType, schemas.body<BodyOf<Id>>(pointer)]));
  return {
    readPath: pathReader(parametersIn('path'), schemas),
    readQuery: createQueryReader(parametersIn('query'), schemas, limits),
    readHeaders: headerReader(parametersIn('header'), schemas),
    bodies,
  };
}

/** @throws DomainError 'invalid-request' with all violations */
export function requireValid<T>(checked: CheckResult<T>): T {
  if ('value' in checked) return checked.value;
  throw createRefusal(checked.violations);
}

/**
 * Creates a reader of path parameters. Ids are only looked up: an id that is too long or contains NUL is not found.
 * Only parameters with a pattern can be invalid.
 */
function pathReader<T>(parameters: Parameter[], schemas: Schemas): (values: Readonly<Record<string, unknown>>) => T {
  const check = schemas.parameters<T>(parameters);
  const ids = parameters.filter(({ schema }) => schema.pattern === undefined).map(({ name }) => name);
  return (values) => {
    const checked = check(values);
    const isInvalid = (id: string): boolean =>
      'violations' in checked && checked.violations.some(({ parameter }) => parameter === id);
    if (ids.some((id) => isInvalid(id) || String(values[id]).includes('\0'))) throw notFound();
    return requireValid(checked);
  };
}

function headerReader<T>(parameters: Parameter[], schemas: Schemas): (headers: IncomingHttpHeaders) => T {
  const check = schemas.parameters<T>(parameters);
  const keys = parameters.map(({ name }) => ({ name, key: name.toLowerCase() }));
  return (headers) => {
    const present = keys
      .map(({ name, key }) => [name, headers[key]] as const)
      .filter(([, value]) => value !== undefined);
    return requireValid(check(Object.fromEntries(present)));
  };
}
