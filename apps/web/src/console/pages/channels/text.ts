import { translated } from '../../../shared/i18n/messages.ts';

export const text = translated({
  title: 'Sales channels',
  name: 'Name',
  id: 'Sales channel',
  users: 'Users',
  usersOf: (name: string) => `Users of ${name}`,
  act: 'Act',
  search: 'Name or id',
  create: 'Create sales channel',
  createWhy: 'No other sales channel may have its name.',
  rename: 'Rename',
  renameTitle: (name: string) => `Rename ${name}`,
  renameWhy: (id: string) => `The sales channel ${id} has another name from now on. Nothing else changes.`,
  suspendTitle: (name: string) => `Suspend ${name}`,
  suspendWhy:
    'The sales channel can still be read, but nothing on it changes. Transactions that wait for approval stay. ' +
    'It can be resumed.',
  resumeTitle: (name: string) => `Resume ${name}`,
  resumeWhy: 'The sales channel can be changed again, by everybody who has the roles for it.',
  close: 'Close',
  closeTitle: (name: string) => `Close ${name}`,
  closeWhy:
    'The sales channel is closed for good: its users are unbound, its open invitations revoked, and it keeps its ' +
    'name. API keys of its users can do nothing there any more. Nothing may be open on it: resume it first where ' +
    'something is.',
  empty: 'There is no sales channel yet.',
});
