import type { AsSent } from '@saleschannel/edge';
import type { operations } from './gen/openapi.ts';

/** Types of the public contract, from those that `npm run generate` generates from openapi.yaml. */

/** Operations that this service calls, at webhook endpoints. */
type Outgoing = 'receiveEvent';

/** operationId of the contract. */
export type OperationId = Exclude<keyof operations, Outgoing>;

/** Parameters with a default in every operation, so that handlers always get a value. */
export const defaultedParameters = ['limit', 'offset'] as const;
type Defaulted = (typeof defaultedParameters)[number];
type WithDefaults<T> = T & { readonly [Name in keyof T & Defaulted]-?: NonNullable<T[Name]> };

type Location = 'path' | 'query' | 'header';
type Nothing = Readonly<Record<never, never>>;
type ParametersIn<Id extends OperationId, In extends Location> = [
  NonNullable<operations[Id]['parameters'][In]>,
] extends [never]
  ? Nothing
  : NonNullable<operations[Id]['parameters'][In]>;

export type PathOf<Id extends OperationId> = ParametersIn<Id, 'path'>;
export type QueryOf<Id extends OperationId> = WithDefaults<ParametersIn<Id, 'query'>>;
export type HeadersOf<Id extends OperationId> = ParametersIn<Id, 'header'>;

/** JSON body. Undefined for an operation without a body, or with a streamed one. */
export type BodyOf<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : undefined;

type Responses<Id extends OperationId> = operations[Id]['responses'];
type SuccessStatus<Id extends OperationId> = Extract<keyof Responses<Id>, 200 | 201 | 202>;

export type Success<Id extends OperationId> = {
  [Status in SuccessStatus<Id>]: Responses<Id>[Status] extends { content: infer Content }
    ? { readonly status: Status; readonly content: AsSent<Content[keyof Content]> }
    : never;
}[SuccessStatus<Id>];

export type MayBeUnchanged<Id extends OperationId> = 304 extends keyof Responses<Id> ? true : false;

/** Request to an operation, validated against the contract. */
export interface Input<Id extends OperationId> {
  readonly path: PathOf<Id>;
  readonly query: QueryOf<Id>;
  readonly headers: HeadersOf<Id>;
  readonly body: BodyOf<Id>;
}
