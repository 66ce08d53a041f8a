import { translated } from '../../../shared/i18n/messages.ts';

export const text = translated({
  title: 'Webhooks',
  about:
    'Endpoints receive each event when it is recorded, as a signed message. Events that a receiver misses stay in ' +
    'the log and are sent later.',
  create: 'Create endpoint',
  createAbout: 'It receives all events recorded from now on.',
  createDo: 'Create endpoint',
  none: 'There are no endpoints yet.',
  needs: (role: string) => `Only users with the role ROLE_ADMINISTRATOR (${role}) can create and change endpoints.`,
  endpoint: 'Endpoint',
  state: 'State',
  types: 'Events',
  order: 'Order',
  pending: 'Pending',
  lastSuccess: 'Last success, UTC',
  failingSince: (time: string) => `failing since ${time}, UTC`,
  never: 'never',
});
