import { interaction, type Contract } from '@saleschannel/testing/contracts';

const request = ({ holder }: { holder: string }) => ({ accountHolderIds: [holder] });

/** Requirements of identity: kind and status of account holders. */
export const contract: Contract = {
  consumer: 'identity',
  provider: 'registry-import',
  interactions: [
    interaction('accountHolderDirectory.GetAccountHolders', {
      given: 'an account holder that is a registry',
      values: { holder: 'h1' },
      request,
      answer: () => ({ accountHolders: [{ kind: 'REGISTRY', status: 'ACTIVE' }] }),
    }),
    interaction('accountHolderDirectory.GetAccountHolders', {
      given: 'an account holder',
      values: { holder: 'h2' },
      request,
      answer: () => ({ accountHolders: [{ kind: 'HOLDER', status: 'ACTIVE' }] }),
    }),
    interaction('accountHolderDirectory.GetAccountHolders', {
      given: 'a suspended account holder that is a registry',
      values: { holder: 'h3' },
      request,
      answer: () => ({ accountHolders: [{ kind: 'REGISTRY', status: 'SUSPENDED' }] }),
    }),
    interaction('accountHolderDirectory.GetAccountHolders', {
      given: 'an id of no account holder',
      values: { holder: 'h4' },
      request,
      answer: () => ({ accountHolders: [] }),
    }),
  ],
};
