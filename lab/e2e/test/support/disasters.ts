import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseName } from '@saleschannel/auditor';
import { createTemporaryFolder, removeFolder, startRabbitMq, type RunningRabbitMq } from '@saleschannel/local-backends';
import { handOverTestDatabase, testServerUrl } from '@saleschannel/testing';
import { Client } from 'pg';
import type { System } from '../../src/system.ts';

/** Failures of installations. */

const databaseName = (system: System, service: DatabaseName): string =>
  new URL(system.findDatabaseUrl(service)).pathname.slice(1);

async function onServer(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: testServerUrl() });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Backs up a service's database, and stops the service meanwhile. Returns the name of the backup. */
export async function backUp(system: System, service: DatabaseName): Promise<string> {
  const database = databaseName(system, service);
  const backup = `${database}_backup`;
  await system.stopService(service);
  await onServer(`drop database if exists ${backup}`, `create database ${backup} template ${database}`);
  await system.startService(service);
  return backup;
}

/** Replaces a service's database with a backup while the service is stopped, and removes the backup. */
export async function restoreBackup(system: System, service: DatabaseName, backup: string): Promise<void> {
  const database = databaseName(system, service);
  await system.stopService(service);
  await onServer(`drop database ${database} with (force)`, `alter database ${backup} rename to ${database}`);
  // A backup does not contain the database's owner and connection rights.
  await handOverTestDatabase(database);
  await system.startService(service);
}

/** A private broker of a test file. */
export interface PrivateBroker {
  readonly url: string;
  /** Stops it, deletes its data, and starts it again at the same address. */
  loseDisk(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPrivateBroker(): Promise<PrivateBroker> {
  const folder = await createTemporaryFolder();
  const dataDirectory = join(folder, 'rabbitmq');
  const users = [{ name: 'test', password: 'test', configure: '.*', write: '.*', read: '.*' }];
  const start = (port?: number): Promise<RunningRabbitMq> =>
    startRabbitMq({
      dataDirectory,
      users,
      vhost: '/',
      ...(port === undefined ? {} : { port }),
      log: () => undefined,
      removeWhenOrphaned: true,
    });
  let running = await start();
  return {
    url: running.url('test'),
    async loseDisk() {
      const { port } = running;
      await running.stop();
      rmSync(dataDirectory, { recursive: true, force: true });
      running = await start(port);
    },
    async stop() {
      await running.stop();
      removeFolder(folder);
    },
  };
}
