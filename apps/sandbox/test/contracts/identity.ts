import { instant, interaction, text, type Contract } from '@saleschannel/testing/contracts';

/** The sandbox needs a registry key from identity. */
export const contract: Contract = {
  consumer: 'sandbox',
  provider: 'identity',
  interactions: [
    interaction('userDirectory.IssueRegistryKey', {
      given: 'a registry key',
      values: { holder: 'h0', inAMonth: '2126-01-01T00:00:00.000Z' },
      request: ({ holder: accountHolderId, inAMonth }) => ({ accountHolderId, expiresAt: instant(inAMonth) }),
      answer: () => ({ key: { id: text('k1') }, secret: text('secret') }),
    }),
  ],
};
