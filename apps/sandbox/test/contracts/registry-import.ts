import { interaction, oneOf, text, type Contract } from '@saleschannel/testing/contracts';
import { registryHolder } from '../../src/domain/samples.ts';

/** What the sandbox relies on of registry-import: that it becomes a registry, and that it may suspend whom it made. */
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
      request: ({ holder: accountHolderId }) => ({ accountHolderId, reason: 'The sandbox was asked to.' }),
      answer: () => ({}),
    }),
  ],
};
