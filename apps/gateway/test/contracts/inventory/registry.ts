import { among, count, instant, interaction, pieces, text, whole } from '@saleschannel/testing/contracts';
import { matchDocument, matchRecords } from '../../support/public-contract.ts';

const asRegistry = ({ holder }: { holder: string }) => ({ kind: 'registry', accountHolderId: holder }) as const;
const at = '2025-03-04T10:02:11.318Z';
const page = { limit: 100, offset: '0' };
const held = 'an account holder with certificates and a trader';
const traded = 'a trade that was carried out';
const trade = { holder: 'h1', transaction: 'x1' };
const waiting = 'a trade that waits for approval';

const facility = (code: string) => ({
  id: text('f1'),
  supplierId: text('s1'),
  code,
  name: text('Northern Biochar'),
  country: text('NA'),
  methodologyCodes: [text('C03000000')],
  supplier: text('Northern Carbon'),
  gsrn: undefined,
});

const issuance = ({ holder, issuance: issuanceId }: { holder: string; issuance: string }) => ({
  issuanceId,
  accountHolderId: holder,
  productionFacilityCode: text('FAC001'),
  standard: text('PURO'),
  registry: text('PR'),
  creditType: text('CORC_100+'),
  creditTypeId: text('CORC_100_PLUS'),
  methodologyCode: text('C03000000'),
  vintage: count(2024),
  productionStartDate: instant(at),
  productionEndDate: instant(at),
  issuingDate: instant(at),
  firstSerial: whole('1'),
  lastSerial: whole('10'),
  expirationDate: undefined,
});

/** The registry reads all records, and decides on transactions. */
export const registryRequirements = [
  interaction('ledger.ListFacilities', {
    given: 'a production facility',
    values: { holder: 'h1', code: 'FAC001' },
    as: asRegistry,
    request: () => ({ page }),
    answer: ({ code }) => ({ total: whole('1'), facilities: among(facility(code)), next: undefined }),
  }),
  interaction('ledger.GetFacility', {
    given: 'a production facility',
    values: { holder: 'h1', code: 'FAC001' },
    as: asRegistry,
    request: ({ code }) => ({ code }),
    answer: ({ code }) => facility(code),
  }),
  interaction('ledger.GetFacility', {
    given: 'a code of no production facility',
    values: { holder: 'h1', code: 'FAC009' },
    as: asRegistry,
    request: ({ code }) => ({ code }),
    refusal: 'not-found',
  }),
  interaction('ledger.ListIssuances', {
    given: held,
    values: { holder: 'h1', issuance: '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913' },
    as: asRegistry,
    request: ({ holder }) => ({ page, accountHolderId: holder }),
    answer: (values) => ({ total: '1', issuances: [issuance(values)], next: undefined }),
  }),
  interaction('ledger.GetIssuance', {
    given: held,
    values: { holder: 'h1', issuance: '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913' },
    as: asRegistry,
    request: ({ issuance: issuanceId }) => ({ issuanceId }),
    answer: issuance,
  }),
  interaction('ledger.ListCertificates', {
    given: held,
    values: { holder: 'h1', start: 'i1_1', last: 'i1_10' },
    as: asRegistry,
    request: ({ holder }) => ({ page, ownerId: holder }),
    answer: ({ start, last: end }) => ({
      total: '1',
      data: matchRecords('listCertificates', [{ start, end, volume: 10 }]),
      next: undefined,
    }),
  }),
  interaction('ledger.GetCertificateHistory', {
    given: held,
    values: { holder: 'h1', start: 'i1_1', issuance: 'i1' },
    as: asRegistry,
    request: ({ start }) => ({ certificate: start }),
    answer: ({ issuance: transactionId }) => ({
      data: matchDocument('getCertificateHistory', [{ transactionId, type: 'ISSUANCE' }]),
    }),
  }),
  interaction('ledger.ListRegistryTransactions', {
    given: traded,
    values: trade,
    as: asRegistry,
    request: ({ holder }) => ({ page, type: 'TRADE', accountHolderId: holder, createdAt: {} }),
    answer: ({ transaction: transactionId }) =>
      pieces(matchRecords('listRegistryTransactions', [{ transactionId }]), { total: '1', next: undefined }),
  }),
  interaction('ledger.ListRegistryTransactions', {
    given: traded,
    values: trade,
    as: asRegistry,
    request: ({ holder }) => ({ page, type: 'TRADE', accountHolderId: holder, createdAt: {}, expand: ['totals'] }),
    answer: ({ transaction: transactionId }) =>
      pieces(matchRecords('listRegistryTransactions', [{ transactionId }]), { total: '1', expanded: true }),
  }),
  interaction('ledger.GetRegistryTransaction', {
    given: traded,
    values: trade,
    as: asRegistry,
    request: ({ transaction: transactionId }) => ({ transactionId }),
    answer: ({ transaction: transactionId }) => ({
      data: matchDocument('getRegistryTransaction', { transactionId, status: 'SUCCESS' }),
    }),
  }),
  interaction('ledger.ApproveTransaction', {
    given: waiting,
    values: { holder: 'h1', transaction: 'x2' },
    as: asRegistry,
    request: ({ transaction: transactionId }) => ({ transactionId }),
    answer: ({ transaction: transactionId }) => ({
      data: matchDocument('approveTransaction', { transactionId, status: 'SUCCESS' }),
    }),
  }),
  interaction('ledger.RejectTransaction', {
    given: waiting,
    values: { holder: 'h1', transaction: 'x2' },
    as: asRegistry,
    request: ({ transaction: transactionId }) => ({ transactionId }),
    answer: ({ transaction: transactionId }) => ({
      data: matchDocument('rejectTransaction', { transactionId, status: 'REJECTED' }),
    }),
  }),
];
