import type { KeyObject } from 'node:crypto';
import type { Sealer } from '@saleschannel/auth';
import type { Database } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { keyOf, newSigningSecret } from '../domain/message.ts';
import { findSealedUnderOthers, reseal } from '../store/secrets.ts';

/** A secret does not open for another endpoint. */
const purposeOf = (endpointId: string): string => `webhook-secret ${endpointId}`;

const sealedShape = z.object({ secret: z.string() });

/** A new secret, and how it is stored. It is known now and never again. */
export async function makeSecret(
  sealer: Sealer,
  endpointId: string,
): Promise<{ id: string; secret: string; sealed: string; sealedUnder: string }> {
  const secret = newSigningSecret();
  const sealed = await sealer.seal(purposeOf(endpointId), { secret });
  return { id: newId(), secret, sealed, sealedUnder: sealer.keyId };
}

/**
 * Seals some secrets under the current key that are sealed under one of before. Returns how many it has found.
 * @throws Error that names what does not open, when it has sealed the others
 */
export async function resealSecrets(database: Database, sealer: Sealer, atMost: number): Promise<number> {
  const found = await findSealedUnderOthers(database.em(), sealer.keyId, atMost);
  const lost: string[] = [];
  for (const { id, endpointId, sealed } of found) {
    const content = await sealer.open(purposeOf(endpointId), sealed, sealedShape);
    if (content) await reseal(database.em(), id, await sealer.seal(purposeOf(endpointId), content), sealer.keyId);
    else lost.push(endpointId);
  }
  if (lost.length > 0) throw new Error(`secrets of the webhook endpoints ${lost.join(', ')} do not open`);
  return found.length;
}

/** Keys that are kept open: opening one costs more than signing with it. */
const OPEN_AT_MOST = 10_000;

/**
 * Opens the stored secrets of endpoints. The answer is in the same order.
 * @returns a function that throws an Error for what was sealed under a key that is gone
 */
export function keyOpener(sealer: Sealer): (endpointId: string, secrets: readonly string[]) => Promise<KeyObject[]> {
  const opened = new LRUCache<string, KeyObject>({ max: OPEN_AT_MOST });
  const open = async (endpointId: string, sealed: string): Promise<KeyObject> => {
    const known = opened.get(sealed);
    if (known) return known;
    const content = await sealer.open(purposeOf(endpointId), sealed, sealedShape);
    if (!content) throw new Error(`a secret of the webhook endpoint ${endpointId} does not open`);
    const key = keyOf(content.secret);
    opened.set(sealed, key);
    return key;
  };
  return (endpointId, secrets) => Promise.all(secrets.map((sealed) => open(endpointId, sealed)));
}
