import { translated } from '../../../shared/i18n/messages.ts';

export const text = translated({
  title: 'Events',
  about: 'The log of the sales channel as it is written, the latest event on top.',
  pause: 'Pause',
  resume: 'Resume',
  state: 'State',
  live: 'live',
  connecting: 'connecting',
  broken: 'no connection, it is tried again',
  paused: 'paused: it goes on at the same event',
  since: (id: string) => `Read up to ${id}`,
  recorded: 'Recorded, UTC',
  effective: 'Effective, UTC',
  status: 'Status',
  transaction: 'Transaction',
  id: 'Event',
  empty: 'No event was recorded yet. What happens is shown here by itself.',
  shown: (count: string) => `The latest ${count} events`,
});
