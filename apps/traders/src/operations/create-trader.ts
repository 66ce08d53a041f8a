import { recordAudit } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { idempotencyKeyReused } from '@saleschannel/errors';
import { newId, requestFingerprint } from '@saleschannel/primitives';
import { identityDigest } from '../domain/identity-digest.ts';
import type { LegalEntity, Trader } from '../domain/trader.ts';
import { findTraderByRequest, insertTraderOnce, type RequestKey } from '../store/traders.ts';

/**
 * Creates a trader, once per channel and key. The same request again returns the trader as it is now.
 * @throws DomainError 'idempotency-key-reused' when the key made a trader of another request
 */
export async function createTrader(
  database: Database,
  salesChannelId: string,
  key: string,
  { businessId, name, address }: LegalEntity,
  actor: Actor,
): Promise<{ trader: Trader; replayed: boolean }> {
  const fingerprint = requestFingerprint({ businessId, name, address });
  const request: RequestKey = { salesChannelId, operation: 'createTrader', key, fingerprint };
  return database.transaction(async (em) => {
    const created = await insertTraderOnce(em, { id: newId(), businessId, name, address }, request);
    if (created) {
      const act = { action: 'traders.trader.created', subject: { type: 'trader', id: created.id } } as const;
      const after = { digest: identityDigest(created.id, created) };
      await recordAudit(em, [{ ...act, scopes: [salesChannelId], actor, after }]);
      return { trader: created, replayed: false };
    }
    const found = await findTraderByRequest(em, request);
    if (!found) throw new Error('the record of an idempotency key is missing');
    if (!found.isSame) throw idempotencyKeyReused();
    return { trader: found.trader, replayed: true };
  });
}
