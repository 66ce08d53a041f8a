import { INSTALLATION_SCOPE, recordAudit, type AuditAction } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound, requestRefused } from '@saleschannel/errors';
import { refuseClosed, type NamedSalesChannel, type SalesChannel } from '../domain/sales-channel.ts';
import {
  findReplacement,
  insertSalesChannel,
  isNameTaken,
  lockSalesChannel,
  rename,
  resume,
  suspend,
} from '../store/sales-channels.ts';

/** @throws DomainError 'request-refused' for the name of another channel */
async function refuseTakenName(em: EntityManager, channel: NamedSalesChannel): Promise<void> {
  if (!(await isNameTaken(em, channel))) return;
  const detail = 'is the name of another sales channel';
  throw requestRefused('The name is taken.', [{ pointer: '#/name', code: 'name-taken', detail }]);
}

/**
 * Creates a sales channel, which begins its audit trail.
 * @throws DomainError 'request-refused' for the name of another channel
 */
export const createSalesChannel = (database: Database, channel: NamedSalesChannel, actor: Actor): Promise<void> =>
  database.transaction(async (em) => {
    await refuseTakenName(em, channel);
    insertSalesChannel(em, channel);
    const { id, name } = channel;
    const act = { action: 'rbac.sales-channel.created', subject: { type: 'sales-channel', id } } as const;
    await recordAudit(em, [{ ...act, scopes: [INSTALLATION_SCOPE, id], actor, after: { name } }]);
  });

/**
 * Renames a channel. Its current name changes nothing. The channel's own trail has the change without the reason.
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

const withReason = ({ status, suspendedReason: reason }: SalesChannel) => ({ status, reason });

/** The channel's own trail has the change without the reason. */
const changeStatus = (
  database: Database,
  id: string,
  update: (em: EntityManager) => Promise<SalesChannel | undefined>,
  act: { action: AuditAction; actor: Actor },
): Promise<SalesChannel> =>
  database.transaction(async (em) => {
    const known = await lockSalesChannel(em, id);
    if (known) refuseClosed(known);
    const channel = known && (await update(em));
    if (!channel) throw notFound();
    const about = { ...act, subject: { type: 'sales-channel', id } };
    await recordAudit(em, [
      { ...about, scopes: [INSTALLATION_SCOPE], before: withReason(known), after: withReason(channel) },
      { ...about, scopes: [id], before: { status: known.status }, after: { status: channel.status } },
    ]);
    return channel;
  });

/**
 * Makes the channel read-only.
 * @throws DomainError 'not-found', 'request-refused' for a closed channel
 */
export const suspendSalesChannel = (database: Database, id: string, reason: string, actor: Actor) =>
  changeStatus(database, id, (em) => suspend(em, id, reason), { action: 'rbac.sales-channel.suspended', actor });

/** @throws DomainError 'not-found', 'request-refused' for a closed or replaced channel */
export const resumeSalesChannel = (database: Database, id: string, actor: Actor) =>
  changeStatus(database, id, (em) => resumeUnreplaced(em, id), { action: 'rbac.sales-channel.resumed', actor });

async function resumeUnreplaced(em: EntityManager, id: string): Promise<SalesChannel | undefined> {
  if ((await findReplacement(em, id)) !== undefined)
    throw requestRefused('The sales channel was replaced by another one, and stays suspended.');
  return resume(em, id);
}
