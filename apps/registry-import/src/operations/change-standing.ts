import { INSTALLATION_SCOPE, recordAudit, REGISTRY_SCOPE, type AuditAction } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import type { AccountHolder, Standing } from '../domain/account-holder.ts';
import { lockById } from '../store/account-holders.ts';
import { resume, suspend, updateKind } from '../store/standing.ts';

const standingOf = ({ kind, status }: AccountHolder) => ({ kind, status });

/** What the operator says of an account holder. The registry sees in its trail that it happened, and not why. */
const change = (
  database: Database,
  id: string,
  work: (em: EntityManager) => Promise<AccountHolder | undefined>,
  act: { action: AuditAction; actor: Actor },
): Promise<AccountHolder> =>
  database.transaction(async (em) => {
    const known = await lockById(em, id);
    const holder = known && (await work(em));
    if (!holder) throw notFound();
    const about = { ...act, subject: { type: 'account-holder', id } };
    const [before, after] = [standingOf(known), standingOf(holder)];
    await recordAudit(em, [
      { ...about, scopes: [REGISTRY_SCOPE], before, after },
      {
        ...about,
        scopes: [INSTALLATION_SCOPE],
        before: { ...before, reason: known.suspendedReason },
        after: { ...after, reason: holder.suspendedReason },
      },
    ]);
    return holder;
  });

/** @throws DomainError 'not-found' */
export const setKind = (database: Database, id: string, kind: Standing['kind'], actor: Actor) =>
  change(database, id, (em) => updateKind(em, id, kind), { action: 'registry-import.account-holder.kind-set', actor });

/** @throws DomainError 'not-found' */
export const suspendAccountHolder = (database: Database, id: string, reason: string, actor: Actor) =>
  change(database, id, (em) => suspend(em, id, reason), { action: 'registry-import.account-holder.suspended', actor });

/** @throws DomainError 'not-found' */
export const resumeAccountHolder = (database: Database, id: string, actor: Actor) =>
  change(database, id, (em) => resume(em, id), { action: 'registry-import.account-holder.resumed', actor });
