import { notFound } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { isIssuanceId, readCertificate } from '../domain/selection.ts';
import { findHistory, type HistoryStep } from '../store/transaction-views.ts';
import { documentOf, endsOf } from './messages.ts';

export const getCertificateHistory: Rpc<'ledger.GetCertificateHistory', Context> =
  ({ database }) =>
  async ({ certificate }) => {
    const reference = readCertificate(certificate);
    if (!reference || !isIssuanceId(reference.issuanceId)) throw notFound();
    const steps = await findHistory(database.em(), reference.issuanceId, reference.serial);
    if (steps.length === 0) throw notFound();
    return documentOf(JSON.stringify(steps.map(entryOf)));
  };

const entryOf = (step: HistoryStep): object => ({
  transactionId: step.transactionId,
  type: step.type,
  at: step.at,
  from: step.sourceFirst === null || step.sourceLast === null ? null : endsOf(step, step.sourceFirst, step.sourceLast),
  bundle: endsOf(step, step.first, step.last),
  fromOwner: step.sellerId,
  toOwner: step.type === 'OFFRAMP' ? step.accountHolderId : step.buyerId,
  status: step.status,
});
