import { among, instant, interaction, oneOf, text, whole, type Contract } from '@saleschannel/testing/contracts';
import { activity } from './every/activity.ts';

const at = '2026-01-01T00:00:00.000Z';
const page = { limit: 100, offset: '0' };
const file = '{"type":"nothing"}\n';
const ended = 'an import of one line, which was at fault';
const imported = (importId: string) => ({
  importId,
  status: 'COMPLETED',
  linesRead: '1',
  linesApplied: '0',
  linesFailed: '1',
  errorsStored: '1',
  createdAt: instant(at),
  completedAt: instant(at),
});

/** Requirements of the console on registry-import, beyond those of the admin command: imports, and account holders. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'registry-import',
  interactions: [
    interaction('importAdministration.StartImport', {
      given: ended,
      values: {},
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
    interaction('importAdministration.ListImports', {
      given: ended,
      values: { import: 'm2' },
      request: () => ({ page }),
      answer: ({ import: importId }) => ({ total: whole('1'), imports: among(imported(importId)), next: undefined }),
    }),
    interaction('importAdministration.GetImport', {
      given: ended,
      values: { import: 'm2' },
      request: ({ import: importId }) => ({ importId }),
      answer: ({ import: importId }) => imported(importId),
    }),
    interaction('importAdministration.ListImportErrors', {
      given: ended,
      values: { import: 'm2' },
      request: ({ import: importId }) => ({ importId, page }),
      answer: () => ({
        total: '1',
        errors: [{ line: '1', code: text('type'), detail: text('is none') }],
        next: undefined,
      }),
    }),
    activity(ended, 'unfinishedImports'),
    interaction('accountHolderAdministration.FindAccountHolders', {
      given: 'an account holder',
      values: { holder: 'h1', name: 'Havkalk', businessId: 'NO-2' },
      request: ({ businessId, name: namePart }) => ({ limit: 100, businessId, namePart }),
      answer: ({ holder: accountHolderId, name, businessId }) => ({
        accountHolders: [
          {
            accountHolderId,
            name,
            businessId,
            address: { postalCode: '3208', city: 'Sandefjord', country: 'Norway', street1: 'Ranvikveien 9' },
            autoApproval: true,
            registeredOn: instant(at),
            kind: 'HOLDER',
            status: 'ACTIVE',
            suspendedAt: undefined,
            suspendedReason: undefined,
          },
        ],
        searched: true,
      }),
    }),
    // The console checks that an account holder exists before it assigns a user.
    interaction('lookUp.LookUp', {
      given: 'an account holder',
      values: { holder: 'h1' },
      request: ({ holder: id }) => ({ id }),
      answer: ({ holder: accountHolderId }) => ({ things: [{ facts: { accountHolderId } }] }),
    }),
  ],
};
