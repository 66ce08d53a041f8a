import { bytes, interaction } from '@saleschannel/testing/contracts';
import { matchDocument } from '../../support/documents.ts';

const retired = 'a retirement whose statement is public';

/** Public operations. */
export const publicRequirements = [
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
