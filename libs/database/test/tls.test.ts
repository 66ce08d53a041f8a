import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createTemporaryFolder, removeFolder, startPostgres, type RunningPostgres } from '@saleschannel/local-backends';
import { createAuthority, issueCertificate, type TlsCertificate } from '@saleschannel/auth/pki';
import { readEnvironment, silentLogger } from '@saleschannel/runtime';
import { catchFailure } from '@saleschannel/testing';
import {
  createConnection,
  databaseEnvironment,
  databaseUrl,
  createMigration,
  openServiceDatabase,
  query,
  sql,
} from '../src/index.ts';

/** A server with a certificate of a private CA, and a file with that CA. */

const schema = {
  migrations: [{ file: '20260101000001-test.sql', text: 'create table entry (id text);' }],
};
const encrypted = sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;

let folder: string;
let authority: TlsCertificate;
let server: RunningPostgres;
const closing: (() => Promise<void>)[] = [];

const writeText = (name: string, text: string): string => {
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
  folder = await createTemporaryFolder();
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

/** Returns the URL of the server, with the host name of its certificate. */
function toUrl({ url }: RunningPostgres, sslmode = 'verify-full'): string {
  const address = new URL(url);
  address.hostname = 'localhost';
  address.searchParams.set('sslmode', sslmode);
  return address.href;
}

function readValues(url: string, authorities?: string) {
  return readEnvironment(databaseEnvironment, {
    DATABASE_URL: url,
    DATABASE_WAIT_SECONDS: '0',
    DATABASE_CA_FILE: authorities,
  });
}

async function isEncrypted(url: string, authorities?: string): Promise<boolean | undefined> {
  const { database } = await openServiceDatabase(readValues(url, authorities), schema, silentLogger, {});
  closing.push(() => database.stop());
  const [row] = await query<{ ssl: boolean }>(database.em(), encrypted);
  return row?.ssl;
}

async function isEncryptedAlone(url: string, authorities?: string): Promise<boolean | undefined> {
  const connection = createConnection(databaseUrl(readValues(url, authorities)));
  closing.push(() => connection.end());
  await connection.connect();
  const { rows } = (await connection.query(encrypted.sql)) as { rows: { ssl: boolean }[] };
  return rows[0]?.ssl;
}

const connections = [
  ['a pool', isEncrypted],
  ['a connection of its own', isEncryptedAlone],
] as const;

test.each(connections)('%s uses TLS with a server that the private CA certifies', async (_way, isTls) => {
  const own = writeText('own.crt', authority.certificate);
  expect(await isTls(toUrl(server), own)).toBe(true);
  // The URL decides whether TLS is used.
  expect(await isTls(server.url)).toBe(false);
});

test.each(connections)('%s refuses a server of an unknown CA, and one with another name', async (_way, isTls) => {
  const own = writeText('own.crt', authority.certificate);
  const foreign = writeText('foreign.crt', (await createAuthority('strangers')).certificate);
  expect(String(await catchFailure(isTls(toUrl(server), foreign)))).toMatch(/certificate/);
  // Without the file, the public CAs apply.
  expect(String(await catchFailure(isTls(toUrl(server))))).toMatch(/certificate/);
  const other = await start('elsewhere');
  try {
    expect(String(await catchFailure(isTls(toUrl(other), own)))).toMatch(/altnames/);
  } finally {
    await Promise.all(closing.splice(0).map((close) => close()));
    await other.stop();
    rmSync(join(folder, 'postgres-elsewhere'), { recursive: true, force: true });
  }
});

test('migrations trust the same CAs', async () => {
  const migrate = (authorities: string | undefined) => {
    const { environment, run } = createMigration(schema);
    const variables = { MIGRATION_DATABASE_URL: toUrl(server), DATABASE_WAIT_SECONDS: '0' };
    return run(readEnvironment(environment, { ...variables, DATABASE_CA_FILE: authorities }), silentLogger);
  };
  expect(String(await catchFailure(migrate(undefined)))).toMatch(/certificate/);
  await migrate(writeText('own.crt', authority.certificate));
});
