import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { completeSecrets, databaseRoles, rolesFile, type Secrets } from '@saleschannel/installation';
import { revokeDefaultConnect, createTemporaryFolder, removeFolder } from '@saleschannel/local-backends';
import { testServerUrl } from '@saleschannel/testing';
import { Client } from 'pg';
import { isInstalled } from '../../installation/test/support/programs.ts';
import { projectRoot } from '../src/files.ts';

/** Runs the script of production installations on a database of an earlier release. */

const suffix = randomBytes(4).toString('hex');
const renamed = (text: string): string => text.replaceAll('saleschannel_', `roles_${suffix}_`);
let folder: string;
let secrets: Secrets;
const admin = new Client({ connectionString: testServerUrl() });

beforeAll(async () => {
  folder = await createTemporaryFolder();
  secrets = await completeSecrets({});
  await admin.connect();
});
afterAll(async () => {
  const { rows } = await admin.query<{ name: string }>(
    'select datname as name from pg_database where datname like $1',
    [`roles_${suffix}_%`],
  );
  for (const { name } of rows) await admin.query(`drop database ${name} with (force)`);
  const roles = await admin.query<{ name: string }>('select rolname as name from pg_roles where rolname like $1', [
    `roles_${suffix}_%`,
  ]);
  for (const { name } of roles.rows) await admin.query(`drop owned by ${name}; drop role ${name}`);
  await admin.end();
  removeFolder(folder);
});

function runScript(): void {
  const file = join(folder, 'roles');
  writeFileSync(file, renamed(rolesFile(secrets)));
  const { hostname, port, username, password } = new URL(testServerUrl());
  const env = { PATH: process.env['PATH'], ROLES_FILE: file, POSTGRES_USER: username };
  const server = { PGHOST: hostname, PGPORT: port, PGPASSWORD: decodeURIComponent(password) };
  execFileSync('bash', [join(projectRoot, 'deploy/postgres/roles.sh')], { env: { ...env, ...server }, stdio: 'pipe' });
}

/** By default PostgreSQL lets every role connect to these. */
async function expectClosed(role: string, password: string): Promise<void> {
  for (const database of ['postgres', 'template1'])
    await expect(as(role, password, database, async () => undefined)).rejects.toMatchObject({ code: '42501' });
}

/** Restores the default of a new server. */
async function openToAll(): Promise<void> {
  await admin.query('grant connect, temporary on database postgres to public');
  await admin.query('grant connect on database template1 to public');
}

async function as<T>(role: string, password: string, database: string, work: (client: Client) => Promise<T>) {
  const url = new URL(testServerUrl());
  [url.username, url.password, url.pathname] = [role, password, `/${database}`];
  const client = new Client({ connectionString: url.href });
  await client.connect();
  return work(client).finally(() => client.end());
}

// The script needs psql.
if (isInstalled('psql')) test('roles.sh transfers an earlier database to its owner, and can run again', handedOver);
else test('without psql only deploy/local is tested', () => expect(isInstalled('psql')).toBe(false));

test('a server of the local stack refuses roles of services in its own databases', async () => {
  const role = `roles_${suffix}_local`;
  await openToAll();
  await admin.query(`create role ${role} login password 'local'`);
  await expect(as(role, 'local', 'postgres', async () => 'in')).resolves.toBe('in');
  await revokeDefaultConnect(testServerUrl());
  await expectClosed(role, 'local');
});

async function handedOver(): Promise<void> {
  await openToAll();
  const [first] = databaseRoles(secrets);
  if (!first) throw new Error('databaseServices is empty');
  const [role, owner] = [renamed(first.role), renamed(first.owner)];
  await admin.query(`create role ${role} login password 'before'`);
  await admin.query(`create database ${role} owner ${role}`);
  await as(role, 'before', role, (client) =>
    client.query('create table kept (id int); insert into kept values (1); create sequence numbers'),
  );
  runScript();
  await as(owner, first.ownerPassword, role, (client) =>
    client.query('create table later (id int primary key); create sequence others'),
  );
  runScript();
  await as(role, first.password, role, async (client) => {
    await client.query('insert into kept values (2); update later set id = 2; delete from later');
    await client.query("select nextval('numbers'), nextval('others')");
    for (const statement of ['drop table kept', 'alter table later add extra int', 'create table more ()'])
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
  });
  await expectClosed(role, first.password);
  await expectClosed(owner, first.ownerPassword);
  await expectClosed(renamed('saleschannel_auditor'), secrets.databaseAuditorPassword);
  await as(renamed('saleschannel_monitor'), secrets.databaseMonitorPassword, 'postgres', async (client) => {
    const seen = await client.query("select has_function_privilege('pg_ls_waldir()', 'execute') as \"sees\"");
    expect(seen.rows).toEqual([{ sees: true }]);
    await expect(client.query('select rolpassword from pg_authid')).rejects.toMatchObject({ code: '42501' });
  });
  await expect(
    as(renamed('saleschannel_monitor'), secrets.databaseMonitorPassword, role, async () => undefined),
  ).rejects.toMatchObject({ code: '42501' });
  await as(renamed('saleschannel_auditor'), secrets.databaseAuditorPassword, role, async (client) => {
    expect((await client.query('select id from kept order by id')).rows).toEqual([{ id: 1 }, { id: 2 }]);
    await expect(client.query('delete from later')).rejects.toMatchObject({ code: '42501' });
  });
}
