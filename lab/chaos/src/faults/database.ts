import { databaseServices, type ServiceName } from '@saleschannel/installation';
import { escapeIdentifier, type Client } from 'pg';
import type { Installation } from '../fleet/installation.ts';
import { zonelessTarget, createGlobalFault, kill, noHealing, pause, type Fault, type Heal } from './fault.ts';

/** Tables that every trade uses. */
const hotTables = [
  'tasks:task',
  'tasks:outbox',
  'inventory:issuance',
  'inventory:bundle',
  'inventory:ledger_transaction',
  'inventory:outbox',
  'events:event',
  'webhooks:endpoint',
  'webhooks:delivery',
  'registry-import:import',
  'registry-import:account_holder',
  'identity:api_key',
  'rbac:binding',
  'traders:trader',
];
const SERVER = zonelessTarget('PostgreSQL');
const databases = databaseServices.map(zonelessTarget);
/** Too short for transactions of the services, so that many fail on a loaded machine. */
const TRANSACTION_MS = 60;

export const databaseFaults: readonly Fault[] = [
  createGlobalFault('backends-terminated', [SERVER, ...databases], [0, 0], 2, async (installation, { target }) => {
    await asSuperuser(installation, (client) => terminate(client, installation, target));
    return noHealing;
  }),
  createGlobalFault('postmaster-kill', [SERVER], [0, 8], 2, ({ postgres }) => kill(postgres)),
  createGlobalFault('postgres-pause', [SERVER], [3, 10], 2, ({ postgres }) => pause(postgres)),
  createGlobalFault('table-locked', hotTables.map(zonelessTarget), [2, 8], 2, (installation, { target }) => {
    const [service, table] = target.split(':') as [ServiceName, string];
    return hold(installation, service, 'begin', `lock table ${escapeIdentifier(table)} in access exclusive mode`);
  }),
  createGlobalFault('snapshot-held', databases, [10, 30], 1, (installation, { target }) =>
    hold(installation, target as ServiceName, 'begin isolation level repeatable read', 'select txid_current()'),
  ),
  createGlobalFault('slots-gone', databases, [3, 10], 1, useUpSlots),
  createGlobalFault('transactions-limited', databases, [3, 10], 1, async (installation, { target }) => {
    const role = escapeIdentifier(installation.findRole(target as ServiceName));
    const change = (statement: string): Promise<void> =>
      asSuperuser(installation, async (client) => {
        await client.query(`alter role ${role} ${statement}`);
        // A session reads the settings of its role only at its start.
        await terminate(client, installation, target);
      });
    await change(`set transaction_timeout = '${TRANSACTION_MS}ms'`);
    return () => change('reset transaction_timeout');
  }),
];

/** Keeps a transaction open after running some statements. */
async function hold(installation: Installation, service: ServiceName, ...statements: string[]): Promise<Heal> {
  const client = await installation.connectToDatabase(service);
  for (const statement of statements) await client.query(statement);
  return () => client.end();
}

async function asSuperuser(installation: Installation, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = await installation.connectToDatabase();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Ends all sessions of a service, or of all services if the target is the server. */
async function terminate(client: Client, installation: Installation, target: string): Promise<void> {
  const roles = (target === SERVER.name ? databaseServices : [target as ServiceName]).map((service) =>
    installation.findRole(service),
  );
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = any($1)', [roles]);
}

/** Ends a service's sessions and allows it no new ones, like a server whose slots are all in use. */
async function useUpSlots(installation: Installation, { target }: { target: string }): Promise<Heal> {
  const role = installation.findRole(target as ServiceName);
  const operator = await installation.connectToDatabase();
  await operator.query(`alter role ${escapeIdentifier(role)} connection limit 0`);
  await terminate(operator, installation, target);
  return async () => {
    await operator.query(`alter role ${escapeIdentifier(role)} connection limit -1`);
    await operator.end();
  };
}
