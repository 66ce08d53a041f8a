import { randomBytes } from 'node:crypto';
import { service as events } from '@saleschannel/events/app';
import { service as identity } from '@saleschannel/identity/app';
import { service as inventory } from '@saleschannel/inventory/app';
import { service as rbac } from '@saleschannel/rbac/app';
import { service as registryImport } from '@saleschannel/registry-import/app';
import { readEnvironment, silentLogger } from '@saleschannel/runtime';
import { service as tasks } from '@saleschannel/tasks/app';
import {
  toAuditorUrl,
  createTestDatabase,
  execute,
  handOverTestDatabase,
  toOwnerUrl,
  testServerUrl,
} from '@saleschannel/testing';
import { service as traders } from '@saleschannel/traders/app';
import { service as webhooks } from '@saleschannel/webhooks/app';
import { databaseNames, type DatabaseName } from '../../src/domain/check.ts';

/** Empty databases of an installation. */
export interface Installation {
  /** URL with the auditor's role, and `{service}` in place of the name of a service. */
  readonly auditUrl: string;
  /** Runs statements on a database as a superuser, without triggers. */
  damage(database: DatabaseName, ...statements: string[]): Promise<void>;
  drop(): Promise<void>;
}

const services = { identity, rbac, traders, inventory, tasks, events, 'registry-import': registryImport, webhooks };

async function createDatabase(service: DatabaseName, name: string): Promise<void> {
  const { migration } = services[service];
  if (!migration) throw new Error(`${service} has no migrations`);
  const { url } = await createTestDatabase();
  const values = readEnvironment(migration.environment, { MIGRATION_DATABASE_URL: toOwnerUrl(url) });
  await migration.run(values, silentLogger);
  await execute(testServerUrl(), `alter database ${new URL(url).pathname.slice(1)} rename to ${name}`);
  await handOverTestDatabase(name);
}

export async function createInstallation(): Promise<Installation> {
  const prefix = `audited_${randomBytes(6).toString('hex')}`;
  const toName = (service: DatabaseName): string => `${prefix}_${service.replaceAll('-', '_')}`;
  const toUrl = (database: string): string => {
    const url = new URL(testServerUrl());
    url.pathname = `/${database}`;
    return url.href;
  };
  await Promise.all(databaseNames.map((service) => createDatabase(service, toName(service))));
  return {
    auditUrl: toAuditorUrl(toUrl(prefix)).replace(prefix, `${prefix}_{service}`),
    damage: (service, ...statements) =>
      execute(toUrl(toName(service)), 'set session_replication_role = replica', ...statements),
    drop: () =>
      execute(
        testServerUrl(),
        ...databaseNames.map((service) => `drop database if exists ${toName(service)} with (force)`),
      ),
  };
}
