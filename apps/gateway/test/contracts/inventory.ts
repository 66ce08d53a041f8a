import { type Contract, bytes, interaction, pieces } from '@saleschannel/testing/contracts';
import { matchDocument } from '../support/public-contract.ts';
import { trail } from './audit/trail.ts';
import { channelRequirements } from './inventory/channels.ts';
import { registryRequirements } from './inventory/registry.ts';

const asHolder = ({ holder }: { holder: string }) => ({ accountHolderId: holder });
const held = 'an account holder with certificates and a trader';
const certificates = { holder: 'h1', start: 'i1_1', last: 'i1_10' };
const traded = 'a trade that was carried out';
const trade = { holder: 'h1', transaction: 'x1' };
const waiting = 'a trade that waits for approval';
const page = { limit: 1, offset: '0' };

/** Users of account holders read holdings, and decide on transactions. */
const holderRequirements = [
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

const retired = 'a retirement whose statement is public';

/** Public operations. */
const publicRequirements = [
  interaction('publicRegister.GetStatement', {
    given: retired,
    values: { statement: 's1' },
    request: ({ statement }) => ({ id: statement }),
    answer: ({ statement: id }) => ({ data: matchDocument('getStatement', { id, publication: 'PUBLIC' }) }),
  }),
  interaction('publicRegister.GetStatement', {
    given: 'an id of no statement',
    values: { nothing: 's9' },
    request: ({ nothing }) => ({ id: nothing }),
    refusal: 'not-found',
  }),
  interaction('publicRegister.ListStatements', {
    given: retired,
    values: { statement: 's1', retiredAt: '2025-03-05T13:41:20.508Z' },
    request: ({ retiredAt }) => ({ retiredAt: { gte: retiredAt, lte: retiredAt }, page: { limit: 100, offset: '0' } }),
    answer: ({ statement: id }) => ({ data: matchDocument('listStatements', [{ id }]), next: undefined }),
  }),
  interaction('publicRegister.ListStatements', {
    given: retired,
    values: { statement: 's1', retiredAt: '2025-03-05T13:41:20.508Z', beneficiary: 'Ada' },
    request: ({ retiredAt, beneficiary: beneficiaryPart }) => ({
      retiredAt: { gte: retiredAt, lte: retiredAt },
      beneficiaryPart,
      page: { limit: 100, offset: '0' },
    }),
    answer: ({ statement: id }) => ({
      data: matchDocument('listStatements', [{ id }]),
      next: undefined,
      searched: true,
    }),
  }),
  interaction('publicRegister.ListStatements', {
    given: retired,
    values: {},
    request: () => ({ page: { limit: 1, offset: '0' }, format: 'LIST_FORMAT_CSV' as const }),
    answer: () => ({ data: bytes('id\r\ns1\r\n'), format: 'LIST_FORMAT_CSV' as const }),
  }),
  interaction('publicRegister.GetCertificateStatus', {
    given: retired,
    values: { statement: 's1', certificate: 'i1_1' },
    request: ({ certificate }) => ({ certificate }),
    answer: ({ statement: statementId, certificate }) => ({
      data: matchDocument('getCertificateStatus', { certificate, status: 'RETIRED', statementId }),
    }),
  }),
  interaction('publicRegister.GetStatementKeys', {
    given: retired,
    values: {},
    request: () => ({}),
    answer: () => ({ data: matchDocument('getStatementKeys') }),
  }),
];

/** The gateway's requirements of the ledger, by caller. */
export const contract: Contract = {
  consumer: 'gateway',
  provider: 'inventory',
  interactions: [
    ...channelRequirements,
    ...holderRequirements,
    ...registryRequirements,
    ...publicRequirements,
    ...trail('both'),
  ],
};
