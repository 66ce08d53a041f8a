import { hashSecret, newId, newSecret } from '@saleschannel/primitives';
import type { Stack } from '@saleschannel/local';
import { basicAuthorization } from './markets.ts';
import { withConnection, buildServiceUrl } from '../measure/database.ts';

const ROLE = 'TRANSACTION_ADMINISTRATOR';
const ISSUER = 'urn:saleschannel:bench';

/**
 * Inserts users of a sales channel with one API key each into the databases of identity and rbac. Through the
 * administration ten thousand would take minutes.
 * @returns Authorization header values
 */
export async function insertApiKeys(stack: Stack, salesChannelId: string, count: number): Promise<string[]> {
  const [pepper = ''] = stack.place.secrets.apiKeyPepper.replace(/^\d+:/, '').split(',');
  const keys = Array.from({ length: count }, () => {
    const secret = newSecret('scs_key');
    return { userId: newId(), id: newId(), secret, hash: hashSecret(secret, Buffer.from(pepper, 'base64')) };
  });
  const users = keys.map(({ userId }) => userId);
  await withConnection(buildServiceUrl(stack, 'identity'), async (identity) => {
    await identity.query(
      'insert into app_user (id, issuer, subject) select id, $2, id from unnest($1::text[]) as made (id)',
      [users, ISSUER],
    );
    await identity.query(
      `insert into api_key (id, user_id, secret_hash, created_at, expires_at)
       -- Created before the audit trail existed, which would otherwise have to contain them.
       select id, user_id, decode(hash, 'hex'), timestamptz '2020-01-01', now() + interval '1 day'
       from unnest($1::text[], $2::text[], $3::text[]) as made (id, user_id, hash)`,
      [keys.map(({ id }) => id), users, keys.map(({ hash }) => hash.toString('hex'))],
    );
  });
  await withConnection(buildServiceUrl(stack, 'rbac'), async (rbac) => {
    await rbac.query(
      'insert into binding (user_id, sales_channel_id) select id, $2 from unnest($1::text[]) as made (id)',
      [users, salesChannelId],
    );
    await rbac.query('insert into binding_role (user_id, role) select id, $2 from unnest($1::text[]) as made (id)', [
      users,
      ROLE,
    ]);
  });
  return keys.map(({ id, secret }) => basicAuthorization(id, secret));
}
