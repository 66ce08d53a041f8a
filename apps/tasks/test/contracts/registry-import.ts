import { count, interaction, type Contract } from '@saleschannel/testing/contracts';

/** Requirements of registry-import: automatic approval and suspensions of account holders. */
export const contract: Contract = {
  consumer: 'tasks',
  provider: 'registry-import',
  interactions: [
    interaction('accountHolderDirectory.GetAccountHolders', {
      given: 'an account holder',
      values: { holder: 'h1' },
      request: ({ holder }) => ({ accountHolderIds: [holder] }),
      answer: ({ holder }) => ({
        accountHolders: [{ accountHolderId: holder, autoApproval: true, status: 'ACTIVE' }],
        leaseMs: count(2_000),
      }),
    }),
    interaction('accountHolderDirectory.GetAccountHolders', {
      given: 'a suspended account holder that approves by itself',
      values: { holder: 'h2' },
      request: ({ holder }) => ({ accountHolderIds: [holder] }),
      answer: ({ holder }) => ({
        accountHolders: [{ accountHolderId: holder, autoApproval: false, status: 'SUSPENDED' }],
      }),
    }),
    interaction('accountHolderDirectory.GetAccountHolders', {
      given: 'an id of no account holder',
      values: { holder: 'h3' },
      request: ({ holder }) => ({ accountHolderIds: [holder] }),
      // Left out instead of refused, because one request covers many transfers.
      answer: () => ({ accountHolders: [] }),
    }),
  ],
};
