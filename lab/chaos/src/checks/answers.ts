import { setTimeout as delay } from 'node:timers/promises';
import type { DemoKey } from '@saleschannel/local';
import { request } from 'undici';
import type { ChannelAccess, PublicInstallation } from '../contract.ts';
import { basicAuthorization } from '../workload/client.ts';
import type { LogEvent } from '../workload/followers.ts';
import type { Entry } from '../workload/journal.ts';
import { REGISTRY, V1 } from '../workload/market.ts';

/** All data that the public APIs return after a run. None of it comes from the run's clients. */
export interface Answers {
  readonly channels: readonly ChannelAnswers[];
  readonly issuances: readonly Issuance[];
  /** Bundles that are neither retired nor offramped. */
  readonly certificates: readonly Certificates[];
  readonly transactions: readonly RegistryTransaction[];
  readonly accountHolders: readonly { readonly accountHolderId: string; readonly businessId: string }[];
  readonly statementKeys: readonly StatementKey[];
  /** Statements of some retirements, by transaction. Undefined if there is none. */
  readonly statements: ReadonlyMap<string, Statement | undefined>;
  /** Answers to requests with deleted keys, by key and gateway. */
  readonly deletedKeys: readonly { readonly key: string; readonly gateway: string; readonly status: number }[];
}

export interface ChannelAnswers {
  readonly id: string;
  readonly events: readonly LogEvent[];
  readonly tasks: readonly ListedTask[];
  readonly transactions: readonly Transaction[];
  readonly traders: readonly { readonly id: string; readonly businessId: string }[];
  /** Inventories by trader. */
  readonly inventories: ReadonlyMap<string, readonly Range[]>;
}

export interface ListedTask {
  readonly taskId: string;
  readonly status: string;
  readonly idempotencyKey: string;
  readonly responsePayload: { readonly id?: string };
}

/** Certificates from the first to the last, inclusive. */
export interface Range {
  readonly start: string;
  readonly end: string;
}

export interface Transaction {
  readonly id: string;
  readonly type: string;
  readonly sellerId: string;
  readonly buyerId: string | null;
  readonly status: string;
  readonly assets: readonly Range[];
}

export interface RegistryTransaction {
  readonly transactionId: string;
  readonly type: string;
  readonly status: string;
  readonly salesChannelId: string | null;
  readonly sellerId: string | null;
  readonly buyerId: string | null;
  readonly assets: readonly Range[];
}

export interface Issuance extends Range {
  readonly issuanceId: string;
  readonly accountHolderId: string;
  readonly traderId: string | null;
}

export interface Certificates extends Range {
  readonly issuanceId: string;
  readonly ownerType: string;
  readonly ownerId: string;
  readonly salesChannelId: string | null;
  readonly status: string;
}

export interface StatementKey {
  readonly kid: string;
}

export interface Statement extends Readonly<Record<string, unknown>> {
  readonly signature: string;
  readonly certificates: readonly Range[];
}

const ATTEMPTS_AT_MOST = 60;
const ATTEMPT_MS = 30_000;
const AGAIN_MS = 1_000;
const AT_ONCE = 4;
const PAGE = 1_000;
const REGISTRY_PAGE = 100;
/** The public API answers at most 20 requests per second. */
const STATEMENTS_AT_MOST = 200;
const KEYS_AT_MOST = 20;
const NEXT = /<([^>]{1,8192})>; rel="next"/;

interface Page<T> {
  readonly status: number;
  readonly body: T;
  readonly next: string | undefined;
}

/** Reads at any gateway, and retries until there is an answer. @throws Error after a minute without one */
async function readAt<T>(gateways: readonly string[], path: string, key?: DemoKey): Promise<Page<T>> {
  const authorization = key && basicAuthorization(key);
  let last = '';
  for (let attempt = 0; attempt < ATTEMPTS_AT_MOST; attempt++) {
    const url = new URL(path, gateways[attempt % gateways.length]);
    try {
      const {
        statusCode: status,
        headers,
        body,
      } = await request(url, {
        headers: { accept: 'application/json', ...(authorization && { authorization }) },
        signal: AbortSignal.timeout(ATTEMPT_MS),
      });
      const text = await body.text();
      if (status < 500 && status !== 429) {
        const [, next] = NEXT.exec(String(headers['link'])) ?? [];
        return { status, body: JSON.parse(text) as T, next };
      }
      last = `${status} ${text.slice(0, 200)}`;
    } catch (error) {
      last = String(error);
    }
    await delay(AGAIN_MS);
  }
  throw new Error(`${path} could not be read after the run: ${last}.`);
}

