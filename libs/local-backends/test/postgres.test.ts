import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Client } from 'pg';
import { BackendError, createTemporaryFolder, removeFolder, startPostgres } from '../src/index.ts';
import type { RunningPostgres } from '../src/index.ts';
import { listProcesses } from './support/processes.ts';

/** Starting servers takes seconds, or many under load. */
jest.setTimeout(120_000);

const log = (): undefined => undefined;

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

describe('a private PostgreSQL', () => {
  let folder: string;
  let running: RunningPostgres[];

  const start = async (name: string, options: { durable?: boolean; port?: number } = {}): Promise<RunningPostgres> => {
    const server = await startPostgres({
      dataDirectory: join(folder, name),
      durable: false,
      removeWhenOrphaned: true,
      log,
      ...options,
    });
    running.push(server);
    return server;
  };

  beforeEach(async () => {
    folder = await createTemporaryFolder();
    running = [];
  });

  afterEach(async () => {
    await Promise.all(running.map((server) => server.stop()));
    removeFolder(folder);
  });

  test('keeps its data, password and port across starts, and leaves no process behind', async () => {
    const first = await start('one');
    await query(first.url, 'create table certificate (serial int8)');
    await query(first.url, 'insert into certificate values (9007199254740993)');
    await first.stop();
    await expect(first.exited).resolves.toEqual({ code: 0, signal: null });
    expect(listProcesses(folder)).toEqual([]);

    const second = await start('one');
    expect(second.url).toBe(first.url);
    await expect(query(second.url, 'select serial from certificate')).resolves.toEqual([
      { serial: '9007199254740993' },
    ]);
    expect(statSync(join(folder, 'one', 'password')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'one')).mode & 0o777).toBe(0o700);
  });

  test('listens on 127.0.0.1 only, requires the password, commits durably and folds case by Unicode', async () => {
    const server = await start('one', { durable: true });
    const settings = await query(
      server.url,
      `select name, setting from pg_settings
      where name in (
        'listen_addresses', 'unix_socket_directories', 'fsync', 'synchronous_commit',
        'full_page_writes', 'jit', 'TimeZone'
      )`,
    );
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      jit: 'off',
      TimeZone: 'UTC',
    });
    await expect(query(server.url, `select upper('é') as upper, 'a' < 'B' as unordered`)).resolves.toEqual([
      { upper: 'É', unordered: false },
    ]);
    const wrong = new URL(server.url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
  });

  test('two servers run at the same time', async () => {
    const [one, two] = await Promise.all([start('one'), start('two')]);
    expect(one.port).not.toBe(two.port);
    await query(one.url, 'create table only_in_one (id int)');
    await expect(query(two.url, 'select * from only_in_one')).rejects.toThrow('does not exist');
  });

  test('recovers after SIGKILL, even if another process has its old process number', async () => {
    const first = await start('one', { durable: true });
    await query(first.url, 'create table kept as select 1 as id');
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    const pidFile = join(folder, 'one', 'data', 'postmaster.pid');
    const [, ...rest] = readFileSync(pidFile, 'utf8').split('\n');
    writeFileSync(pidFile, [String(process.pid), ...rest].join('\n'));

    const second = await start('one', { durable: true });
    await expect(query(second.url, 'select id from kept')).resolves.toEqual([{ id: 1 }]);
  });

  test('names the cause when it cannot start', async () => {
    const one = await start('one');
    const failure = start('two', { port: one.port });
    await expect(failure).rejects.toBeInstanceOf(BackendError);
    await expect(failure).rejects.toThrow(`Port ${one.port} of 127.0.0.1 is taken by another process`);

    await one.stop();
    writeFileSync(join(folder, 'one', 'password'), 'another');
    await expect(start('one')).rejects.toThrow(/PostgreSQL refuses the password in .*Delete .* to start over/);
    expect(listProcesses(folder)).toEqual([]);
  });

  test('keeps the previous log', async () => {
    await (await start('one')).stop();
    await (await start('one')).stop();
    expect(readdirSync(join(folder, 'one')).filter((name) => name.startsWith('postgres.log'))).toHaveLength(2);
  });
});
