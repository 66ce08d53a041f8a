import { setTimeout as delay } from 'node:timers/promises';
import type { DemoKey } from '@saleschannel/local';
import type { Operator } from '../contract.ts';
import { EVENTS } from './followers.ts';
import { nowMs, type RunJournal, type AccountHolderEntry } from './journal.ts';
import {
  asChannel,
  asRegistry,
  createTrader,
  toCsv,
  toNdjson,
  newIssuance,
  onboardHolder,
  REGISTRY,
  V1,
  type Market,
  type Registry,
} from './market.ts';
import type { Transfers } from './transfers.ts';
import type { Client } from './client.ts';

const OWN_KEYS = '/authentication/users/me/api-keys';
/** Revoked rights end within five seconds. */
const REVOCATION_MS = 5_500;

/** Creates a key, uses it, deletes it, and uses it again after it must be rejected. */
async function rotateKey(client: Client, journal: RunJournal, market: Market): Promise<void> {
  const create = { kind: 'create key', method: 'POST', path: OWN_KEYS, expected: [201] } as const;
  const created = await client.send<{ id: string; passphrase: string }>(asChannel(market, create));
  if (!created) return;
  const { id, passphrase: secret } = created.body;
  const use = (kind: string, expected: number[]) =>
    client.send({ kind, actor: market.id, credentials: { id, secret }, path: OWN_KEYS, expected });
  await use('use key', [200]);
  const path = `/authentication/api-keys/${id}`;
  const deleted = await client.send(
    asChannel(market, { kind: 'delete key', method: 'DELETE', path, expected: [200, 404] }),
  );
  if (!deleted) return;
  journal.add({ type: 'revoked', key: id, secret });
  await delay(REVOCATION_MS);
  await use('use deleted key', [401]);
}

const LOOK_MS = 1_000;
const LINES_AT_MOST = 8;
const VOLUME = 120;
const PENDING_LISTED = 50;
/** Trades started while an account holder approves manually or is suspended. */
const TRADES = 2;
/** Time for trades of other clients. */
const SUSPENDED_MS = 3_000;
const APPROVED = 0.75;

export interface Clients {
  readonly registry: Registry;
  readonly operators: readonly Operator[];
  readonly transfers: Transfers;
  readonly journal: RunJournal;
  readonly random: () => number;
  readonly markets: readonly Market[];
}

type Operation = (clients: Clients, market: Market) => Promise<unknown>;

const otherThan = ({ markets }: Clients, market: Market): Market | undefined =>
  markets.find(({ id }) => id !== market.id);

/** Lists of one page, and long ones, by sales channel. */
const reads: readonly ((market: Market) => { path: string; accept?: string })[] = [
  () => ({ path: `${V1}/transactions?$limit=50` }),
  () => ({ path: `${V1}/transactions?$limit=50&$expand=names,reference,totals` }),
  () => ({ path: `${V1}/transactions/summary?groupBy=month` }),
  () => ({ path: `${V1}/tasks?$limit=50` }),
  () => ({ path: `${V1}/traders?$limit=50` }),
  ({ manualApprover }) => ({ path: `${V1}/traders/${manualApprover.traderId}/inventory/summary` }),
  () => ({ path: `${EVENTS}?$orderBy[createdAt]=desc&$limit=50` }),
  () => ({ path: '/user-services/users' }),
  () => ({ path: `${V1}/webhook-endpoints` }),
];
const longReads: typeof reads = [
  () => ({ path: `${V1}/transactions` }),
  () => ({ path: `${V1}/transactions`, accept: 'text/csv' }),
  () => ({ path: `${V1}/tasks?$limit=1000` }),
  ({ manualApprover }) => ({ path: `${V1}/traders/${manualApprover.traderId}/inventory` }),
];

const read =
  (kind: string, lists: typeof reads): Operation =>
  ({ registry, transfers }, market) =>
    registry.client.send(asChannel(market, { kind, ...transfers.pick(lists)(market) }));

async function importIssuances({ registry, transfers, journal, random }: Clients, market: Market): Promise<void> {
  const count = 1 + Math.floor(random() * LINES_AT_MOST);
  const issuances = Array.from({ length: count }, () =>
    newIssuance(transfers.pick(market.parties), market.id, 1 + Math.floor(random() * VOLUME)),
  );
  const isCsv = random() < 0.5;
  const started = await registry.client.send<{ importId: string }>(
    asRegistry(registry, {
      kind: 'import',
      method: 'POST',
      path: `${REGISTRY}/imports${isCsv ? '?type=issuance' : ''}`,
      body: isCsv ? toCsv(issuances) : toNdjson(issuances),
      contentType: isCsv ? 'text/csv' : 'application/x-ndjson',
      issued: issuances.map(({ issued }) => issued),
      expected: [202],
    }),
  );
  if (!started) return;
  const { importId } = started.body;
  const request = asRegistry(registry, { kind: 'read import', path: `${REGISTRY}/imports/${importId}` });
  for (;;) {
    const progress = await registry.client.send<{ status: string; linesApplied: number }>(request);
    if (!progress) return;
    const { status, linesApplied } = progress.body;
    if (status === 'COMPLETED' || status === 'FAILED') {
      journal.add({ type: 'end', request: started.request, status, id: importId, linesApplied });
      return;
    }
    await delay(LOOK_MS);
  }
}

