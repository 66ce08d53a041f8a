import { interaction, type Contract } from '@saleschannel/testing/contracts';

/** Requirements of registry-import: names and suspensions of account holders. */
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
