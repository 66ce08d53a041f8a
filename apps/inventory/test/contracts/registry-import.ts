import { interaction, type Contract } from '@saleschannel/testing/contracts';

/** What the ledger relies on of registry-import: what account holders are called, and which are suspended. */
export const contract: Contract = {
  consumer: 'inventory',
  provider: 'registry-import',
  interactions: [
    interaction('accountHolderDirectory.GetAccountHolders', {
      given: 'an account holder',
      values: { holder: 'h1', name: 'Havkalk' },
      request: ({ holder }) => ({ accountHolderIds: [holder] }),
      answer: ({ holder, name }) => ({ accountHolders: [{ accountHolderId: holder, name, status: 'ACTIVE' }] }),
    }),
    interaction('accountHolderDirectory.GetAccountHolders', {
      given: 'a suspended account holder that approves by itself',
      values: { holder: 'h2' },
      request: ({ holder }) => ({ accountHolderIds: [holder] }),
      answer: () => ({ accountHolders: [{ status: 'SUSPENDED' }] }),
    }),
  ],
};