/** Grants the guest a role and removes it. */
async function lendRole({ registry }: Clients, market: Market): Promise<void> {
  const { client } = registry;
  const { guest } = market;
  if (!guest) return;
  const role = `/user-services/users/${guest.userId}/saleschannel-binding/${market.id}/roles?role=EVENT_VIEWER`;
  const readAs = (key: DemoKey, kind: string, expected: number[]) =>
    client.send({ kind, actor: market.id, credentials: key, path: `${EVENTS}?$limit=2`, expected });
  const granted = await client.send(
    asChannel(market, { kind: 'grant role', method: 'POST', path: role, expected: [200, 201] }),
  );
  if (granted) await readAs(guest.apiKey, 'use new role', [200, 403]);
  const removed = await client.send(
    asChannel(market, { kind: 'remove role', method: 'DELETE', path: role, expected: [200, 404] }),
  );
  if (!removed) return;
  await delay(REVOCATION_MS);
  // A grant that was given up may take effect after the removal.
  if (granted?.attempts === 1) await readAs(guest.apiKey, 'use removed role', [403]);
}

/** Makes an account holder approve manually for a while, and trades in that time. */
async function askApproval(clients: Clients, market: Market): Promise<void> {
  const { registry, transfers } = clients;
  const { manualApprover } = market;
  const patch = (autoApproval: boolean) =>
    registry.client.send(
      asRegistry(registry, {
        kind: 'change approval',
        method: 'PATCH',
        path: `${REGISTRY}/account-holders/${manualApprover.accountHolderId}`,
        body: { autoApproval },
      }),
    );
  const trades = await during('approval', clients, market, manualApprover.traderId, patch, async () => {
    const waiting = await Promise.all(
      Array.from({ length: TRADES }, () => transfers.startWaiting(market, manualApprover.traderId)),
    );
    await Promise.all(waiting.map((each) => each?.reserved));
    return waiting;
  });
  await Promise.all(trades.map((each) => each?.ended));
}

/** Suspends an account holder for a while, and trades in that time. */
async function suspend(clients: Clients, market: Market): Promise<void> {
  const { traderId } = market.suspendable;
  const change = (isOver: boolean) => changeAccountHolder(clients, market, isOver ? 'resume' : 'suspend');
  await during('suspension', clients, market, traderId, change, async () => {
    await Promise.all(Array.from({ length: TRADES }, () => clients.transfers.start(market, 'trade', traderId)));
    await delay(SUSPENDED_MS);
  });
}

/**
 * Ends every suspension, including those given up that took effect late, because no transaction of a suspended account
 * holder is decided. Suspensions in progress are no longer recorded.
 */
export async function resumeAll(clients: Clients): Promise<void> {
  for (const { busy } of clients.markets) busy.add(uncertain('suspension'));
  await Promise.all(clients.markets.map((market) => changeAccountHolder(clients, market, 'resume')));
}

const uncertain = (type: AccountHolderEntry['type']): string => `uncertain ${type}`;

/** Runs work while a setting of an account holder is in effect, and records the interval if it is certain. */
async function during<T>(
  type: AccountHolderEntry['type'],
  { journal }: Clients,
  { busy }: Market,
  traderId: string,
  change: (isOver: boolean) => Promise<{ readonly attempts: number } | undefined>,
  work: () => Promise<T>,
): Promise<T> {
  const begun = await change(false);
  const fromMs = nowMs();
  const result = await work();
  // A request that was given up may take effect later, so the interval is uncertain.
  if (begun && !busy.has(uncertain(type))) journal.add({ type, fromMs, traderId });
  const ended = await change(true);
  if (ended?.attempts === 1) busy.delete(uncertain(type));
  else busy.add(uncertain(type));
  return result;
}

interface Pending {
  readonly transactionId: string;
  readonly salesChannelId: string | null;
}