/** Reads all pages of a list. */
async function readList<T>(gateways: readonly string[], first: string, key: DemoKey): Promise<T[]> {
  const all: T[] = [];
  for (let path: string | undefined = first; path !== undefined;) {
    const page: Page<T[] | { data: T[] }> = await readAt(gateways, path, key);
    if (page.status !== 200) throw new Error(`${path} answered ${page.status} after the run.`);
    all.push(...(Array.isArray(page.body) ? page.body : page.body.data));
    path = page.next;
  }
  return all;
}

/** Reads the log as the API describes, with pages that overlap by one event. */
async function readLog(gateways: readonly string[], key: DemoKey): Promise<LogEvent[]> {
  const all: LogEvent[] = [];
  for (;;) {
    const query = new URLSearchParams({ '$orderBy[createdAt]': 'asc', $limit: String(PAGE) });
    const last = all.at(-1);
    if (last) query.set('$filter[createdAt][gte]', last.createdAt);
    const { body } = await readAt<LogEvent[]>(gateways, `${V1}/events?${query.toString()}`, key);
    all.push(...(last ? body.slice(1) : body));
    if (body.length < PAGE) return all;
  }
}

async function mapSequentially<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let first = 0; first < items.length; first += AT_ONCE)
    results.push(...(await Promise.all(items.slice(first, first + AT_ONCE).map(work))));
  return results;
}

async function readChannel(gateways: readonly string[], channel: ChannelAccess): Promise<ChannelAnswers> {
  const { id, credentials } = channel;
  const list = <T>(path: string): Promise<T[]> => readList<T>(gateways, `${V1}/${path}`, credentials);
  const traders = await list<ChannelAnswers['traders'][number]>(`traders?$limit=${PAGE}`);
  const inventories = await mapSequentially(traders, async (trader) => {
    const path = `traders/${trader.id}/inventory?$limit=${PAGE}`;
    return [trader.id, await list<Range>(path)] as const;
  });
  return {
    id,
    events: await readLog(gateways, credentials),
    tasks: await list(`tasks?$limit=${PAGE}`),
    transactions: await list(`transactions?$limit=${PAGE}`),
    traders,
    inventories: new Map(inventories),
  };
}

/** Takes at most `atMost` items, spread over the list. */
const sample = <T>(items: readonly T[], atMost: number): readonly T[] => {
  const step = Math.max(1, items.length / atMost);
  return Array.from({ length: Math.min(items.length, atMost) }, (_, place) => items[Math.floor(place * step)] as T);
};

export async function readAnswers(world: PublicInstallation, entries: readonly Entry[]): Promise<Answers> {
  const { gateways, registry } = world;
  const list = <T>(path: string): Promise<T[]> =>
    readList<T>(gateways, `${REGISTRY}/${path}?limit=${REGISTRY_PAGE}`, registry);
  const transactions = await list<RegistryTransaction>('transactions');
  const retired = transactions.filter(
    ({ type, status, salesChannelId }) =>
      type === 'RETIREMENT' && status === 'SUCCESS' && world.channels.some(({ id }) => id === salesChannelId),
  );
  const statements = await mapSequentially(sample(retired, STATEMENTS_AT_MOST), async ({ transactionId }) => {
    const { status, body } = await readAt<Statement>(gateways, `/public/v1/statements/${transactionId}`);
    return [transactionId, status === 200 ? body : undefined] as const;
  });
  const keys = await readAt<{ keys: StatementKey[] }>(gateways, '/.well-known/statement-keys.json');
  const deleted = sample(
    entries.flatMap((entry) => (entry.type === 'revoked' ? [entry] : [])),
    KEYS_AT_MOST,
  );
  const tries = deleted.flatMap(({ key, secret }) => gateways.map((gateway) => ({ key, secret, gateway })));
  return {
    channels: await mapSequentially(world.channels, (channel) => readChannel(gateways, channel)),
    issuances: await list('issuances'),
    certificates: await list('certificates'),
    transactions,
    accountHolders: await list('account-holders'),
    statementKeys: keys.body.keys,
    statements: new Map(statements),
    deletedKeys: await mapSequentially(tries, async ({ key, secret, gateway }) => {
      const { status } = await readAt([gateway], '/authentication/users/me/api-keys', { id: key, secret });
      return { key, gateway, status };
    }),
  };
}
