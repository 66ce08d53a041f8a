import { recordAudit } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import { identityDigest } from '../domain/identity-digest.ts';
import { membersOf, type TraderPatch } from '../domain/merge-patch.ts';
import type { Trader } from '../domain/trader.ts';
import { patchTrader } from '../store/traders.ts';

/**
 * Changes a trader of the channel. The trail names the changed members, not their values: a trader may be a person.
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
    const after = { members: membersOf(patch), digest: identityDigest(id, trader) };
    await recordAudit(em, [{ ...act, scopes: [salesChannelId], actor, after }]);
    return trader;
  });
