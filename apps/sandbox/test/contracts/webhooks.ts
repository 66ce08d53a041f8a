import { count, instant, interaction, type Contract } from '@saleschannel/testing/contracts';

const given = 'a webhook endpoint';
const values = { channel: 'c1', endpoint: 'e1' };
const asAdministrator = ({ channel }: typeof values) =>
  ({ salesChannelId: channel, roles: ['ROLE_ADMINISTRATOR'] }) as const;

/** The sandbox needs webhooks to break endpoints on demand, and to delete those of a replaced channel. */
export const contract: Contract = {
  consumer: 'sandbox',
  provider: 'webhooks',
  interactions: [
    interaction('endpointSandbox.BreakEndpoints', {
      given,
      values,
      as: asAdministrator,
      request: ({ endpoint: endpointId }) => ({ endpointId, fault: 'DOWN', seconds: 10 }),
      answer: ({ endpoint }) => ({ endpointIds: [endpoint], until: instant('2026-01-01T00:00:00.000Z') }),
    }),
    interaction('endpointSandbox.LeaveEndpoints', {
      given,
      values,
      as: asAdministrator,
      request: () => ({ dryRun: true }),
      answer: () => ({ endpoints: count(1) }),
    }),
    interaction('endpointSandbox.LeaveEndpoints', {
      given,
      values,
      as: asAdministrator,
      request: () => ({ dryRun: false }),
      answer: () => ({ endpoints: count(1) }),
    }),
  ],
};
