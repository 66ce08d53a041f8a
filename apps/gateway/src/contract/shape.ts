import { notFound } from '@saleschannel/errors';
import type { IncomingHttpHeaders } from 'node:http';
import { createQueryReader, type QueryReader } from '../http/query.ts';
import type { ContractOperation, Parameter } from './document.ts';
import type { Check, Schemas } from './schemas.ts';
import { refuseIfAny } from './violations.ts';

/** The form of a request to one operation, compiled once from the contract. Each check throws what the client shall get. */
export interface Shape {
  /** @throws DomainError 'not-found' for an id that nothing can have, 'invalid-request' for a name that the client chooses */
  checkPath(parameters: Readonly<Record<string, string>>): void;
  /** @throws DomainError 'invalid-request' */
  readonly readQuery: QueryReader;
  /** @throws DomainError 'invalid-request' */
  checkHeaders(headers: IncomingHttpHeaders): void;
  /** Media type → check of the parsed body; undefined when the operation takes none. */
  readonly bodies: ReadonlyMap<string, Check> | undefined;
}

export function compileShape(operation: ContractOperation, schemas: Schemas): Shape {
  const inPlace = (place: Parameter['in']) => operation.parameters.filter((parameter) => parameter.in === place);
  const bodies =
    operation.bodies &&
    new Map([...operation.bodies].map(([mediaType, pointer]) => [mediaType, schemas.body(pointer)]));
  return {
    checkPath: pathCheck(inPlace('path'), schemas),
    readQuery: createQueryReader(inPlace('query'), schemas),
    checkHeaders: headerCheck(inPlace('header'), schemas),
    bodies,
  };
}

/** An id is looked up, never judged: one that is too long or holds a NUL names nothing. Only a name with a pattern of its own can be wrong. */
function pathCheck(parameters: Parameter[], schemas: Schemas): Shape['checkPath'] {
  const checks = parameters.map(({ name, schema, pointer }) => ({
    name,
    isId: schema.pattern === undefined,
    check: schemas.parameter(name, pointer),
  }));
  return (values) => {
    for (const { name, isId, check } of checks) {
      const value = values[name] ?? '';
      const violations = check(value);
      if (isId && (violations || value.includes('\0'))) throw notFound();
      refuseIfAny(violations);
    }
  };
}

function headerCheck(parameters: Parameter[], schemas: Schemas): Shape['checkHeaders'] {
  const checks = parameters.map(({ name, required, pointer }) => ({
    name,
    key: name.toLowerCase(),
    required,
    check: schemas.parameter(name, pointer),
  }));
  return (headers) => {
    for (const { name, key, required, check } of checks) {
      const value = headers[key];
      if (value === undefined && required) refuseIfAny([{ parameter: name, detail: 'is required', code: 'required' }]);
      if (value !== undefined) refuseIfAny(check(value));
    }
  };
}
