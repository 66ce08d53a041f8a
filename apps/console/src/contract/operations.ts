import { readFileSync } from 'node:fs';
import type { AsSent } from '@saleschannel/edge';
import type { operations } from './gen/openapi.ts';

/** Types of the console's contract. `npm run generate` writes gen/ from openapi.yaml. */

export type OperationId = keyof operations;

type Nothing = Readonly<Record<never, never>>;
type Path = 'path';

export type PathOf<Id extends OperationId> = [NonNullable<operations[Id]['parameters'][Path]>] extends [never]
  ? Nothing
  : NonNullable<operations[Id]['parameters'][Path]>;

type Responses<Id extends OperationId> = operations[Id]['responses'];
type Success<Id extends OperationId> = Responses<Id>[Extract<keyof Responses<Id>, 200 | 201 | 202>];

export type AnswerOf<Id extends OperationId> =
  Success<Id> extends { content: { 'application/json': infer Content } } ? AsSent<Content> : undefined;

export interface OperationRoute {
  readonly id: OperationId;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** In the notation of Express. */
  readonly path: string;
  readonly status: number;
}

interface Document {
  readonly paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
}

export function readOperationRoutes(): OperationRoute[] {
  const document = JSON.parse(readFileSync(new URL('./gen/openapi.json', import.meta.url), 'utf8')) as Document;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, responses }]) => ({
      id: operationId as OperationId,
      method: method as OperationRoute['method'],
      path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      status: Number(Object.keys(responses).find((status) => status.startsWith('2'))),
    })),
  );
}
