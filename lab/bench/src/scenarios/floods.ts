import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import type { AttackStart } from '../load/attack-process.ts';
import { basicAuthorization, createMarkets, type Market } from '../load/markets.ts';
import { percentile } from '../measure/statistics.ts';
import type { ScenarioContext, Figure } from '../scenario.ts';

const PROCESS = fileURLToPath(new URL('../load/attack-process.ts', import.meta.url));

interface Attack {
  /** Stops it. Returns the number of answers by status. */
  stop(): Promise<Readonly<Record<string, number>>>;
}

/** Starts a separate process that repeats one request. Resolves at its first answer. */
async function startAttack(start: AttackStart): Promise<Attack> {
  const attacker = fork(PROCESS, []);
  attacker.send(start);
  await once(attacker, 'message');
  return {
    async stop() {
      const firstAnswer = once(attacker, 'message');
      const exited = once(attacker, 'exit');
      attacker.send('stop');
      const [statuses] = (await firstAnswer) as [Record<string, number>];
      await exited;
      return statuses;
    },
  };
}

/** Requests per second of the attacked channel: a client that reads occasionally. */
const READS_PER_SECOND = 20;
const BAR = 2;
const KIB = 1_024;
const API = '/saleschannel-services/v1';

type Flood = Omit<AttackStart, 'baseUrl' | 'headers'> & { readonly name: string; readonly badKey?: true };

/** Requests of one user below the rate limit, from finding 3 of the security review. */
function buildFloods({ sellerId }: Market): readonly Flood[] {
  const trade = `${API}/traders/${sellerId}/inventory/trade`;
  const large = JSON.stringify({ x: 'x'.repeat(1_024 * KIB - 8) });
  const escapes = JSON.stringify({ x: '' }).replace('""', `"${'\\u0041'.repeat(170_000)}"`);
  const post = { method: 'POST', path: trade } as const;
  const get = (path: string) => ({ method: 'GET', path, connections: 16 }) as const;
  return [
    { name: '1 MiB bodies, 16 connections', ...post, connections: 16, body: large },
    { name: '1 MiB of escapes, 16 connections', ...post, connections: 16, body: escapes },
    { name: '1 MiB of escapes, 4 connections', ...post, connections: 4, body: escapes },
    { name: '1 MiB bodies, 4 connections', ...post, connections: 4, body: large },
    { name: '1 MiB bodies, 1 connection', ...post, connections: 1, body: large },
    {
      name: '64 KiB bodies, 16 connections',
      ...post,
      connections: 16,
      body: JSON.stringify({ x: 'x'.repeat(64 * KIB) }),
    },
    { name: 'audit exports, 16 connections', ...get('/user-services/audit-events/export') },
    { name: 'summaries, 16 connections', ...get(`${API}/traders/${sellerId}/inventory/summary`) },
    { name: 'lists of tasks, 16 connections', ...get(`${API}/tasks`) },
    { name: 'bad keys, 16 connections', ...get(`${API}/tasks`), badKey: true },
  ];
}

/** p50 in milliseconds of reads at a steady rate. */
async function readP50(pool: Pool, market: Market, seconds: number): Promise<number> {
  const took: number[] = [];
  const headers = { authorization: basicAuthorization(market.credentials) };
  const path = `${API}/traders/${market.sellerId}/inventory`;
  const reads: Promise<void>[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    const startedMs = performance.now();
    const read = async (): Promise<void> => {
      const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`A read of the quiet channel was answered ${statusCode}.`);
      took.push(performance.now() - startedMs);
    };
    reads.push(read());
    if (reads.length >= seconds * READS_PER_SECOND) resolve();
  }, 1_000 / READS_PER_SECOND);
  await promise;
  clearInterval(timer);
  await Promise.all(reads);
  return percentile(took, 0.5);
}

/** Measures reads of one channel while a user of another one floods the gateway, with the default settings. */
export const measureFloods = (bench: ScenarioContext): Promise<Figure[]> =>
  bench.withStack({ variables: { LOG_LEVEL: 'warn' } }, async (stack) => {
    const [quiet, other] = await createMarkets(stack, 2, 10);
    if (!quiet || !other) throw new Error('The stack needs two markets.');
    const pool = new Pool(stack.baseUrl, { connections: 16, pipelining: 1 });
    const { seconds, rounds } = bench.options;
    await readP50(pool, quiet, seconds);
    const figures: Figure[] = [];
    for (const { name, badKey, ...flood } of buildFloods(other)) {
      const ratios: number[] = [];
      for (let number = 1; number <= rounds; number++) {
        const alone = await readP50(pool, quiet, seconds);
        const authorization = basicAuthorization({ ...other.credentials, ...(badKey && { password: 'wrong' }) });
        const headers = { authorization, 'content-type': 'application/json' };
        const attack: Attack = await startAttack({ ...flood, baseUrl: stack.baseUrl, headers });
        const attacked = await readP50(pool, quiet, seconds);
        const statuses = await attack.stop();
        ratios.push(attacked / alone);
        bench.log(
          `${name}, round ${number}: p50 quiet ${alone.toFixed(1)}, attacked ${attacked.toFixed(1)} ms, ` +
            `${(attacked / alone).toFixed(1)} ×; answers ${JSON.stringify(statuses)}`,
        );
      }
      figures.push({ name: `p50 beside ${name} ÷ quiet`, unit: '', rounds: ratios, target: { atMost: BAR } });
    }
    await pool.close();
    return figures;
  });
