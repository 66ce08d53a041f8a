import { translated } from '../../../shared/i18n/messages.ts';

export const text = translated({
  title: 'Webhooks',
  about:
    'Addresses of yours to which each event is sent as it is recorded, signed. Whatever a receiver misses stays in ' +
    'the log, and is sent later.',
  create: 'Create an endpoint',
  createAbout: 'It gets every event that is recorded from now on.',
  createDo: 'Create the endpoint',
  none: 'There is no endpoint yet.',
  needs: (role: string) => `Who has the role ROLE_ADMINISTRATOR (${role}) creates and changes endpoints.`,
  endpoint: 'Endpoint',
  state: 'State',
  types: 'Events',
  order: 'Order',
  pending: 'Waiting',
  lastSuccess: 'Last success, UTC',
  failingSince: (time: string) => `fails since ${time}, UTC`,
  never: 'never',
});
