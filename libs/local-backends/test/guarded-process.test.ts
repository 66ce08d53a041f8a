import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { waitUntilReady, type GuardedProcess } from '../src/guarded-process.ts';
import { createTemporaryFolder, removeFolder, startPostgres } from '../src/index.ts';
import { listProcesses, until } from './support/processes.ts';

interface Supervisor {
  readonly pid: number;
  readonly exited: Promise<unknown>;
  readonly servers: { url: string; postgres: number; rabbitMq: number };
}

async function startSupervisor(folder: string): Promise<Supervisor> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'support/supervisor.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const lines = createInterface(child.stdout);
  const line = await Promise.race([new Promise<string>((resolve) => lines.once('line', resolve)), exited]);
  if (typeof line !== 'string' || child.pid === undefined)
    throw new Error('The supervisor ended before its servers were ready.');
  return { pid: child.pid, exited, servers: JSON.parse(line) as Supervisor['servers'] };
}

describe('servers whose supervisor is killed', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await createTemporaryFolder();
  });

  afterEach(() => removeFolder(folder));

  test('are stopped by their watchdogs; a new start waits for that and finds the data', async () => {
    const supervisor = await startSupervisor(folder);
    const client = new Client({ connectionString: supervisor.servers.url });
    client.on('error', () => undefined);
    const disconnected = new Promise((resolve) => client.once('end', resolve));
    await client.connect();
    await client.query('create table kept as select 1 as id');
    process.kill(supervisor.pid, 'SIGKILL');
    await supervisor.exited;

    const again = await startPostgres({ dataDirectory: join(folder, 'postgres'), log: () => undefined });
    try {
      await disconnected;
      const reader = new Client({ connectionString: again.url });
      await reader.connect();
      await expect(reader.query('select id from kept')).resolves.toMatchObject({ rows: [{ id: 1 }] });
      await reader.end();
    } finally {
      await again.stop();
    }
    await until(() => listProcesses(folder).length === 0);
    await until(() => !existsSync(join(folder, 'rabbitmq'))); // a temporary one
    expect(existsSync(join(folder, 'postgres'))).toBe(true);
  }, 120_000);
});

describe('a server that starts slowly', () => {
  const TIMEOUT_MS = 200;
  /** @param usedTicks grows while the server makes progress */
  const createServer = (usedTicks: () => number): GuardedProcess => ({
    pid: 0,
    exited: new Promise(() => undefined),
    hasExited: () => false,
    stop: () => Promise.resolve(),
    kill: () => Promise.resolve(),
    lastLines: () => 'the last line',
    usedTicks,
  });

  test('may exceed the time limit while it makes progress', async () => {
    let ticks = 0;
    const started = performance.now();
    const isReady = (): Promise<boolean> => Promise.resolve(performance.now() - started > 3 * TIMEOUT_MS);
    await waitUntilReady(
      'It',
      createServer(() => ticks++),
      isReady,
      TIMEOUT_MS,
    );
    expect(ticks).toBeGreaterThan(1);
  });

  test('fails without progress, and in the end even with it', async () => {
    const never = (): Promise<boolean> => Promise.resolve(false);
    await expect(
      waitUntilReady(
        'It',
        createServer(() => 0),
        never,
        TIMEOUT_MS,
      ),
    ).rejects.toThrow('made no progress for 0.2 s');
    let ticks = 0;
    await expect(
      waitUntilReady(
        'It',
        createServer(() => ticks++),
        never,
        TIMEOUT_MS,
      ),
    ).rejects.toThrow('the last line');
  });
});
