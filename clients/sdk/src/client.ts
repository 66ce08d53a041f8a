import { Connection } from './connection.ts';
import { authorizerOf, type Credentials } from './credentials.ts';
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
  /** Such as `https://api.example.org`. https, except on the machine itself. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Another fetch than that of the platform. */
  readonly fetch?: typeof globalThis.fetch;
  /** For a whole call with its retries. 120,000 when left out. */
  readonly timeoutMs?: number;
  /** For one attempt of it. 30,000 when left out. */
  readonly attemptTimeoutMs?: number;
  /** How often a request is sent again, at most. 6 when left out. */
  readonly retries?: number;
  /** Of the program that uses this package. */
  readonly userAgent?: string;
  /** Whether plain HTTP to another machine is meant, for instance within a cluster. */
  readonly allowInsecureHttp?: boolean;
  /** From 0 to 1, for the jitter of pauses. */
  readonly random?: () => number;
}

const TIMEOUT_MS = 120_000;
const ATTEMPT_TIMEOUT_MS = 30_000;
const RETRIES = 6;
const USER_AGENT = 'saleschannel-sdk';
/** Lists come in pages of this size, so that long ones need little memory. */
const PAGE = { $limit: 1_000 };

/** @throws TypeError for an address to which credentials must not be sent */
function checkedUrl(text: string, allowInsecureHttp: boolean): URL {
  const url = new URL(text);
  const isLoopback = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url.username !== '' || url.password !== '') throw new TypeError('baseUrl must not hold credentials');
  if (url.protocol === 'https:' || (url.protocol === 'http:' && (isLoopback || allowInsecureHttp))) return url;
  throw new TypeError(`baseUrl must be https: ${url.origin}`);
}

/** @throws TypeError for times and numbers with which a call would never end, or never begin */
function checkedTimes({
  retries = RETRIES,
  timeoutMs = TIMEOUT_MS,
  attemptTimeoutMs = ATTEMPT_TIMEOUT_MS,
}: SalesChannelOptions) {
  if (!(retries >= 0)) throw new TypeError('retries must be 0 or more');
  if (!(timeoutMs > 0 && attemptTimeoutMs > 0)) throw new TypeError('a timeout must be above 0 ms');
  return { retries, timeoutMs, attemptTimeoutMs };
}

/** A client of the Sales Channel Service. It keeps nothing open, and can be used from many places at once. */
export class SalesChannel extends Connection {
  readonly trades: Transfers<'trade'>;
  readonly retirements: Retirements;
  readonly offramps: Transfers<'offramp'>;
  readonly events: Events;

  constructor(options: SalesChannelOptions) {
    const { fetch = (...words) => globalThis.fetch(...words), userAgent = USER_AGENT } = options;
    super(
      new Transport({
        baseUrl: checkedUrl(options.baseUrl, options.allowInsecureHttp ?? false),
        authorizer: authorizerOf(options.credentials),
        fetch,
        ...checkedTimes(options),
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
    /** What a transfer would take. Nothing is reserved. */
    plan: (traderId: string, body: PlanRequest, options: CallOptions = {}): Promise<Plan> =>
      this.request('planTransfer', { ...options, path: { traderId }, body }),
  };

  readonly tasks = {
    list: (query: QueryOf<'listTasks'> = {}, options: CallOptions = {}) =>
      this.items('listTasks', { ...options, query: { ...PAGE, ...query } }),
  };

  readonly transactions = {
    /** `expand` adds members to each: `{ expand: ['names', 'totals'] }`. */
    list: <const Expansion extends TransactionExpansion = never>(
      {
        expand,
        ...query
      }: Omit<QueryOf<'listTransactions'>, '$expand'> & { readonly expand?: readonly Expansion[] } = {},
      options: CallOptions = {},
    ) => {
      const wanted = { ...PAGE, ...query, ...(expand && { $expand: [...expand] }) };
      const found = this.items('listTransactions', { ...options, query: wanted });
      return found as AsyncGenerator<ExpandedTransaction<Expansion>, void>;
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

  /** Addresses to which the service sends events. `verifyWebhook` checks what arrives there. */
  readonly webhookEndpoints = {
    list: (options: CallOptions = {}) => this.request('listWebhookEndpoints', options),
    get: (webhookEndpointId: string, options: CallOptions = {}) =>
      this.request('getWebhookEndpoint', { ...options, path: { webhookEndpointId } }),
    /** The secret is in this answer only. */
    create: (body: BodyOf<'createWebhookEndpoint'>, options: CallOptions = {}) =>
      this.request('createWebhookEndpoint', { ...options, body }),
    update: (webhookEndpointId: string, body: BodyOf<'updateWebhookEndpoint'>, options: CallOptions = {}) =>
      this.request('updateWebhookEndpoint', { ...options, path: { webhookEndpointId }, body }),
    delete: (webhookEndpointId: string, options: CallOptions = {}) =>
      this.request('deleteWebhookEndpoint', { ...options, path: { webhookEndpointId } }),
    /** The new secret is in this answer only. */
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
    /** The passphrase is in this answer only. */
    create: (options: CallOptions = {}) => this.request('createApiKey', options),
    /** Keys made with it go on, unless `descendants` is true. */
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
