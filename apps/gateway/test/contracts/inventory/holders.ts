import { interaction, pieces } from '@saleschannel/testing/contracts';
import { matchDocument } from '../../support/documents.ts';

const asHolder = ({ holder }: { holder: string }) => ({ accountHolderId: holder });
const held = 'an account holder with certificates and a trader';
const certificates = { holder: 'h1', start: 'i1_1', last: 'i1_10' };
const traded = 'a trade that was carried out';
const trade = { holder: 'h1', transaction: 'x1' };
const waiting = 'a trade that waits for approval';
const page = { limit: 1, offset: '0' };

/** Users of account holders read holdings, and decide on transactions. */
export const holderRequirements = [
  interaction('holdings.ListHoldings', {
    given: held,
    values: certificates,
    as: asHolder,
    request: () => ({ filter: {} }),
    answer: ({ start, last: end }) => pieces(matchDocument('listHoldings', [{ start, end, state: 'UNLISTED' }])),
  }),
  interaction('holdings.PageHoldings', {
    given: held,
    values: certificates,
    as: asHolder,
    request: () => ({ filter: {}, page }),
    answer: ({ start, last: end }) => ({ data: matchDocument('listHoldings', [{ start, end }]), next: undefined }),
  }),
  interaction('holdings.SummarizeHoldings', {
    given: held,
    values: certificates,
    as: asHolder,
    request: () => ({ filter: {} }),
    answer: () => ({ data: matchDocument('summarizeHoldings', { bundles: 1, volume: 10 }) }),
  }),
  interaction('holdings.ListHolderTransactions', {
    given: traded,
    values: trade,
    as: asHolder,
    request: () => ({ filter: { type: 'TRADE' } }),
    answer: ({ transaction: transactionId }) =>
      pieces(matchDocument('listHolderTransactions', [{ transactionId, status: 'SUCCESS' }])),
  }),
  interaction('holdings.ListHolderTransactions', {
    given: traded,
    values: trade,
    as: asHolder,
    request: () => ({ filter: { type: 'TRADE' }, expand: ['totals'] }),
    answer: ({ transaction: transactionId }) =>
      pieces(matchDocument('listHolderTransactions', [{ transactionId }]), { expanded: true }),
  }),
  interaction('holdings.PageHolderTransactions', {
    given: traded,
    values: trade,
    as: asHolder,
    request: () => ({ filter: { type: 'TRADE' }, page }),
    answer: ({ transaction: transactionId }) =>
      pieces(matchDocument('listHolderTransactions', [{ transactionId }]), { next: undefined }),
  }),
  interaction('holdings.GetHolderTransaction', {
    given: traded,
    values: trade,
    as: asHolder,
    request: ({ transaction: transactionId }) => ({ transactionId }),
    answer: ({ transaction: transactionId }) => ({ data: matchDocument('getHolderTransaction', { transactionId }) }),
  }),
  interaction('holdings.ApproveHolderTransaction', {
    given: waiting,
    values: { holder: 'h1', transaction: 'x2' },
    as: asHolder,
    request: ({ transaction: transactionId }) => ({ transactionId }),
    answer: ({ transaction: transactionId }) => ({
      data: matchDocument('approveHolderTransaction', { transactionId, status: 'SUCCESS' }),
    }),
  }),
  interaction('holdings.RejectHolderTransaction', {
    given: waiting,
    values: { holder: 'h1', transaction: 'x2' },
    as: asHolder,
    request: ({ transaction: transactionId }) => ({ transactionId }),
    answer: ({ transaction: transactionId }) => ({
      data: matchDocument('rejectHolderTransaction', { transactionId, status: 'REJECTED' }),
    }),
  }),
];
