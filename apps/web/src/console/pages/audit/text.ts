import { translated } from '../../../shared/i18n/messages.ts';

export const text = translated({
  title: 'Audit trail',
  about:
    'What was done, by whom, oldest first. Of a service, each event holds the hash of the one before, ' +
    'so that none can be taken away unseen.',
  filters: 'Filters',
  scope: 'Whose trail',
  scopeHint: 'installation, registry, or the id of a sales channel',
  service: 'Service',
  from: 'From, UTC',
  to: 'To, UTC',
  at: 'When, UTC',
  action: 'What',
  actor: 'Who',
  subject: 'To what',
  request: 'Request',
  sequence: 'Number',
  show: 'Show',
  showTitle: (sequence: number) => `Show event ${sequence}`,
  details: 'Audit event',
  address: 'From the address',
  before: 'Before',
  after: 'After',
  hash: 'Hash',
  previousHash: 'Hash of the one before',
  close: 'Close',
  empty: 'Nothing is recorded for this.',
});
