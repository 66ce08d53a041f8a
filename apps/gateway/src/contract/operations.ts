import type { operations } from './gen/openapi.ts';

/** The types of the public contract, as `npm run generate` makes them from openapi.yaml. */

/** What this service sends itself, to webhook endpoints. */
type Sent = 'receiveEvent';

/** An operation of the contract, by its operationId. */
export type OperationId = Exclude<keyof operations, Sent>;

/** Parameters that have a default wherever they are, so that handlers always get a value. */
export const defaultedParameters = ['limit', 'offset'] as const;
type Defaulted = (typeof defaultedParameters)[number];
type WithDefaults<T> = T & { readonly [Name in keyof T & Defaulted]-?: NonNullable<T[Name]> };

type Place = 'path' | 'query' | 'header';
type Nothing = Readonly<Record<never, never>>;
type ParametersIn<Id extends OperationId, In extends Place> = [NonNullable<operations[Id]['parameters'][In]>] extends [
  never,
]
  ? Nothing
  : NonNullable<operations[Id]['parameters'][In]>;

export type PathOf<Id extends OperationId> = ParametersIn<Id, 'path'>;
export type QueryOf<Id extends OperationId> = WithDefaults<ParametersIn<Id, 'query'>>;
export type HeadersOf<Id extends OperationId> = ParametersIn<Id, 'header'>;

/** The JSON body. Undefined for an operation that takes none, or that reads its body piece by piece. */
export type BodyOf<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : undefined;

type Responses<Id extends OperationId> = operations[Id]['responses'];
type SuccessStatus<Id extends OperationId> = Extract<keyof Responses<Id>, 200 | 201 | 202>;

/** What the contract promises as the answer of a success: its status with its content. */
export type Success<Id extends OperationId> = {
  [Status in SuccessStatus<Id>]: Responses<Id>[Status] extends { content: infer Content }
    ? { readonly status: Status; readonly content: AsSent<Content[keyof Content]> }
    : never;
}[SuccessStatus<Id>];

/** Whether a client that has the answer already may be told so. */
export type MayBeUnchanged<Id extends OperationId> = 304 extends keyof Responses<Id> ? true : false;

type OptionalKeys<T> = { [Name in keyof T]-?: Nothing extends Pick<T, Name> ? Name : never }[keyof T];

/**
 * The shape of a content. Values that services send as text, such as a status, count as text here: the services and the
 * end-to-end tests hold them against the contract. JSON leaves out a member that is undefined.
 */
type AsSent<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? readonly AsSent<Item>[]
    : T extends object
      ? { readonly [Name in Exclude<keyof T, OptionalKeys<T>>]: AsSent<T[Name]> } & {
          readonly [Name in OptionalKeys<T>]?: AsSent<T[Name]> | undefined;
        }
      : T;

/** What a request to an operation holds, checked against the contract. */
export interface Input<Id extends OperationId> {
  readonly path: PathOf<Id>;
  readonly query: QueryOf<Id>;
  readonly headers: HeadersOf<Id>;
  readonly body: BodyOf<Id>;
}
