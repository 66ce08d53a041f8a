import type { Database } from '@saleschannel/database';
import { DomainError } from '@saleschannel/errors';
import { newId, requestFingerprint } from '@saleschannel/primitives';
import type { LegalEntity, Trader } from '../domain/trader.ts';
import { findTraderByRequest, insertTraderOnce, type RequestKey } from '../store/traders.ts';

/**
 * Creates a trader, once per channel and key: the same request again answers the trader as it is now.
 * @throws DomainError 'idempotency-key-reused' when the key made a trader of another request
 */
export async function createTrader(
  database: Database,
  salesChannelId: string,
  key: string,
  entity: LegalEntity,
): Promise<{ trader: Trader; replayed: boolean }> {
  const { businessId, name, address } = entity;
  const request: RequestKey = {
    operation: 'createTrader',
    key,
    fingerprint: requestFingerprint({ businessId, name, address }),
  };
  return database.transaction(async (em) => {
    const created = await insertTraderOnce(em, { id: newId(), salesChannelId, ...entity }, request);
    if (created) return { trader: created, replayed: false };
    const found = await findTraderByRequest(em, salesChannelId, request);
    if (!found) throw new Error('the record of an idempotency key is missing');
    if (!found.isSame) {
      const violation = { parameter: 'Idempotency-Key', detail: 'belongs to another request', code: 'reused' };
      throw new DomainError('idempotency-key-reused', 'The idempotency key was used for another request.', {
        violations: [violation],
      });
    }
    return { trader: found.trader, replayed: true };
  });
}
