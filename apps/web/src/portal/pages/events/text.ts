import { translated } from '../../../shared/i18n/messages.ts';

export const text = translated({
  title: 'Events',
  about: 'The event log of the sales channel, newest event first. New events appear automatically.',
  pause: 'Pause',
  resume: 'Resume',
  state: 'State',
  live: 'live',
  connecting: 'connecting',
  broken: 'disconnected, reconnecting',
  paused: 'paused: resumes at the same event',
  since: (id: string) => `Read up to ${id}`,
  recorded: 'Recorded, UTC',
  effective: 'Effective, UTC',
  status: 'Status',
  transaction: 'Transaction',
  id: 'Event',
  empty: 'No events yet. New events appear here automatically.',
  shown: (count: string) => `The latest ${count} events`,
});
