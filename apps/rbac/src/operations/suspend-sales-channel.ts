import { INSTALLATION_SCOPE, recordAudit, type AuditAction } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import type { SalesChannel } from '../domain/sales-channel.ts';
import { resume, suspend } from '../store/sales-channels.ts';

/** The channel sees in its own trail that it happened, and not why. */
const change = (
  database: Database,
  work: (em: EntityManager) => Promise<SalesChannel | undefined>,
  act: { action: AuditAction; actor: Actor },
): Promise<SalesChannel> =>
  database.transaction(async (em) => {
    const channel = await work(em);
    if (!channel) throw notFound();
    const { id, status } = channel;
    const about = { ...act, scopes: [INSTALLATION_SCOPE, id], subject: { type: 'sales-channel', id } };
    await recordAudit(em, [{ ...about, after: { status } }]);
    return channel;
  });

/** From now on the channel is read, and nothing on it changes. @throws DomainError 'not-found' */
export const suspendSalesChannel = (database: Database, id: string, reason: string, actor: Actor) =>
  change(database, (em) => suspend(em, id, reason), { action: 'rbac.sales-channel.suspended', actor });

/** @throws DomainError 'not-found' */
export const resumeSalesChannel = (database: Database, id: string, actor: Actor) =>
  change(database, (em) => resume(em, id), { action: 'rbac.sales-channel.resumed', actor });
