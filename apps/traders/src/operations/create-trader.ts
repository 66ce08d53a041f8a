import { recordAudit } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { channelScope, recordOnce } from '@saleschannel/idempotency';
import { newId } from '@saleschannel/primitives';
import { identityDigest } from '../domain/identity-digest.ts';
import type { LegalEntity, Trader } from '../domain/trader.ts';
import { findTrader, insertTrader } from '../store/traders.ts';

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
  const { made, replayed } = await recordOnce<Trader>(
    'traders.CreateTrader',
    { database, scope: channelScope(salesChannelId), key, request: { businessId, name, address } },
    (keyed) =>
      keyed.transaction(async (em) => {
        const trader = await insertTrader(em, salesChannelId, { id: newId(), businessId, name, address });
        const act = { action: 'traders.trader.created', subject: { type: 'trader', id: trader.id } } as const;
        const after = { digest: identityDigest(trader.id, trader) };
        await recordAudit(em, [{ ...act, scopes: [salesChannelId], actor, after }]);
        return trader;
      }),
    {
      toId: ({ id }) => id,
      async load(em, id) {
        const trader = await findTrader(em, salesChannelId, id);
        if (!trader) throw new Error('the trader of an idempotency key is missing');
        return trader;
      },
    },
  );
  return { trader: made, replayed };
}
