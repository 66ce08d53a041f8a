import { count, inAnyOrder, interaction, whole, type Contract } from '@saleschannel/testing/contracts';
import { auditTrail, lookUp } from './every/common.ts';

const lagOf = (consumer: string, salesChannelId: string) => ({
  consumer,
  fault: undefined,
  lagEntries: whole('4'),
  lagSeconds: count(90.5),
  republished: '0',
  channels: [{ salesChannelId, last: whole('9'), upto: whole('4'), highest: whole('6'), missing: whole('4') }],
});

/** Operators need from the ledger the lag of its consumers. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'inventory',
  interactions: [
    interaction('reconciliation.Reconcile', {
      given: 'a trade of which nobody has heard',
      values: { channel: 'c1' },
      request: ({ channel: salesChannelId }) => ({ salesChannelId, onlyLook: true }),
      answer: ({ channel }) => ({
        consumers: inAnyOrder(lagOf('tasks', channel), lagOf('events', channel)),
        hasMore: false,
      }),
    }),
    auditTrail('an act on a sales channel, and one of the registry'),
    lookUp('a trade that was carried out', 'transaction'),
  ],
};
