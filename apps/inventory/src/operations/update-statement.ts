import { recordAudit } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import { notFound, requestRefused } from '@saleschannel/errors';
import type { Context } from '../context.ts';
import { checkVisibility, type Publication, type Visibility } from '../domain/statement.ts';
import { lockStatement, publishStatements } from '../store/statements.ts';

/** Undefined members stay unchanged. */
export interface StatementChange {
  readonly salesChannelId: string;
  readonly transactionId: string;
  readonly publication: Publication | undefined;
  /** Null: ends the embargo. */
  readonly beneficiaryHiddenUntil: Date | null | undefined;
  readonly actor: Actor;
}

/**
 * Changes the visibility of a retirement statement. Repeating a change has no effect.
 * @throws DomainError 'not-found' for anything but a retirement of the channel, 'request-refused' for one that did not
 * succeed, for hiding visible data, and for an embargo out of range
 */
export const updateStatement = (
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  change: StatementChange,
): Promise<Visibility & { id: string }> =>
  database.transaction(async (em) => {
    const { transactionId, salesChannelId, actor } = change;
    const statement = await lockStatement(em, { salesChannelId, transactionId });
    if (!statement) throw notFound();
    if (statement.status === 'REJECTED' || statement.status === 'FAILED')
      throw requestRefused('The retirement did not succeed, so it has no statement.');
    const until = change.beneficiaryHiddenUntil;
    const before: Visibility = {
      publication: statement.publication,
      beneficiaryHiddenUntil: statement.beneficiaryHiddenUntil,
    };
    const after: Visibility = {
      publication: change.publication ?? before.publication,
      beneficiaryHiddenUntil: until === undefined ? before.beneficiaryHiddenUntil : (until?.toISOString() ?? null),
    };
    checkVisibility(before, after, {
      createdAt: new Date(statement.createdAt),
      retiredAt: statement.retiredAt === null ? null : new Date(statement.retiredAt),
      now: clock.now(),
    });
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
