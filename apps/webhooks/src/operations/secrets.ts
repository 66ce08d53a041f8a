import type { KeyObject } from 'node:crypto';
import type { Sealer } from '@saleschannel/auth';
import type { Database } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { newSigningSecret, toSigningKey } from '../domain/delivery.ts';
import { findSealedUnderOthers, reseal } from '../store/secrets.ts';

/** Binds a sealed secret to its endpoint. */
const sealingPurpose = (endpointId: string): string => `webhook-secret ${endpointId}`;

const sealedShape = z.object({ secret: z.string() });

/** Creates a secret and its sealed form. The plain secret is available only here. */
export async function createSecret(
  sealer: Sealer,
  endpointId: string,
): Promise<{ id: string; secret: string; sealed: string; sealedUnder: string }> {
  const secret = newSigningSecret();
  const sealed = await sealer.seal(sealingPurpose(endpointId), { secret });
  return { id: newId(), secret, sealed, sealedUnder: sealer.keyId };
}

/**
 * Seals secrets under the current key that are sealed under an older one. Returns the number found.
 * @throws Error, after all others are sealed, naming the endpoints whose secrets no key opens
 */
export async function resealSecrets(database: Database, sealer: Sealer, limit: number): Promise<number> {
  const found = await findSealedUnderOthers(database.em(), sealer.keyId, limit);
  const unreadable: string[] = [];
  for (const { id, endpointId, sealed } of found) {
    const content = await sealer.open(sealingPurpose(endpointId), sealed, sealedShape);
    if (content) await reseal(database.em(), id, await sealer.seal(sealingPurpose(endpointId), content), sealer.keyId);
    else unreadable.push(endpointId);
  }
  if (unreadable.length > 0)
    throw new Error(
      `No key in WEBHOOK_SECRET_KEYS opens the secrets of the webhook endpoints ${unreadable.join(', ')}.`,
    );
  return found.length;
}

/** Decrypted keys kept in memory: opening a key costs more than signing with it. */
const MAX_OPEN_KEYS = 10_000;

/**
 * Opens the stored secrets of endpoints, in the given order.
 * @returns a function that throws an Error for a secret whose sealing key is missing
 */
export function createKeyOpener(
  sealer: Sealer,
): (endpointId: string, secrets: readonly string[]) => Promise<KeyObject[]> {
  const opened = new LRUCache<string, KeyObject>({ max: MAX_OPEN_KEYS });
  const open = async (endpointId: string, sealed: string): Promise<KeyObject> => {
    const known = opened.get(sealed);
    if (known) return known;
    const content = await sealer.open(sealingPurpose(endpointId), sealed, sealedShape);
    if (!content)
      throw new Error(`No key in WEBHOOK_SECRET_KEYS opens a secret of the webhook endpoint ${endpointId}.`);
    const key = toSigningKey(content.secret);
    opened.set(sealed, key);
    return key;
  };
  return (endpointId, secrets) => Promise.all(secrets.map((sealed) => open(endpointId, sealed)));
}
