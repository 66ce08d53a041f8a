import type { IncomingHttpHeaders } from 'node:http';
import { refusalOf, type JsonLimits } from '@saleschannel/edge';
import { notFound } from '@saleschannel/errors';
import type { ContractOperation, Parameter } from './document.ts';
import type { BodyOf, HeadersOf, OperationId, PathOf, QueryOf } from './operations.ts';
import { createQueryReader } from './query.ts';
import type { Check, Checked, Schemas } from './schemas.ts';

/** How the parts of a request to one operation are read, compiled once from the contract. */
export interface Form<Id extends OperationId> {
  /**
   * @throws DomainError 'not-found' for an id that nothing can have, 'invalid-request' for a name that the client
   * chooses
   */
  readPath(parameters: Readonly<Record<string, unknown>>): PathOf<Id>;
  /** @throws DomainError 'invalid-request' */
  readQuery(url: string): QueryOf<Id>;
  /** @throws DomainError 'invalid-request' */
  readHeaders(headers: IncomingHttpHeaders): HeadersOf<Id>;
  /** Media type → check of the parsed body. Undefined when the operation takes none. */
  readonly bodies: ReadonlyMap<string, Check<BodyOf<Id>>> | undefined;
}

/** How large what a request says may be, apart from the length of its body. */
export interface FormLimits {
  readonly queryCharacters: number;
  readonly json: JsonLimits;
}

export function compileForm<Id extends OperationId>(
  operation: ContractOperation<Id>,
  schemas: Schemas,
  limits: FormLimits,
): Form<Id> {
  const parametersIn = (place: Parameter['in']) => operation.parameters.filter((parameter) => parameter.in === place);
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

/** @throws DomainError 'invalid-request' that lists what is wrong */
export function valueOf<T>(checked: Checked<T>): T {
  if ('value' in checked) return checked.value;
  throw refusalOf(checked.violations);
}

/**
 * An id is looked up, never judged: one that is too long or holds a NUL names nothing. Only a name with a pattern of
 * its own can be wrong.
 */
function pathReader<T>(parameters: Parameter[], schemas: Schemas): (values: Readonly<Record<string, unknown>>) => T {
  const check = schemas.parameters<T>(parameters);
  const ids = parameters.filter(({ schema }) => schema.pattern === undefined).map(({ name }) => name);
  return (values) => {
    const checked = check(values);
    const isWrong = (id: string): boolean =>
      'violations' in checked && checked.violations.some(({ parameter }) => parameter === id);
    if (ids.some((id) => isWrong(id) || String(values[id]).includes('\0'))) throw notFound();
    return valueOf(checked);
  };
}

function headerReader<T>(parameters: Parameter[], schemas: Schemas): (headers: IncomingHttpHeaders) => T {
  const check = schemas.parameters<T>(parameters);
  const keys = parameters.map(({ name }) => ({ name, key: name.toLowerCase() }));
  return (headers) => {
    const given = keys.map(({ name, key }) => [name, headers[key]] as const).filter(([, value]) => value !== undefined);
    return valueOf(check(Object.fromEntries(given)));
  };
}
