import { randomBytes } from 'node:crypto';
import { service as events } from '@saleschannel/events/app';
import { service as identity } from '@saleschannel/identity/app';
import { service as inventory } from '@saleschannel/inventory/app';
import { service as rbac } from '@saleschannel/rbac/app';
import { service as registryImport } from '@saleschannel/registry-import/app';
import { readEnvironment, silentLogger } from '@saleschannel/runtime';
import { service as tasks } from '@saleschannel/tasks/app';
import {
  auditorUrlOf,
  createTestDatabase,
  execute,
  handOverTestDatabase,
  ownerUrlOf,
  testServerUrl,
} from '@saleschannel/testing';
import { service as traders } from '@saleschannel/traders/app';
import { service as webhooks } from '@saleschannel/webhooks/app';
import { databaseNames, type DatabaseName } from '../../src/domain/check.ts';

/** The databases of an installation in which nothing has happened yet. */
export interface Installation {
  /** With the role that reads them all, and `{service}` where one is named. */
  readonly auditUrl: string;
  /** Statements on a database as a superuser, behind the back of all triggers. */
  damage(database: DatabaseName, ...statements: string[]): Promise<void>;
  drop(): Promise<void>;
}

const services = { identity, rbac, traders, inventory, tasks, events, 'registry-import': registryImport, webhooks };

async function createDatabase(service: DatabaseName, name: string): Promise<void> {
  const { migration } = services[service];
  if (!migration) throw new Error(`${service} has no migrations`);
  const { url } = await createTestDatabase();
  const values = readEnvironment(migration.environment, { MIGRATION_DATABASE_URL: ownerUrlOf(url) });
  await migration.run(values, silentLogger);
  await execute(testServerUrl(), `alter database ${new URL(url).pathname.slice(1)} rename to ${name}`);
  await handOverTestDatabase(name);
}

export async function createInstallation(): Promise<Installation> {
  const prefix = `audited_${randomBytes(6).toString('hex')}`;
  const nameOf = (service: DatabaseName): string => `${prefix}_${service.replaceAll('-', '_')}`;
  const urlOf = (database: string): string => {
    const url = new URL(testServerUrl());
    url.pathname = `/${database}`;
    return url.href;
  };
  await Promise.all(databaseNames.map((service) => createDatabase(service, nameOf(service))));
  return {
    auditUrl: auditorUrlOf(urlOf(prefix)).replace(prefix, `${prefix}_{service}`),
    damage: (service, ...statements) =>
      execute(urlOf(nameOf(service)), 'set session_replication_role = replica', ...statements),
    drop: () =>
      execute(
        testServerUrl(),
        ...databaseNames.map((service) => `drop database if exists ${nameOf(service)} with (force)`),
      ),
  };
}
