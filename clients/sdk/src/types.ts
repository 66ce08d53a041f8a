import type { components, operations } from './gen/openapi.ts';

/** Schemas of the contract. */
export type Schemas = components['schemas'];

export type ApiKey = Schemas['ApiKey'];
export type CreatedApiKey = Schemas['CreatedApiKey'];
export type Event = Schemas['Event'];
export type InventoryFilter = Schemas['InventoryFilter'];
export type InventorySummary = Schemas['InventorySummary'];
/** A bundle of an inventory: certificates of one issuance with consecutive serials. */
export type Bundle = Schemas['ListableAsset'];
export type ListedTask = Schemas['ListedTask'];
export type Me = Schemas['Me'];
export type OfframpRequest = Schemas['OfframpRequest'];
export type Plan = Schemas['Plan'];
export type PlanRequest = Schemas['PlanRequest'];
export type PlannedSelection = Schemas['PlannedSelection'];
export type ProblemError = Schemas['ProblemError'];
export type ProductionFacility = Schemas['ProductionFacility'];
export type RetirementRequest = Schemas['RetirementRequest'];
export type Statement = Schemas['Statement'];
export type Task = Schemas['Task'];
export type TradeRequest = Schemas['TradeRequest'];
export type Trader = Schemas['Trader'];
export type TraderCreate = Schemas['TraderCreate'];
export type TraderPatch = Schemas['TraderPatch'];
export type Transaction = Schemas['Transaction'];
export type ListedTransaction = Schemas['ListedTransaction'];
export type TransactionDetail = Schemas['TransactionDetail'];
export type CreatedWebhookEndpoint = Schemas['CreatedWebhookEndpoint'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookDeliveryDetail = Schemas['WebhookDeliveryDetail'];
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type WebhookReplay = Schemas['WebhookReplay'];

/** Operations of the contract supported by this package. */
export type OperationId = keyof operations;

type Parameters<Id extends OperationId> = operations[Id]['parameters'];
export type PathOf<Id extends OperationId> = Exclude<Parameters<Id>['path'], undefined>;
export type QueryOf<Id extends OperationId> = Exclude<Parameters<Id>['query'], undefined>;
export type BodyOf<Id extends OperationId> = operations[Id] extends { requestBody: { content: infer Content } }
  ? Content[keyof Content]
  : never;

type Successes<Responses> = Responses[Extract<keyof Responses, 200 | 201 | 202>];
type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;
/** Response body of an operation. */
export type ResultOf<Id extends OperationId> = JsonOf<Successes<operations[Id]['responses']>>;

/** A record of a list. */
export type ItemOf<Id extends OperationId> = ResultOf<Id> extends readonly (infer Item)[] ? Item : never;
/** Operations that return a list. */
export type ListId = { [Id in OperationId]: [ItemOf<Id>] extends [never] ? never : Id }[OperationId];

/** Members that `$expand` adds to a listed transaction. */
interface ExpandedMembers {
  names: 'sellerName' | 'buyerName';
  reference: 'externalReference';
  metadata: 'metadata';
  retirement: 'retirement';
  totals: 'totals';
}
export type TransactionExpansion = keyof ExpandedMembers;

/** A listed transaction with the requested members. */
export type ExpandedTransaction<Expansion extends TransactionExpansion> = Transaction &
  Required<Pick<ListedTransaction, ExpandedMembers[Expansion]>>;

export interface CallOptions {
  /** Aborts the call at once. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of the whole call, including retries and pauses. */
  readonly timeoutMs?: number | undefined;
  /** 1 to 64 letters, digits, underscores or hyphens. Generated if omitted. */
  readonly idempotencyKey?: string | undefined;
  /** Additional headers, such as `If-None-Match`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

type Part<Name extends string, Value> = [Value] extends [never]
  ? { readonly [Key in Name]?: never }
  : object extends Value
    ? { readonly [Key in Name]?: Value | undefined }
    : { readonly [Key in Name]: Value };

export type RequestOptions<Id extends OperationId> = CallOptions &
  Part<'path', PathOf<Id>> &
  Part<'query', QueryOf<Id>> &
  Part<'body', BodyOf<Id>>;

/** Optional if no member is required. */
export type OptionsArgument<Id extends OperationId> =
  object extends RequestOptions<Id> ? [options?: RequestOptions<Id>] : [options: RequestOptions<Id>];

export interface Answer<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;
  /** Finds the request in the service's logs. */
  readonly requestId: string;
  /** Key of the call, generated or given. Undefined for operations without keys, and for plans without a key. */
  readonly idempotencyKey: string | undefined;
}

/** A promise of the response body, with access to the whole response. */
export interface Call<T> extends Promise<T> {
  withResponse(): Promise<Answer<T>>;
}
