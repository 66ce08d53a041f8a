import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseName } from '@saleschannel/auditor';
import { makeTemporaryFolder, removeFolder, startRabbitMq, type RunningRabbitMq } from '@saleschannel/local-backends';
import { handOverTestDatabase, testServerUrl } from '@saleschannel/testing';
import { Client } from 'pg';
import type { System } from '../../src/system.ts';

/** What happens to installations. */

const databaseOf = (system: System, service: DatabaseName): string =>
  new URL(system.databaseUrlOf(service)).pathname.slice(1);

async function onServer(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: testServerUrl() });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Makes a backup of a service's database. Answers its name. The service stops for as long as that takes. */
export async function backUp(system: System, service: DatabaseName): Promise<string> {
  const database = databaseOf(system, service);
  const backup = `${database}_backup`;
  await system.stopService(service);
  await onServer(`drop database if exists ${backup}`, `create database ${backup} template ${database}`);
  await system.startService(service);
  return backup;
}

/** Puts a backup in the place of a service's database, while the service is stopped, and takes the backup away. */
export async function restore(system: System, service: DatabaseName, backup: string): Promise<void> {
  const database = databaseOf(system, service);
  await system.stopService(service);
  await onServer(`drop database ${database} with (force)`, `alter database ${backup} rename to ${database}`);
  // A database's owner and who may connect are no part of a backup.
  await handOverTestDatabase(database);
  await system.startService(service);
}

/** A broker of a test file's own. */
export interface OwnBroker {
  readonly url: string;
  /** It stops, its disk is empty, and it starts again where it was. */
  loseDisk(): Promise<void>;
  stop(): Promise<void>;
}

export async function startOwnBroker(): Promise<OwnBroker> {
  const folder = await makeTemporaryFolder();
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
