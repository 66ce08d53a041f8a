import { INSTALLATION_SCOPE, recordAudit } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound, requestRefused } from '@saleschannel/errors';
import { refuseClosed, type NamedSalesChannel, type SalesChannel } from '../domain/sales-channel.ts';
import { isNameTaken, lockSalesChannel, rename } from '../store/sales-channels.ts';

/** @throws DomainError 'request-refused' for the name of another channel */
export async function refuseTakenName(em: EntityManager, channel: NamedSalesChannel): Promise<void> {
  if (!(await isNameTaken(em, channel))) return;
  const detail = 'is the name of another sales channel';
  throw requestRefused('The name is taken.', [{ pointer: '#/name', code: 'name-taken', detail }]);
}

/**
 * Gives a channel another name. A name that it has already changes nothing. The channel sees in its own trail that it
 * happened, and not why.
 * @throws DomainError 'not-found', 'request-refused' for a closed channel and for the name of another one
 */
export const renameSalesChannel = (
  database: Database,
  { id, name, reason }: NamedSalesChannel & { readonly reason: string },
  actor: Actor,
): Promise<SalesChannel> =>
  database.transaction(async (em) => {
    const known = await lockSalesChannel(em, id);
    if (!known) throw notFound();
    refuseClosed(known);
    if (known.name === name) return known;
    await refuseTakenName(em, { id, name });
    const channel = await rename(em, { id, name });
    if (!channel) throw notFound();
    const act = { action: 'rbac.sales-channel.renamed', subject: { type: 'sales-channel', id }, actor } as const;
    await recordAudit(em, [
      { ...act, scopes: [INSTALLATION_SCOPE], before: { name: known.name }, after: { name, reason } },
      { ...act, scopes: [id], before: { name: known.name }, after: { name } },
    ]);
    return channel;
  });
