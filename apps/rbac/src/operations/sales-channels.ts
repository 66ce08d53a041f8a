import { INSTALLATION_SCOPE, recordAudit, type AuditAction } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound, requestRefused } from '@saleschannel/errors';
import { refuseClosed, type SalesChannel } from '../domain/sales-channel.ts';
import { findReplacement, lockSalesChannel, resume, suspend } from '../store/sales-channels.ts';

const reasonOf = ({ status, suspendedReason: reason }: SalesChannel) => ({ status, reason });

/** The channel sees in its own trail that it happened, and not why. */
const change = (
  database: Database,
  id: string,
  work: (em: EntityManager) => Promise<SalesChannel | undefined>,
  act: { action: AuditAction; actor: Actor },
): Promise<SalesChannel> =>
  database.transaction(async (em) => {
    const known = await lockSalesChannel(em, id);
    if (known) refuseClosed(known);
    const channel = known && (await work(em));
    if (!channel) throw notFound();
    const about = { ...act, subject: { type: 'sales-channel', id } };
    await recordAudit(em, [
      { ...about, scopes: [INSTALLATION_SCOPE], before: reasonOf(known), after: reasonOf(channel) },
      { ...about, scopes: [id], before: { status: known.status }, after: { status: channel.status } },
    ]);
    return channel;
  });

/**
 * From now on the channel is read, and nothing on it changes.
 * @throws DomainError 'not-found', 'request-refused' for a closed channel
 */
export const suspendSalesChannel = (database: Database, id: string, reason: string, actor: Actor) =>
  change(database, id, (em) => suspend(em, id, reason), { action: 'rbac.sales-channel.suspended', actor });

/**
 * @throws DomainError 'not-found', 'request-refused' for a closed channel, and for one that another one stands in for:
 * its users are gone
 */
export const resumeSalesChannel = (database: Database, id: string, actor: Actor) =>
  change(database, id, (em) => resumeUnreplaced(em, id), { action: 'rbac.sales-channel.resumed', actor });

async function resumeUnreplaced(em: EntityManager, id: string): Promise<SalesChannel | undefined> {
  if ((await findReplacement(em, id)) !== undefined)
    throw requestRefused('The sales channel was replaced by another one, and stays suspended.');
  return resume(em, id);
}
