import { type Contract, among, instant, interaction, oneOf, text, whole } from '@saleschannel/testing/contracts';
import { trail } from './audit/trail.ts';
import { accountHolderRequirements } from './registry-import/account-holders.ts';

const at = '2025-03-04T10:02:11.318Z';
const asRegistry = ({ holder }: { holder: string }) => ({ kind: 'registry', accountHolderId: holder }) as const;
const page = { limit: 100, offset: '0' };

export const facility = {
  name: 'Plant',
  country: 'NO',
  methodologyCodes: ['BIOCHAR-3'],
  supplier: 'Karbon',
  creditingPeriod: { start: '2024-01-01T00:00:00.000Z', end: '2033-12-31T23:59:59.000Z' },
};
export const issuance = {
  standard: 'NCR',
  registry: 'NRR',
  creditType: 'NCR200+',
  methodologyCode: 'BIOCHAR-3',
  vintage: 2024,
  productionStartDate: '2024-07-01T00:00:00.000Z',
  productionEndDate: '2024-12-31T23:59:59.000Z',
  issuingDate: '2025-02-10T00:00:00.000Z',
  firstSerial: '1',
  lastSerial: '500',
};

const file = '{"type":"nothing"}\n';
const ended = 'an import of one line, which was at fault';
const imported = (importId: string) => ({
  importId,
  status: oneOf('COMPLETED', 'FAILED', 'PENDING', 'RUNNING'),
  linesRead: '1',
  linesApplied: '0',
  linesFailed: '1',
  errorsStored: '1',
  createdAt: instant(at),
  completedAt: instant(at),
});

/** The registry records facilities and issuances, one by one and in files. */
const recordRequirements = [
  interaction('registryImport.PutFacility', {
    given: 'a code of no production facility',
    values: { holder: 'h1', code: 'K7M2QX' },
    as: asRegistry,
    request: ({ code }) => ({ facility: { code, ...facility } }),
    answer: ({ code }) => ({
      facility: { ...facility, code, id: text('f1'), supplierId: text('s1'), gsrn: undefined },
      created: true,
    }),
  }),
  interaction('registryImport.CreateIssuance', {
    given: 'a production facility, and an id of no issuance',
    values: { holder: 'h1', code: 'K7M2QX', issuance: '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913' },
    as: asRegistry,
    request: ({ holder: accountHolderId, code: productionFacilityCode, issuance: issuanceId }) => ({
      issuance: { ...issuance, issuanceId, accountHolderId, productionFacilityCode },
    }),
    answer: ({ holder: accountHolderId, code: productionFacilityCode, issuance: issuanceId }) => ({
      issuance: {
        ...issuance,
        issuanceId,
        accountHolderId,
        productionFacilityCode,
        creditTypeId: text('NCR_200_PLUS'),
        expirationDate: undefined,
      },
      created: true,
    }),
  }),
  interaction('registryImport.StartImport', {
    given: 'an account holder',
    values: { holder: 'h1' },
    as: asRegistry,
    request: () => [
      { header: { contentType: 'application/x-ndjson' } },
      { data: Buffer.from(file) },
      { end: { bytes: String(Buffer.byteLength(file)) } },
    ],
    answer: () => ({
      importId: text('m1'),
      status: oneOf('PENDING', 'RUNNING', 'COMPLETED'),
      linesRead: whole('0'),
      linesApplied: whole('0'),
      linesFailed: whole('0'),
      errorsStored: whole('0'),
      createdAt: instant(at),
    }),
  }),
  interaction('registryImport.ListImports', {
    given: ended,
    values: { holder: 'h1', import: 'm2' },
    as: asRegistry,
    request: () => ({ page }),
    answer: ({ import: importId }) => ({ total: whole('1'), imports: among(imported(importId)) }),
  }),
  interaction('registryImport.GetImport', {
    given: ended,
    values: { holder: 'h1', import: 'm2' },
    as: asRegistry,
    request: ({ import: importId }) => ({ importId }),
    answer: ({ import: importId }) => ({ ...imported(importId), status: 'COMPLETED' }),
  }),
  interaction('registryImport.ListImportErrors', {
    given: ended,
    values: { holder: 'h1', import: 'm2' },
    as: asRegistry,
    request: ({ import: importId }) => ({ importId, page }),
    answer: () => ({
      total: '1',
      errors: [{ line: '1', code: text('type'), detail: text('is none') }],
      next: undefined,
    }),
  }),
];

/** The gateway's requirements of registry-import: account holders, their proposals, and records. */
export const contract: Contract = {
  consumer: 'gateway',
  provider: 'registry-import',
  interactions: [...accountHolderRequirements, ...recordRequirements, ...trail('registry')],
};
