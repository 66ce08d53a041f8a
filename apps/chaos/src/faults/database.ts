import { databaseServices, type ServiceName } from '@saleschannel/installation';
import { escapeIdentifier, type Client } from 'pg';
import type { Installation } from '../fleet/installation.ts';
import { everywhere, nothingToHeal, type Fault, type Heal } from './fault.ts';

/** Tables that the way of a trade leads through. */
const hotTables: readonly (readonly [ServiceName, string])[] = [
  ['tasks', 'task'],
  ['tasks', 'outbox'],
  ['inventory', 'issuance'],
  ['inventory', 'bundle'],
  ['inventory', 'ledger_transaction'],
  ['inventory', 'outbox'],
  ['events', 'event'],
  ['webhooks', 'endpoint'],
  ['webhooks', 'delivery'],
  ['registry-import', 'import'],
  ['registry-import', 'account_holder'],
  ['identity', 'api_key'],
  ['rbac', 'binding'],
  ['traders', 'trader'],
];
const SERVER = everywhere('PostgreSQL');
const databases = databaseServices.map(everywhere);
/** No transaction of a service may last so long. Many do, on a loaded machine. */
const TRANSACTION_MS = 60;

export const databaseFaults: readonly Fault[] = [
  {
    kind: 'backends-terminated',
    hits: 'all',
    targets: [SERVER, ...databases],
    seconds: [0, 0],
    weight: 2,
    async inject(installation, { target }) {
      await asSuperuser(installation, (client) => terminate(client, installation, target));
      return nothingToHeal;
    },
  },
  {
    kind: 'postmaster-kill',
    hits: 'all',
    targets: [SERVER],
    seconds: [0, 8],
    weight: 2,
    async inject({ postgres }) {
      await postgres.kill();
      return () => postgres.start();
    },
  },
  {
    kind: 'postgres-pause',
    hits: 'all',
    targets: [SERVER],
    seconds: [3, 10],
    weight: 2,
    inject({ postgres }) {
      postgres.pause();
      return Promise.resolve(() => Promise.resolve(postgres.resume()));
    },
  },
  {
    kind: 'table-locked',
    hits: 'all',
    targets: hotTables.map(([service, table]) => everywhere(`${service}:${table}`)),
    seconds: [2, 8],
    weight: 2,
    async inject(installation, { target }) {
      const [service, table] = target.split(':') as [ServiceName, string];
      const client = await installation.connectToDatabase(service);
      await client.query('begin');
      await client.query(`lock table ${escapeIdentifier(table)} in access exclusive mode`);
      return () => client.end();
    },
  },
  {
    kind: 'snapshot-held',
    hits: 'all',
    targets: databases,
    seconds: [10, 30],
    weight: 1,
    async inject(installation, { target }) {
      const client = await installation.connectToDatabase(target as ServiceName);
      await client.query('begin isolation level repeatable read');
      await client.query('select txid_current()');
      return () => client.end();
    },
  },
  {
    kind: 'slots-gone',
    hits: 'all',
    targets: databases,
    seconds: [3, 10],
    weight: 1,
    inject: useUpSlots,
  },
  {
    kind: 'transactions-limited',
    hits: 'all',
    targets: databases,
    seconds: [3, 10],
    weight: 1,
    async inject(installation, { target }) {
      const role = escapeIdentifier(installation.roleOf(target as ServiceName));
      const change = (statement: string): Promise<void> =>
        asSuperuser(installation, async (client) => {
          await client.query(`alter role ${role} ${statement}`);
          // A session takes the settings of its role when it begins.
          await terminate(client, installation, target);
        });
      await change(`set transaction_timeout = '${TRANSACTION_MS}ms'`);
      return () => change('reset transaction_timeout');
    },
  },
];

async function asSuperuser(installation: Installation, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = await installation.connectToDatabase();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Ends all sessions of a service, or with the server as the target those of all. */
async function terminate(client: Client, installation: Installation, target: string): Promise<void> {
  const roles = (target === SERVER.name ? databaseServices : [target as ServiceName]).map((service) =>
    installation.roleOf(service),
  );
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = any($1)', [roles]);
}

/** Leaves no slot to a service, as a server does that has given all of them to others, and ends its sessions. */
async function useUpSlots(installation: Installation, { target }: { target: string }): Promise<Heal> {
  const role = installation.roleOf(target as ServiceName);
  const operator = await installation.connectToDatabase();
  await operator.query(`alter role ${escapeIdentifier(role)} connection limit 0`);
  await terminate(operator, installation, target);
  return async () => {
    await operator.query(`alter role ${escapeIdentifier(role)} connection limit -1`);
    await operator.end();
  };
}
