import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Stack } from '@saleschannel/local';
import { cpuOf } from '../measure/cpu.ts';
import { adminUrlOf, execute } from '../measure/database.ts';

/** Not one of the system's names: its counters are not the system's. */
const DATABASE = 'bench_reference';
const ISSUANCES = 4_096;
const THREADS = 2;
const STEPS_PER_COMMIT = 50;

/** How the ledger's step alone is done. */
export interface SettleLoad {
  readonly clients: number;
  readonly seconds: number;
  /** `each`: a commit for each step. `batch`: one for 50 steps. `one-issuance`: each, all on the same bundle. */
  readonly commit: 'each' | 'batch' | 'one-issuance';
}

export interface SettleResult {
  readonly stepsPerSecond: number;
  /** CPU microseconds of PostgreSQL for each step. */
  readonly cpuPerStep: number;
}

export interface SettleReference {
  measure(load: SettleLoad): Promise<SettleResult>;
}

/** Where pgbench is installed. The embedded server has none. @throws Error that says how to get it */
function findPgbench(): string {
  const onPath = (process.env['PATH']?.split(':') ?? []).map((folder) => join(folder, 'pgbench'));
  const found = [...onPath, ...globSync('/usr/lib/postgresql/*/bin/pgbench')].find((file) => existsSync(file));
  if (found) return found;
  throw new Error(
    'pgbench is not installed, and the measure needs it: apt-get install postgresql-15 on Debian. No server need run.',
  );
}

const scripts = {
  each: `\\set n random(1, ${ISSUANCES})\nselect settle_step(:n);\n`,
  batch: `select settle_steps(${ISSUANCES}, ${STEPS_PER_COMMIT});\n`,
  'one-issuance': 'select settle_step(1);\n',
} as const;

/** Makes the reference's database on the stack's server. */
export async function prepareSettleReference(stack: Stack, folder: string): Promise<SettleReference> {
  const pgbench = findPgbench();
  const url = adminUrlOf(stack, DATABASE);
  await execute(stack.databaseAdminUrl, `create database ${DATABASE}`);
  await execute(url, readFileSync(new URL('settle.sql', import.meta.url), 'utf8'));
  const { databasePid } = stack;
  if (databasePid === undefined) throw new Error('the measure needs a PostgreSQL of its own');
  return {
    async measure({ clients, seconds, commit }) {
      const script = join(folder, `${commit}.sql`);
      writeFileSync(script, scripts[commit]);
      const size = ['-c', String(clients), '-j', String(Math.min(THREADS, clients)), '-T', String(seconds)];
      const before = cpuOf(databasePid);
      const { stdout } = await promisify(execFile)(pgbench, ['-n', '-M', 'prepared', ...size, '-f', script, url]);
      const cpu = cpuOf(databasePid) - before;
      const [, perSecond] = /tps = ([\d.]+) \(without initial/.exec(stdout) ?? [];
      const [, done] = /actually processed: (\d+)/.exec(stdout) ?? [];
      if (perSecond === undefined || done === undefined) throw new Error(`pgbench said: ${stdout}`);
      const stepsEach = commit === 'batch' ? STEPS_PER_COMMIT : 1;
      return { stepsPerSecond: Number(perSecond) * stepsEach, cpuPerStep: cpu / (Number(done) * stepsEach) };
    },
  };
}
