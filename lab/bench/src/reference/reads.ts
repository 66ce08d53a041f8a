import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Stack } from '@saleschannel/local';
import { buildAdminUrl, withConnection, execute } from '../measure/database.ts';

const DATABASE = 'bench_reads';
const SERVER = fileURLToPath(new URL('./read-server.ts', import.meta.url));

/** Rows of about the size of a task. */
const ROW = {
  status: 'SUCCESS',
  key: '01234567-89ab-cdef-0123-456789abcdef',
  message: 'The transaction is complete.',
  transaction: 'c9876543210abcdefghijklmn',
};

export interface ReadReference {
  /** One process with node:http and one prepared read by key per request. */
  readonly rows: readonly { readonly port: number; readonly path: string }[];
  /** Express without a read. */
  readonly hello: { readonly port: number; readonly path: string };
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts the reference of `reads` on the stack's server, with a private database of this number of rows. */
export async function startReadReference(stack: Stack, count: number): Promise<ReadReference> {
  const url = buildAdminUrl(stack, DATABASE);
  const ids = Array.from({ length: count }, (_, index) => `c${String(index).padStart(24, '0')}`);
  await execute(stack.databaseAdminUrl, `drop database if exists ${DATABASE}`, `create database ${DATABASE}`);
  await withConnection(url, async (client) => {
    await client.query(
      'create table task (id text primary key, status text, idempotency_key text, message text, transaction_id text)',
    );
    await client.query('insert into task select unnest($5::text[]), $1, $2, $3, $4', [...Object.values(ROW), ids]);
  });
  const server = fork(SERVER, [], { env: { ...process.env, BENCH_READS_URL: url } });
  const [ports] = (await once(server, 'message')) as [{ row: number; hello: number }];
  return {
    rows: ids.map((id) => ({ port: ports.row, path: `/${id}` })),
    hello: { port: ports.hello, path: '/hello' },
    pid: server.pid ?? 0,
    async stop() {
      const exited = once(server, 'exit');
      server.kill();
      await exited;
    },
  };
}
