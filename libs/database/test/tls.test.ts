import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { makeTemporaryFolder, removeFolder, startPostgres, type RunningPostgres } from '@saleschannel/local-backends';
import { createAuthority, issueCertificate, type TlsCertificate } from '@saleschannel/auth/pki';
import { readEnvironment, silentLogger } from '@saleschannel/runtime';
import { failureOf } from '@saleschannel/testing';
import {
  createConnection,
  databaseEnvironment,
  databaseUrl,
  migrationOf,
  openServiceDatabase,
  query,
  sql,
} from '../src/index.ts';

/** A server with a certificate of a private CA, and a file with that CA. */

const schema = {
  entities: [],
  migrations: [{ file: '20260101000001-test.sql', text: 'create table entry (id text);' }],
};
const encrypted = sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;

let folder: string;
let authority: TlsCertificate;
let server: RunningPostgres;
const closing: (() => Promise<void>)[] = [];

const fileOf = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
const start = async (name: string): Promise<RunningPostgres> =>
  startPostgres({
    dataDirectory: join(folder, `postgres-${name}`),
    durable: false,
    removeWhenOrphaned: true,
    log: () => undefined,
    tls: await issueCertificate(authority, { program: name }),
  });

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  authority = await createAuthority('servers');
  server = await start('localhost');
}, 120_000);
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(async () => {
  await server.stop();
  removeFolder(folder);
});

/** By name, as a certificate knows it. */
function urlOf({ url }: RunningPostgres, sslmode = 'verify-full'): string {
  const address = new URL(url);
  address.hostname = 'localhost';
  address.searchParams.set('sslmode', sslmode);
  return address.href;
}

function environmentOf(url: string, authorities?: string) {
  return readEnvironment(databaseEnvironment, {
    DATABASE_URL: url,
    DATABASE_WAIT_SECONDS: '0',
    DATABASE_CA_FILE: authorities,
  });
}

async function isEncrypted(url: string, authorities?: string): Promise<boolean | undefined> {
  const { database } = await openServiceDatabase(environmentOf(url, authorities), schema, silentLogger, {});
  closing.push(() => database.stop());
  const [row] = await query<{ ssl: boolean }>(database.em(), encrypted);
  return row?.ssl;
}

async function isEncryptedAlone(url: string, authorities?: string): Promise<boolean | undefined> {
  const connection = createConnection(databaseUrl(environmentOf(url, authorities)));
  closing.push(() => connection.end());
  await connection.connect();
  const { rows } = (await connection.query(encrypted.sql)) as { rows: { ssl: boolean }[] };
  return rows[0]?.ssl;
}

const ways = [
  ['a pool', isEncrypted],
  ['a connection of its own', isEncryptedAlone],
] as const;

test.each(ways)('%s talks TLS with a server that the private CA vouches for', async (_way, isTls) => {
  const own = fileOf('own.crt', authority.certificate);
  expect(await isTls(urlOf(server), own)).toBe(true);
  // It is the URL that asks for TLS.
  expect(await isTls(server.url)).toBe(false);
});

test.each(ways)(
  '%s refuses a server that none of the CAs vouches for, and one of another name',
  async (_way, isTls) => {
    const own = fileOf('own.crt', authority.certificate);
    const foreign = fileOf('foreign.crt', (await createAuthority('strangers')).certificate);
    expect(String(await failureOf(isTls(urlOf(server), foreign)))).toMatch(/certificate/);
    // Without the file: those that everybody trusts.
    expect(String(await failureOf(isTls(urlOf(server))))).toMatch(/certificate/);
    const other = await start('elsewhere');
    try {
      expect(String(await failureOf(isTls(urlOf(other), own)))).toMatch(/altnames/);
    } finally {
      await Promise.all(closing.splice(0).map((close) => close()));
      await other.stop();
      rmSync(join(folder, 'postgres-elsewhere'), { recursive: true, force: true });
    }
  },
);

test('migrations believe the same CAs', async () => {
  const migrate = (authorities: string | undefined) => {
    const { environment, run } = migrationOf(schema);
    const variables = { MIGRATION_DATABASE_URL: urlOf(server), DATABASE_WAIT_SECONDS: '0' };
    return run(readEnvironment(environment, { ...variables, DATABASE_CA_FILE: authorities }), silentLogger);
  };
  expect(String(await failureOf(migrate(undefined)))).toMatch(/certificate/);
  await migrate(fileOf('own.crt', authority.certificate));
});
