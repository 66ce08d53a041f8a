import { Connection } from './connection.ts';
import { createAuthorizer, type Credentials } from './credentials.ts';
import { Events } from './events.ts';
import { Retirements, Transfers } from './transfers.ts';
import { Transport } from './transport.ts';
import type {
  BodyOf,
  CallOptions,
  ExpandedTransaction,
  Plan,
  PlanRequest,
  QueryOf,
  TraderCreate,
  TraderPatch,
  TransactionExpansion,
  WebhookDelivery,
} from './types.ts';

export interface SalesChannelOptions {
  /** Such as `https://api.example.org`. Must be https, except on the local machine. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Timeout of a whole call, including retries. Default 120,000. */
  readonly timeoutMs?: number;
  /** Timeout of one attempt. Default 30,000. */
  readonly attemptTimeoutMs?: number;
  /** Maximum number of retries per request. Default 6. */
  readonly retries?: number;
  /** User agent of your program. */
  readonly userAgent?: string;
  /** Allows plain HTTP to other machines, for instance within a cluster. */
  readonly allowInsecureHttp?: boolean;
  /** Random number from 0 to 1, for jitter. */
  readonly random?: () => number;
}

const TIMEOUT_MS = 120_000;
const ATTEMPT_TIMEOUT_MS = 30_000;
const RETRIES = 6;
const USER_AGENT = 'saleschannel-sdk';
/** Page size of lists, which limits memory. */
const PAGE = { $limit: 1_000 };

/** @throws TypeError for an address that must not receive credentials */
function parseBaseUrl(text: string, allowInsecureHttp: boolean): URL {
  const url = new URL(text);
  const isLoopback = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url.username !== '' || url.password !== '') throw new TypeError('baseUrl must not contain credentials');
  if (url.protocol === 'https:' || (url.protocol === 'http:' && (isLoopback || allowInsecureHttp))) return url;
  throw new TypeError(`baseUrl must be https: ${url.origin}`);
}

/** @throws TypeError for invalid timeouts or retries */
function validateTimes({
  retries = RETRIES,
  timeoutMs = TIMEOUT_MS,
  attemptTimeoutMs = ATTEMPT_TIMEOUT_MS,
}: SalesChannelOptions) {
  if (!(retries >= 0)) throw new TypeError('retries must be 0 or more');
  if (!(timeoutMs > 0 && attemptTimeoutMs > 0)) throw new TypeError('a timeout must be above 0 ms');
  return { retries, timeoutMs, attemptTimeoutMs };
}

/** Client of the Sales Channel Service. It holds no connections open and can be shared. */
export class SalesChannel extends Connection {
  readonly trades: Transfers<'trade'>;
  readonly retirements: Retirements;
  readonly offramps: Transfers<'offramp'>;
  readonly events: Events;

  constructor(options: SalesChannelOptions) {
    const { fetch = (...words) => globalThis.fetch(...words), userAgent = USER_AGENT } = options;
    super(
      new Transport({
        baseUrl: parseBaseUrl(options.baseUrl, options.allowInsecureHttp ?? false),
        authorizer: createAuthorizer(options.credentials),
        fetch,
        ...validateTimes(options),
        userAgent,
        random: options.random ?? Math.random,
      }),
    );
    this.trades = new Transfers(this, 'trade');
    this.retirements = new Retirements(this);
    this.offramps = new Transfers(this, 'offramp');
    this.events = new Events(this);
  }

  readonly traders = {
    list: (query: QueryOf<'listTraders'> = {}, options: CallOptions = {}) =>
      this.items('listTraders', { ...options, query: { ...PAGE, ...query } }),
    get: (traderId: string, options: CallOptions = {}) => this.request('getTrader', { ...options, path: { traderId } }),
    create: (body: TraderCreate, options: CallOptions = {}) => this.request('createTrader', { ...options, body }),
    update: (traderId: string, body: TraderPatch, options: CallOptions = {}) =>
      this.request('updateTrader', { ...options, path: { traderId }, body }),
  };

  readonly inventory = {
    list: (traderId: string, query: QueryOf<'listInventory'> = {}, options: CallOptions = {}) =>
      this.items('listInventory', { ...options, path: { traderId }, query: { ...PAGE, ...query } }),
    summary: (traderId: string, query: QueryOf<'summarizeInventory'> = {}, options: CallOptions = {}) =>
      this.request('summarizeInventory', { ...options, path: { traderId }, query }),
    /** Shows the certificates that a transfer would take, without reserving them. */
    plan: (traderId: string, body: PlanRequest, options: CallOptions = {}): Promise<Plan> =>
      this.request('planTransfer', { ...options, path: { traderId }, body }),
  };

  readonly tasks = {
    list: (query: QueryOf<'listTasks'> = {}, options: CallOptions = {}) =>
      this.items('listTasks', { ...options, query: { ...PAGE, ...query } }),
  };

