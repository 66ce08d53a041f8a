import { interaction, oneOf, text, type Contract } from '@saleschannel/testing/contracts';
import { registryHolder } from '../../src/domain/samples.ts';

/** The sandbox needs registry-import to make it a registry, and to suspend account holders that it created. */
export const contract: Contract = {
  consumer: 'sandbox',
  provider: 'registry-import',
  interactions: [
    interaction('accountHolderDirectory.EnsureAccountHolder', {
      given: 'an account holder',
      values: {},
      request: () => ({ content: registryHolder }),
      answer: () => ({ accountHolderId: text('h0'), kind: oneOf('HOLDER', 'REGISTRY') }),
    }),
    interaction('accountHolderAdministration.SetKind', {
      given: 'an account holder',
      values: { holder: 'h0' },
      request: ({ holder: accountHolderId }) => ({ accountHolderId, kind: 'REGISTRY' }),
      answer: () => ({}),
    }),
    interaction('accountHolderAdministration.SuspendAccountHolder', {
      given: 'an account holder',
      values: { holder: 'h3' },
      request: ({ holder: accountHolderId }) => ({ accountHolderId, reason: 'Requested through the sandbox.' }),
      answer: () => ({}),
    }),
  ],
};
