import { translated } from '../../../shared/i18n/messages.ts';

export const text = translated({
  title: 'Sales channels',
  name: 'Name',
  id: 'Sales channel',
  users: 'Users',
  usersOf: (name: string) => `Users of ${name}`,
  act: 'Action',
  search: 'Name or id',
  create: 'Create sales channel',
  createWhy: 'The name must be unique among sales channels.',
  rename: 'Rename',
  renameTitle: (name: string) => `Rename ${name}`,
  renameWhy: (id: string) => `Only the name of the sales channel ${id} changes.`,
  suspendTitle: (name: string) => `Suspend ${name}`,
  suspendWhy:
    'The sales channel can be read but not changed. Transactions that wait for approval stay pending. You can resume ' +
    'the sales channel later.',
  resumeTitle: (name: string) => `Resume ${name}`,
  resumeWhy: 'Users can change the sales channel again, according to their roles.',
  close: 'Close',
  closeTitle: (name: string) => `Close ${name}`,
  closeWhy:
    'The sales channel is closed permanently: its users are removed, its open invitations are revoked, and its name ' +
    'stays taken. API keys of its users can do nothing there any more. A sales channel with open work cannot be ' +
    'closed: resume it first to finish the work.',
  empty: 'There are no sales channels yet.',
});
