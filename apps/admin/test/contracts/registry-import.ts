import { instant, interaction, text, type Contract } from '@saleschannel/testing/contracts';
import { auditTrail, lookUp } from './every/common.ts';

const at = '2026-01-01T00:00:00.000Z';
const address = { postalCode: '3208', city: 'Sandefjord', country: 'Norway', street1: 'Ranvikveien 9' };
const holderOf = (accountHolderId: unknown) => ({
  accountHolderId: accountHolderId as string,
  name: text('Havkalk'),
  businessId: text('NO-2'),
  address: { ...address, street2: undefined },
  autoApproval: true,
  registeredOn: instant(at),
  kind: 'HOLDER',
  status: 'ACTIVE',
  suspendedAt: undefined,
  suspendedReason: undefined,
});

/** Operators need from registry-import account holders with their kind, and their suspension. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'registry-import',
  interactions: [
    interaction('accountHolderDirectory.EnsureAccountHolder', {
      given: 'a business that is no account holder',
      values: { newBusiness: 'NO-3' },
      request: ({ newBusiness: businessId }) => ({
        content: { name: 'Havkalk', businessId, address, autoApproval: true },
      }),
      answer: ({ newBusiness: businessId }) => ({ ...holderOf(text('h9')), businessId }),
    }),
    interaction('accountHolderAdministration.FindAccountHolders', {
      given: 'an account holder',
      values: { holder: 'h1', businessId: 'NO-2' },
      request: ({ businessId }) => ({ limit: 100, businessId }),
      answer: ({ holder }) => ({ accountHolders: [holderOf(holder)] }),
    }),
    interaction('accountHolderAdministration.SetKind', {
      given: 'an account holder',
      values: { holder: 'h1' },
      request: ({ holder: accountHolderId }) => ({ accountHolderId, kind: 'REGISTRY' }),
      answer: ({ holder }) => ({ ...holderOf(holder), kind: 'REGISTRY' }),
    }),
    interaction('accountHolderAdministration.SetKind', {
      given: 'an id of no account holder',
      values: { holder: 'h8' },
      request: ({ holder: accountHolderId }) => ({ accountHolderId, kind: 'REGISTRY' }),
      refusal: 'not-found',
    }),
    interaction('accountHolderAdministration.SuspendAccountHolder', {
      given: 'an account holder',
      values: { holder: 'h1' },
      request: ({ holder: accountHolderId }) => ({ accountHolderId, reason: 'by order' }),
      answer: ({ holder }) => ({
        ...holderOf(holder),
        status: 'SUSPENDED',
        suspendedAt: instant(at),
        suspendedReason: 'by order',
      }),
    }),
    interaction('accountHolderAdministration.ResumeAccountHolder', {
      given: 'a suspended account holder that is a registry',
      values: { holder: 'h2' },
      request: ({ holder: accountHolderId }) => ({ accountHolderId }),
      answer: ({ holder }) => ({ ...holderOf(holder), kind: 'REGISTRY' }),
    }),
    auditTrail('an act of the registry', false),
    lookUp('an account holder', 'holder'),
  ],
};
