import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { audit, type AuditOptions, type DatabaseName, type Result } from '@saleschannel/auditor';
import { execute, testServerUrl } from '@saleschannel/testing';
import { startSystem, type System } from '../../src/system.ts';
import type { Damage } from './damage.ts';
import { createHistory } from './history.ts';

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
