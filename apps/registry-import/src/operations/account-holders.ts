import { setTimeout as delay } from 'node:timers/promises';
import { INSTALLATION_SCOPE, recordAudit, REGISTRY_SCOPE, type AuditAction, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound, DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { toComparisonKey } from '@saleschannel/primitives/validation';
import {
  applyPatch,
  hasSameContent,
  type AccountHolder,
  type AccountHolderContent,
  type AccountHolderPatch,
  type OperatorSettings,
} from '../domain/account-holder.ts';
import { BUSINESS_ID_TAKEN, CONTRADICTS_STORED, toRefusal } from '../domain/refusals.ts';
import {
  findByBusinessIds,
  isBusinessIdTaken,
  lockById,
  replaceContent,
  resume,
  suspend,
  updateKind,
  insertNewAccountHolders,
} from '../store/account-holders.ts';

/**
 * Time for which services may act on an account holder's approval and status, from the start of their call (ADR 7). All
 * replicas must agree on it, so it is not a setting. Tests shorten it.
 */
export const holderLease = { ms: 2_000 };
/** Allowance for commits that began within the lease, and for clock drift. */
const COMMIT_MS = 250;

/**
 * Waits until no service acts on an account holder's former state. Call it after the commit and before the answer, even
 * if this call changed nothing: it may repeat one whose answer was lost.
 */
export const waitForLeases = (): Promise<void> => delay(holderLease.ms + COMMIT_MS);

interface EnsuredAccountHolder {
  readonly accountHolder: AccountHolder;
  readonly created: boolean;
  /** True if the stored content equals the requested one. */
  readonly agrees: boolean;
}

const toCreation = ({ id, businessId, autoApproval }: AccountHolder, actor: Actor): Act => ({
  scopes: [REGISTRY_SCOPE],
  actor,
  action: 'registry-import.account-holder.created',
  subject: { type: 'account-holder', id },
  after: { businessId, autoApproval },
});

/** A business id may change hands between insert and look-up, but not this often. */
const MAX_ROUNDS = 5;

/**
 * Creates account holders whose business id is new, and returns the stored ones for the others, in the order of the
 * request. The unique constraint decides between concurrent creations. Must end the caller's transaction.
 * @throws DomainError 'unavailable' if business ids keep changing hands
 */
export async function ensureAccountHolders(
  em: EntityManager,
  contents: readonly AccountHolderContent[],
  actor: Actor,
): Promise<EnsuredAccountHolder[]> {
  const stored = new Map<string, AccountHolder>();
  const createdIds = new Set<string>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const missing = contents.filter(({ businessId }) => !stored.has(businessId));
    if (missing.length === 0) break;
    const inserted = await insertNewAccountHolders(
      em,
      missing.map((content) => ({ id: newId(), content })),
    );
    for (const id of inserted) createdIds.add(id);
    const businessIds = missing.map(({ businessId }) => businessId);
    for (const found of await findByBusinessIds(em, businessIds)) stored.set(toComparisonKey(found.businessId), found);
  }
  const acts = [...stored.values()].filter(({ id }) => createdIds.has(id)).map((holder) => toCreation(holder, actor));
  await recordAudit(em, acts);
  return contents.map((content) => {
    const accountHolder = stored.get(content.businessId);
    if (!accountHolder) {
      throw new DomainError('unavailable', 'The account holder is being changed.', { retryAfterSeconds: 1 });
    }
    return {
      accountHolder,
      created: createdIds.delete(accountHolder.id),
      agrees: hasSameContent(accountHolder, content),
    };
  });
}

/**
 * Creates an account holder, once per business id.
 * @throws DomainError 'request-refused' if the stored account holder has other content
 */
export const createAccountHolder = (
  database: Database,
  content: AccountHolderContent,
  actor: Actor,
): Promise<{ accountHolder: AccountHolder; created: boolean }> =>
  database.transaction(async (em) => {
    const [ensured] = await ensureAccountHolders(em, [content], actor);
    if (!ensured?.agrees) throw toRefusal(CONTRADICTS_STORED);
    const { accountHolder, created } = ensured;
    return { accountHolder, created };
  });

/**
 * Changes an account holder. Concurrent patches of different members all take effect. A change of `autoApproval` is in
 * effect everywhere when this returns.
 * @throws DomainError 'not-found', or 'request-refused' for the business id of another account holder
 */
export async function updateAccountHolder(
  database: Database,
  accountHolderId: string,
  patch: AccountHolderPatch,
  actor: Actor,
): Promise<AccountHolder> {
  const updated = await replaceInDatabase(database, accountHolderId, patch, actor);
  if (patch.autoApproval !== undefined) await waitForLeases();
  return updated;
}

async function replaceInDatabase(
  database: Database,
  accountHolderId: string,
  patch: AccountHolderPatch,
  actor: Actor,
): Promise<AccountHolder> {
  try {
    return await database.transaction(async (em) => {
      const current = await lockById(em, accountHolderId);
      if (!current) throw notFound();
      const changed = applyPatch(current, patch);
      const namesakes = patch.businessId === undefined ? [] : await findByBusinessIds(em, [patch.businessId]);
      if (namesakes.some(({ id }) => id !== current.id)) throw toRefusal(BUSINESS_ID_TAKEN);
      await replaceContent(em, current.id, changed);
      const act = {
        action: 'registry-import.account-holder.updated',
        subject: { type: 'account-holder', id: current.id },
      } as const;
      const before = { businessId: current.businessId, autoApproval: current.autoApproval };
      const after = { businessId: changed.businessId, autoApproval: changed.autoApproval, members: Object.keys(patch) };
      await recordAudit(em, [{ ...act, scopes: [REGISTRY_SCOPE], actor, before, after }]);
      return { ...current, ...changed };
    });
  } catch (error) {
    if (isBusinessIdTaken(error)) throw toRefusal(BUSINESS_ID_TAKEN);
    throw error;
  }
}

const toAuditState = ({ kind, status }: AccountHolder) => ({ kind, status });

/** Applies a decision of the operator. The registry's trail has the change without the reason. */
const change = (
  database: Database,
  id: string,
  update: (em: EntityManager) => Promise<AccountHolder | undefined>,
  act: { action: AuditAction; actor: Actor },
): Promise<AccountHolder> =>
  database.transaction(async (em) => {
    const known = await lockById(em, id);
    const holder = known && (await update(em));
    if (!holder) throw notFound();
    const about = { ...act, subject: { type: 'account-holder', id } };
    const [before, after] = [toAuditState(known), toAuditState(holder)];
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
export const setKind = (database: Database, id: string, kind: OperatorSettings['kind'], actor: Actor) =>
  change(database, id, (em) => updateKind(em, id, kind), { action: 'registry-import.account-holder.kind-set', actor });

/** @throws DomainError 'not-found' */
export const suspendAccountHolder = (database: Database, id: string, reason: string, actor: Actor) =>
  change(database, id, (em) => suspend(em, id, reason), { action: 'registry-import.account-holder.suspended', actor });

/** @throws DomainError 'not-found' */
export const resumeAccountHolder = (database: Database, id: string, actor: Actor) =>
  change(database, id, (em) => resume(em, id), { action: 'registry-import.account-holder.resumed', actor });
