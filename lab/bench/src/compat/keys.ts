import type { Market } from '../load/markets.ts';
import type { Caller } from './caller.ts';

const OWN_KEYS = '/authentication/users/me/api-keys';

/** Creates a key, uses it and deletes it. The key must work at once, at every gateway and replica of identity. */
export async function exerciseKey(caller: Caller, { credentials }: Market): Promise<void> {
  const created = await caller.send<{ id: string; passphrase: string }>('make a key', {
    method: 'POST',
    path: OWN_KEYS,
    credentials,
  });
  if (!created) return;
  const { id, passphrase } = created.body;
  await caller.send('use a key', { path: OWN_KEYS, credentials: { username: id, password: passphrase } });
  await caller.send('end a key', { method: 'DELETE', path: `/authentication/api-keys/${id}`, credentials });
}
