import { notFound } from '@saleschannel/errors';
import { askerOf, readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findParticulars, type LineageView, type Particulars } from '../store/transaction-particulars.ts';
import { totalsOf } from './expansion-messages.ts';
import { documentOf, endsOf, membersOfDetail, rangeOf } from './messages.ts';

export const getTransactionDetail: Rpc<'inventory.GetTransactionDetail', Context> =
  ({ findTransactionOfChannel, reads, nameTraders }) =>
  async ({ transactionId }, call) => {
    const wanted = { salesChannelId: salesChannelOf(call), id: idToFind(transactionId) };
    const [transaction, particulars] = await Promise.all([
      findTransactionOfChannel(wanted, askerOf(call)),
      // As new as the transaction beside it, which comes from there.
      reads.pageOfPrimary(readerOf(call), (em) => findParticulars(em, wanted)),
    ]);
    if (!transaction || !particulars) throw notFound();
    const { sellerId, buyerId } = transaction;
    const parties = [sellerId, buyerId].filter((id) => id !== null);
    const nameOf = await nameTraders(wanted.salesChannelId, parties, call);
    return documentOf(
      JSON.stringify({
        ...membersOfDetail(transaction),
        seller: sellerId === null ? null : nameOf(sellerId),
        buyer: buyerId === null ? null : nameOf(buyerId),
        ...shown(particulars),
        totals: totalsOf(transaction),
      }),
    );
  };

function shown({ taskId, requestedBy, requestedWithKey, statement, lineage, ...notes }: Particulars): object {
  return {
    taskId,
    requestedBy: requestedBy === null ? null : { userId: requestedBy, keyId: requestedWithKey },
    lineage: lineage.map(stepOf),
    statement,
    externalReference: notes.externalReference,
    metadata: notes.metadata ?? {},
  };
}

/** What one selection was taken out of, and what that left: nothing where the ends are the same. */
function stepOf(line: LineageView): object {
  const [first, last, sourceFirst, sourceLast] = [line.first, line.last, line.sourceFirst, line.sourceLast].map(BigInt);
  if (first === undefined || last === undefined || sourceFirst === undefined || sourceLast === undefined)
    throw new Error('a line has no ends');
  const range = (from: bigint, to: bigint): object | null => (from > to ? null : rangeOf(line, from, to));
  return {
    ...endsOf(line, line.first, line.last),
    bundle: range(sourceFirst, sourceLast),
    before: range(sourceFirst, first - 1n),
    after: range(last + 1n, sourceLast),
  };
}
