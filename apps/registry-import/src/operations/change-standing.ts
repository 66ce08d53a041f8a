import { recordAudit, REGISTRY_SCOPE, type AuditAction } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import type { AccountHolder, Standing } from '../domain/account-holder.ts';
import { resume, suspend, updateKind } from '../store/standing.ts';

/** What the operator says of an account holder, recorded in the trail of the registry. The reason is not. */
const change = (
  database: Database,
  work: (em: EntityManager) => Promise<AccountHolder | undefined>,
  act: { action: AuditAction; actor: Actor },
): Promise<AccountHolder> =>
  database.transaction(async (em) => {
    const holder = await work(em);
    if (!holder) throw notFound();
    const { id, kind, status } = holder;
    const about = { ...act, scopes: [REGISTRY_SCOPE], subject: { type: 'account-holder', id } };
    await recordAudit(em, [{ ...about, after: { kind, status } }]);
    return holder;
  });

/** @throws DomainError 'not-found' */
export const setKind = (database: Database, id: string, kind: Standing['kind'], actor: Actor) =>
  change(database, (em) => updateKind(em, id, kind), { action: 'registry-import.account-holder.kind-set', actor });

/** @throws DomainError 'not-found' */
export const suspendAccountHolder = (database: Database, id: string, reason: string, actor: Actor) =>
  change(database, (em) => suspend(em, id, reason), { action: 'registry-import.account-holder.suspended', actor });

/** @throws DomainError 'not-found' */
export const resumeAccountHolder = (database: Database, id: string, actor: Actor) =>
  change(database, (em) => resume(em, id), { action: 'registry-import.account-holder.resumed', actor });
