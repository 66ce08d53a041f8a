import type { EntityManager, ListPart, PageRequest } from '@saleschannel/database';
import { planTests } from '@saleschannel/testing/plan-tests';
import { listKeyDetails, listKeyRecords, listApiKeys, listRegistryKeys } from '../src/store/keys.ts';
import { schema } from '../src/store/schema.ts';
import { endSessions, listSessions } from '../src/store/sessions.ts';
import { hasIntroduced, listUsers } from '../src/store/users.ts';

/**
 * 40,000 users with an API key each. Half belong to one account holder, and three are disabled. One key in a hundred
 * was created with the first one. The last user created 20 registry keys.
 */
const fill = `
  insert into app_user (id, issuer, subject, account_holder_id, disabled_at, disabled_reason)
  select 'user-' || lpad(n::text, 6, '0'), 'https://issuer.example', 'subject-' || n,
    case when n % 20000 = 5 then 'small' when n % 2 = 0 then 'large' else 'holder-' || n % 5000 end,
    case when n % 19999 = 0 then now() end, case when n % 19999 = 0 then 'left' end
  from generate_series(1, 40000) as n;
  update app_user set introduced_by = 'a channel' where id > 'user-030000';
  insert into api_key (id, user_id, secret_hash, created_at, expires_at, made_with_key_id)
  select 'key-' || lpad(n::text, 6, '0'), 'user-' || lpad(n::text, 6, '0'), sha256('x'), now(),
    now() + interval '1 day',
    case when n % 100 = 0 then 'key-000001' end
  from generate_series(1, 40000) as n;
  insert into registry_key (id, account_holder_id, created_by, secret_hash, created_at, expires_at, made_with_key_id)
  select 'registry-key-' || lpad(n::text, 6, '0'), case when n > 39990 then 'small' else 'holder-' || n end,
    case when n > 39980 then 'user-040000' end, sha256('x'), now(), now() + interval '1 day',
    case when n > 39995 then 'key-000001' end
  from generate_series(1, 40000) as n;
  insert into session (
    id, client, issuer, subject, provider_session, signed_in_at, begun_at, last_used_at, expires_at
  )
  select 'session-' || n, 'portal', 'https://issuer.example', 'subject-' || n % 8000, 'provider-' || n, now(), now(),
    now(), now() + interval '1 day'
  from generate_series(1, 40000) as n;
  insert into session_token (token_hash, session_id, expires_at)
  select sha256(('session-' || n)::bytea), 'session-' || n, now() + interval '1 day'
  from generate_series(1, 40000) as n;
`;

/** Lists of operators continue from the id of the last row. */
const byId =
  (read: (em: EntityManager, page: { limit: number; after?: string }) => Promise<{ id: string }[]>) =>
  async (em: EntityManager, { limit, after, offset = 0 }: PageRequest): Promise<ListPart<object>> => {
    const found = await read(em, { limit: limit + offset, ...(after === undefined ? {} : { after }) });
    const rows = found.slice(offset);
    return { rows, next: rows.at(-1)?.id };
  };

planTests({
  schema,
  fill,
  lists: {
    'all users': byId((em, page) => listUsers(em, page)),
    'users of an account holder with many': byId((em, page) => listUsers(em, { ...page, accountHolderId: 'large' })),
    'users of an account holder with few': byId((em, page) => listUsers(em, { ...page, accountHolderId: 'small' })),
    'users with a subject': byId((em, page) => listUsers(em, { ...page, subject: 'subject-39000' })),
    'users with a part of a subject': byId((em, page) => listUsers(em, { ...page, subjectPart: 'JECT-3999' })),
    'disabled users': byId((em, page) => listUsers(em, { ...page, disabled: true })),
    'disabled users of an account holder': byId((em, page) =>
      listUsers(em, { ...page, disabled: true, accountHolderId: 'large' }),
    ),
    'users who are not disabled': byId((em, page) => listUsers(em, { ...page, disabled: false })),
    'all keys': byId((em, page) => listKeyRecords(em, page)),
    'keys of a user': byId((em, page) => listKeyRecords(em, { ...page, userId: 'user-040000' })),
    'registry keys of an account holder': byId((em, page) => listKeyRecords(em, { ...page, accountHolderId: 'small' })),
    'keys made with a key': byId((em, page) => listKeyRecords(em, { ...page, madeWithKeyId: 'key-000001' })),
  },
  others: {
    'a user lists their API keys': (em) => listApiKeys(em, 'user-020000'),
    'a user lists keys of both kinds': (em) => listKeyDetails(em, { userId: 'user-020000', accountHolderId: 'small' }),
    'introduced users of a channel are counted': (em) => hasIntroduced(em, 'a channel', 20),
    'a user lists their sessions': (em) =>
      listSessions(
        em,
        { issuer: 'https://issuer.example', subject: 'subject-7000' },
        { token: Buffer.alloc(32), now: new Date() },
      ),
    'the provider ends one of its sessions': (em) =>
      endSessions(
        em,
        { client: 'portal', issuer: 'https://issuer.example', providerSession: 'provider-20000' },
        { by: 'PROVIDER', now: new Date() },
      ),
    'an account holder lists its registry keys': (em) => listRegistryKeys(em, 'small'),
  },
});