  readonly transactions = {
    /** `expand` adds optional members: `{ expand: ['names', 'totals'] }`. */
    list: <const Expansion extends TransactionExpansion = never>(
      {
        expand,
        ...query
      }: Omit<QueryOf<'listTransactions'>, '$expand'> & { readonly expand?: readonly Expansion[] } = {},
      options: CallOptions = {},
    ) => {
      const expanded = { ...PAGE, ...query, ...(expand && { $expand: [...expand] }) };
      const transactions = this.items('listTransactions', { ...options, query: expanded });
      return transactions as AsyncGenerator<ExpandedTransaction<Expansion>, void>;
    },
    get: (transactionId: string, options: CallOptions = {}) =>
      this.request('getTransaction', { ...options, path: { transactionId } }),
    detail: (transactionId: string, options: CallOptions = {}) =>
      this.request('getTransactionDetail', { ...options, path: { transactionId } }),
    summary: (query: QueryOf<'summarizeTransactions'>, options: CallOptions = {}) =>
      this.request('summarizeTransactions', { ...options, query }),
  };

  readonly facilities = {
    list: (options: CallOptions = {}) => this.items('listProductionFacilities', options),
    get: (productionFacilityId: string, options: CallOptions = {}) =>
      this.request('getProductionFacility', { ...options, path: { productionFacilityId } }),
  };

  /** Endpoints that receive events. Verify received messages with `verifyWebhook`. */
  readonly webhookEndpoints = {
    list: (options: CallOptions = {}) => this.request('listWebhookEndpoints', options),
    get: (webhookEndpointId: string, options: CallOptions = {}) =>
      this.request('getWebhookEndpoint', { ...options, path: { webhookEndpointId } }),
    /** Only this response contains the secret. */
    create: (body: BodyOf<'createWebhookEndpoint'>, options: CallOptions = {}) =>
      this.request('createWebhookEndpoint', { ...options, body }),
    update: (webhookEndpointId: string, body: BodyOf<'updateWebhookEndpoint'>, options: CallOptions = {}) =>
      this.request('updateWebhookEndpoint', { ...options, path: { webhookEndpointId }, body }),
    delete: (webhookEndpointId: string, options: CallOptions = {}) =>
      this.request('deleteWebhookEndpoint', { ...options, path: { webhookEndpointId } }),
    /** Only this response contains the new secret. */
    rotateSecret: (webhookEndpointId: string, body: BodyOf<'rotateWebhookSecret'> = {}, options: CallOptions = {}) =>
      this.request('rotateWebhookSecret', { ...options, path: { webhookEndpointId }, body }),
    test: (webhookEndpointId: string, options: CallOptions = {}) =>
      this.request('testWebhookEndpoint', { ...options, path: { webhookEndpointId } }),
    replay: (webhookEndpointId: string, body: BodyOf<'replayWebhookEvents'>, options: CallOptions = {}) =>
      this.request('replayWebhookEvents', { ...options, path: { webhookEndpointId }, body }),
    deliveries: (
      webhookEndpointId: string,
      query: QueryOf<'listWebhookDeliveries'> = {},
      options: CallOptions = {},
    ): AsyncGenerator<WebhookDelivery, void> =>
      this.items('listWebhookDeliveries', { ...options, path: { webhookEndpointId }, query: { ...PAGE, ...query } }),
    delivery: (webhookEndpointId: string, deliveryId: string, options: CallOptions = {}) =>
      this.request('getWebhookDelivery', { ...options, path: { webhookEndpointId, deliveryId } }),
    retry: (webhookEndpointId: string, deliveryId: string, options: CallOptions = {}) =>
      this.request('retryWebhookDelivery', { ...options, path: { webhookEndpointId, deliveryId } }),
  };

  readonly apiKeys = {
    list: (options: CallOptions = {}) => this.request('listOwnApiKeys', options),
    /** Only this response contains the passphrase. */
    create: (options: CallOptions = {}) => this.request('createApiKey', options),
    /** Keys created with this key stay valid unless `descendants` is true. */
    delete: (apiKeyId: string, { descendants = false, ...options }: CallOptions & { descendants?: boolean } = {}) =>
      this.request('deleteApiKey', { ...options, path: { apiKeyId }, query: descendants ? { descendants } : {} }),
  };

  readonly statements = {
    get: (statementId: string, options: CallOptions = {}) =>
      this.request('getStatement', { ...options, path: { statementId } }),
    certificate: (certificate: string, options: CallOptions = {}) =>
      this.request('getCertificateStatus', { ...options, path: { certificate } }),
    update: (transactionId: string, body: BodyOf<'updateStatement'>, options: CallOptions = {}) =>
      this.request('updateStatement', { ...options, path: { transactionId }, body }),
  };
}
