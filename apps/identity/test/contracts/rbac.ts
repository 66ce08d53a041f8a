import { interaction, type Contract } from '@saleschannel/testing/contracts';

/** Requirements of identity: the rights of a user, for principals. */
export const contract: Contract = {
  consumer: 'identity',
  provider: 'rbac',
  interactions: [
    interaction('bindingDirectory.FindBinding', {
      given: 'a user who may see assets and events of a channel',
      values: { user: 'u1', channel: 'c1' },
      request: ({ user }) => ({ userId: user }),
      answer: ({ channel }) => ({
        binding: { salesChannelId: channel, roles: ['ASSET_VIEWER', 'EVENT_VIEWER'] },
        salesChannel: { id: channel, status: 'ACTIVE' },
      }),
    }),
    interaction('bindingDirectory.FindBinding', {
      given: 'a user of a suspended channel',
      values: { user: 'u2', channel: 'c2' },
      request: ({ user }) => ({ userId: user }),
      answer: ({ channel }) => ({
        binding: { salesChannelId: channel },
        salesChannel: { id: channel, status: 'SUSPENDED' },
      }),
    }),
    interaction('bindingDirectory.FindBinding', {
      given: 'a user of no channel',
      values: { user: 'u3' },
      request: ({ user }) => ({ userId: user }),
      // Not an error: new users have no binding.
      answer: () => ({ binding: null }),
    }),
  ],
};
