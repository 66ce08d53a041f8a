import { readFileSync } from 'node:fs';
import { query, send, sql, type Database } from '@saleschannel/database';
import type { Call } from '@saleschannel/grpc';
import { createTestDatabase, openTestDatabase } from '@saleschannel/testing';

const text = `${readFileSync(new URL('../../src/idempotency.sql', import.meta.url), 'utf8')}
  create table made (id text primary key);`;

/** A database in which requests create rows. */
export async function startLedger() {
  const { url, drop } = await createTestDatabase();
  const schema = { migrations: [{ file: '20260101000000-idempotency.sql', text }] };
  const database: Database = await openTestDatabase({ url, poolMax: 10, ...schema });
  await database.migrate();
  return {
    database,
    make: (em: Parameters<typeof send>[0], id: string) => send(em, sql`insert into made (id) values (${id})`),
    made: async () =>
      (await query<{ id: string }>(database.em(), sql`select id from made order by id`)).map(({ id }) => id),
    keys: () => query<{ scope: string }>(database.em(), sql`select scope from idempotency_key`),
    async stop() {
      await database.stop();
      await drop();
    },
  };
}

export const createCall = (userId: string, idempotencyKey: string | undefined, markReplayed = () => {}): Call => ({
  caller: 'gateway',
  requestId: undefined,
  clientAddress: undefined,
  operator: undefined,
  principal: { kind: 'user', userId, salesChannelId: 'c1', roles: [], accountHolderId: undefined },
  principalToken: undefined,
  deadline: Date.now() + 60_000,
  signal: new AbortController().signal,
  idempotencyKey,
  markReplayed,
});
