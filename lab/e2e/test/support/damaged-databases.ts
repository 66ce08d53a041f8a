import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { audit, type AuditOptions, type DatabaseName, type Result } from '@saleschannel/auditor';
import { execute, testServerUrl } from '@saleschannel/testing';
import { startSystem, type System } from '../../src/system.ts';
import { previousPrefix, createPreviousClient } from './previous-client.ts';
import {
  buyer,
  waitForEnd,
  inventoryPath,
  issue,
  withIdempotencyKey,
  onboard,
  operator,
  waitForTransaction,
  retirementBody,
  seller,
  runTransfer,
  v1,
  type TransferKind,
  type Task,
} from './api.ts';

/** Creates a small history with every kind of data, including refused, rejected and undecided transfers. */
async function createHistory(system: System): Promise<void> {
  const [channel] = system.channels;
  const client = system.createClient(operator(channel));
  const from = seller(channel).id;
  const trade = (assets: object[]) => ({
    buyerId: buyer(channel).id,
    currency: 'EUR',
    assets: assets.map((each) => ({ ...each, unitPrice: 12.5 })),
  });
  const [first, second] = [await issue(system, channel), await issue(system, channel)];
  const notes = { externalReference: 'PO-4711', metadata: { project: 'Fjord', 'cost-centre': '' } };
  await runTransfer(client, from, 'trade', trade([first.range(1, 40), second.range(1, 100)]));
  await runTransfer(client, from, 'retire', { ...retirementBody([first.range(41, 60)]), ...notes });
  await runTransfer(client, from, 'offramp', { assets: [first.range(61, 70)] });
  await runTransfer(client, buyer(channel).id, 'trade', {
    buyerId: from,
    currency: 'USD',
    assets: [{ ...first.range(1, 10), unitPrice: 1 }],
  });
  const { accountHolderId, salesChannelId } = channel;
  await system.registry.ok('POST', `/Registry/api/account-holders/${accountHolderId}/onramps`, {
    body: { salesChannelId, assets: [first.range(61, 65)] },
    headers: withIdempotencyKey(),
  });
  /** At least one of the competing requests is refused by the ledger after its task was accepted. */
  const race = async (wanted: object): Promise<boolean> => {
    const racing = [1, 2, 3].map(() => runTransfer(client, from, 'retire', retirementBody([wanted])));
    const ended = await Promise.allSettled(racing);
    return ended.some((each) => each.status === 'fulfilled' && each.value.status === 'FAILED');
  };
  let isRefused = await race(first.range(71, 100));
  // On a busy machine late requests are rejected before they get a task.
  while (!isRefused) isRefused = await race((await issue(system, channel)).range(1, 30));
  await tradeFromTheMiddle(system);

  const party = await onboard(system, channel, { autoApproval: false });
  const issued = await issue(system, party);
  const start = async (kind: TransferKind, body: unknown): Promise<string> => {
    const path = inventoryPath(party.traderId, kind);
    const { taskId } = await client.ok<Task>('POST', path, { body, headers: withIdempotencyKey() });
    return waitForTransaction(client, `${path}/${taskId}`);
  };
  const decide = (id: string, decision: string) =>
    system.registry.ok('POST', `/Registry/api/transactions/${id}/${decision}`);
  // A rejection reunites the bundle.
  await decide(await start('trade', trade([issued.range(1, 20)])), 'reject');
  const approved = await start('retire', retirementBody([issued.range(1, 50)]));
  const parted = await start('trade', trade([issued.range(51, 60)]));
  await decide(approved, 'approve');
  await decide(parted, 'reject');
  await start('offramp', { assets: [issued.range(51, 60)] });
  const viewer = await system.newUser(channel, ['TRADER_VIEWER', 'EVENT_VIEWER']);
  const binding = `/user-services/users/${viewer.userId}/saleschannel-binding/${channel.salesChannelId}`;
  await client.ok('DELETE', `${binding}/roles`, { query: { role: 'EVENT_VIEWER' } });
  await client.ok('GET', `${v1}/events`);
  // Starts at the end of the log, and no event follows.
  await client.ok('POST', `${v1}/webhook-endpoints`, { body: { url: 'https://hooks.example.com/sales' } });
  await system.waitUntilDrained();
}

