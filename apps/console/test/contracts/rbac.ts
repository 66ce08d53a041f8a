import { interaction, type Contract } from '@saleschannel/testing/contracts';
import { activity } from './every/activity.ts';

/** Requirements of the console on rbac, beyond those of the admin command: activity, and users of a sales channel. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'rbac',
  interactions: [
    activity('a sales channel', 'outbox'),
    interaction('rbacAdministration.CountChannelUsers', {
      given: 'a channel with an invitation, and somebody who has its token',
      values: { channel: 'c1' },
      request: ({ channel: salesChannelId }) => ({ salesChannelId }),
      answer: () => ({ users: { count: 1, isMore: false }, invitations: { count: 1, isMore: false } }),
    }),
  ],
};
