import { once } from 'node:events';
import { Pool } from 'undici';

/** Request that each connection of the attacker repeats as soon as it is answered. */
export interface AttackStart {
  readonly baseUrl: string;
  readonly connections: number;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const [start] = (await once(process, 'message')) as [AttackStart];
const { baseUrl, connections, method, path, headers, body } = start;
const pool = new Pool(baseUrl, { connections, pipelining: 1 });
const statuses: Record<string, number> = {};
let isEnding = false;
process.once('message', () => (isEnding = true));

const send = async (): Promise<void> => {
  while (!isEnding) {
    const status = await pool
      .request({ method, path, headers: { ...headers }, ...(body === undefined ? {} : { body }) })
      .then(async (answer) => {
        await answer.body.dump();
        return String(answer.statusCode);
      })
      .catch(() => 'failed');
    if (Object.keys(statuses).length === 0) process.send?.('begun');
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
};
await Promise.all(Array.from({ length: connections }, send));
await pool.close();
process.send?.(statuses, () => process.disconnect());
