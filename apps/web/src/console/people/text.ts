import { translated } from '../../shared/i18n/messages.ts';

/** What the pages of channels, holders and users say alike. */
export const text = translated({
  active: 'active',
  suspended: 'suspended',
  closed: 'closed',
  reason: 'Reason',
  reasonHint: 'For the next one who reads it. It is in the audit trail.',
  suspend: 'Suspend',
  resume: 'Resume',
  status: 'Status',
  filters: 'Filters',
  clear: 'Clear the filters',
  nothing: 'Nothing fits.',
});
