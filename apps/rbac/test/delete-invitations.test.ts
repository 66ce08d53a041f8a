import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@saleschannel/database';
import { openTestDatabase, toRuntimeUrl } from '@saleschannel/testing';
import { deleteExpiredInvitations } from '../src/jobs/delete-invitations.ts';
import { schema } from '../src/store/schema.ts';
import { startRbac, type Rbac } from './support/rbac.ts';

let rbac: Rbac;
let database: Database;
beforeAll(async () => {
  rbac = await startRbac();
  database = await openTestDatabase({
    url: toRuntimeUrl(rbac.service.databaseUrl),
    poolMax: 2,
    ...schema,
  });
});
afterAll(async () => {
  await database.stop();
  await rbac.stop();
});

test('invitations are deleted 30 days after their expiry, in any number', async () => {
  const salesChannelId = await rbac.newChannel();
  await rbac.service.sql(
    `insert into invitation (id, sales_channel_id, token_hash, email, roles, created_by, created_at, expires_at)
     select 'old-' || n, $1, sha256(n::text::bytea), 'a@example.test', array['EVENT_VIEWER'], 'x',
       now() - interval '40 days', now() - case when n = 1 then interval '29 days' else interval '31 days' end
     from generate_series(1, 2500) n`,
    [salesChannelId],
  );
  await deleteExpiredInvitations(database);
  expect(await rbac.service.sql('select id from invitation')).toEqual([{ id: 'old-1' }]);
});