/** Clients of the previous generation may select certificates from the middle of a bundle. */
async function tradeFromTheMiddle(system: System): Promise<void> {
  const [channel] = system.channels;
  const client = await createPreviousClient(system, channel);
  const party = await onboard(system, channel);
  const serial = (number: number): string => `643002406100000001${String(number).padStart(8, '0')}`;
  await issue(system, party, { firstSerial: serial(1), lastSerial: serial(100) });
  const path = `${previousPrefix}/traders/${party.traderId}/inventory/trade`;
  for (const [first, last] of [
    [41, 60],
    [91, 100],
  ] as const) {
    const assets = [{ start: serial(first), end: serial(last), unitPrice: 3 }];
    const body = { buyerId: buyer(channel).id, currency: 'EUR', assets };
    const { taskId } = await client.ok<Task>('POST', path, { body, headers: withIdempotencyKey() });
    await waitForEnd(client, `${path}/${taskId}`);
  }
}

/** A change that no service can make, and the names of the checks that find it. */
export interface Damage {
  readonly what: string;
  readonly database: DatabaseName;
  readonly statements: string;
  readonly finds: readonly string[];
}

export const inLedger = (what: string, statements: string, ...finds: string[]): Damage => ({
  what,
  database: 'inventory',
  statements,
  finds,
});
export const inDatabase = (database: DatabaseName, what: string, statements: string, ...finds: string[]): Damage => ({
  what,
  database,
  statements,
  finds,
});

const START_LIMIT_MS = 180_000;

const superuser = (url: string): string => {
  const changed = new URL(testServerUrl());
  changed.pathname = new URL(url).pathname;
  return changed.href;
};

export const listFindings = async (urls: System['auditUrls'], options: AuditOptions = {}): Promise<Result[]> =>
  (await audit(urls, { quietSeconds: 0, findingsAtMost: 5, ...options })).filter(({ count }) => count > 0);

export interface DamagedDatabases {
  /** Unchanged databases of the services. */
  urls(): System['auditUrls'];
  /** Audits a copy of one database after running statements on it. */
  auditAfter(database: DatabaseName, statements: string, options?: AuditOptions): Promise<Result[]>;
}

/** Databases of a stopped system, created before the first test of a file and dropped after its last. */
export function useDamagedDatabases(): DamagedDatabases {
  let urls: System['auditUrls'];
  beforeAll(async () => {
    const system = await startSystem({ keepDatabases: true });
    urls = system.auditUrls;
    await createHistory(system).finally(() => system.stop());
  }, START_LIMIT_MS);
  afterAll(async () => {
    for (const url of Object.values(urls))
      await execute(testServerUrl(), `drop database if exists ${new URL(url).pathname.slice(1)} with (force)`);
  });
  return {
    urls: () => urls,
    async auditAfter(database, statements, options) {
      const url = urls[database];
      const copy = `damaged_${randomBytes(6).toString('hex')}`;
      await execute(
        testServerUrl(),
        `create database ${copy} template ${new URL(url).pathname.slice(1)} strategy file_copy`,
      );
      try {
        const changed = new URL(url);
        changed.pathname = `/${copy}`;
        await execute(superuser(changed.href), 'set session_replication_role = replica', statements);
        return await listFindings({ ...urls, [database]: changed.href }, options);
      } finally {
        await execute(testServerUrl(), `drop database ${copy} with (force)`);
      }
    },
  };
}

/** Tests that each damage is found by exactly the checks that it names. */
export const testDamages = ({ auditAfter }: DamagedDatabases, damages: readonly Damage[]): void =>
  test.each(damages)('$what', async ({ database, statements, finds }) => {
    const found = await auditAfter(database, statements);
    expect({ by: found.map(({ name }) => name).toSorted(), found }).toMatchObject({ by: finds.toSorted() });
  });
