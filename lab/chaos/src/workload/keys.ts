import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from './client.ts';
import type { RunJournal } from './journal.ts';
import { asChannel, type Market } from './market.ts';

const OWN_KEYS = '/authentication/users/me/api-keys';
/** Revoked rights end within five seconds. */
export const REVOCATION_MS = 5_500;

/** Creates a key, uses it, deletes it, and uses it again after it must be rejected. */
export async function rotateKey(client: Client, journal: RunJournal, market: Market): Promise<void> {
  const create = { kind: 'create key', method: 'POST', path: OWN_KEYS, expected: [201] } as const;
  const created = await client.send<{ id: string; passphrase: string }>(asChannel(market, create));
  if (!created) return;
  const { id, passphrase: secret } = created.body;
  const use = (kind: string, expected: number[]) =>
    client.send({ kind, actor: market.id, credentials: { id, secret }, path: OWN_KEYS, expected });
  await use('use key', [200]);
  const path = `/authentication/api-keys/${id}`;
  const deleted = await client.send(
    asChannel(market, { kind: 'delete key', method: 'DELETE', path, expected: [200, 404] }),
  );
  if (!deleted) return;
  journal.add({ type: 'revoked', key: id, secret });
  await delay(REVOCATION_MS);
  await use('use deleted key', [401]);
}
