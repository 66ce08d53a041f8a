import { recordAudit } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import { channelScope, recordOnce } from '@saleschannel/idempotency';
import { newId } from '@saleschannel/primitives';
import {
  toMemberNames,
  computeIdentityDigest,
  type TraderPatch,
  type LegalEntity,
  type Trader,
} from '../domain/trader.ts';
import { findTrader, insertTrader, patchTrader } from '../store/traders.ts';

/**
 * Creates a trader, once per channel and key. A retry returns the trader as it is now.
 * @throws DomainError 'idempotency-key-reused' when another request created a trader with the key
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
        const after = { digest: computeIdentityDigest(trader.id, trader) };
        await recordAudit(em, [{ ...act, scopes: [salesChannelId], actor, after }]);
        return trader;
      }),
    {
      toId: ({ id }) => id,
      async load(em, id) {
        const trader = await findTrader(em, salesChannelId, id);
        if (!trader) throw new Error('The trader of the idempotency key is missing.');
        return trader;
      },
    },
  );
  return { trader: made, replayed };
}

/**
 * Changes a trader of the channel. The audit trail names the changed members without their values: a trader may be a
 * person.
 * @throws DomainError 'not-found'
 */
export const updateTrader = (
  database: Database,
  salesChannelId: string,
  id: string,
  patch: TraderPatch,
  actor: Actor,
): Promise<Trader> =>
  database.transaction(async (em) => {
    const trader = await patchTrader(em, salesChannelId, id, patch);
    if (!trader) throw notFound();
    const act = { action: 'traders.trader.updated', subject: { type: 'trader', id } } as const;
    const after = { members: toMemberNames(patch), digest: computeIdentityDigest(id, trader) };
    await recordAudit(em, [{ ...act, scopes: [salesChannelId], actor, after }]);
    return trader;
  });
