import { translate } from '../../shared/i18n/messages.ts';

/** Labels shared by the pages of channels, holders and users. */
export const text = translate({
  active: 'active',
  suspended: 'suspended',
  closed: 'closed',
  reason: 'Reason',
  reasonHint: 'Recorded in the audit trail, for later readers.',
  suspend: 'Suspend',
  resume: 'Resume',
  status: 'Status',
  filters: 'Filters',
  clear: 'Clear filters',
  nothing: 'No results.',
});
