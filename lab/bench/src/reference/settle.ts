import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Stack } from '@saleschannel/local';
import { readCpu } from '../measure/processes.ts';
import { buildAdminUrl, execute } from '../measure/database.ts';

/** Not one of the system's names, so that its counters are separate. */
const DATABASE = 'bench_reference';
const ISSUANCES = 4_096;
const THREADS = 2;
const STEPS_PER_COMMIT = 50;

/** Load for the ledger's step alone. */
export interface SettleLoad {
  readonly clients: number;
  readonly seconds: number;
  /** `each`: one commit per step. `batch`: one per 50 steps. `one-issuance`: one per step, all on the same bundle. */
  readonly commit: 'each' | 'batch' | 'one-issuance';
}

export interface SettleResult {
  readonly stepsPerSecond: number;
  /** CPU microseconds of PostgreSQL per step. */
  readonly cpuPerStep: number;
}

export interface SettleReference {
  measure(load: SettleLoad): Promise<SettleResult>;
}

/** Path of pgbench, which the embedded server lacks. @throws Error that says how to install it */
function findPgbench(): string {
  const onPath = (process.env['PATH']?.split(':') ?? []).map((folder) => join(folder, 'pgbench'));
  const found = [...onPath, ...globSync('/usr/lib/postgresql/*/bin/pgbench')].find((file) => existsSync(file));
  if (found) return found;
  throw new Error(
    'The measurement needs pgbench. Install it, on Debian with: apt-get install postgresql-15. No server need run.',
  );
}

const scripts = {
  each: `\\set n random(1, ${ISSUANCES})\nselect settle_step(:n);\n`,
  batch: `select settle_steps(${ISSUANCES}, ${STEPS_PER_COMMIT});\n`,
  'one-issuance': 'select settle_step(1);\n',
} as const;

/** Creates the reference's database on the stack's server. */
export async function prepareSettleReference(stack: Stack, folder: string): Promise<SettleReference> {
  const pgbench = findPgbench();
  const url = buildAdminUrl(stack, DATABASE);
  await execute(stack.databaseAdminUrl, `create database ${DATABASE}`);
  await execute(url, readFileSync(new URL('settle.sql', import.meta.url), 'utf8'));
  const { databasePid } = stack;
  if (databasePid === undefined) throw new Error('The measurement needs a private PostgreSQL.');
  return {
    async measure({ clients, seconds, commit }) {
      const script = join(folder, `${commit}.sql`);
      writeFileSync(script, scripts[commit]);
      const size = ['-c', String(clients), '-j', String(Math.min(THREADS, clients)), '-T', String(seconds)];
      const before = readCpu(databasePid);
      const { stdout } = await promisify(execFile)(pgbench, ['-n', '-M', 'prepared', ...size, '-f', script, url]);
      const cpu = readCpu(databasePid) - before;
      const [, perSecond] = /tps = ([\d.]+) \(without initial/.exec(stdout) ?? [];
      const [, done] = /actually processed: (\d+)/.exec(stdout) ?? [];
      if (perSecond === undefined || done === undefined) throw new Error(`pgbench printed: ${stdout}`);
      const stepsEach = commit === 'batch' ? STEPS_PER_COMMIT : 1;
      return { stepsPerSecond: Number(perSecond) * stepsEach, cpuPerStep: cpu / (Number(done) * stepsEach) };
    },
  };
}
