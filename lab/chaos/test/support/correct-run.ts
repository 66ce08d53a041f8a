import { generateKeyPairSync, sign } from 'node:crypto';
import { judge } from '../../src/checks/check.ts';
import type { Answers } from '../../src/checks/answers.ts';
import type { Entry, RequestEntry } from '../../src/workload/journal.ts';

/** Makes answers and journals mutable, so that tests can damage them. */
type Mutable<T> =
  T extends ReadonlyMap<infer K, infer V>
    ? Map<K, Mutable<V>>
    : T extends readonly (infer E)[]
      ? Mutable<E>[]
      : T extends object
        ? { -readonly [K in keyof T]: Mutable<T[K]> }
        : T;

export interface Run {
  readonly entries: Mutable<Entry>[];
  readonly answers: Mutable<Answers>;
}

/** Certificates of i1. */
export const asset = (first: number, last: number) => ({ start: `i1_${first}`, end: `i1_${last}` });
const held = (first: number, last: number, ownerId: string) => ({
  issuanceId: 'i1',
  ...asset(first, last),
  ownerType: ownerId === 'h1' ? 'ACCOUNT_HOLDER' : 'TRADER',
  ownerId,
  salesChannelId: ownerId === 'h1' ? null : 'c1',
  status: ownerId === 'h1' ? 'HELD' : 'LISTABLE',
});

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function signedStatement() {
  const signed = { id: 's1', volume: 10, certificates: [asset(11, 20)] };
  const header = { alg: 'EdDSA', typ: 'retirement-statement+sd-jwt', kid: 'k1' };
  const text = `${encode(header)}.${encode({ ...signed, _sd: [], _sd_alg: 'sha-256' })}`;
  const signature = `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}~`;
  return { ...signed, publication: 'PUBLIC', transactionId: 'x2', beneficiaryHiddenUntil: null, signature };
}

const TRANSFERS = [
  { id: 1, kind: 'trade', type: 'TRADE', buyerId: 't2', assets: [asset(1, 4), asset(5, 10)] },
  { id: 2, kind: 'retire', type: 'RETIREMENT', buyerId: null, assets: [asset(11, 20)] },
  { id: 3, kind: 'offramp', type: 'OFFRAMP', buyerId: null, assets: [asset(21, 25)] },
] as const;

const path = (kind: string): string => `/saleschannel-services/v1/traders/t1/inventory/${kind}`;

export function request(id: number, kind: string, fields: Partial<RequestEntry> = {}): Mutable<RequestEntry> {
  const base = { type: 'request', at: id * 100, id, kind, actor: 'c1', method: 'POST', expected: [201, 400] } as const;
  return {
    ...base,
    expected: [...base.expected],
    path: path(kind),
    key: `key${id}`,
    ...fields,
  } as Mutable<RequestEntry>;
}

export const attempt = (id: number, status: number | undefined, body?: unknown, at = id * 100 + 10) =>
  ({ type: 'attempt', at, request: id, gateway: '0', sentAt: at - 5, status, body }) as const;

/**
 * Creates a correct run: the import of request 6 issued a hundred certificates for trader t1 of channel c1. Some were
 * sold, some retired and some offramped. Request 4 was rejected, request 5 failed in the ledger.
 */
