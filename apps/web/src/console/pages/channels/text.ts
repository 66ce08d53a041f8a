import { translated } from '../../../shared/i18n/messages.ts';

export const text = translated({
  title: 'Sales channels',
  name: 'Name',
  id: 'Sales channel',
  users: 'Users',
  usersOf: (name: string) => `Users of ${name}`,
  act: 'Act',
  search: 'Name or id',
  create: 'Make a sales channel',
  createWhy: 'Each time another one is made, also under the same name.',
  suspendTitle: (name: string) => `Suspend ${name}`,
  suspendWhy:
    'From now on the sales channel is read, and nothing on it changes. What waits for approval there is kept. ' +
    'It can be resumed.',
  resumeTitle: (name: string) => `Resume ${name}`,
  resumeWhy: 'The sales channel can be changed again, by everybody who has the roles for it.',
  empty: 'There is no sales channel yet.',
});
