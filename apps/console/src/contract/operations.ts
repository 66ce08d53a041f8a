import { readFileSync } from 'node:fs';
import type { operations } from './gen/openapi.ts';

/** The types of the console's contract, as `npm run generate` makes them from openapi.yaml. */

/** An operation of the contract, by its operationId. */
export type OperationId = keyof operations;

type Nothing = Readonly<Record<never, never>>;
type Path = 'path';

export type PathOf<Id extends OperationId> = [NonNullable<operations[Id]['parameters'][Path]>] extends [never]
  ? Nothing
  : NonNullable<operations[Id]['parameters'][Path]>;

type Responses<Id extends OperationId> = operations[Id]['responses'];
type Success<Id extends OperationId> = Responses<Id>[Extract<keyof Responses<Id>, 200 | 201 | 202>];

/** What the contract promises as the content of a success. */
export type AnswerOf<Id extends OperationId> =
  Success<Id> extends { content: { 'application/json': infer Content } } ? AsSent<Content> : undefined;

/**
 * The shape of a content. Values that services send as text, such as a status, count as text here: the tests hold every
 * answer against the contract.
 */
type AsSent<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? readonly AsSent<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: AsSent<T[Name]> }
      : T;

/** Where an operation is, and what a success has as its status. */
export interface Place {
  readonly id: OperationId;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** As Express writes it. */
  readonly path: string;
  readonly status: number;
}

interface Document {
  readonly paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
}

/** The operations of the contract with their places. */
export function readPlaces(): Place[] {
  const document = JSON.parse(readFileSync(new URL('./gen/openapi.json', import.meta.url), 'utf8')) as Document;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, responses }]) => ({
      id: operationId as OperationId,
      method: method as Place['method'],
      path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      status: Number(Object.keys(responses).find((status) => status.startsWith('2'))),
    })),
  );
}