export function createCorrectRun(): Run {
  const events = TRANSFERS.map(({ id }) => ({
    id: `e${id}`,
    createdAt: `2026-01-01T00:00:0${id}.000Z`,
    payload: { transactionId: `x${id}`, status: 'SUCCESS' },
  }));
  const transactions = TRANSFERS.map(({ id, type, buyerId, assets }) => ({
    id: `x${id}`,
    type,
    sellerId: 't1',
    buyerId,
    status: 'SUCCESS',
    assets: assets.map((each) => ({ ...each })),
  }));
  const task = (id: number, status: string, made?: string) => ({
    taskId: `k${id}`,
    status,
    idempotencyKey: `key${id}`,
    responsePayload: made === undefined ? {} : { id: made },
  });
  const issuance = { issuanceId: 'i1', ...asset(1, 100), accountHolderId: 'h1', traderId: 't1' };
  const issuing = { transactionId: 'i1', type: 'ISSUANCE', sellerId: null, buyerId: 't1', assets: [asset(1, 100)] };
  const seen = (['poll', 'stream', 'webhook'] as const).flatMap((follower) =>
    events.map(({ id, payload }, index): Mutable<Entry> => {
      const previous = follower === 'webhook' ? { previous: events[index - 1]?.id ?? null } : {};
      return { type: 'seen', at: 900, follower, channel: 'c1', event: id, ...payload, ...previous };
    }),
  );
  const entries: Mutable<Entry>[] = [
    { type: 'baseline', at: 0, channel: 'c1', events: [], tasks: [], transactions: [] },
    { type: 'baseline', at: 0, channel: 'c2', events: [], tasks: [], transactions: [] },
    ...TRANSFERS.flatMap(({ id, kind, buyerId, assets }): Mutable<Entry>[] => [
      request(id, kind, { body: { assets, ...(buyerId === null ? {} : { buyerId }) } }),
      attempt(id, 201, { taskId: `k${id}`, status: 'PENDING' }),
      { type: 'end', at: id * 100 + 50, request: id, status: 'SUCCESS', id: `x${id}` },
    ]),
    request(4, 'refused trade', { path: path('trade'), body: { assets: [] }, expected: [400] }),
    attempt(4, 400),
    request(5, 'trade', { body: { assets: [] } }),
    attempt(5, 201, { taskId: 'k5' }),
    { type: 'end', at: 550, request: 5, status: 'FAILED', id: undefined },
    request(6, 'import', {
      actor: 'registry',
      path: '/imports',
      issued: [{ issuanceId: 'i1', volume: '100' }],
      expected: [202],
    }),
    attempt(6, 202, { importId: 'm1' }),
    { type: 'end', at: 650, request: 6, status: 'COMPLETED', id: 'm1', linesApplied: 1 },
    ...seen,
  ];
  const c1 = {
    id: 'c1',
    events,
    transactions,
    tasks: [...TRANSFERS.map(({ id }) => task(id, 'SUCCESS', `x${id}`)), task(5, 'FAILED')],
    traders: [
      { id: 't1', businessId: 'b1' },
      { id: 't2', businessId: 'b2' },
    ],
    inventories: new Map([
      ['t1', [asset(26, 100)]],
      ['t2', [asset(1, 10)]],
    ]),
  };
  const c2 = { id: 'c2', events: [], transactions: [], tasks: [], traders: [], inventories: new Map() };
  const answers: Mutable<Answers> = {
    channels: [c1, c2],
    issuances: [issuance],
    certificates: [held(1, 10, 't2'), held(21, 25, 'h1'), held(26, 100, 't1')],
    transactions: [
      { ...issuing, status: 'SUCCESS', salesChannelId: 'c1' },
      ...transactions.map(({ id, ...rest }) => ({ transactionId: id, salesChannelId: 'c1', ...structuredClone(rest) })),
    ],
    accountHolders: [{ accountHolderId: 'h1', businessId: 'b0' }],
    statementKeys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }],
    statements: new Map([['x2', signedStatement()]]),
    deletedKeys: [{ key: 'old', gateway: 'g', status: 401 }],
  };
  return { entries, answers };
}

/** No faults were injected. */
export const noFaults = { intervals: [], kills: [] } as const;

export type List = 'lost' | 'doubled' | 'reordered' | 'missed' | 'wrong';

export function findFindings({ entries, answers }: Run): Record<List, readonly string[]> {
  const { lost, doubled, reordered, missed, wrong } = judge(entries, answers, noFaults);
  return { lost, doubled, reordered, missed, wrong };
}

export const first = <T>([thing]: readonly T[]): T => thing as T;