/** Approves or rejects pending transactions. Resolves with their number. */
export async function decidePending(clients: Clients, approved = APPROVED, atMost = 1): Promise<number> {
  const { registry, transfers, random, markets } = clients;
  const path = `${REGISTRY}/transactions?status=PENDING&limit=${PENDING_LISTED}`;
  const listed = await registry.client.send<{ data: Pending[] }>(asRegistry(registry, { kind: 'list pending', path }));
  const ours = (listed?.body.data ?? []).filter(({ salesChannelId }) =>
    markets.some(({ id }) => id === salesChannelId),
  );
  for (const pending of ours.length > atMost ? [transfers.pick(ours)] : ours) {
    const decisionName = random() < approved ? 'approve' : 'reject';
    const decision = {
      method: 'POST',
      path: `${REGISTRY}/transactions/${pending.transactionId}/${decisionName}`,
    } as const;
    // Another client may have decided already.
    await registry.client.send(asRegistry(registry, { kind: decisionName, ...decision, expected: [200, 400] }));
  }
  return ours.length;
}

/** Runs one at a time per sales channel, because concurrent clients would see each other's changes. */
const alone =
  (name: string, work: Operation): Operation =>
  async (clients, market) => {
    if (market.busy.has(name)) return;
    market.busy.add(name);
    await work(clients, market).finally(() => market.busy.delete(name));
  };

/** Requests objects of another sales channel. */
const peek: Operation = ({ registry, ...clients }, market) => {
  const other = otherThan({ registry, ...clients }, market);
  const path = `${V1}/traders/${other?.manualApprover.traderId}`;
  const paths = [path, `${path}/inventory`, `${path}/inventory/summary`];
  const request = { kind: 'read of another channel', path: clients.transfers.pick(paths), expected: [404] };
  return registry.client.send(asChannel(market, request));
};

const issue: Operation = ({ registry, transfers }, market) => {
  const { fields, issued } = newIssuance(transfers.pick(market.parties), market.id, VOLUME);
  const request = { kind: 'issue', method: 'POST', path: `${REGISTRY}/issuances`, body: fields } as const;
  return registry.client.send(asRegistry(registry, { ...request, issued: [issued], expected: [200, 201] }));
};

const onboardParty: Operation = async ({ registry }, market) => {
  const party = await onboardHolder(registry, market);
  if (party) market.traders.push(party.traderId);
};

const addTrader: Operation = async ({ registry, random }, market) => {
  const created = await createTrader(registry.client, market, random() < 0.2);
  if (created && market.traders.length < 12) market.traders.push(created.body.id);
};

/** Operations with their shares. */
const operations: readonly (readonly [weight: number, Operation])[] = [
  [30, ({ transfers }, market) => transfers.start(market, 'trade')],
  [8, ({ transfers }, market) => transfers.start(market, 'retire')],
  [5, ({ transfers }, market) => transfers.start(market, 'offramp')],
  [6, (clients, market) => clients.transfers.startRefused(market, otherThan(clients, market))],
  [3, addTrader],
  [1, onboardParty],
  [2, issue],
  [2, importIssuances],
  [2, ({ registry, journal }, market) => rotateKey(registry.client, journal, market)],
  [2, alone('role', lendRole)],
  [2, alone('approval', askApproval)],
  [2, alone('suspension', suspend)],
  [6, (clients) => decidePending(clients)],
  [24, read('read', reads)],
  [3, read('read long list', longReads)],
  [4, peek],
];
const total = operations.reduce((sum, [weight]) => sum + weight, 0);

/** Draws an operation by weight. */
export function drawOperation(random: () => number): Operation {
  let left = random() * total;
  for (const [weight, operation] of operations) {
    left -= weight;
    if (left < 0) return operation;
  }
  throw new Error('The shares of the operations do not add up to 1.');
}

const AGAIN_MS = 500;

/**
 * Suspends or resumes a market's account holder as the operator does, retrying at the next replica until it is
 * answered. Undefined if the outcome was not known in time, as the journal records.
 */
async function changeAccountHolder(
  { registry, operators, journal }: Pick<Clients, 'registry' | 'operators' | 'journal'>,
  { suspendable: { accountHolderId } }: Market,
  action: 'suspend' | 'resume',
): Promise<{ readonly attempts: number } | undefined> {
  const request = journal.nextId();
  const asked = { kind: `${action} holder`, actor: 'operator', method: 'POST', expected: [200] } as const;
  journal.add({ type: 'request', id: request, ...asked, path: `account-holders/${accountHolderId}/${action}` });
  for (let attempts = 1; ; attempts++) {
    const turn = (request + attempts) % operators.length;
    const attempt = { type: 'attempt', request, gateway: `operator ${turn}`, sentAt: nowMs() } as const;
    const holders = operators[turn]?.accountHolders;
    try {
      await (action === 'suspend'
        ? holders?.SuspendAccountHolder({ accountHolderId, reason: 'chaos' })
        : holders?.ResumeAccountHolder({ accountHolderId }));
      journal.add({ ...attempt, status: 200 });
      return { attempts };
    } catch (error) {
      journal.add({ ...attempt, reason: String((error as { code?: unknown }).code) });
    }
    if (registry.client.hasGivenUp) return undefined;
    await delay(AGAIN_MS);
  }
}
