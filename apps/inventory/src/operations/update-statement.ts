import { recordAudit } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { notFound, requestRefused } from '@saleschannel/errors';
import { checkEmbargo, type Publication, type Visibility } from '../domain/statement.ts';
import { lockStatement, publishStatements } from '../store/statements.ts';

/** What shall become of a statement. What is undefined stays as it is. */
export interface StatementChange {
  readonly salesChannelId: string;
  readonly transactionId: string;
  readonly publication: Publication | undefined;
  /** Null: nothing is hidden any longer. */
  readonly beneficiaryHiddenUntil: Date | null | undefined;
  readonly actor: Actor;
}

/**
 * Says who may see the statement of a retirement. The same again changes nothing.
 * @throws DomainError 'not-found' for what is no retirement of the channel, 'request-refused' for one that did not
 * succeed, 'invalid-request' for an embargo that is too long
 */
export const updateStatement = (database: Database, change: StatementChange): Promise<Visibility & { id: string }> =>
  database.transaction(async (em) => {
    const { transactionId, salesChannelId, actor } = change;
    const statement = await lockStatement(em, { salesChannelId, transactionId });
    if (!statement) throw notFound();
    if (statement.status === 'REJECTED' || statement.status === 'FAILED')
      throw requestRefused('The retirement did not succeed: there is nothing to state.');
    const until = change.beneficiaryHiddenUntil;
    if (until) checkEmbargo(until, new Date(statement.retiredAt ?? statement.createdAt));
    const before: Visibility = {
      publication: statement.publication,
      beneficiaryHiddenUntil: statement.beneficiaryHiddenUntil,
    };
    const after: Visibility = {
      publication: change.publication ?? before.publication,
      beneficiaryHiddenUntil: until === undefined ? before.beneficiaryHiddenUntil : (until?.toISOString() ?? null),
    };
    const isSame =
      before.publication === after.publication && before.beneficiaryHiddenUntil === after.beneficiaryHiddenUntil;
    if (!isSame) {
      publishStatements(em, [{ transactionId, ...after }]);
      const subject = { type: 'transaction', id: transactionId };
      const act = { scopes: [salesChannelId], actor, action: 'inventory.statement.updated', subject } as const;
      await recordAudit(em, [{ ...act, before: { ...before }, after: { ...after } }]);
    }
    return { id: statement.id, ...after };
  });
